from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.actions import Action
from engine.deal import Deal, decide, legal_actions
from engine.events import Event
from engine.seats import Seat
from engine.transcript import reader, replay
from tests.engine.transcripts import FILES, Place, at, by_id, changed, others, places, read

LABELS = {"id", "note", "rules", "tags"}
"""What only says what a transcript is about: any text will do."""


def test_all_recorded_matches_are_there() -> None:
    assert sum(len(read(file)) for file in FILES) == 522


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_rules_agree_with_every_recorded_match(file: Path) -> None:
    for record in read(file):
        found = replay(record)
        assert found.differences == (), record["id"]
        assert found.steps == length(record)


def length(record: dict[str, Any]) -> int:
    """How many steps there are in ``record``."""
    return sum(len(deal["steps"]) for deal in record["deals"])


def damages(record: dict[str, Any], chance: random.Random) -> Iterator[tuple[Place, object]]:
    """For each key there is in ``record`` a place somewhere in it, with some of the values that do not belong there."""
    by_key: dict[tuple[str, ...], list[Place]] = {}
    for place in places(record):
        if place[0] not in LABELS:
            by_key.setdefault(tuple(key for key in place if isinstance(key, str)), []).append(place)
    for found in by_key.values():
        place = chance.choice(found)
        wrong = list(others(at(record, place)))
        if place == ("deals",):
            wrong = [other for other in wrong if not other]  # some of its deals are a record of a match too
        for other in chance.sample(wrong, min(6, len(wrong))):
            yield place, other


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_any_changed_value_is_a_difference(file: Path) -> None:
    chance = random.Random(file.stem)
    record = chance.choice(sorted(read(file), key=length)[:8])

    for place, other in damages(record, chance):
        assert replay(changed(record, place, other)).differences, (record["id"], place, other)


STEP = ("deals", 0, "steps", 1)
"""The second step of the example: 2-4 is joined to a lone 2-2, which leaves 2-6 and another play for two ends."""


@pytest.fixture
def example() -> dict[str, Any]:
    return by_id("worked-f-example-lone-2-2")


@pytest.mark.parametrize(
    ("place", "to", "named"),
    [
        ((*STEP, "end_points"), False, "deal 1, step 2: end_points: expected 3, got False"),
        ((*STEP, "points"), 3.0, "deal 1, step 2: points: expected 3, got 3.0"),
        ((*STEP, "total"), None, "deal 1, step 2: total"),
        ((*STEP, "next"), "0", "deal 1, step 2: next"),
        ((*STEP, "ends", 0, "end"), "right", "deal 1, step 2: ends"),
        ((*STEP, "action", "end"), None, "deal 1, step 2: action: expected a legal one, not end_not_open"),
        ((*STEP, "action", "type"), "pass", "deal 1, step 2: action: expected an action"),
        ((*STEP, "action", "because"), "it fits", "deal 1, step 2: action: expected an action"),
        ((*STEP, "comment"), "", "deal 1, step 2: comment: expected nothing, got ''"),
        (("deals", 0, "hands", 0, 0), "7-7", "deal 1: hands: expected tiles"),
        (("deals", 0, "lead"), True, "deal 1: lead: expected one of [0, 1], got True"),
        (("variant",), "chess", "variant: expected one of"),
        (("target",), 100, "target: expected 61, got 100"),
        (("start_scores",), [0, 0, 0], "start_scores"),
        (("start_scores", 0), 1.25, "start_scores: expected numbers in steps of 0.5"),
        (("seats",), 3, "start_scores"),
        (("tags", 0), 5, "tags: expected texts"),
        (("author",), "", "author: expected nothing"),
    ],
)
def test_a_difference_names_its_place(example: dict[str, Any], place: Place, to: object, named: str) -> None:
    target = at(example, place[:-1])
    target[place[-1]] = to

    assert any(named in difference for difference in replay(example).differences), replay(example).differences


def test_legal_actions_are_a_set(example: dict[str, Any]) -> None:
    legal = at(example, (*STEP, "legal"))

    assert replay(changed(example, (*STEP, "legal"), legal[::-1])).differences == ()
    for other in (legal[1:], [*legal, legal[0]], [*legal, {"type": "draw"}], [*legal[1:], legal[1]]):
        (difference,) = replay(changed(example, (*STEP, "legal"), other)).differences
        assert "deal 1, step 2: legal" in difference


def test_a_tile_dealt_twice_is_a_difference(example: dict[str, Any]) -> None:
    example["deals"][0]["stock"][0] = example["deals"][0]["hands"][0][0]

    assert "each tile once" in replay(example).differences[0]


def test_a_step_after_the_end_of_the_deal_is_a_difference() -> None:
    record = by_id("worked-f-exact-61-mid-deal")
    record["deals"][0]["steps"].append(record["deals"][0]["steps"][-1])

    assert "none after the end of the deal" in replay(record).differences[0]


def test_a_deal_after_the_end_of_the_match_is_a_difference() -> None:
    record = by_id("worked-f-exact-61-mid-deal")
    record["deals"].append(record["deals"][0])

    assert replay(record).differences == ("deal 2: lead: expected no further deal, got 0",)


def test_another_lead_than_the_last_deal_gave_is_a_difference() -> None:
    record = next(record for record in read(FILES[-2]) if len(record["deals"]) > 1)
    record["deals"][1]["lead"] = (record["deals"][1]["lead"] + 1) % record["seats"]

    assert replay(record).differences[0].startswith("deal 2: lead: expected")


@pytest.mark.parametrize("nothing", [None, [], "", 0, {}, {"format": "domino-transcript/1"}])
def test_what_is_no_transcript_is_a_difference(nothing: object) -> None:
    found = replay(nothing)

    assert found.steps == 0
    assert len(found.differences) == 1


def test_rules_that_accept_what_they_do_not_list_are_found_out(
    example: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "legal_actions", lambda deal: legal_actions(deal)[1:])

    assert "deal 1, step 1: accepted: expected" in replay(example).differences[0]


def test_rules_that_let_another_seat_act_are_found_out(
    example: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "decide", lambda deal, _seat, action: decide(deal, deal.turn, action))

    assert "deal 1, step 1: accepted from seat 1: expected []" in replay(example).differences[0]


def test_rules_that_go_on_after_the_end_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def lenient(deal: Deal, seat: Seat, action: Action) -> tuple[Event, ...]:
        return decide(deal, seat, action) if deal.turn is not None else ()

    monkeypatch.setattr(reader, "decide", lenient)

    assert "result: accepted: expected []" in replay(by_id("worked-f-exact-61-mid-deal")).differences[0]
