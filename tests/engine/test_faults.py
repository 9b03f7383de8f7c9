"""Faults that players of other domino servers reported, tried here: A1 to A20 of the moves, B1 to B11 of the scores.

A8 and A10 hold in every position: see `test_properties.py`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import zip_longest
from random import Random

import pytest

from engine.actions import Play
from engine.deal import decide, evolve, legal_actions
from engine.errors import Reason, RuleViolation
from engine.events import DealEnded, DealReason, MatchEnded, Played
from engine.games import GAMES
from engine.games.all_fives import ALL_FIVES
from engine.layout import End
from engine.match import begin
from engine.notation import parse_tile
from engine.seats import Side
from engine.shuffle import Shuffle
from engine.tiles import full_set
from engine.transcript import replay
from tests.engine.playing import deal_of, finish_deal, matches, start_deal
from tests.engine.positions import EAST, NORTH, action, after, dealt, end_of, last_play
from tests.engine.transcripts import by_id

SHUFFLE = Shuffle(bytes(range(32)))

COVERED = {
    "A1": ("worked-d-block-completed-by-a-draw", "blocked-by-draw"),
    "A4": ("worked-a-tie-no-bonus", "knock-with-stock-empty"),
    "A14": ("worked-a-example-spinner-one-side", "a-arms-closed"),
    "A16": ("worked-f-58-plus-3-wins", "f-exact-out-both-parts"),
    "B1": ("worked-a-example-spinner-opening", "a-both-arms-played"),
    "B5": ("worked-a-won-by-bonus", "a-out-bonus-up"),
    "B7": ("worked-a-equal-leaders-go-on", "a-equal-leaders-go-on"),
    "B8": ("worked-b-blocked-tie", "b-blocked-tie"),
    "B10": ("worked-f-partners-out", "points-to-own-side"),
}
"""Rows of the list that a recorded match shows too: its id and the situation in it."""


@pytest.mark.parametrize("row", COVERED)
def test_a_recorded_match_shows_the_situation_and_is_agreed_with(row: str) -> None:
    name, situation = COVERED[row]
    record = by_id(name)

    assert situation in record["tags"]
    assert replay(record).differences == ()


# A. Legal moves, drawing, knocking, blocked deals.


def test_a_deal_is_not_blocked_while_there_are_tiles_to_draw() -> None:
    """A1: nobody can play and four tiles are left: they are drawn one by one."""
    deal = after(dealt("draw", "6-6 1-1", "2-2 3-3", stock="4-4 5-5 0-0 1-2"), "6-6")

    for left in (3, 2, 1, 0):
        assert legal_actions(deal) == (action("draw"),)
        deal = after(deal, "draw")
        assert len(deal.stock) == left

    assert end_of(deal).reason is DealReason.BLOCKED


def test_an_empty_stock_ends_no_deal_in_which_somebody_can_play() -> None:
    """A2: only [1-1] lies on the table."""
    can_play = after(dealt("draw", "1-1 6-6", "1-6 5-5"), "1-1")
    cannot = after(dealt("draw", "1-1 6-6", "5-5"), "1-1")

    assert (can_play.ended, can_play.turn) == (None, EAST)
    assert end_of(cannot).reason is DealReason.BLOCKED


def test_the_turn_moves_on_after_the_last_tile_was_drawn_in_vain() -> None:
    """A4."""
    deal = after(dealt("draw", "6-6 1-6", "2-2 3-3", stock="4-4"), "6-6", "draw")

    assert legal_actions(deal) == (action("knock"),)
    assert after(deal, "knock").turn == NORTH


def test_the_very_last_tile_of_the_stock_can_be_drawn_and_played() -> None:
    """A5."""
    deal = after(dealt("draw", "6-6 1-6", "2-2 3-3", stock="4-4 5-6"), "6-6", "draw", "draw")

    assert deal.stock == ()
    assert legal_actions(deal) == (action("5-6 left"), action("5-6 right"))


def test_a_deal_in_which_nobody_can_act_is_over_once() -> None:
    """A7: there are no knocks to count, and one end."""
    deal = after(dealt("block", "6-6 0-0", "1-1", "2-2", "3-3"), "6-6")

    assert [type(event) for event in deal.events].count(DealEnded) == 1
    assert deal.turn is None


def test_of_two_actions_sent_at_once_one_is_taken() -> None:
    """A11: whoever is not in turn is refused, before the draw and after the play."""
    deal = after(dealt("draw", "6-6 1-6", "2-2 3-3", stock="5-6 4-4"), "6-6")

    for text in ("draw", "5-6 left"):
        with pytest.raises(RuleViolation) as refused:
            decide(deal, NORTH, action("1-6 left"))
        assert refused.value.reason is Reason.NOT_YOUR_TURN
        deal = after(deal, text)

    assert deal.turn == NORTH


def test_who_leads_the_next_deal_chooses_freely() -> None:
    """A13: no tile leaves a hand before its holder acts."""
    match = finish_deal(start_deal(begin(GAMES["draw"], 2), SHUFFLE))

    match = start_deal(match, SHUFFLE)

    deal = deal_of(match)
    assert deal.turn == deal.lead
    assert [len(hand) for hand in deal.hands] == [7, 7]
    assert [choice.tile for choice in legal_actions(deal) if isinstance(choice, Play)] == sorted(deal.hands[deal.lead])


@pytest.mark.parametrize(("last", "points"), [("5-5", 10), ("5-6", 0)])
def test_a_last_tile_ends_the_deal_and_scores(last: str, points: int) -> None:
    """A16: a double or not; 0 + 10 makes 10 and 0 + 6 nothing, and the hand left over is counted."""
    deal = after(dealt("all-fives", f"0-5 {last}", "0-0 1-1 2-2"), "0-5", "0-0 left", f"{last} right")

    assert end_of(deal).reason is DealReason.OUT
    assert last_play(deal).points == points
    assert end_of(deal).scores[0] == 5 + points + 5


def test_two_matches_at_once_do_not_disturb_each_other() -> None:
    """A17: each has its 28 tiles in every deal."""
    one = matches(begin(GAMES["all-fives"], 4), SHUFFLE, Random(1).choice)
    two = matches(begin(GAMES["all-fives"], 4), SHUFFLE, Random(2).choice)
    alone = list(matches(begin(GAMES["all-fives"], 4), SHUFFLE, Random(1).choice))

    interleaved = [first for first, _ in zip_longest(one, two) if first]

    assert interleaved == alone
    for match in interleaved:
        deal = deal_of(match)
        assert sorted([*sum(deal.hands, ()), *deal.stock, *deal.layout.tiles]) == list(full_set())


def test_an_action_names_its_tile_however_the_hand_has_changed() -> None:
    """A19: it is that tile after a draw, and was refused before."""
    deal = after(dealt("draw", "6-6 1-6", "2-2 3-3", stock="5-6 4-4"), "6-6")
    chosen = action("5-6 left")

    with pytest.raises(RuleViolation) as refused:
        decide(deal, EAST, chosen)
    (played, *_) = decide(after(deal, "draw"), EAST, chosen)

    assert refused.value.reason is Reason.NOT_IN_HAND
    assert isinstance(played, Played)
    assert (played.tile, played.end) == (parse_tile("5-6"), End.LEFT)


def test_an_action_from_before_an_undo_is_refused() -> None:
    """A20, N1: the drawn tile is back on the stock, and is drawn again."""
    start = dealt("draw", "6-6 1-6", "2-2 3-3", stock="5-6 4-4")
    drawn = after(start, "6-6", "draw")

    undone = reduce(evolve, drawn.events[1:-1], start)

    with pytest.raises(RuleViolation) as refused:
        decide(undone, EAST, action("5-6 left"))
    assert refused.value.reason is Reason.NOT_IN_HAND
    assert after(undone, "draw") == drawn


# B. Scoring and the end of a match.


def test_a_cross_is_counted_right_after_every_play() -> None:
    """B1: an opening spinner, doubles at the ends of all its arms."""
    plays = {
        "5-5": (10, 10),
        "0-5 left": (10, 10),
        "5-6 right": (6, 0),
        "0-0 left": (6, 0),
        "4-5 up": (10, 10),
        "6-6 right": (16, 0),
        "4-4 up": (20, 20),
        "3-5 down": (23, 0),
        "3-3 down": (26, 0),
        "0-1 left": (27, 0),
        "3-4 down": (25, 25),
        "1-6 right": (14, 0),
        "1-1 left": (15, 15),
    }
    deal = dealt("all-fives", "5-5 5-6 4-5 4-4 3-3 3-4 1-1 2-2", "0-5 0-0 6-6 3-5 0-1 1-6 2-3")

    counted = {}
    for text in plays:
        deal = after(deal, text)
        counted[text] = (last_play(deal).total, last_play(deal).points)

    assert counted == plays


def test_hands_are_rounded_together() -> None:
    """B2: three hands of 13 give 40, not 45; two give 25, not 30."""
    assert ALL_FIVES.count_out((0, 13, 13, 13), Side(0)) == (40, 0, 0, 0)
    assert ALL_FIVES.count_out((0, 13, 13), Side(0)) == (25, 0, 0)


def test_each_game_has_the_target_that_goes_with_its_scoring() -> None:
    """B4: 61 with a third and a fifth of the total, 250 or 200 with the total itself."""
    targets = {name: begin(game, 2).target for name, game in GAMES.items()}

    assert targets == {"fives-threes": 61, "all-fives": 250, "block": 100, "draw": 100}


@pytest.mark.parametrize(("opening", "points"), [("4-6", 10), ("0-5", 5), ("1-4", 5), ("2-3", 5), ("5-5", 10)])
def test_any_opening_scores(opening: str, points: int) -> None:
    """B5."""
    deal = after(dealt("all-fives", f"{opening} 6-6", "1-1"), opening)

    assert deal.scores[0] == points


@pytest.mark.parametrize(("left", "bonus"), [("5-6", 10), ("6-6", 10), ("6-6 0-1", 15)])
def test_leftovers_are_rounded_to_the_nearest_five(left: str, bonus: int) -> None:
    """B5: 11 and 12 down, 13 up."""
    deal = after(dealt("all-fives", "0-1", left), "0-1")

    assert end_of(deal).bonus == (bonus, 0)


def test_equal_scores_at_the_target_have_no_winner_yet() -> None:
    """B7: the match goes on (A13)."""
    deal = after(dealt("all-fives", "6-6 1-1", "0-2", "4-5 0-4", scores=(195, 195, 0)), "6-6")

    assert deal.scores == (Fraction(405, 2), Fraction(405, 2), 0)
    assert end_of(deal).next_lead == "lot"
    assert not any(isinstance(event, MatchEnded) for event in deal.events)


@pytest.mark.parametrize(
    ("hands", "bonus"),
    [(("6-6 4-5", "1-1 3-4", "5-5 2-2 3-3"), (10, 10, 0)), (("6-6 4-5", "1-1 3-4", "2-2 0-5"), (0, 0, 0))],
)
def test_equal_hands_after_a_block(hands: tuple[str, ...], bonus: tuple[int, ...]) -> None:
    """B8: 9, 9, 20 and 9, 9, 9."""
    deal = after(dealt("all-fives", *hands), "6-6")

    assert end_of(deal).reason is DealReason.BLOCKED
    assert end_of(deal).bonus == bonus


def test_only_the_team_that_played_scores_and_once() -> None:
    """B10."""
    deal = dealt("fives-threes", "3-6 0-0", "6-6 0-1", "1-3 5-5", "1-6 4-4")

    scores = []
    for text in ("3-6", "6-6 right", "1-3 left", "1-6 right"):
        deal = after(deal, text)
        scores.append(deal.scores)

    assert scores == [(3, 0), (3, 8), (3, 8), (3, 8)]


def test_the_end_of_the_match_is_noticed_after_a_replay() -> None:
    """B11: at 60 of 61 the deal is built anew from its events, then one point ends the match."""
    start = dealt("fives-threes", "3-6 0-3 1-1", "5-6 0-1", scores=(57, 0))
    played = after(start, "3-6", "5-6 right")

    restored = reduce(evolve, played.events[1:], start)

    assert restored.scores == (60, 0)
    assert after(restored, "0-3 left").events[-1] == MatchEnded(Side(0), (61, 0))
