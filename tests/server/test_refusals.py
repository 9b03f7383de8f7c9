"""Whatever the protocol lists for a client to be ready for is said by the server somewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from engine.errors import Reason
from protocol.errors import CloseCode, ErrorCode, RefusalReason

ROOT = Path(__file__).parents[2]
REFUSALS = {"ProtocolError", "RuleViolation"}
ONLY_OF_THE_PROTOCOL = {CloseCode.GOING_AWAY, CloseCode.OVERLOADED}


def program() -> Iterator[ast.AST]:
    """All that stands in the modules of the rules, the protocol and the server."""
    for package in ("engine", "protocol", "server"):
        for path in (ROOT / package).rglob("*.py"):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def members(node: ast.AST, kind: type) -> Iterator[str]:
    """The names of those of ``kind`` that stand in ``node``."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == kind.__name__:
            yield part.attr


def refused_with(kind: type) -> set[str]:
    """The names of those of ``kind`` with which a refusal is made."""
    made = (node for node in program() if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    return {name for call in made if ast.unparse(call.func) in REFUSALS for name in members(call, kind)}


def test_every_code_of_an_error_is_said() -> None:
    assert refused_with(ErrorCode) == set(ErrorCode.__members__)


def test_every_reason_of_an_illegal_action_is_said() -> None:
    assert refused_with(Reason) == set(Reason.__members__)


def test_every_reason_of_a_refusal_is_said() -> None:
    assert refused_with(RefusalReason) == set(RefusalReason.__members__)


def test_every_close_code_is_said_but_those_that_only_the_protocol_knows() -> None:
    said = {
        name
        for path in (ROOT / "server").rglob("*.py")
        for name in members(ast.parse(path.read_text(encoding="utf-8")), CloseCode)
    }

    assert said == {code.name for code in CloseCode if code not in ONLY_OF_THE_PROTOCOL}
