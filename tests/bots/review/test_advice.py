"""All advice at once: complete, the same each time, and swayed by no hidden tile (H2)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest

from bots.review.advice import advise
from bots.search.search import Work
from engine.match import Match
from engine.view import view_for
from protocol.convert import choices_from_wire, choices_to_wire, view_from_wire, view_to_wire
from protocol.hints import Advice
from tests.bots.positions import EVERY_TABLE, in_turn, question, some_turns
from tests.bots.redeal import redealt
from tests.engine.playing import deal_of

LITTLE = Work(worlds=10, pool=20, cap=60.0)


def stopped() -> float:
    """A clock that stands still."""
    return 0.0


def advice(match: Match) -> Advice:
    """What the seat in turn is told."""
    return advise(*question(match), LITTLE, stopped)


def peeking(match: Match) -> Advice:
    """A cheat: its first value hangs on the hands of the others."""
    given, seat = advice(match), in_turn(match)
    weight = sum(tile.pips for other, hand in enumerate(deal_of(match).hands) if other != seat for tile in hand)
    first, *others = given.hints
    return replace(given, hints=(replace(first, value=first.value + weight), *others))


def swayed(ask: Callable[[Match], Advice], game: str, seats: int) -> tuple[int, int]:
    """How often ``ask`` says something else where hidden tiles were dealt anew, and how often that was tried."""
    rng, changed, tried = random.Random(6), 0, 0
    for match in some_turns(6, game, seats, seed=12):
        for other in islice(redealt(match, in_turn(match), rng, tries=12), 2):
            tried += 1
            changed += repr(ask(other)).encode() != repr(ask(match)).encode()
    return changed, tried


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_no_hidden_tile_sways_advice_by_a_byte(game: str, seats: int) -> None:
    changed, tried = swayed(advice, game, seats)

    assert changed == 0
    assert tried >= 4


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_who_has_nothing_but_what_the_wire_tells_is_told_the_same(game: str, seats: int) -> None:
    for match in some_turns(4, game, seats, seed=15):
        view, legal = question(match)
        said = json.loads(json.dumps([view_to_wire(view), choices_to_wire(legal)]))

        read = advise(view_from_wire(said[0], view.turn), choices_from_wire(said[1]), LITTLE, stopped)

        assert read == advise(view, legal, LITTLE, stopped)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_cheat_is_caught(game: str, seats: int) -> None:
    changed, tried = swayed(peeking, game, seats)

    assert changed >= tried // 2


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_every_action_has_its_odds_where_something_hangs_on_it(game: str, seats: int) -> None:
    for match in some_turns(6, game, seats, seed=13):
        view, legal = question(match)

        given = advise(view, legal, LITTLE, stopped)

        odds = [hint.odds for hint in given.hints]
        values = [hint.value for hint in given.hints]
        assert {hint.action for hint in given.hints} == {choice.action for choice in legal}
        assert all(odds) or not any(odds)
        assert values == sorted(values, reverse=True)
        assert given.map.tiles


def test_what_wins_more_often_has_something_that_speaks_for_it() -> None:
    for match in some_turns(60, "all-fives", 2, seed=14):
        first, *others = advise(*question(match), LITTLE, stopped).hints

        assert first.reason not in ("weaker", "gives_points", "would_be_dropped") or not others


def test_without_search_there_are_reasons_and_a_map_and_no_odds() -> None:
    match = some_turns(1, "draw", 3)[0]

    given = advise(*question(match), work=None)

    assert given.map == advice(match).map
    assert not any(hint.odds for hint in given.hints)


def test_who_watches_is_given_none() -> None:
    match = some_turns(1, "block", 2)[0]

    with pytest.raises(ValueError, match="watches"):
        advise(view_for(match, None), question(match)[1])
