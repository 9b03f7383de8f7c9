from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.errors import ErrorCode, RefusalReason
from server.table.decide import Lost
from server.table.state import Phase
from tests.server.tables import ANN, BOB, CAT, EVE, Driver, actor, kinds, refused, seats_of


def test_join_without_a_seat_takes_the_first_empty_one() -> None:
    table = Driver(seats=3)

    table.say(BOB, "join")
    table.say(CAT, "join")

    assert seats_of(table.table.places) == ["Ann", "Bob", "Cat"]


def test_the_second_of_two_joins_for_the_last_seat_is_told_the_room_is_full() -> None:
    table = Driver(seats=2)
    table.say(BOB, "join")

    assert refused(table, CAT, "join").code is ErrorCode.ROOM_FULL
    assert refused(table, CAT, "join", seat=1).code is ErrorCode.SEAT_TAKEN


def test_a_seated_player_moves_to_a_free_seat_in_the_lobby() -> None:
    table = Driver(seats=4)

    step = table.say(ANN, "join", seat=2)

    assert kinds(step) == ["Left", "Seated"]
    assert seats_of(table.table.places) == [None, None, "Ann", None]
    assert table.table.host == ANN.player


def test_joining_again_gives_the_own_seat_and_makes_no_step() -> None:
    table = Driver(seats=4)
    table.say(BOB, "join")

    assert table.say(BOB, "join") is None
    assert seats_of(table.table.places) == ["Ann", "Bob", None, None]


def test_a_seat_that_the_table_does_not_have_is_named_in_the_refusal() -> None:
    table = Driver(seats=2)

    refusal = refused(table, BOB, "join", seat=3)

    assert (refusal.code, refusal.path) == (ErrorCode.BAD_MESSAGE, "seat")


def test_equal_names_get_a_number() -> None:
    table = Driver(seats=3)

    table.say(replace(BOB, name="Ann"), "join")
    table.say(replace(CAT, name="Ann"), "join")

    assert seats_of(table.table.places) == ["Ann", "Ann (2)", "Ann (3)"]


@pytest.mark.parametrize(
    "name", ["Ann\u200d", "A\u034fnn", "Ann\ufe0f", "\u3000Ann\u00a0", "\u2800Ann", "\u115fAnn", "\uff21\uff4e\uff4e"]
)
def test_names_that_look_equal_get_a_number(name: str) -> None:
    table = Driver(seats=2)

    table.say(replace(BOB, name=name), "join")

    assert str(seats_of(table.table.places)[1]).endswith(" (2)")


@pytest.mark.parametrize(("length", "kept"), [(16, 16), (17, 16), (20, 16)])
def test_a_number_takes_the_place_of_the_end_of_a_long_name(length: int, kept: int) -> None:
    table = Driver(actor("x" * length), seats=3)

    table.say(replace(BOB, name="x" * length), "join")

    assert seats_of(table.table.places)[1] == "x" * kept + " (2)"


def test_bots_fill_the_empty_seats_at_the_start() -> None:
    table = Driver(seats=4)
    table.say(BOB, "join", seat=2)

    step = table.say(ANN, "start")

    assert kinds(step)[:3] == ["Seated", "Seated", "MatchStarted"]
    assert [place.bot for place in table.table.places] == [None, "club", None, "club"]
    assert table.table.phase is Phase.PLAYING


def test_only_the_host_starts() -> None:
    table = Driver(seats=2)
    table.say(BOB, "join")

    assert refused(table, BOB, "start").code is ErrorCode.NOT_HOST
    assert refused(table, CAT, "start").code is ErrorCode.NOT_SEATED


def test_a_room_that_quick_match_opened_is_started_by_anyone_seated() -> None:
    table = Driver(seats=3, fill="wait", quick=True)
    table.say(BOB, "join")

    table.say(BOB, "start")

    assert table.table.phase is Phase.PLAYING


def test_a_table_that_waits_begins_when_the_last_seat_is_taken() -> None:
    table = Driver(seats=3, fill="wait")
    table.say(ANN, "start")
    table.say(BOB, "join")
    assert table.table.phase is Phase.LOBBY

    step = table.say(CAT, "join")

    assert kinds(step)[:2] == ["Seated", "MatchStarted"]


def test_start_said_again_fills_a_waiting_table_at_once() -> None:
    table = Driver(seats=3, fill="wait")

    assert kinds(table.say(ANN, "start")) == ["Waiting"]
    assert "MatchStarted" in kinds(table.say(ANN, "start"))


def test_a_waiting_table_is_filled_with_bots_after_its_time() -> None:
    table = Driver(seats=2, fill="wait", fill_after=30)
    table.say(ANN, "start")

    assert table.wait(29.9) is None
    assert "MatchStarted" in kinds(table.wait(0.2))


