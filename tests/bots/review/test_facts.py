from __future__ import annotations

from bots.hints import hints
from engine.deal import Deal
from protocol.hints import Facts, Reply
from tests.bots.positions import asked_at
from tests.engine.positions import EAST, action, after, dealt


def facts(deal: Deal, text: str) -> Facts | None:
    """What can be seen of the action ``text`` beforehand."""
    return next(hint.facts for hint in hints(*asked_at(deal)) if hint.action == action(text))


def test_answers_are_the_unseen_tiles_that_fit_then() -> None:
    deal = dealt("block", "1-2 1-1 2-3", "0-0 5-5")

    assert facts(deal, "1-2") == Facts(answers=10, shut=(), reply=None)
    assert facts(deal, "1-1") == Facts(answers=5, shut=(), reply=None)


def test_who_has_shown_that_nothing_fits_is_shut_out() -> None:
    deal = after(dealt("block", "3-3 0-3 0-0 5-5", "1-1 2-2"), "3-3", "knock", "0-3 left", "knock")

    assert facts(deal, "0-0 left") == Facts(answers=10, shut=(EAST,), reply=None)


def test_the_worst_reply_is_the_most_that_the_next_seat_may_score() -> None:
    opening = dealt("fives-threes", "3-6 0-1 2-2", "0-0 1-1 3-3")
    lacks_three = after(dealt("fives-threes", "3-3 3-6 0-5 1-1", "0-0 5-5 4-4"), "3-3", "knock")

    assert facts(opening, "3-6") == Facts(answers=12, shut=(), reply=Reply(total=15, points=8))
    assert facts(lacks_three, "3-6 left") == Facts(answers=11, shut=(), reply=Reply(total=18, points=6))


def test_nothing_is_said_of_what_comes_after_a_play_that_ends_the_deal_or_the_match() -> None:
    out = after(dealt("block", "3-3 2-3", "3-4 1-1 0-0"), "3-3", "3-4 right")
    wins = dealt("fives-threes", "6-6 1-5 0-1", "0-0 2-2", scores=(59, 0))
    partner_plays_on = after(
        dealt("fives-threes", "3-3 2-3", "3-4 1-1 0-0", "4-4 5-5", "6-6 0-6"), "3-3", "3-4 right", "4-4 right", "knock"
    )

    assert facts(out, "2-3 left") is None
    assert facts(wins, "1-5") is None
    assert facts(partner_plays_on, "2-3 left") is not None


def test_no_reply_is_feared_from_the_partner() -> None:
    deal = after(
        dealt("fives-threes", "5-5 5-6 0-5", "4-5", "0-0 1-1 2-2", "3-3 3-4 2-4"),
        *("5-5", "4-5 left", "knock", "3-4 left"),
    )

    found = facts(deal, "5-6 right")

    assert found is not None
    assert found.reply is None
