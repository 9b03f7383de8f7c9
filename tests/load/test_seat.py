from __future__ import annotations

import pytest

from bots.load.history import Accepted, Asked, Refused
from protocol.errors import ErrorCode
from tests.load.talk import EPOCH, PLAY, ROOM, SETTINGS, Talk, played, turn

KNOCK = {"type": "knock"}


@pytest.fixture
def talk() -> Talk:
    """Two seats in a match that is about to begin."""
    made = Talk()
    made.sit_down()
    return made


def test_the_first_seat_opens_the_room_and_the_other_one_joins_it() -> None:
    talk = Talk()

    other = talk.connect(1)
    first = talk.connect(0)
    talk.snapshot(0, 1)
    talk.snapshot(1, 2)

    assert first.kinds() == ["hello", "create"]
    assert (first.said[0]["name"], first.last["settings"]) == ("Load 1-1", SETTINGS)
    assert other.kinds() == ["hello", "join"]
    assert (other.last["room"], talk.table.room) == (ROOM, ROOM)
    assert talk.table.full.is_set()


def test_a_seat_that_is_to_act_does_one_of_the_things_it_may_do(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0, PLAY, KNOCK))

    act = talk.ears[0].last
    assert (act["type"], act["room"], act["seat"], act["seq"]) == ("act", ROOM, 0, 4)
    assert act["action"] in (PLAY, KNOCK)


def test_a_seat_keeps_quiet_while_another_one_is_to_act(talk: Talk) -> None:
    before = talk.ears[1].kinds()

    talk.update(1, 4, turn={"seat": 0})

    assert talk.ears[1].kinds() == before