def test_a_newcomer_watches_until_the_deal_is_over_and_never_sees_the_bots_hand() -> None:
    table = Driver(seats=2)
    table.say(ANN, "start")

    step = table.say(BOB, "join")

    assert kinds(step) == ["Coming", "Watchers"]
    assert table.snapshot(BOB)["deal"]["hands"] == {}
    assert table.snapshot(ANN)["seats"][1]["coming"] == "Bob"
    table.play_deal()
    assert table.place(1).player == BOB.player
    assert table.snapshot(BOB)["you"] == {"seats": [1], "shown": [1], "watching": False}
    assert table.snapshot(BOB)["deal"]["hands"] == {}
    assert "hand" not in table.snapshot(BOB)["deal"]["events"][0]


def test_two_newcomers_cannot_have_the_same_bots_seat() -> None:
    table = Driver(seats=2)
    table.say(ANN, "start")
    table.say(BOB, "join", seat=1)

    assert refused(table, CAT, "join", seat=1).code is ErrorCode.SEAT_TAKEN
    assert refused(table, CAT, "join").code is ErrorCode.ROOM_FULL


def test_a_newcomer_whose_connection_was_lost_at_the_end_of_the_deal_has_no_seat() -> None:
    table = Driver(seats=2)
    table.say(ANN, "start")
    table.say(BOB, "join")
    table.serve(Lost(BOB.player))

    table.play_deal()

    assert table.place(1).is_house
    assert table.place(1).coming is None


def test_a_newcomer_who_comes_back_in_time_has_the_seat() -> None:
    table = Driver(seats=2)
    table.say(ANN, "start")
    table.say(BOB, "join")
    table.serve(Lost(BOB.player))
    table.say(BOB, "sync")

    table.play_deal()

    assert table.place(1).player == BOB.player


def test_between_deals_a_newcomer_has_a_bots_seat_at_once() -> None:
    table = Driver(seats=2)
    table.say(ANN, "start")
    table.play_deal()

    assert kinds(table.say(BOB, "join")) == ["Seated"]


def test_a_seat_left_in_a_match_is_a_bots_and_its_last_holder_may_have_it_back_at_once() -> None:
    table = Driver(seats=2)
    table.say(BOB, "join")
    table.say(ANN, "start")
    hand = table.snapshot(BOB)["deal"]["hands"]

    assert kinds(table.say(BOB, "leave")) == ["Left", "Seated"]
    assert table.place(1).is_house
    table.say(BOB, "watch")
    assert table.snapshot(BOB)["deal"]["hands"] == {}
    table.say(BOB, "join")

    assert table.place(1).player == BOB.player
    assert table.snapshot(BOB)["deal"]["hands"] == hand
    assert BOB.player not in table.table.watchers


def test_who_leaves_a_seat_and_takes_a_bots_never_sees_two_hands_of_one_deal() -> None:
    table = Driver(seats=3)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.say(BOB, "leave")

    table.say(BOB, "join", seat=2)

    assert table.snapshot(BOB)["deal"]["hands"] == {}
    table.play_deal()
    assert table.place(2).player == BOB.player
    assert table.snapshot(BOB)["deal"]["hands"] == {}


def test_the_host_adds_and_removes_bots_and_people_in_the_lobby() -> None:
    table = Driver(seats=4)
    table.say(BOB, "join")

    table.say(ANN, "add_bot", seat=2, level="novice")
    table.say(ANN, "remove", seat=2)
    table.say(ANN, "remove", seat=1)

    assert seats_of(table.table.places) == ["Ann", None, None, None]


@pytest.mark.parametrize(
    ("kind", "fields", "code"),
    [
        ("add_bot", {"seat": 0}, ErrorCode.SEAT_TAKEN),
        ("add_bot", {"seat": 2}, ErrorCode.BAD_MESSAGE),
        ("remove", {"seat": 1}, ErrorCode.REFUSED),
        ("swap", {"seats": [0, 0]}, ErrorCode.BAD_MESSAGE),
        ("swap", {"seats": [0, 3]}, ErrorCode.BAD_MESSAGE),
    ],
)
def test_the_host_is_told_what_is_wrong_with_a_seat(kind: str, fields: dict[str, object], code: ErrorCode) -> None:
    table = Driver(seats=2)

    assert refused(table, ANN, kind, **fields).code is code


