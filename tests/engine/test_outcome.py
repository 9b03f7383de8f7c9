from __future__ import annotations

import pytest

from engine.deal import Deal, legal_actions
from engine.events import Part
from engine.notation import parse_tiles
from engine.outcome import Outcome
from tests.engine.positions import EAST, NORTH, action, after, dealt, end_of, last_play, line


def outcome(deal: Deal, text: str) -> Outcome:
    """What the play ``text`` of the seat in turn would do."""
    found = {choice.action: choice.outcome for choice in deal.choices}[action(text)]
    assert found is not None
    return found


def test_every_legal_action_is_a_choice_in_the_same_order() -> None:
    deal = after(dealt("all-fives", "6-6 1-1", "5-6 0-6 2-3", stock="2-2"), "6-6")

    assert tuple(choice.action for choice in deal.choices) == legal_actions(deal)


@pytest.mark.parametrize(("game", "only"), [("draw", "draw"), ("block", "knock")])
def test_a_draw_and_a_knock_promise_nothing(game: str, only: str) -> None:
    deal = after(dealt(game, "6-6 1-6", "1-1 3-3", stock="5-6"), "6-6")

    assert [(choice.action, choice.outcome) for choice in deal.choices] == [(action(only), None)]


def test_an_outcome_tells_the_layout_after_the_play() -> None:
    deal = after(dealt("all-fives", "5-5 1-1", "2-5 1-2"), "5-5")

    found = outcome(deal, "2-5 right")

    assert found.ends == line("5-5", "2-5 right", branches=True).ends
    assert found.total == 12


def test_an_outcome_tells_how_its_points_arise() -> None:
    """F3, F4."""
    found = outcome(dealt("fives-threes", "4-5", "6-6", scores=(10, 0)), "4-5")

    assert found.parts == (Part(3, 3), Part(1, 1))
    assert (found.points, found.out_bonus, found.after) == (3, 1, 14)


def test_the_total_itself_is_the_one_part_in_all_fives() -> None:
    """A5."""
    found = outcome(dealt("all-fives", "4-6 1-1", "6-6"), "4-6")

    assert (found.parts, found.points, found.out_bonus, found.after) == ((Part(5, 10),), 10, 0, 10)


def test_choices_are_found_once_and_anew_for_a_changed_copy() -> None:
    deal = dealt("block", "6-6 1-2", "3-6 1-1")

    found, changed = deal.choices, deal._replace(turn=EAST)

    assert deal.choices is found
    assert tuple(choice.action for choice in changed.choices) == (action("1-1"), action("3-6"))


def test_a_play_that_the_exact_target_drops_is_told_beforehand() -> None:
    """F8: its parts are shown all the same (F11)."""
    found = outcome(dealt("fives-threes", "4-5 1-1", "6-6", scores=(59, 0)), "4-5")

    assert not found.accepted
    assert (found.points, found.after, found.wins) == (3, 59, False)
    assert found.parts == (Part(3, 3),)


def test_a_play_that_reaches_the_exact_target_wins() -> None:
    """F9."""
    deal = dealt("fives-threes", "4-5 1-1", "6-6", scores=(58, 0))

    assert outcome(deal, "4-5").wins
    assert not outcome(deal, "1-1").wins


def test_a_play_that_makes_a_sole_leader_at_the_target_wins() -> None:
    """A12, A13."""
    alone = dealt("all-fives", "4-6 1-1", "6-6", "0-0", scores=(190, 0, 0))
    level = dealt("all-fives", "4-6 1-1", "6-6", "0-0", scores=(190, 200, 200))

    assert outcome(alone, "4-6").wins
    assert not outcome(level, "4-6").wins


def test_a_win_by_the_count_of_hidden_hands_is_not_foretold() -> None:
    """H2: it happens, but who plays cannot know."""
    deal = dealt("block", "1-1", "6-6", scores=(99, 0))

    assert not outcome(deal, "1-1").wins
    assert end_of(after(deal, "1-1")).next_lead is None


def test_the_first_partner_out_is_promised_no_point_for_it() -> None:
    """F5: only hand sizes are looked at."""
    first = dealt("fives-threes", "5-6", "1-1", "2-2", "3-3")
    second = first._replace(hands=(*first.hands[:2], (), first.hands[3]))

    assert outcome(first, "5-6").out_bonus == 0
    assert outcome(second, "5-6").out_bonus == 1


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
def test_outcomes_do_not_depend_on_hidden_tiles(game: str) -> None:
    """H2: other hands and another stock, the same outcomes."""
    deal = dealt(game, "4-5 1-1", "6-6 5-5", "0-0 2-2", stock="3-3 2-6", scores=(50, 60, 0))
    other = deal._replace(
        hands=(deal.hands[NORTH], *map(parse_tiles, ("0-5 4-4", "3-4 5-6"))), stock=parse_tiles("0-1 0-2")
    )

    assert deal.choices == other.choices


@pytest.mark.parametrize("score", [0, 53, 59])
@pytest.mark.parametrize("text", ["3-6 left", "0-6 right", "5-6 left"])
def test_what_is_promised_is_what_happens(text: str, score: int) -> None:
    """F8, F9: totals of 15, 12 and 17 make 8, 4 and nothing; 8 wins from 53, from 59 both are dropped."""
    deal = after(dealt("fives-threes", "6-6 1-1", "3-6 0-6 5-6 1-1", scores=(0, score)), "6-6")

    promised, done = outcome(deal, text), after(deal, text)

    play = last_play(done)
    assert (play.ends, play.total, play.parts) == (promised.ends, promised.total, promised.parts)
    assert (play.dropped == 0, play.scores[1]) == (promised.accepted, promised.after)
    assert (done.ended is not None) == promised.wins
