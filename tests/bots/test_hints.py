from __future__ import annotations

import pytest

from bots.club import Club
from bots.gains import WIN
from bots.hints import hints
from engine.actions import Draw, Knock
from engine.deal import Deal
from engine.notation import parse_tiles
from engine.tiles import full_set
from engine.view import view_for
from protocol.hints import Hint, HintReason
from tests.bots.positions import EVERY_TABLE, asked_at, question, some_turns
from tests.engine.positions import action, after, dealt

LACKS_THREE_BLANK_FIVE = ("3-3", "knock", "0-3 left", "knock", "0-5 left", "knock")
"""The second of two seats shows that it holds none of these numbers."""
SOUTH_LACKS_ONE = ("3-3", "1-3 right", "knock", "3-4 left")


def advice(deal: Deal) -> tuple[Hint, ...]:
    """The hints for the seat in turn."""
    return hints(*asked_at(deal))


def reason(deal: Deal, text: str) -> HintReason:
    """What is said of the action ``text``."""
    return next(hint.reason for hint in advice(deal) if hint.action == action(text))


def two(game: str, hand: str, other: str = "", scores: tuple[int, int] = (0, 0)) -> Deal:
    """Two seats at an opening; the second one holds half of the other tiles if nothing else is said."""
    hidden = [str(tile) for tile in full_set() if tile not in parse_tiles(f"{hand} {other}")]
    return dealt(
        game, hand, other or " ".join(hidden[::2]), stock=" ".join(hidden if other else hidden[1::2]), scores=scores
    )


def stuck(hand: str, other: str) -> Deal:
    """Block, where the other of two seats has none of the three numbers."""
    return after(dealt("block", hand, other), *LACKS_THREE_BLANK_FIVE)


def partners(game: str) -> Deal:
    """Two plays of which one leaves a number that the partner is known to lack."""
    hands = (
        "3-3 2-4 1-5 2-5",
        "1-3 1-2 2-6 5-5 3-6 4-6 0-6 3-5",
        "4-4 5-6",
        "3-4 0-1 1-1 4-5 0-3 1-4 1-6 2-3",
    )
    return after(dealt(game, *hands), *SOUTH_LACKS_ONE)


@pytest.mark.parametrize(
    ("deal", "text", "expected"),
    [
        (two("fives-threes", "6-6 1-5 0-1", scores=(59, 0)), "1-5", "wins"),
        (two("fives-threes", "6-6 1-5 0-1", scores=(59, 0)), "6-6", "would_be_dropped"),
        (two("fives-threes", "1-2 2-2", scores=(59, 0)), "2-2", "keeps_target"),
        (two("all-fives", "4-6 0-5 2-3 0-0"), "4-6", "scores_now"),
        (two("all-fives", "4-6 0-5 2-3 0-0"), "2-3", "gives_little"),
        (two("all-fives", "4-6 0-5 2-3 0-0"), "0-5", "gives_points"),
        (two("draw", "4-6 0-1"), "4-6", "sheds_pips"),
        (two("draw", "4-6 0-1"), "0-1", "weaker"),
        (two("block", "6-6 5-6 0-1 1-2 0-2"), "6-6", "sheds_double"),
        (stuck("3-3 0-3 0-5 3-5 3-6 6-6 5-6", "1-1 2-2 4-4 1-2 1-4 2-4"), "3-5 left", "blocks_opponent"),
        (stuck("3-3 0-3 0-5 3-5 3-6 6-6", "1-1 2-2 4-4 1-2 1-4 2-4"), "3-5 right", "wins_block"),
        (stuck("3-3 0-3 0-5 3-5 3-6 6-6", "1-2 1-1"), "3-6 right", "avoids_block"),
        (partners("block"), "1-5 right", "helps_partner"),
        (partners("draw"), "1-5 right", "helps_partner"),
    ],
)
def test_a_reason_names_what_speaks_most_for_a_play_or_against_it(deal: Deal, text: str, expected: str) -> None:
    assert reason(deal, text) == expected


def test_a_light_tile_keeps_the_heavy_ones_where_heavy_tiles_make_points() -> None:
    hands = ("3-3 0-3 0-0 3-6 0-5", "1-1 2-2 4-4 4-5 5-5", "0-6 0-5 1-5 1-6 6-6", "2-6 2-5 2-4 3-5 1-4")
    deal = after(dealt("fives-threes", *hands), "3-3", "knock", "knock", "3-5 left")

    assert reason(deal, "0-3 right") == "keeps_heavy"


