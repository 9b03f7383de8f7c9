"""What the pages say of the code is what the code does."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest
import typer.main
from pydantic import BaseModel

from bots.levels import EVERY_LEVEL
from engine.games import GAMES
from protocol.errors import REASONS, CloseCode, ErrorCode
from protocol.hints import HintReason
from protocol.messages import ClientMessage, ServerMessage, Settings
from protocol.messages.events import EventShown
from server.__main__ import app
from server.limits import Limits
from server.records.form import Record, RecordStep
from server.table.timers import NEXT_DEAL_AFTER
from tests.documents import DOCS, PAGES, ROOT, anchors, first_names, links, named_files, names, table
from tests.protocol.examples import EXAMPLES, SETTINGS
from tests.system.servers import serving

PROTOCOL = DOCS / "protocol.md"
OPERATIONS = DOCS / "operations.md"
BOTS = DOCS / "bots.md"

FORBIDDEN = ("/wo" + "rk/", "../sha" + "red", "pypi" + ".org", "npm" + "js")
"""Places of one machine, and addresses of registries: no file of the project may name them."""


def by_type(union: object) -> dict[str, type[BaseModel]]:
    """The models of a tagged ``union`` by their word on the wire."""
    models = get_args(get_args(union)[0])
    return {word: model for model in models for word in get_args(model.model_fields["type"].annotation)}


def fields_of(model: type[BaseModel], *, without: frozenset[str]) -> dict[str, bool]:
    """The fields of ``model``, and whether each must be there."""
    return {name: field.is_required() for name, field in model.model_fields.items() if name not in without}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    broken = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)

    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    missing = [name for name in named_files(page) if not (ROOT / name).exists()]

    assert missing == []


def test_no_file_names_a_registry_or_a_place_of_one_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]

    found = [
        f"{file.relative_to(ROOT)}: {word}"
        for file in files
        for word in FORBIDDEN
        if word.encode() in file.read_bytes()
    ]

    assert files
    assert found == []


@pytest.mark.parametrize(
    ("heading", "union", "common"),
    [
        ("Client messages", ClientMessage, {"type", "id"}),
        ("Server messages", ServerMessage, {"type"}),
        ("Events", EventShown, {"type"}),
    ],
)
def test_the_protocol_page_lists_every_message_with_its_fields(heading: str, union: object, common: set[str]) -> None:
    listed = {
        word: {field.removesuffix("?"): not field.endswith("?") for field in names(row[1])}
        for row in table(PROTOCOL, heading)
        for word in names(row[0])
    }

    defined = {word: fields_of(model, without=frozenset(common)) for word, model in by_type(union).items()}

    assert listed == defined


def test_the_protocol_page_lists_every_setting_with_its_default() -> None:
    listed = {names(row[0])[0]: row[1].strip("`") for row in table(PROTOCOL, "Settings")}

    defined = Settings(game="draw", seats=2).model_dump() | {"next_deal_after": NEXT_DEAL_AFTER}

    assert listed.keys() == defined.keys()
    assert {name: json.loads(text) for name, text in listed.items() if name not in ("game", "seats", "target")} == {
        name: value for name, value in defined.items() if name not in ("game", "seats", "target")
    }


def test_the_protocol_page_lists_every_error_code_reason_and_close_code() -> None:
    assert first_names(PROTOCOL, "Errors") == [code.value for code in ErrorCode]
    assert first_names(PROTOCOL, "Reasons") == list(REASONS)
    assert [int(row[0]) for row in table(PROTOCOL, "Close codes")] == [code.value for code in CloseCode]


def test_the_protocol_page_lists_every_reason_of_a_hint() -> None:
    assert first_names(PROTOCOL, "Reasons of hints") == [reason.value for reason in HintReason]


async def test_what_the_protocol_page_calls_not_built_is_unsupported_and_nothing_else_is() -> None:
    rows = {names(row[0])[0]: row[3] for row in table(PROTOCOL, "Client messages")}

    async with serving() as server:
        ann = await server.client("Ann")
        answers = {
            example.type: await ann.ask(example.type, **example.fields | {"id": f"try-{example.type}"})
            for example in EXAMPLES
            if example.type != "create"  # has a test of its own, a setting at a time
        }

    unsupported = {word for word, answer in answers.items() if answer.get("code") == ErrorCode.UNSUPPORTED}
    assert unsupported == {word for word, text in rows.items() if "not built yet" in text}


async def test_the_settings_that_the_protocol_page_calls_unsupported_are_and_no_others() -> None:
    texts = {names(row[0])[0]: row[2] for row in table(PROTOCOL, "Settings")}
    base = {"game": SETTINGS["game"], "seats": SETTINGS["seats"]}
    also: dict[str, dict[str, Any]] = {"names": {"local": 2}}

    async with serving(limits={"rooms_per_player": 0}) as server:
        ann = await server.client("Ann")
        answers = {
            name: await ann.ask("create", settings={**base, name: value, **also.get(name, {})})
            for name, value in SETTINGS.items()
        }

    unsupported = {name for name, answer in answers.items() if answer.get("code") == ErrorCode.UNSUPPORTED}
    assert unsupported == {name for name, text in texts.items() if "`unsupported`" in text}


def test_the_operations_page_lists_every_limit_with_its_default() -> None:
    listed = {names(row[0])[0]: float(row[1]) for row in table(OPERATIONS, "Limits")}

    assert listed == Limits().model_dump()


@pytest.mark.parametrize(
    ("command", "page", "heading"),
    [
        ("serve", OPERATIONS, "Options"),
        ("load", DOCS / "load.md", "Running it"),
        ("bot", BOTS, "`doublesix bot`"),
        ("verify", DOCS / "records.md", "`doublesix verify`"),
    ],
)
def test_every_option_of_a_command_is_documented(command: str, page: Path, heading: str) -> None:
    group: Any = typer.main.get_command(app)
    options = {name for param in group.commands[command].params for name in param.opts if name.startswith("-")}

    assert set(first_names(page, heading)) == options


def test_the_page_of_records_lists_every_field() -> None:
    page = DOCS / "records.md"

    assert [name for row in table(page, "Fields") for name in names(row[0])] == list(Record.model_fields)
    assert first_names(page, "Steps")[: len(RecordStep.model_fields)] == list(RecordStep.model_fields)


def test_the_operations_page_lists_every_event_of_the_log() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "server").rglob("*.py"))
    logged = re.findall(r'\blog(?:ger)?\.(?:info|warning|error|exception)\(\s*"([a-z_.]+)"', source)

    assert set(first_names(OPERATIONS, "Health and logs")) == set(logged)


def test_the_readme_gives_the_tiles_and_the_target_of_each_game() -> None:
    rows = {row[0]: row[1:] for row in table(ROOT / "README.md", "The games")}

    games = GAMES.values()
    targets = [{str(game.target(seats)) for seats in (2, 3, 4)} for game in games]
    assert rows["tiles for 2, 3, 4"] == [", ".join(str(game.hand_size(seats)) for seats in (2, 3, 4)) for game in games]
    assert [set(re.findall(r"\d{2,}", cell)) for cell in rows["match"]] == targets


def test_the_bots_page_lists_every_level() -> None:
    assert first_names(BOTS, "Levels") == list(EVERY_LEVEL)


def test_the_file_for_redis_sets_what_the_operations_say() -> None:
    said = re.search(r"as in `docker/redis.conf`:\n\n```\n(.*?)```", OPERATIONS.read_text(), re.DOTALL)
    assert said is not None

    lines = (DOCS.parent / "docker" / "redis.conf").read_text().splitlines()

    assert set(said[1].splitlines()) <= set(lines)
