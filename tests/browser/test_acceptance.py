"""docs/acceptance.md and the tests of its statements belong together."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.documents import DOCS, table

HERE = Path(__file__).parent
STATEMENTS = DOCS / "acceptance.md"


def named() -> list[str]:
    """The names of all tests of this folder."""
    return [
        node.name
        for file in sorted(HERE.glob("test_*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


def test_every_statement_is_listed_once_and_shown_by_a_test_with_its_number() -> None:
    numbers = [int(row[0]) for row in table(STATEMENTS, "What the browser client shows")]
    shown = {int(name[5:7]) for name in named() if name[5:7].isdigit()}

    assert numbers == list(range(1, 47))
    assert shown == set(numbers)
