from __future__ import annotations

import pytest

from server.table.decide import Lost, Restarted
from server.table.state import HEADLESS, Phase, Presence
from tests.server.tables import ANN, BOB, EVE, Driver, actor, kinds


def test_a_lost_connection_is_away_at_once_and_back_at_sync() -> None:
    table = Driver(seats=2)
    table.say(BOB, "join")
    table.say(ANN, "start")

    assert kinds(table.serve(Lost(BOB.player))) == ["Away"]
    assert table.place(1).presence is Presence.AWAY
    assert kinds(table.say(BOB, "sync")) == ["Back"]


def test_a_bot_plays_for_the_absent_after_grace_and_the_owner_has_the_seat_back_at_once() -> None:
    table = Driver(seats=2, grace=60)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.serve(Lost(BOB.player))

    assert table.wait(59.9) is None
    assert kinds(table.wait(0.2)) == ["BotIn"]
    assert table.place(1).house_level == "club"
    assert table.place(1).player == BOB.player
    assert kinds(table.say(BOB, "sync")) == ["BotOut", "Back"]
    assert table.place(1).house_level is None


def test_nobody_plays_for_the_absent_where_the_table_waits() -> None:
    table = Driver(seats=2, absence="wait")
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.serve(Lost(BOB.player))

    assert table.wait(10_000) is None


def test_a_table_without_a_connected_player_stands_still_until_it_ends() -> None:
    table = Driver(seats=2, grace=60)
    table.say(ANN, "start")
    table.serve(Lost(ANN.player))

    assert table.table.is_deserted
    assert table.wait(24 * 3600 - 1) is None
    assert kinds(table.wait(2)) == ["Closed"]


def test_absence_starts_anew_when_somebody_comes_back_to_an_empty_table() -> None:
    table = Driver(seats=2, grace=60)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.serve(Restarted())
    table.now += 500

    table.say(ANN, "sync")

    assert table.wait(59) is None
    assert kinds(table.wait(2)) == ["BotIn"]


def test_after_a_restart_all_people_are_away_in_one_step_and_nobody_watches() -> None:
    table = Driver(seats=3)
    table.say(BOB, "join")
    table.say(EVE, "watch")
    table.say(ANN, "start")

    assert kinds(table.serve(Restarted())) == ["Away", "Away", "Watchers"]
    assert table.serve(Restarted()) is None


def test_who_comes_back_alone_and_has_said_next_before_is_not_kept_waiting() -> None:
    table = Driver(seats=2, target=1)
    table.say(BOB, "join")
    table.say(ANN, "start")
    while table.table.phase is not Phase.MATCH_OVER:
        table.play_deal()
        table.wait(20)
    table.say(ANN, "next")
    table.serve(Restarted())

    step = table.say(ANN, "sync")

    assert kinds(step)[:2] == ["Back", "MatchStarted"]


def test_a_headless_bot_is_a_player_shown_as_a_computer() -> None:
    table = Driver(seats=2)

    table.say(actor("Bot", headless=True), "join")

    assert table.place(1).bot == HEADLESS
    assert table.place(1).player is not None


@pytest.mark.parametrize(("phase", "limit"), [("lobby", 30 * 60), ("match", 10 * 60)])
def test_an_idle_lobby_and_a_finished_room_end(phase: str, limit: float) -> None:
    table = Driver(seats=2, target=1 if phase == "match" else 61)
    if phase == "match":
        table.say(ANN, "start")
        for _ in range(100):
            if table.table.phase is Phase.MATCH_OVER:
                break
            table.play_deal()
            table.say(ANN, "next") if table.table.phase is Phase.DEAL_OVER else None

    assert table.wait(limit - 1) is None
    assert kinds(table.wait(2)) == ["Closed"]
