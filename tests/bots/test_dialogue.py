from __future__ import annotations

import random
from typing import Any

import pytest

from bots.dialogue import Dialogue, Question, TryLater
from protocol.convert import Wire
from protocol.messages import parse
from server import views
from server.table.evolve import Step
from tests.server.tables import ANN, CODE, Driver, actor

BOT = actor("Bot", headless=True)
TOKEN = "a-token-that-only-the-bot-knows"


class Talk:
    """A bot that talks with a table without a connection."""

    def __init__(self, **settings: Any) -> None:
        self.driver = Driver(game="block", seats=2, target=1000, **settings)
        self.bot = Dialogue(CODE.lower(), None, "Bot", random.Random(1))

    def connect(self) -> Wire:
        """A new connection up to `welcome`: what the bot says then."""
        hello = self.bot.hello()
        parse(hello)
        return self.only({"type": "welcome", "re": hello["id"], "player": "bot", "token": TOKEN})

    def hear(self, message: Wire) -> list[Wire]:
        said = list(self.bot.hear(message))
        for answer in said:
            parse(answer)
        return said

    def only(self, message: Wire) -> Wire:
        """The one thing that the bot says to ``message``."""
        [said] = self.hear(message)
        return said

    def snapshot(self, re: str, **fields: Any) -> Wire:
        return self.driver.snapshot(BOT) | {"re": re} | fields

    def update(self, step: Step | None) -> Wire:
        assert step is not None
        table = self.driver.table
        eye = table.eye(BOT.player)
        turn = views.turn_for(table, eye, self.driver.now)
        events = views.events_for(step.events, eye)
        return {"type": "update", "room": CODE, "epoch": step.epoch, "seq": step.seq, "events": events, "turn": turn}

    def sit_down(self) -> None:
        """The bot joins and the match begins; Ann leads."""
        join = self.connect()
        self.driver.say(BOT, "join")
        self.hear(self.snapshot(join["id"]))
        self.hear(self.update(self.driver.say(ANN, "start")))

    def its_turn(self) -> Question:
        """Ann plays, and the bot is asked."""
        self.hear(self.update(self.driver.act()))
        question = self.bot.question()
        assert question is not None
        return question

    def chosen(self) -> Wire:
        """The bot has made its first choice: the `act` that it sends."""
        question = self.its_turn()
        act = self.bot.act(question, question.legal[0].action)
        parse(act)
        return act


@pytest.fixture
def talk() -> Talk:
    return Talk(lead=0)


def test_a_bot_says_hello_as_a_bot_and_joins(talk: Talk) -> None:
    hello = talk.bot.hello()

    join = talk.only({"type": "welcome", "re": hello["id"], "player": "bot", "token": TOKEN})

    assert hello == {"type": "hello", "id": hello["id"], "name": "Bot", "bot": True}
    assert join == {"type": "join", "id": join["id"], "room": CODE}


def test_a_wanted_seat_is_asked_for(talk: Talk) -> None:
    talk.bot = Dialogue(CODE, 1, "Bot", random.Random(1))

    join = talk.connect()

    assert join["seat"] == 1


def test_out_of_turn_a_bot_has_nothing_to_choose(talk: Talk) -> None:
    talk.sit_down()

    assert talk.bot.question() is None


def test_in_turn_it_is_asked_with_what_its_seat_may_know(talk: Talk) -> None:
    talk.sit_down()

    question = talk.its_turn()

    match = talk.driver.table.match
    assert match is not None
    assert match.deal is not None
    assert question.view.hand == match.deal.hands[1]
    assert question.seq == talk.driver.table.seq
    assert question.delay == talk.driver.table.settings.bot_delay


def test_an_act_names_the_step_it_was_chosen_at(talk: Talk) -> None:
    talk.sit_down()

    act = talk.chosen()

    assert (act["type"], act["seat"], act["seq"]) == ("act", 1, talk.driver.table.seq)


def test_while_somebody_reads_nothing_is_chosen_and_then_it_is_asked_again(talk: Talk) -> None:
    talk.sit_down()
    asked = talk.its_turn()
    talk.hear(talk.update(talk.driver.say(ANN, "pause")))

    while_reading = talk.bot.question()
    talk.hear(talk.update(talk.driver.say(ANN, "continue")))
    after = talk.bot.question()

    assert while_reading is None
    assert after is not None
    assert after.legal == asked.legal


