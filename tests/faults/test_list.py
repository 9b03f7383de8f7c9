"""docs/faults.md and the tests that it names belong together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import DOCS, ROOT, names, table

LIST = DOCS / "faults.md"
TESTS = ROOT / "tests"
SECTIONS = re.findall(r"^## (([A-Z])\. .+)$", LIST.read_text(encoding="utf-8"), re.MULTILINE)
HEADINGS = [heading for heading, _ in SECTIONS]
OURS = [
    *sorted((TESTS / "faults").glob("test_*.py")),
    TESTS / "engine" / "test_faults.py",
    TESTS / "browser" / "test_coming_back.py",
    TESTS / "browser" / "test_faults.py",
]
"""Files whose tests say in their first words which rows they are for."""


def rows() -> Iterator[tuple[str, list[str]]]:
    """Each row of the list, and the tests that it names."""
    for heading in HEADINGS:
        for row, _source, _symptom, held_off in table(LIST, heading):
            yield row, [name for name in names(held_off) if "::" in name]


def functions_of(file: Path) -> dict[str, str]:
    """The tests of a Python file with their docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {node.name: ast.get_docstring(node) or "" for node in functions if node.name.startswith("test_")}


def is_there(name: str) -> bool:
    """Whether ``file::test`` is a test of the project."""
    path, _, test = name.partition("::")
    file = TESTS / path
    if not file.is_file():
        return False
    if file.suffix == ".py":
        return test in functions_of(file)
    return re.search(rf'\btest\(["`]{re.escape(test)}["`]', file.read_text(encoding="utf-8")) is not None


def rows_of(docstring: str) -> list[str]:
    """The rows that a test says it is for: "A1, B2: and so on"."""
    found = re.match(r"((?:[A-Z]\d+, )*[A-Z]\d+)[.:]", docstring)
    return found[1].split(", ") if found else []


def test_every_section_is_there_in_order() -> None:
    assert [letter for _, letter in SECTIONS] == [*"ABCDEFGHIJKLMNOP"]


@pytest.mark.parametrize(("row", "held_off_by"), list(rows()))
def test_every_row_is_held_off_by_tests_that_exist(row: str, held_off_by: list[str]) -> None:
    assert held_off_by != []
    assert [name for name in held_off_by if not is_there(name)] == []


def test_what_proves_that_no_bot_peeks_are_tests_that_exist() -> None:
    proofs = [name for row in table(DOCS / "bots.md", "What proves that none peeks") for name in names(" ".join(row))]

    named = [name for name in proofs if "::" in name]

    assert len(named) > 15
    assert [name for name in named if not is_there(name)] == []


def test_rows_are_listed_once_and_in_the_section_of_their_letter() -> None:
    listed = [(row, heading[0]) for heading in HEADINGS for row, *_ in table(LIST, heading)]

    assert len({row for row, _ in listed}) == len(listed)
    assert [row for row, letter in listed if row[0] != letter] == []


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_every_test_of_a_row_is_named_in_it(file: Path) -> None:
    listed = dict(rows())
    path = file.relative_to(TESTS)

    missing = [
        f"{row}: {path}::{test}"
        for test, docstring in functions_of(file).items()
        for row in rows_of(docstring)
        if row in listed and f"{path}::{test}" not in listed[row]
    ]

    assert missing == []


def test_every_test_of_faults_alone_says_for_which_row_it_is() -> None:
    silent = [
        test
        for file in OURS
        if file.name != "test_list.py" and file.parent.name != "engine"
        for test, docstring in functions_of(file).items()
        if not rows_of(docstring)
    ]

    assert silent == []