def test_a_play_that_leaves_more_tiles_that_fit_keeps_options() -> None:
    hands = ("3-3 0-3 0-0 3-6 0-5", "1-1 2-2 4-4 4-5 5-5", "0-6 0-5 1-5 1-6 6-6", "2-6 2-5 2-4 3-5 1-4")
    deal = after(dealt("block", *hands), "3-3", "knock", "knock", "3-5 left")

    assert reason(deal, "0-5 left") == "keeps_options"


def test_two_ends_that_are_alike_are_even() -> None:
    first, second = advice(after(dealt("draw", "6-6 1-1", "5-6 0-0"), "6-6"))

    assert (first.reason, second.reason) == ("even", "even")
    assert first.value == second.value


def test_who_must_draw_or_knock_is_told_so() -> None:
    drawing = after(dealt("draw", "6-6 1-1", "5-6 0-0", stock="2-2"), "6-6", "5-6 left")
    knocking = after(dealt("block", "6-6 1-1", "5-6 0-5 2-3"), "6-6", "5-6 left")

    assert advice(drawing) == (Hint(Draw(), 0.0, HintReason.MUST_DRAW),)
    assert advice(knocking) == (Hint(Knock(), 0.0, HintReason.MUST_KNOCK),)


def test_the_only_play_is_called_so() -> None:
    deal = after(dealt("block", "6-6 1-1 1-6", "5-6 0-0"), "6-6", "5-6 left")

    assert [hint.reason for hint in advice(deal)] == ["only_choice"]


def test_a_play_that_wins_comes_first_and_is_worth_its_points_and_the_win() -> None:
    fives_threes = advice(two("fives-threes", "6-6 1-5 0-1", scores=(59, 0)))
    all_fives = advice(two("all-fives", "0-0 3-6 0-5", scores=(245, 245)))

    assert fives_threes[0] == Hint(action("1-5"), 2 + WIN, HintReason.WINS)
    assert all_fives[0] == Hint(action("0-5"), 5 + WIN, HintReason.WINS)


def test_to_draw_level_at_the_target_is_no_win_and_to_lead_alone_is() -> None:
    hands = ("5-5 0-1", "0-3 0-2", "0-0 1-1")

    level = advice(dealt("all-fives", *hands, scores=(240, 250, 250)))[0]
    alone = advice(dealt("all-fives", *hands, scores=(240, 245, 245)))[0]

    assert (level.action, level.reason) == (action("5-5"), "scores_now")
    assert level.value < WIN
    assert (alone.action, alone.reason, alone.value) == (action("5-5"), "wins", 10 + WIN)


@pytest.mark.parametrize("game", ["block", "draw", "all-fives"])
def test_going_out_is_worth_what_the_unseen_tiles_make_likely_to_be_left(game: str) -> None:
    """25 tiles with 150 pips are unseen: two of them hold 12."""
    deal = after(dealt(game, "3-3 2-3", "3-4 1-1 0-0"), "3-3", "3-4 right")

    assert advice(deal) == (Hint(action("2-3 left"), 12.0, HintReason.GOES_OUT),)


def test_going_out_in_fives_and_threes_is_worth_its_point_and_no_pips() -> None:
    deal = after(dealt("fives-threes", "2-2 2-6", "2-3 1-1 0-0"), "2-2", "2-3 right")

    [hint] = advice(deal)

    assert hint.reason is HintReason.GOES_OUT
    assert hint.value == pytest.approx(3 + 1, abs=0.2)


def test_a_play_that_feeds_an_opponent_is_worth_less_than_it_scores() -> None:
    """It scores 5, and almost any five or blank that answers it scores again."""
    deal = two("all-fives", "4-6 0-5 2-3 0-0")

    feeding = next(hint for hint in advice(deal) if hint.action == action("0-5"))

    assert feeding.value < 1


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_the_best_hint_is_what_club_plays_unless_it_wins(game: str, seats: int) -> None:
    for match in some_turns(40, game, seats, seed=4):
        best = hints(*question(match))[0]

        assert best.reason is HintReason.WINS or best.action == Club().choose(*question(match))


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_every_legal_action_is_judged_once_and_the_best_comes_first(game: str, seats: int) -> None:
    for match in some_turns(40, game, seats, seed=6):
        view, legal = question(match)
        given = hints(view, legal)

        values = [hint.value for hint in given]
        assert {hint.action for hint in given} == {choice.action for choice in legal}
        assert len(given) == len(legal)
        assert values == sorted(values, reverse=True)
        assert given == hints(view, legal)


def test_who_watches_is_given_no_hints() -> None:
    [match] = some_turns(1, "block", 2)

    with pytest.raises(ValueError, match="watches"):
        hints(view_for(match, None), question(match)[1])
