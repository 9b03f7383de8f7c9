"""Laws that hold in every position of every game."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import reduce
from random import Random
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action
from engine.deal import Deal, legal_actions
from engine.errors import RuleViolation
from engine.events import DealEnded, Drew, Knocked, MatchEnded, Played
from engine.games import GAMES
from engine.match import Match, begin, choices, decide, evolve
from engine.seats import Seat, seat_range, side_of
from engine.shuffle import Shuffle
from engine.tiles import Tile, full_set
from engine.transcript.form import ALL_ACTIONS
from engine.view import view_for
from tests.engine.playing import deal_of, matches, start_deal, steps
from tests.engine.positions import end_of

Run: TypeAlias = tuple[Match, Random]
"""A match whose first deal has begun, and from where its choices come."""


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """A deal of any game, from any scores that leave the match open."""
    game, seats = draw(st.sampled_from(sorted(GAMES))), draw(st.sampled_from((2, 3, 4)))
    fresh = begin(GAMES[game], seats)
    scores = draw(st.tuples(*[st.integers(0, fresh.target - 1)] * len(fresh.scores)))
    match = begin(GAMES[game], seats, scores=scores)
    shuffle = Shuffle(hashlib.sha256(draw(st.integers(0, 2**64)).to_bytes(9, "big")).digest())
    return start_deal(match, shuffle), Random(draw(st.integers(0, 2**32)))


def positions(run: Run) -> Iterator[Match]:
    """The match at every step of the deal, from its start to its end."""
    match, chance = run
    yield match
    yield from steps(match, chance.choice)


def all_tiles(deal: Deal) -> Counter[Tile]:
    return Counter([*sum(deal.hands, ()), *deal.stock, *deal.layout.tiles])


@given(runs())
def test_hands_stock_and_layout_always_make_one_full_set(run: Run) -> None:
    """C1."""
    for match in positions(run):
        assert all_tiles(deal_of(match)) == Counter(full_set())


@settings(max_examples=30)
@given(runs())
def test_every_legal_action_is_accepted_and_every_other_refused_with_nothing_changed(run: Run) -> None:
    """C3, C7, C8, C15."""
    for match in positions(run):
        deal, before = deal_of(match), repr(match)
        for seat in seat_range(match.seats):
            accepted = tuple(action for action in ALL_ACTIONS if is_accepted(match, seat, action))
            assert accepted == (legal_actions(deal) if seat == deal.turn else ())
        assert repr(match) == before


def is_accepted(match: Match, seat: Seat, action: Action) -> bool:
    try:
        decide(match, seat, action)
    except RuleViolation:
        return False
    return True


@given(runs())
def test_replaying_the_events_gives_the_same_state(run: Run) -> None:
    """L1: the deal and the match are folds, at every step."""
    start = run[0]
    for match in positions(run):
        assert reduce(evolve, deal_of(match).events[1:], start) == match


@given(runs())
def test_no_view_of_a_running_deal_holds_a_foreign_tile(run: Run) -> None:
    """H1, H4: a seat's view holds its hand and what has been played; a spectator's only the latter."""
    for match in positions(run):
        deal = deal_of(match)
        if deal.ended is not None:
            break
        for seat in (None, *seat_range(match.seats)):
            own = () if seat is None else deal.hands[seat]
            assert set(tiles_in(view_for(match, seat))) == {*own, *deal.layout.tiles}


@given(runs())
def test_the_stock_is_never_shown(run: Run) -> None:
    """C10: not when the deal has ended either."""
    *_, match = positions(run)
    deal = deal_of(match)

    for seat in (None, *seat_range(match.seats)):
        assert set(tiles_in(view_for(match, seat))).isdisjoint(deal.stock)


def tiles_in(value: object) -> Iterator[Tile]:
    """Every tile that can be reached from ``value``."""
    if isinstance(value, Tile):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from tiles_in(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from tiles_in(getattr(value, field.name))


@given(runs())
def test_what_a_seat_sees_and_may_do_does_not_depend_on_hidden_tiles(run: Run) -> None:
    """H1, H2: other tiles behind the same public record give the same view and the same choices."""
    for match in positions(run):
        deal = deal_of(match)
        if deal.turn is None:
            break
        other = match._replace(deal=with_other_hidden_tiles(deal, deal.turn))
        assert choices(other) == choices(match)
        assert view_for(other, deal.turn) == view_for(match, deal.turn)


def with_other_hidden_tiles(deal: Deal, seat: Seat) -> Deal:
    """``deal`` with all that ``seat`` cannot see in reverse order."""
    hidden = [*sum([hand for other, hand in enumerate(deal.hands) if other != seat], ()), *deal.stock][::-1]
    hands = tuple(hand if other == seat else tuple(hidden.pop() for _ in hand) for other, hand in enumerate(deal.hands))
    return deal._replace(hands=hands, stock=tuple(hidden))


@given(runs())
def test_a_deal_ends_exactly_once_and_then_nobody_is_in_turn(run: Run) -> None:
    """C9, C15."""
    *_, match = positions(run)
    deal = deal_of(match)

    assert [type(event) for event in deal.events].count(DealEnded) == 1
    assert deal.turn is None
    assert match.scores == end_of(deal).scores


@given(runs())
def test_a_knock_passes_the_turn_to_another_seat_that_holds_tiles(run: Run) -> None:
    """C3, C8, fault A8: it never comes back to the same seat at once."""
    for match in positions(run):
        deal = deal_of(match)
        match deal.events[-1]:
            case Knocked(seat):
                assert deal.turn not in (None, seat)
            case Drew(seat):
                assert deal.turn in (None, seat)
        assert deal.turn is None or deal.hands[deal.turn]


@settings(max_examples=30)
@given(runs())
def test_the_seat_in_turn_in_every_view_is_the_only_one_that_can_act(run: Run) -> None:
    """C3, fault A10: nobody is told to act and then refused."""
    for match in positions(run):
        turns = {view_for(match, seat).turn for seat in (None, *seat_range(match.seats))}
        actors = [seat for seat in seat_range(match.seats) if any(is_accepted(match, seat, a) for a in ALL_ACTIONS)]
        assert turns == (set(actors) if actors else {None})


@given(runs())
def test_points_go_to_the_side_that_played_and_to_no_other(run: Run) -> None:
    """C2, C11: one scoring event a play, and nothing for a draw or a knock."""
    before, _ = run
    for match in positions(run):
        *_, fact = [event for event in deal_of(match).events if not isinstance(event, DealEnded | MatchEnded)]
        if isinstance(fact, Played):
            side = side_of(fact.seat, match.seats)
            gained = [now - then for now, then in zip(fact.scores, before.scores, strict=True)]
            assert gained[side] == fact.points
            assert sum(gained) == fact.points
        else:
            assert match.scores == before.scores or deal_of(match).ended
        before = match


@given(runs())
def test_nobody_ever_exceeds_the_exact_target(run: Run) -> None:
    """F8."""
    for match in positions(run):
        assert match.game.name != "fives-threes" or max(match.scores) <= match.target


@given(st.binary(min_size=32, max_size=32), st.lists(st.binary(min_size=32, max_size=32), max_size=4))
@settings(max_examples=20)
def test_the_same_seed_and_actions_give_the_same_match(seed: bytes, entropy: list[bytes]) -> None:
    """L1."""
    for game in GAMES.values():
        one = list(matches(begin(game, 3), Shuffle(seed, entropy)))
        two = list(matches(begin(game, 3), Shuffle(seed, tuple(entropy))))
        assert one == two
