"""What snapshots show, held against the steps told."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from bots.load.checker import check
from bots.load.continuity import continuity
from bots.load.history import ClientHistory, Connected, Entry, RoomHistory, Shown, Told, picture_of, shown, told
from bots.load.log import merged
from bots.load.violations import Fault
from server import views
from tests.load.histories import (
    AFTER,
    LAST,
    Cut,
    Play,
    entries,
    faults,
    history,
    look,
    place_of,
    showing,
    step,
    without_step,
)
from tests.server.happenings import anything
from tests.server.tables import BOB, CAT, CODE, EVE, Driver, actor


def without_play(number: int) -> Callable[[dict[str, Any]], object]:
    """Forget an event of the deal; 0 is its start."""
    return lambda picture: picture["deal"]["events"].pop(number)


def with_play_twice(picture: dict[str, Any]) -> None:
    events = picture["deal"]["events"]
    events.insert(2, events[2])


def with_plays_swapped(picture: dict[str, Any]) -> None:
    events = picture["deal"]["events"]
    events[2], events[3] = events[3], events[2]


def with_another_play(picture: dict[str, Any]) -> None:
    picture["deal"]["events"][2]["tile"] = "6-6"


def with_another_total(picture: dict[str, Any]) -> None:
    picture["deal"]["events"][2]["total"] += 1


def with_a_play_of_nobody(picture: dict[str, Any]) -> None:
    picture["deal"]["events"].append({"type": "knocked", "seat": 0})


def in_the_deal_before(picture: dict[str, Any]) -> None:
    picture["deal"]["number"] -= 1


def in_the_deal_after(picture: dict[str, Any]) -> None:
    picture["deal"]["number"] += 1


def in_the_match_before(picture: dict[str, Any]) -> None:
    picture["commitment"], picture["next_commitment"] = "00", picture["commitment"]


def in_another_match(picture: dict[str, Any]) -> None:
    picture["commitment"] = "00"


DAMAGE = [
    (without_play(2), Fault.LOST),
    (with_play_twice, Fault.REPEATED),
    (with_plays_swapped, Fault.SWAPPED),
    (with_another_play, Fault.ALTERED),
    (with_another_total, Fault.ALTERED),
    (with_a_play_of_nobody, Fault.ALTERED),
    (in_the_deal_before, Fault.LOST),
    (in_the_deal_after, Fault.ALTERED),
    (in_the_match_before, Fault.LOST),
    (in_another_match, Fault.ALTERED),
    (lambda picture: picture.update(deal=None), Fault.LOST),
    (lambda picture: picture.update(scores=[9, 9, 9]), Fault.ALTERED),
    (lambda picture: picture.update(phase="lobby"), Fault.ALTERED),
    (lambda picture: picture.update(host="bob"), Fault.ALTERED),
    (lambda picture: picture["seats"][1].update(tiles=9), Fault.ALTERED),
    (lambda picture: picture["seats"][1].update(state="away"), Fault.ALTERED),
    (lambda picture: picture["deal"]["layout"].update(total=99), Fault.ALTERED),
]


@pytest.mark.parametrize(("damage", "fault"), DAMAGE)
def test_a_last_look_that_shows_something_else_than_was_told_is_named(
    damage: Callable[[dict[str, Any]], object], fault: Fault
) -> None:
    room = history()
    entries(room)[-1] = showing(look(LAST), damage)

    violations = check(room)

    assert {violation.fault for violation in violations} == {fault}
    assert {violation.seq for violation in violations} == {LAST}


def test_what_it_is_that_the_snapshot_does_not_show_is_said() -> None:
    room = history()
    entries(room, 2)[-1] = showing(look(LAST), without_play(2))

    [violation] = check(room)

    assert violation.text == f"the snapshot does not show: {step(6).deed}"
    assert violation.witness == "Cat"


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_at_a_table_follows_on_what_was_before_and_makes_what_is_shown(seed: int) -> None:
    rng = random.Random(seed)
    driver = Driver(
        game=rng.choice(["fives-threes", "draw"]), seats=3, target=60, next_deal_after=5, grace=3, seed=seed
    )
    watched: list[Entry] = [Connected(1), shown(driver.snapshot(None))]
    for _ in range(200):
        step = anything(driver, rng, [BOB, CAT, EVE, actor("Dot", headless=True)])
        if step is not None:
            watched += [
                told(step.epoch, step.seq, views.events_for(step.events, None)),
                shown(driver.snapshot(None)),
            ]
    room = RoomHistory(CODE, [ClientHistory("Watcher", watched)])

    assert list(continuity(room, merged(room))) == []


# Steps for which a snapshot stood everywhere.


def bridged() -> RoomHistory:
    """Nobody was told steps 13 and 14, in which Bob and Cat act: all came back by snapshots."""
    return history([Cut(who, 12, 14, by_snapshot=True) for who in range(3)])


def bridge(room: RoomHistory, damage: Callable[[dict[str, Any]], object]) -> None:
    """Damage the snapshots that stand for steps 13 and 14, and all later ones."""
    for who in range(3):
        own = entries(room, who)
        own[:] = [showing(entry, damage) if isinstance(entry, Shown) and entry.seq >= 14 else entry for entry in own]


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (without_play(2), Fault.LOST),  # told to all before
        (without_play(5), Fault.LOST),  # Bob's, acknowledged
        (without_play(6), Fault.LOST),  # Cat's, acknowledged
        (with_plays_swapped, Fault.SWAPPED),
        (with_another_total, Fault.ALTERED),
        (in_the_deal_before, Fault.LOST),
        (in_the_match_before, Fault.LOST),
        (in_the_deal_after, Fault.LOST),  # it does not list this one
    ],
)
def test_what_was_told_or_acknowledged_must_be_in_the_snapshot_that_stands_for_later_steps(
    damage: Callable[[dict[str, Any]], object], fault: Fault
) -> None:
    room = bridged()
    bridge(room, damage)

    assert fault in faults(room)


def test_snapshots_that_stand_for_the_same_steps_must_show_the_same() -> None:
    room = bridged()
    own = entries(room, 2)
    own[own.index(look(14))] = showing(look(14), lambda picture: picture["seats"][1].update(tiles=9))

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.ALTERED, 14, "Cat")


def test_a_snapshot_of_a_later_match_says_nothing_of_what_was_told() -> None:
    room = bridged()
    for who in range(3):
        own = entries(room, who)
        place = own.index(look(14))
        own[place:] = [showing(look(14), in_another_match)]

    assert Fault.LOST not in faults(room)


def test_finished_deals_must_be_listed_as_they_were_told() -> None:
    play = Play()
    while len(play.table.deals) < 1:
        play.go_on(1)
    whole = play.scenes
    first_of_second_deal = next(scene for scene in whole if picture_of(scene.shown)["deals"])
    seq = first_of_second_deal.told.seq
    cuts = [Cut(who, seq - 4, seq, by_snapshot=True) for who in range(3)]
    room = history(cuts, whole)
    assert check(room) == []

    for who in range(3):
        own = entries(room, who)
        own[:] = [
            showing(entry, lambda picture: picture["deals"][0].update(scored=[]))
            if isinstance(entry, Shown) and entry.seq >= seq
            else entry
            for entry in own
        ]

    assert faults(room) == {Fault.LOST}


# Steps that cannot follow one on another.


def test_a_step_that_is_missing_for_everybody_is_found_by_the_next_one() -> None:
    room = without_step(history(), 7)

    [violation, *_] = check(room)

    assert (violation.fault, violation.seq, violation.text) == (
        Fault.IMPOSSIBLE, 7, "seat 0 acts where seat 2 is in turn"
    )  # fmt: skip


def test_an_event_that_makes_no_sense_is_named_and_disturbs_nothing_else() -> None:
    room = history()
    nonsense = step(14)._replace(content='[{"type":"played","seat":77}]')
    for who in range(3):
        entries(room, who)[place_of(room, 14, who)] = nonsense

    assert [(violation.fault, violation.seq) for violation in check(room)] == [(Fault.IMPOSSIBLE, 14)]


@pytest.mark.parametrize("kind", ["undone", "redone", "restarted"])
def test_what_was_taken_back_is_known_again_from_the_next_snapshot(kind: str) -> None:
    room = history()
    back = Told(AFTER, LAST + 1, json.dumps([{"type": kind, "to": 13}]), None)
    as_it_is_now = look(13)._replace(seq=LAST + 1)
    for who in range(3):
        entries(room, who)[-1:] = [back, as_it_is_now]

    assert check(room) == []
