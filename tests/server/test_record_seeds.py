"""The records in seeds/records: those of every format that was ever written stay readable."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from protocol.convert import Wire
from server.records.form import FORMAT, read
from server.records.packed import pack, unpack
from server.records.replay import replay
from server.records.verify import verify
from tests.documents import names, table
from tests.web.verifying import verified_by_the_browser

FOLDER = Path(__file__).parents[2] / "seeds" / "records"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".md")


def content(path: Path) -> Wire:
    packed = path.read_bytes()
    record: Wire = json.loads(gzip.decompress(packed) if path.suffix == ".gz" else packed)
    return record


def test_there_is_a_record_of_every_format() -> None:
    assert {content(path)["format"] for path in FILES} == set(range(1, FORMAT + 1))


def test_the_page_lists_the_records() -> None:
    assert sorted(names(row[0])[0] for row in table(FOLDER / "README.md", "Records")) == [path.name for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_record_of_that_time_is_read_played_again_and_verified_today(path: Path) -> None:
    written = content(path)

    record = read(written)
    *_, (_, _, match) = replay(record)

    assert unpack(pack(written)) == written
    assert [float(score) for score in match.scores] == written["scores"]
    assert verify(record).faults == ()
    assert verified_by_the_browser([written])[0]["faults"] == []


def test_a_record_of_the_first_format_is_what_it_was() -> None:
    for path in FILES:
        written = content(path)
        if written["format"] == 1:
            assert read(written).to_wire() == written
