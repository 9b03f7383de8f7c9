"""The odds of plays: held against all worlds there are, where those can be counted."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb, exp

import pytest

from bots.kernel.bits import TileBit, bits_of
from bots.kernel.plays import plays_of, rules_for
from bots.policy.weights import swift_of
from bots.review import odds as judging
from bots.review.odds import odds
from bots.sampling.worlds import World, Worlds
from bots.search.plausibility import NOBODY, Plausibility, plays_seen
from bots.search.search import GREEDY_TABLES, SOFTNESS, Guess, Search, Work
from engine.actions import Action
from engine.outcome import Choice
from engine.seats import Seat
from engine.view import SeatView
from tests.bots.positions import EVERY_TABLE, asked_at, in_turn, question, some_turns, turns
from tests.bots.redeal import redealt
from tests.engine.positions import action, after, dealt

LITTLE = Work(worlds=12, pool=24, cap=60.0)
MUCH = Work(worlds=300, pool=900, cap=60.0)
FEW = 1000
"""So many worlds can all be played out."""


def stopped() -> float:
    """A clock that stands still."""
    return 0.0


def late_turns(game: str, count: int) -> list[tuple[SeatView, Sequence[Choice]]]:
    """Turns of two seats with a choice, behind which there are few worlds."""
    asked = (question(match) for match in turns(game, 2, seed=11))
    return [*islice(((view, legal) for view, legal in asked if _is_judged(view, legal)), count)]


def _is_judged(view: SeatView, legal: Sequence[Choice]) -> bool:
    other, possible = other_hand(view)
    return comb(len(possible), view.tiles[other]) <= FEW and len(plays_of(view, legal)) > 1


def other_hand(view: SeatView) -> tuple[Seat, Sequence[TileBit]]:
    """The other of two seats, and the tiles that it may have."""
    other = Seat(1 - (view.seat or 0))
    return other, [bit for bit, chance in Worlds(view).chances(other).items() if chance]


def every_guess(view: SeatView) -> Iterator[tuple[Guess, float]]:
    """Every world behind ``view``, in a game without drawing, with each way to play that the other may have, and how
    plausible that is."""
    rules, (other, possible) = rules_for(view), other_hand(view)
    plausibility = Plausibility(rules, swift_of(rules), plays_seen(view, rules), SOFTNESS[view.game])
    may_be_greedy = (view.game, view.seats) in GREEDY_TABLES
    for tiles in combinations(possible, view.tiles[other]):
        hands = [bits_of(view.hand)] * 2
        hands[other] = sum(tiles)
        for greedy in (NOBODY, frozenset([other]))[: 1 + may_be_greedy]:
            yield Guess(World(hands, []), greedy), exp(plausibility.of(hands, greedy))


def exact_chances(view: SeatView, legal: Sequence[Choice]) -> Mapping[Action, float]:
    """What each play comes to over all guesses, each as much as it is plausible."""
    search, plays = Search(view, MUCH, random.Random(0), stopped), plays_of(view, legal)
    sums, total = dict.fromkeys(plays, 0.0), 0.0
    for guess, weight in every_guess(view):
        total += weight
        for placement in plays:
            sums[placement] += weight * search.chance_after(search._played_out(guess, placement))
    return {play: sums[placement] / total for placement, play in plays.items()}


def far_off(game: str) -> tuple[int, int, int]:
    """Of how many plays that were judged the chance is more than two and four standard errors off, and of how many."""
    two = four = count = 0
    for view, legal in late_turns(game, 12):
        judged = odds(view, legal, MUCH, stopped)
        for play, chance in exact_chances(view, legal).items():
            off = abs(judged[play].odds.chance - chance)  # type: ignore[index]
            error = judged[play].odds.error + 1e-4  # type: ignore[index]
            two, four, count = two + (off > 2 * error), four + (off > 4 * error), count + 1
    return two, four, count


@pytest.mark.parametrize("game", ["fives-threes", "block"])
def test_chances_are_those_over_all_worlds_within_their_standard_errors(game: str) -> None:
    two, four, count = far_off(game)

    assert count >= 24
    assert four == 0
    assert two <= count * 0.15


def test_a_judge_that_forgets_what_was_played_is_seen_to_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.search.search.plays_seen", lambda _view, _rules: [])

    two, _, count = far_off("fives-threes")

    assert two > count * 0.15


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_no_hidden_tile_sways_the_odds(game: str, seats: int) -> None:
    rng, tried = random.Random(5), 0
    for match in some_turns(6, game, seats, seed=3):
        for other in islice(redealt(match, in_turn(match), rng, tries=12), 2):
            tried += 1

            assert odds(*question(other), LITTLE, stopped) == odds(*question(match), LITTLE, stopped)
    assert tried >= 4


def test_another_view_is_judged_by_other_chances() -> None:
    first, second = (question(match)[0] for match in some_turns(2, "block", 2))

    assert judging.seed_of(first) == judging.seed_of(first)
    assert judging.seed_of(first) != judging.seed_of(second)


def test_every_play_is_judged_and_plays_that_are_alike_are_judged_alike() -> None:
    view, legal = asked_at(
        after(dealt("draw", "1-1 1-5 1-6", "1-2 0-0 2-2", stock="3-3"), "1-1", "1-2 left", "1-5 right")
    )
    opening = asked_at(dealt("draw", "6-6 1-6 2-6", "1-1 2-2 0-0"))
    reply = asked_at(after(dealt("draw", "6-6 1-1 2-2", "1-6 2-6 0-0"), "6-6"))

    judged = odds(*reply, LITTLE, stopped)

    assert judged.keys() == {choice.action for choice in reply[1]}
    assert judged[action("1-6 left")] == judged[action("1-6 right")]  # type: ignore[index]
    assert len(odds(*opening, LITTLE, stopped)) == 3
    assert odds(view, legal, LITTLE, stopped).keys() <= {choice.action for choice in legal}


def test_what_is_forced_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(judging, "Search")
    only_play = after(dealt("block", "6-6 1-1 1-6", "5-6 0-0"), "6-6", "5-6 left")
    alike = after(dealt("draw", "6-6 1-1", "5-6 0-0"), "6-6")
    draw = after(dealt("draw", "6-6 1-1", "5-6 0-0", stock="2-2"), "6-6", "5-6 left")

    assert [odds(*asked_at(deal)) for deal in (only_play, alike, draw)] == [{}] * 3


def test_a_play_that_wins_is_certain_and_a_play_that_loses_is_not_close() -> None:
    deal = dealt("fives-threes", "1-5 1-1 0-0 2-3", "0-1 0-2 0-3 0-4 2-2", scores=(59, 59))

    judged = odds(*asked_at(deal), MUCH, stopped)

    wins, other = judged[action("1-5")], judged[action("0-0")]  # type: ignore[index]
    assert (wins.odds.chance, wins.odds.error, wins.odds.close, wins.behind) == (1.0, 0.0, False, 0.0)
    assert wins.is_ahead
    assert other.behind > 0.2
    assert not other.odds.close
    assert other.value < wins.value


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_what_is_worth_more_wins_more_often_and_the_best_is_never_too_close_to_itself(game: str, seats: int) -> None:
    for match in some_turns(5, game, seats, seed=6):
        ranked = sorted(odds(*question(match), LITTLE, stopped).values(), key=lambda judged: judged.value, reverse=True)

        chances = [judged.odds.chance for judged in ranked]
        assert chances == sorted(chances, reverse=True)
        assert all(judged.behind == pytest.approx(chances[0] - judged.odds.chance) for judged in ranked)
        assert any(not judged.odds.close and judged.behind == 0 for judged in ranked) or not ranked