def test_while_an_act_is_on_its_way_nothing_more_is_chosen(talk: Talk) -> None:
    talk.sit_down()
    talk.chosen()

    assert talk.bot.question() is None


def test_every_message_has_an_id_of_its_own(talk: Talk) -> None:
    other = Dialogue(CODE, None, "Bot", random.Random(2))

    ids = [talk.bot.hello()["id"], talk.bot.hello()["id"], other.hello()["id"]]

    assert len(set(ids)) == 3


# Lost connections.


def test_after_a_lost_connection_it_comes_back_with_its_token_and_asks_for_what_it_missed(talk: Talk) -> None:
    talk.sit_down()

    hello = talk.bot.hello()
    sync = talk.only({"type": "welcome", "re": hello["id"], "player": "bot", "token": TOKEN})

    assert hello["token"] == TOKEN
    table = talk.driver.table
    assert sync == {"type": "sync", "id": sync["id"], "room": CODE, "epoch": table.epoch, "after": table.seq}


def test_an_act_that_was_not_answered_is_said_again_under_its_id(talk: Talk) -> None:
    talk.sit_down()
    act = talk.chosen()
    sync = talk.connect()

    again = talk.only({"type": "ok", "re": sync["id"], "seq": talk.driver.table.seq})

    assert again == act


def test_before_it_is_in_step_again_nothing_is_chosen(talk: Talk) -> None:
    talk.sit_down()
    talk.its_turn()
    sync = talk.connect()

    before = talk.bot.question()
    talk.hear({"type": "ok", "re": sync["id"], "seq": talk.driver.table.seq})

    assert before is None
    assert talk.bot.question() is not None


def test_a_choice_made_on_steps_that_are_lost_is_made_anew(talk: Talk) -> None:
    talk.sit_down()
    act = talk.chosen()
    sync = talk.connect()

    said = talk.hear(talk.snapshot(sync["id"], reset=True))

    assert act not in said
    assert talk.bot.question() is not None


def test_a_token_that_is_not_known_any_more_makes_a_new_player(talk: Talk) -> None:
    talk.sit_down()
    hello = talk.bot.hello()

    anew = talk.only({"type": "error", "re": hello["id"], "code": "unauthorized", "message": "Who?"})
    join = talk.only({"type": "welcome", "re": anew["id"], "player": "bot2", "token": "new"})

    assert "token" not in anew
    assert join["type"] == "join"


def test_updates_that_come_twice_count_once(talk: Talk) -> None:
    talk.sit_down()
    update = talk.update(talk.driver.act())

    talk.hear(update)
    talk.hear(update)

    question = talk.bot.question()
    assert question is not None
    assert question.view.tiles == (6, 7)


def test_a_gap_in_the_steps_is_asked_for(talk: Talk) -> None:
    talk.sit_down()
    seen = talk.driver.table.seq
    talk.driver.act()

    sync = talk.only(talk.update(talk.driver.act()))

    assert (sync["type"], sync["after"]) == ("sync", seen)
    assert talk.bot.question() is None


# Refusals.


@pytest.mark.parametrize("code", ["stale", "not_your_turn", "illegal_action"])
def test_a_refused_act_makes_it_look_at_the_newest_state(talk: Talk, code: str) -> None:
    talk.sit_down()
    act = talk.chosen()

    sync = talk.only({"type": "error", "re": act["id"], "code": code, "message": "No."})
    before = talk.bot.question()
    talk.hear(talk.snapshot(sync["id"]))

    assert sync == {"type": "sync", "id": sync["id"], "room": CODE}
    assert before is None
    assert talk.bot.question() is not None


@pytest.mark.parametrize("code", ["no_such_room", "room_full", "seat_taken", "refused"])
def test_a_table_that_does_not_take_it_is_the_end(talk: Talk, code: str) -> None:
    join = talk.connect()

    talk.hear({"type": "error", "re": join["id"], "code": code, "message": "Not here."})

    assert talk.bot.ending is not None
    assert talk.bot.ending.is_failure
    assert talk.bot.ending.text == "Not here."


@pytest.mark.parametrize("code", ["draining", "unavailable", "internal"])
def test_what_passes_is_tried_again_on_a_later_connection(talk: Talk, code: str) -> None:
    join = talk.connect()

    with pytest.raises(TryLater) as later:
        talk.hear({"type": "error", "re": join["id"], "code": code, "message": "Later.", "retry_after": 2.5})

    assert later.value.seconds == 2.5
    assert talk.bot.ending is None


