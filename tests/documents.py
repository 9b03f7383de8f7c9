"""Reads the pages of the project: tables, code, links and anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "seeds").rglob("*.md")])

_LINK = re.compile(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"')
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def section(page: Path, heading: str) -> str:
    """What stands under ``heading``, up to the next heading of any level. AssertionError if there is none."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", _text(page), re.MULTILINE | re.DOTALL)
    assert found is not None, f"{page.name} has no heading {heading}"
    return found[1]


def table(page: Path, heading: str) -> list[list[str]]:
    """The cells of the first table under ``heading``, a list a row, without its head."""
    lines = [line for line in section(page, heading).splitlines() if line.startswith("|")]
    assert len(lines) > 2, f"{page.name} has no table under {heading}"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names(cell: str) -> list[str]:
    """The words that stand as code in ``cell``."""
    return re.findall(r"`([^`]+)`", cell)


def first_names(page: Path, heading: str) -> list[str]:
    """The words that stand as code in the first column of the table under ``heading``."""
    return [name for row in table(page, heading) for name in names(row[0])]


def program_under(page: Path, heading: str, language: str = "python") -> str:
    """The first program after ``heading`` that is in ``language``."""
    _, found, after = _text(page).partition(f"# {heading}\n")
    assert found, f"{page.name} has no heading {heading}"
    program = re.search(rf"^```{language}\n(.*?)^```", after, re.MULTILINE | re.DOTALL)
    assert program is not None, f"{page.name} has no {language} under {heading}"
    return program[1]


def links(page: Path) -> Iterator[str]:
    """Where ``page`` points to within the project; addresses elsewhere are left out."""
    for match in _LINK.finditer(_FENCE.sub("", _text(page))):
        target = match[1] or match[2]
        if "://" not in target:
            yield target


def named_files(page: Path) -> list[str]:
    """The files of the packages and tests that ``page`` names as code, from the root on."""
    return re.findall(r"`((?:engine|protocol|bots|server|tests)/[\w/]+\.(?:py|js))`", _text(page))


def anchors(page: Path) -> set[str]:
    """The names under which the headings of ``page`` can be linked to."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", _text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")