def test_a_seat_acts_again_only_when_its_last_act_was_answered(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    first = talk.ears[0].last
    talk.update(0, 5, played(0), turn=turn(0, KNOCK))
    assert talk.ears[0].last == first

    talk.answer(0, "ok", seq=5)

    assert (talk.ears[0].last["action"], talk.ears[0].last["seq"]) == (KNOCK, 5)
    assert talk.tally.acknowledged == 1


def test_thought_takes_its_time() -> None:
    talk = Talk(think=0.5)
    talk.sit_down()

    talk.update(0, 4, turn=turn(0))
    assert talk.ears[0].last["type"] == "start"
    talk.clock.advance(1.0)

    assert talk.ears[0].last["type"] == "act"


def test_an_act_that_was_thought_about_while_the_line_was_cut_waits_for_the_new_one() -> None:
    talk = Talk(think=0.5)
    talk.sit_down()
    talk.update(0, 4, turn=turn(0))

    talk.cut(0)
    talk.clock.advance(1.0)
    ear = talk.connect(0)
    assert ear.kinds() == ["hello", "sync"]
    talk.answer(0, "ok", seq=4)
    talk.clock.advance(1.0)

    assert ear.last["type"] == "act"


def test_next_is_said_when_a_deal_is_over(talk: Talk) -> None:
    talk.update(1, 4, {"type": "deal_ended"})

    assert talk.ears[1].last["type"] == "next"


def test_next_is_said_to_a_snapshot_that_shows_the_deal_is_over(talk: Talk) -> None:
    talk.cut(1)
    ear = talk.connect(1)

    talk.snapshot(1, 9, phase="match_over")

    assert ear.last["type"] == "next"


def test_a_seat_that_is_ready_already_does_not_say_so_again(talk: Talk) -> None:
    talk.cut(1)
    ear = talk.connect(1)

    talk.snapshot(1, 9, phase="deal_over", seats=[{"ready": False}, {"ready": True}])

    assert ear.last["type"] == "sync"


def test_after_a_lost_connection_it_asks_for_what_it_missed_and_says_again_what_was_not_answered(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    act = talk.ears[0].last

    talk.cut(0)
    ear = talk.connect(0)
    hello, sync = ear.said
    talk.update(0, 5, played(0))
    talk.tell(0, type="ok", re=sync["id"], seq=5)

    assert hello["token"] == "token-0"
    assert (sync["type"], sync["epoch"], sync["after"]) == ("sync", EPOCH, 4)
    assert ear.said[2:] == [act]


def test_a_room_whose_creation_was_not_answered_is_asked_for_under_the_same_id() -> None:
    talk = Talk()
    create = talk.connect(0).last

    talk.cut(0)
    ear = talk.connect(0)

    assert ear.kinds() == ["hello", "create"]
    assert ear.last == create


@pytest.mark.parametrize("code", [ErrorCode.UNAVAILABLE, ErrorCode.RATE_LIMITED, ErrorCode.DRAINING])
def test_what_is_refused_for_now_is_said_again_under_its_id(talk: Talk, code: ErrorCode) -> None:
    talk.update(0, 4, turn=turn(0))
    act = talk.ears[0].last

    talk.answer(0, "error", code=code.value, retry_after=3.0)
    talk.clock.advance(2.9)
    assert talk.ears[0].said.count(act) == 1
    talk.clock.advance(0.1)

    assert talk.ears[0].said.count(act) == 2
    assert talk.tally.errors == {code.value: 1}


def test_after_a_refusal_it_looks_at_the_table_again(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    act = talk.ears[0].last

    talk.answer(0, "error", code="stale")
    sync = talk.ears[0].last
    talk.snapshot(0, 4, phase="playing", turn=turn(0, KNOCK))

    assert (sync["type"], "after" in sync) == ("sync", False)
    assert talk.ears[0].last["action"] == KNOCK
    assert Refused(act["id"]) in talk.seat(0).history.entries


def test_a_player_whom_the_server_has_forgotten_gives_up(talk: Talk) -> None:
    talk.cut(0)
    talk.seat(0).connected(talk.ears[0])

    talk.answer(0, "error", code="unauthorized")

    assert talk.seat(0).is_over
    assert talk.ears[0].is_cut


def test_who_has_lost_its_seat_gives_up(talk: Talk) -> None:
    talk.cut(0)
    talk.connect(0)

    talk.snapshot(0, 9, you={"seats": []})

    assert talk.seat(0).is_over


def test_the_server_says_how_long_to_stay_away(talk: Talk) -> None:
    talk.tell(0, type="closing", reason="restart", retry_after=1.5)

    assert talk.seat(0).retry_after == 1.5


async def test_a_seat_that_is_stopped_waits_for_its_answers_and_does_nothing_more(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    talk.seat(0).stop()
    talk.update(0, 5, played(0), {"type": "deal_ended"}, turn=turn(0))
    before = talk.ears[0].kinds()

    talk.answer(0, "ok", seq=5)

    await talk.seat(0).quiet()
    assert talk.ears[0].kinds() == before


def test_the_last_look_ends_the_history(talk: Talk) -> None:
    for who in range(2):
        talk.seat(who).stop()
        talk.seat(who).look()
        talk.snapshot(who, 3)

    talk.update(0, 4, {"type": "away", "seat": 1})

    assert talk.ears[0].last["type"] == "sync"
    assert talk.seat(0).looked.is_set()
    assert talk.seat(0).history.entries[-1].seq == 3  # type: ignore[union-attr]


def test_a_look_that_is_due_while_it_comes_back_is_taken_afterwards(talk: Talk) -> None:
    talk.cut(0)
    ear = talk.connect(0)
    talk.seat(0).stop()
    talk.seat(0).look()
    talk.answer(0, "ok", seq=3)

    assert ear.kinds() == ["hello", "sync", "sync"]
    assert "after" not in ear.last
    assert not talk.seat(0).looked.is_set()


def test_what_was_seen_asked_and_answered_is_history(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    act = talk.ears[0].last
    talk.update(0, 5, played(0))
    talk.answer(0, "ok", seq=5)

    asked, told, accepted = talk.seat(0).history.entries[-3:]

    assert asked == Asked(act["id"], "0 play 1-4 left")
    assert (told.seq, told.deed) == (5, "0 play 1-4 left")  # type: ignore[union-attr]
    assert accepted == Accepted(act["id"], 5)


def test_what_else_was_asked_is_history_too(talk: Talk) -> None:
    talk.update(0, 4, {"type": "deal_ended"})
    said = talk.ears[0].last
    talk.answer(0, "ok")

    entries = talk.seat(0).history.entries
    start = next(entry for entry in entries if isinstance(entry, Asked) and entry.deed is None)

    assert Accepted(start.id, 3) in entries
    assert entries[-2:] == [Asked(said["id"], "0 next"), Accepted(said["id"], None)]


def test_a_refusal_after_the_answer_is_history(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    act = talk.ears[0].last
    talk.answer(0, "ok", seq=5)
    before = talk.ears[0].kinds()

    talk.tell(0, type="error", re=act["id"], code="not_your_turn")

    assert talk.seat(0).history.entries[-2:] == [Accepted(act["id"], 5), Refused(act["id"])]
    assert talk.ears[0].kinds() == before


def test_a_refusal_for_now_leaves_it_open_what_becomes_of_the_act(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    act = talk.ears[0].last

    talk.answer(0, "error", code="unavailable")

    assert Refused(act["id"]) not in talk.seat(0).history.entries


def test_a_room_is_looked_at_although_an_answer_is_missing(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    talk.seat(0).stop()

    talk.seat(0).look()
    talk.snapshot(0, 4)

    assert talk.seat(0).looked.is_set()


def test_it_takes_an_act_so_long_to_its_sender_and_to_the_last_seat(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    talk.clock.advance(0.25)
    talk.update(0, 5, played(0))
    talk.clock.advance(0.5)
    talk.update(1, 5, played(0), turn=turn(1))

    assert list(talk.tally.to_sender) == [0.25]
    assert list(talk.tally.to_last_seat) == [0.75]


def test_an_act_that_a_snapshot_stood_for_is_not_measured_to_the_last_seat(talk: Talk) -> None:
    talk.update(0, 4, turn=turn(0))
    talk.update(0, 5, played(0))
    talk.cut(1)
    talk.connect(1)
    talk.snapshot(1, 5, phase="playing")

    assert list(talk.tally.to_sender) == [0.0]
    assert list(talk.tally.to_last_seat) == []


def test_who_is_ready_late_for_one_seat_is_not_taken_for_acting(talk: Talk) -> None:
    talk.update(0, 4, {"type": "ready", "seat": 0})
    talk.update(0, 5, {"type": "deal_started", "tiles": [7, 7]}, turn=turn(0))

    talk.update(1, 4, {"type": "ready", "seat": 0})

    assert not talk.table.playing.is_set()
