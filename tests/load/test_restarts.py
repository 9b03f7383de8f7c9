"""What a server has told and acknowledged, and has forgotten when it comes back: with and without its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from bots.load.checker import check
from bots.load.history import Accepted, Asked, ClientHistory, Connected, Entry, RoomHistory, Told
from bots.load.violations import Fault
from tests.load.histories import NAMES, ROOM, Play, Scene, client, faults, request_id

ComeBack = Callable[[Sequence[Scene], Sequence[Scene], int, int], list[Entry]]
"""What the client of a number sees of the scenes after a restart, where those before are told and some are lost."""


def seen(who: int, later: Sequence[Scene]) -> list[Entry]:
    """``later`` steps as one client sees them, each with what it asked for."""
    entries: list[Entry] = []
    for scene in later:
        name = request_id(who, scene.told.seq) + "-again"
        is_own = scene.asked_by == who
        entries += [Asked(name, scene.told.deed)] if is_own else []
        entries.append(scene.told)
        entries += [Accepted(name, scene.told.seq)] if is_own else []
    return entries


def resumed(before: Sequence[Scene], after: Sequence[Scene], who: int, lost: int) -> list[Entry]:
    """It is told what comes after the newest step it knows: not what stands in the place of that one now."""
    return seen(who, [scene for scene in after if scene.told.seq > before[-1].told.seq])


def told_again(before: Sequence[Scene], after: Sequence[Scene], who: int, lost: int) -> list[Entry]:
    """It is told all that has happened since, under numbers that it knows."""
    return seen(who, after)


def shown_later(before: Sequence[Scene], after: Sequence[Scene], who: int, lost: int) -> list[Entry]:
    """It comes back when all the others are there again, and is shown the room."""
    return [after[3].shown, *seen(who, after[4:])]


def shown_at_once(before: Sequence[Scene], after: Sequence[Scene], who: int, lost: int) -> list[Entry]:
    """It is shown the room as it is now, and not told that this is an older state."""
    return [before[-1 - lost].shown, *seen(who, after)]


def reset(before: Sequence[Scene], after: Sequence[Scene], who: int, lost: int) -> list[Entry]:
    """It is told that steps are lost."""
    return [before[-1 - lost].shown._replace(is_reset=True), *seen(who, after)]


SILENTLY = [resumed, told_again, shown_later, shown_at_once]


def restarted(come_back: ComeBack, lost: int, *, again: bool = False) -> tuple[RoomHistory, list[Told]]:
    """A room over a restart in which ``lost`` steps get lost, and the server's log. ``again``: the same is played."""
    play = Play()
    play.go_on(3)
    play.act(0)
    before = list(play.scenes)
    play.change_hands(lost)
    if again:
        play.act(0)
    play.go_on(4)
    after = play.scenes[len(before) :]
    clients = [
        [*client(who, before).entries[:-1], Connected(2), *come_back(before, after, who, lost), after[-1].shown]
        for who in range(len(NAMES))
    ]
    kept = [*before[: len(before) - lost], *after]
    histories = [ClientHistory(name, entries) for name, entries in zip(NAMES, clients, strict=True)]
    return RoomHistory(ROOM, histories), [scene.told for scene in kept]


@pytest.mark.parametrize("come_back", SILENTLY)
def test_a_server_that_comes_back_with_everything_passes(come_back: ComeBack) -> None:
    room, stored = restarted(come_back, 0)

    assert check(room) == []
    assert check(room, stored) == []


@pytest.mark.parametrize("lost", [1, 2, 3, 4])
@pytest.mark.parametrize("come_back", SILENTLY)
def test_acknowledged_steps_that_a_server_has_forgotten_are_named_lost(come_back: ComeBack, lost: int) -> None:
    room, stored = restarted(come_back, lost)

    assert Fault.LOST in faults(room)
    assert Fault.LOST in faults(room, stored)


@pytest.mark.parametrize("come_back", SILENTLY)
def test_the_same_play_once_more_does_not_hide_that_it_was_lost(come_back: ComeBack) -> None:
    room, stored = restarted(come_back, 1, again=True)

    assert Fault.LOST in faults(room)
    assert Fault.LOST in faults(room, stored)


def test_what_was_acknowledged_as_a_step_is_unfounded_when_another_one_has_its_number() -> None:
    room, _ = restarted(told_again, 1)

    unfounded = [violation for violation in check(room) if violation.fault is Fault.UNFOUNDED]

    assert [(violation.seq, violation.witness) for violation in unfounded] == [(8, "Ann")]


def test_steps_that_a_client_is_not_told_of_are_missed_by_those_that_follow() -> None:
    room, _ = restarted(resumed, 1)

    impossible = [violation.text for violation in check(room) if violation.fault is Fault.IMPOSSIBLE]

    assert "seat 0 comes back and was not away" in impossible


def test_a_server_that_says_that_it_has_lost_steps_has_broken_its_promise_all_the_same() -> None:
    room, stored = restarted(reset, 1)

    assert {Fault.RESET, Fault.LOST} <= faults(room)
    assert {Fault.RESET, Fault.LOST} <= faults(room, stored)


def test_a_loss_of_which_nobody_had_heard_is_none() -> None:
    play = Play()
    play.go_on(4)
    told = play.scenes[:-1]
    play.change_hands(1)
    play.go_on(4)
    after = play.scenes[len(told) + 1 :]
    clients = [
        [*client(who, told).entries[:-1], Connected(2), *seen(who, after), after[-1].shown] for who in range(len(NAMES))
    ]
    histories = [ClientHistory(name, entries) for name, entries in zip(NAMES, clients, strict=True)]

    assert check(RoomHistory(ROOM, histories)) == []