@pytest.mark.parametrize(
    ("kind", "fields"), [("add_bot", {"seat": 1}), ("remove", {"seat": 0}), ("swap", {"seats": [0, 1]})]
)
def test_seats_change_only_between_matches_and_only_by_the_host(kind: str, fields: dict[str, object]) -> None:
    table = Driver(seats=3)
    table.say(BOB, "join", seat=2)
    assert refused(table, BOB, kind, **fields).code is ErrorCode.NOT_HOST

    table.say(ANN, "start")

    assert refused(table, ANN, kind, **fields).code is ErrorCode.ALREADY_STARTED


def test_swap_lets_two_holders_change_places() -> None:
    table = Driver(seats=4)
    table.say(BOB, "join")

    table.say(ANN, "swap", seats=[1, 3])

    assert seats_of(table.table.places) == ["Ann", None, None, "Bob"]
    assert [place.seat for place in table.table.places] == [0, 1, 2, 3]


def test_the_hosts_part_goes_on_clockwise_when_the_host_leaves() -> None:
    table = Driver(seats=4)
    table.say(BOB, "join", seat=3)
    table.say(CAT, "join", seat=2)

    assert kinds(table.say(ANN, "leave")) == ["Left", "Host"]
    assert table.table.host == CAT.player


def test_the_hosts_part_goes_on_when_the_host_is_away_for_grace() -> None:
    table = Driver(seats=2, grace=60)
    table.say(BOB, "join")
    table.serve(Lost(ANN.player))

    assert table.wait(59.9) is None
    assert kinds(table.wait(0.2)) == ["Host"]
    assert table.table.host == BOB.player


def test_who_joins_a_table_without_host_is_host() -> None:
    table = Driver(seats=2)
    table.say(ANN, "leave")
    assert table.table.host is None

    table.say(BOB, "join")

    assert table.table.host == BOB.player


def test_watching_twice_is_one_watcher_and_one_step() -> None:
    table = Driver()

    assert kinds(table.say(EVE, "watch")) == ["Watchers"]
    assert table.say(EVE, "watch") is None
    assert list(table.table.watchers.values()) == ["Eve"]


def test_who_is_seated_cannot_watch_and_a_private_table_has_no_watchers() -> None:
    assert refused(Driver(), ANN, "watch").reason == "seated"
    assert refused(Driver(spectators=False), EVE, "watch").reason == "no_spectators"


def test_a_table_has_a_limit_of_watchers() -> None:
    table = Driver()
    for number in range(50):
        table.say(actor(f"W{number}"), "watch")

    assert refused(table, EVE, "watch").reason == "too_many_spectators"


def test_a_watcher_who_sits_down_watches_no_more() -> None:
    table = Driver()
    table.say(EVE, "watch")

    step = table.say(EVE, "join")

    assert kinds(step) == ["Seated", "Watchers"]
    assert not table.table.watchers


@pytest.mark.parametrize("kind", ["act", "next", "start", "react", "leave", "sync"])
def test_a_stranger_is_not_seated(kind: str) -> None:
    needed: dict[str, dict[str, object]] = {
        "act": {"seq": 1, "action": {"type": "knock"}},
        "react": {"key": "wow"},
    }
    fields = needed.get(kind, {})

    assert refused(Driver(), EVE, kind, **fields).code is ErrorCode.NOT_SEATED


def test_a_stranger_is_told_whether_a_seat_is_left() -> None:
    table = Driver(seats=2)
    assert refused(table, EVE, "sync").reason is None

    table.say(BOB, "join")

    assert refused(table, EVE, "sync").reason == RefusalReason.ROOM_FULL


def test_who_has_left_a_match_is_told_of_a_way_back_that_a_stranger_has_not() -> None:
    table = Driver(seats=2)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.say(BOB, "leave")
    table.say(CAT, "join")

    assert refused(table, BOB, "sync").reason is None
    assert refused(table, EVE, "sync").reason == RefusalReason.ROOM_FULL


def test_who_has_moved_to_another_seat_does_not_get_the_one_before_in_the_middle_of_a_deal() -> None:
    driver = Driver(seats=3, game="block", target=1000, next_deal_after=0)
    driver.say(ANN, "start")
    driver.say(ANN, "leave")
    driver.say(ANN, "join", seat=1)
    driver.play_deal()
    driver.wait(1)
    assert driver.place(1).player == ANN.player
    driver.say(ANN, "leave")

    step = driver.say(ANN, "join", seat=0)

    assert kinds(step) == ["Coming", "Watchers"]
    assert driver.snapshot(ANN)["deal"]["hands"] == {}


def test_a_host_who_is_removed_by_the_own_hand_passes_the_part_on() -> None:
    driver = Driver(seats=3)
    driver.say(BOB, "join")

    driver.say(ANN, "remove", seat=0)

    assert driver.table.host == BOB.player