def test_what_came_too_fast_is_said_again_after_a_pause(talk: Talk) -> None:
    talk.sit_down()
    act = talk.chosen()

    again = talk.only({"type": "error", "re": act["id"], "code": "rate_limited", "message": "!", "retry_after": 0.3})
    talk.hear({"type": "ok", "re": act["id"], "seq": 9})

    assert again == act
    assert talk.bot.pause == 0.3
    assert talk.bot.question() is not None


def test_an_act_on_its_way_is_not_said_again_because_of_a_snapshot_that_was_not_asked_for(talk: Talk) -> None:
    talk.sit_down()
    talk.chosen()

    assert not talk.hear(talk.driver.snapshot(BOT))


# Going on, and the end.


def test_it_says_next_once_when_a_deal_is_over(talk: Talk) -> None:
    talk.sit_down()
    said = []

    while talk.driver.table.turn is not None:
        said += talk.hear(talk.update(talk.driver.act()))
    said += talk.hear(talk.update(talk.driver.say(ANN, "react", key="nice")))

    assert [message["type"] for message in said] == ["next"]


def test_it_says_next_again_after_the_next_deal(talk: Talk) -> None:
    talk.sit_down()
    said: list[Wire] = []

    while len(talk.driver.table.deals) < 2:
        step = talk.driver.act() if talk.driver.table.turn is not None else talk.driver.say(ANN, "next")
        said += talk.hear(talk.update(step))

    assert [message["type"] for message in said] == ["next", "next"]


def test_after_a_choice_is_taken_back_it_waits_for_the_snapshot(talk: Talk) -> None:
    talk.sit_down()
    talk.its_turn()
    table = talk.driver.table
    turn = views.turn_for(table, table.eye(BOT.player), talk.driver.now)
    undone = {"type": "undone", "to": 3}

    talk.hear(
        {
            "type": "update",
            "room": CODE,
            "epoch": table.epoch,
            "seq": table.seq + 1,
            "events": [undone],
            "turn": turn,
        }
    )
    before = talk.bot.question()
    talk.hear(talk.driver.snapshot(BOT))

    assert before is None
    assert talk.bot.question() is not None


def test_a_seat_that_is_taken_from_it_is_the_end(talk: Talk) -> None:
    join = talk.connect()
    talk.driver.say(BOT, "join")
    talk.hear(talk.snapshot(join["id"]))

    talk.hear(talk.update(talk.driver.say(ANN, "remove", seat=1)))

    assert talk.bot.ending is not None
    assert not talk.bot.ending.is_failure


def test_a_seat_that_it_is_to_have_after_the_deal_is_waited_for() -> None:
    talk = Talk(lead=0)
    talk.driver.say(ANN, "start")
    join = talk.connect()
    talk.driver.say(BOT, "join")

    talk.hear(talk.snapshot(join["id"]))
    waiting = talk.bot.ending
    while talk.driver.table.turn is not None:
        talk.hear(talk.update(talk.driver.act()))

    assert waiting is None
    assert talk.bot.ending is None
    assert talk.driver.table.places[1].player == BOT.player


def test_a_table_that_closes_is_the_end(talk: Talk) -> None:
    talk.sit_down()
    table = talk.driver.table
    closed = {"type": "closed", "reason": "idle"}

    said = talk.hear(
        {
            "type": "update",
            "room": CODE,
            "epoch": table.epoch,
            "seq": table.seq + 1,
            "events": [closed],
            "turn": None,
        }
    )

    assert not said
    assert talk.bot.ending is not None
    assert talk.bot.ending.text == "The table has closed: idle."


def test_messages_of_other_rooms_and_unknown_ones_are_passed_over(talk: Talk) -> None:
    talk.sit_down()

    said = [
        *talk.hear({"type": "update", "room": "ZZZZZZ", "epoch": 1, "seq": 99, "events": [], "turn": None}),
        *talk.hear({"type": "fanfare"}),
    ]

    assert not said
    assert talk.bot.ending is None


def test_how_long_the_server_wants_it_to_stay_away_is_kept_until_it_is_back(talk: Talk) -> None:
    talk.sit_down()

    talk.hear({"type": "closing", "reason": "restart", "retry_after": 1.5})
    asked = talk.bot.retry_after
    talk.connect()

    assert (asked, talk.bot.retry_after) == (1.5, 0)
