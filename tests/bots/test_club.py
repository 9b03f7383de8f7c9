from __future__ import annotations

import random
from collections import Counter

from bots.beginner import Beginner
from bots.club import Club
from engine.actions import Action
from engine.deal import Deal
from tests.bots.positions import asked_at
from tests.engine.positions import action, after, dealt


def chosen(deal: Deal) -> Action:
    """What club likes best at ``deal``."""
    return Club().choose(*asked_at(deal))


def test_club_lands_on_the_target_where_more_points_would_be_lost() -> None:
    deal = dealt("fives-threes", "6-6 1-5 1-1", "0-1 0-2", scores=(59, 0))

    assert chosen(deal) == action("1-5")


def test_club_stops_where_one_more_turn_can_finish() -> None:
    """From 56, two points leave 3 to go and three points leave 2: the commonest event."""
    deal = dealt("fives-threes", "4-5 5-5 1-1", "0-1 0-2", scores=(56, 0))

    assert chosen(deal) == action("4-5")


def test_club_lets_a_point_go_that_would_leave_one() -> None:
    """59 is the better score to stop at: two come more often than one (F3)."""
    deal = dealt("fives-threes", "1-2 2-2", "0-1 0-2", scores=(59, 0))

    assert chosen(deal) == action("2-2")


def test_club_keeps_an_opponent_stuck_that_has_shown_what_it_lacks() -> None:
    deal = dealt("block", "3-3 0-3 0-0 3-6 0-5", "1-1 2-2 4-4 4-5", stock="5-5")
    lacks_three_and_blank = after(deal, "3-3", "knock", "0-3 left", "knock")

    assert chosen(lacks_three_and_blank) == action("0-0 left")


def test_club_takes_a_win_whatever_could_have_been_answered_to_it() -> None:
    """Almost any answer to 0-5 would score, but there is none any more (A12)."""
    deal = dealt("all-fives", "0-5 3-6 0-0", "1-1 2-2 3-3 4-4", scores=(245, 245))

    assert chosen(deal) == action("0-5")


def played(deal: Deal, times: int = 300) -> Counter[Action]:
    """What club does at ``deal`` by its own chance, so many times."""
    club = Club(random.Random(1))
    return Counter(club.choose(*asked_at(deal)) for _ in range(times))


def test_club_plays_by_chance_what_it_likes_nearly_as_well() -> None:
    """Six and four score 2, two fives as well."""
    found = played(dealt("fives-threes", "4-6 5-5 0-1", "0-3 0-2"))

    assert found[action("5-5")] > found[action("4-6")] > 10 > found[action("0-1")]


def test_club_never_lets_a_match_go_that_it_can_win() -> None:
    deal = dealt("fives-threes", "6-6 1-5 1-1", "0-1 0-2", scores=(59, 0))

    assert set(played(deal)) == {action("1-5")}


def test_club_leaves_nothing_to_chance_where_hands_count() -> None:
    deal = dealt("block", "5-5 4-6 6-6 0-1", "0-3 0-2")

    assert set(played(deal, times=20)) == {chosen(deal)}


def test_beginner_takes_most_points_and_then_the_heaviest_tile() -> None:
    scoring = dealt("fives-threes", "5-5 6-6 0-1", "0-3 0-2")
    counting = dealt("block", "5-5 4-6 6-6 0-1", "0-3 0-2")

    first, second = (Beginner().choose(*asked_at(deal)) for deal in (scoring, counting))

    assert (first, second) == (action("6-6"), action("6-6"))


def test_beginner_counts_what_the_target_drops_as_nothing() -> None:
    deal = dealt("fives-threes", "6-6 1-5 0-1", "0-3 0-2", scores=(59, 0))

    assert Beginner().choose(*asked_at(deal)) == action("1-5")
