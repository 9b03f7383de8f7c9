"""The journals in seeds/journal: whatever was written once stays readable, by log and by checkpoint."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any, get_args

import msgpack
import pytest

from engine import events as rules
from protocol.convert import Wire
from server.table import checkpoint, log
from server.table.events import Event
from server.table.evolve import Step, evolve, replay
from server.table.log import Cause
from tests.documents import names, table
from tests.server.journal_seed import Story, said, shown

FOLDER = Path(__file__).parents[2] / "seeds" / "journal"
FILES = sorted(FOLDER.glob("*.jsonl"))
ALL_KINDS = {*get_args(Event)} - {rules.MatchEnded}
"""A table ends its match with `MatchOver`."""
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


def content(path: Path) -> tuple[Wire, list[Wire]]:
    """The first line, and those of the steps."""
    first, *steps = map(json.loads, path.read_text(encoding="ascii").splitlines())
    return first, steps


def stored(line: Wire) -> bytes:
    return base64.b64decode(line["bytes"])


def read(line: Wire) -> Step:
    step, _ = log.unpack(line["seq"], line["epoch"], stored(line))
    return step


def on_the_wire(value: object) -> Any:
    return json.loads(json.dumps(value))


def assert_holds(now: object, then: object) -> None:
    """``now`` says all that ``then`` did. What is told beside it may have been added since."""
    if isinstance(then, dict):
        assert isinstance(now, dict)
        for name, value in then.items():
            assert_holds(now[name], value)
    elif isinstance(then, list):
        assert isinstance(now, list)
        assert len(now) == len(then)
        for again, value in zip(now, then, strict=True):
            assert_holds(again, value)
    else:
        assert now == then


def events_of(table_entry: Wire) -> Iterator[Wire]:
    """The events of the rules that lie in a checkpoint with a deal on the table."""
    yield from table_entry["opening"][1]
    yield from table_entry["deal_events"]
    yield from (deal["ended"] for deal in table_entry["deals"])
    for moved in (*table_entry["line"], *(moved for again in table_entry["redo"] for moved in again)):
        yield from moved[1]


def test_the_page_lists_the_journals() -> None:
    assert sorted(names(row[0])[0] for row in table(FOLDER / "README.md", "Journals")) == [path.name for path in FILES]


def test_every_kind_of_event_is_in_a_log() -> None:
    kinds = {type(event) for path in FILES for line in content(path)[1] for event in read(line).events}

    assert kinds == ALL_KINDS


def test_a_journal_that_is_written_today_has_every_kind_of_event() -> None:
    assert {type(event) for step in Story().driver.log for event in step.events} == ALL_KINDS


def test_every_name_that_is_written_for_an_event_is_in_a_log() -> None:
    entries = [
        entry for path in FILES for line in content(path)[1] for entry in msgpack.unpackb(stored(line))["events"]
    ]

    assert {entry["table"] for entry in entries if "table" in entry} == set(log.TABLE_EVENTS)


def test_every_kind_of_event_that_a_deal_may_hold_is_in_a_checkpoint() -> None:
    checkpoints = [msgpack.unpackb(stored(content(path)[0]["checkpoint"]), strict_map_key=False) for path in FILES]

    kinds = {event["type"] for written in checkpoints for event in events_of(written["table"])}

    assert kinds == {"lot", "deal_started", "played", "drew", "knocked", "deal_ended"}


@each_file
def test_a_log_of_that_time_says_today_what_it_said(path: Path) -> None:
    for line in content(path)[1]:
        step, cause, also = log.unpack_all(line["seq"], line["epoch"], stored(line))

        assert step.at == line["at"]
        assert_holds(on_the_wire([said(event) for event in step.events]), line["says"])
        assert cause == (Cause(*line["cause"]) if line["cause"] else None)
        assert also == tuple(Cause(*other) for other in line["also"])


@each_file
def test_a_log_of_that_time_is_written_today_under_the_names_it_was_written_under(path: Path) -> None:
    for line in content(path)[1]:
        then = msgpack.unpackb(stored(line))

        now = msgpack.unpackb(log.pack(*log.unpack_all(line["seq"], line["epoch"], stored(line))))

        assert_holds(now, then)


@each_file
def test_a_log_of_that_time_folds_to_the_table_it_folded_to(path: Path) -> None:
    first, steps = content(path)
    until = first["checkpoint"]["seq"]

    noted = replay(first["room"], [read(line) for line in steps[:until]])
    end = reduce(evolve, [read(line) for line in steps[until:]], noted)

    assert_holds(on_the_wire(shown(noted)), {name: first["checkpoint"][name] for name in ("snapshot", "seeds")})
    assert_holds(on_the_wire(shown(end)), first["end"])
    assert end.closed


@each_file
def test_a_checkpoint_of_that_time_is_the_table_that_its_log_makes(path: Path) -> None:
    first, steps = content(path)
    written = first["checkpoint"]

    noted, answers = checkpoint.unpack(stored(written))

    assert answers == written["answers"]
    assert_holds(on_the_wire(shown(noted)), {name: written[name] for name in ("snapshot", "seeds")})
    assert noted == replay(first["room"], [read(line) for line in steps[: written["seq"]]])
