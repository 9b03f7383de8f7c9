"""Bots that search: when they are asked, how long a table waits, and what an answer is for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from structlog.testing import capture_logs

from bots.guarded import Fault
from bots.levels import SEARCHING
from bots.trained import Trained
from engine import match as matches
from engine.actions import Action, Knock, Play
from engine.events import Played
from engine.match import Match
from engine.seats import Seat
from engine.view import view_for
from server.rereading import RELOAD_AFTER
from server.table.state import Table
from server.table.timers import THINKS_FOR
from tests.fakes import FailingStore
from tests.server.rooms import Ear, House, open_house
from tests.server.searchers import Asked, Searchers
from tests.server.tables import ANN, BOB

DELAY = 1.0
TICK = 0.01
SETTINGS: dict[str, Any] = {
    "game": "all-fives", "seats": 2, "bot": "expert", "bot_delay": DELAY, "lead": 1, "target": 100_000
}  # fmt: skip


@dataclass
class Scene:
    """Ann, and a bot that leads and thinks about its first play."""

    house: House
    searchers: Searchers
    ann: Ear
    room: str

    @property
    def table(self) -> Table:
        return self.house.registry.find(self.room).table

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    @property
    def asked(self) -> Asked:
        """The newest question."""
        return self.searchers.asked[-1]

    @property
    def last_act(self) -> Action:
        event = self.table.deal_events[-1]
        assert isinstance(event, Played)
        return Play(event.tile, event.end)

    def cheap(self) -> Action:
        """What is played where nobody has searched."""
        seat = self.table.turn
        assert seat is not None
        return Trained().choose(view_for(self.match, seat), matches.choices(self.match))

    async def answer_with(self, number: int = -1) -> Action:
        action = self.asked.choose(number)
        await self.house.settle()
        return action

    async def ann_plays(self, number: int = 0) -> None:
        answer = await self.ann.ask(
            "act", room=self.room, seq=self.table.seq, action=self.ann.updates()[-1]["turn"]["legal"][number]["action"]
        )
        assert answer["type"] == "ok"

    async def until_asked_again(self) -> None:
        """Ann, and the bot where it has no choice, play on."""
        asked = len(self.searchers.asked)
        while len(self.searchers.asked) == asked:
            if self.table.turn == 0:
                await self.ann_plays()
            else:
                await self.house.pass_time(DELAY)


async def begun(house: House, searchers: Searchers, **settings: Any) -> Scene:
    ann = house.ear(ANN)
    room = (await ann.ask("create", settings=SETTINGS | settings))["room"]
    await ann.ask("start", room=room)
    return Scene(house, searchers, ann, room)


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    searchers = Searchers()
    async with open_house(FailingStore(), searchers=searchers) as house:
        yield await begun(house, searchers)


async def test_a_bot_is_asked_when_its_turn_begins_and_acts_its_delay_after_however_soon_it_answers(
    scene: Scene,
) -> None:
    chosen = await scene.answer_with()
    await scene.house.pass_time(DELAY - 0.1)
    before = scene.table.turn

    await scene.house.pass_time(0.2)

    assert len(scene.searchers.asked) == 1
    assert (before, scene.table.turn) == (1, 0)
    assert scene.last_act == chosen
    assert not scene.house.bots.faults


async def test_what_a_bot_is_sent_is_what_its_seat_may_know_and_nothing_else(scene: Scene) -> None:
    asked = scene.asked

    assert asked.view == view_for(scene.match, Seat(1))
    assert asked.legal == matches.choices(scene.match)
    assert asked.level == "expert"


async def test_a_bot_that_thinks_too_long_is_replaced_which_is_counted_and_logged_without_a_tile(scene: Scene) -> None:
    cheap = scene.cheap()

    with capture_logs() as logs:
        await scene.house.pass_time(DELAY)

    assert scene.last_act == cheap
    assert scene.asked.answer.cancelled()
    assert scene.house.bots.faults == {Fault.LATE: 1}
    assert logs == [{"event": "bot.replaced", "log_level": "warning", "bot": "expert", "fault": "late", "choices": 1}]


async def test_where_nobody_has_the_time_to_think_a_cheap_choice_comes_at_the_usual_time() -> None:
    searchers = Searchers()
    searchers.has_time = False
    async with open_house(searchers=searchers) as house:
        scene = await begun(house, searchers)
        cheap = scene.cheap()

        await house.pass_time(DELAY)

        assert scene.last_act == cheap
        assert house.bots.faults == {Fault.LATE: 1}


async def test_a_bot_whose_worker_dies_is_replaced_and_asked_again_at_its_next_turn(scene: Scene) -> None:
    cheap = scene.cheap()

    scene.asked.die()
    await scene.house.settle()
    await scene.house.pass_time(DELAY)

    assert scene.last_act == cheap
    assert scene.house.bots.faults == {Fault.DEAD: 1}
    await scene.until_asked_again()
    assert not scene.asked.answer.done()


async def test_an_answer_that_is_not_legal_is_replaced_and_logged_as_a_fault(scene: Scene) -> None:
    cheap = scene.cheap()
    scene.asked.answer.set_result(Knock())
    await scene.house.settle()

    with capture_logs() as logs:
        await scene.house.pass_time(DELAY)

    assert scene.last_act == cheap
    assert [(entry["event"], entry["fault"]) for entry in logs] == [("bot.failed", "illegal")]


async def test_a_bug_in_a_search_is_logged_without_what_it_says(scene: Scene) -> None:
    scene.asked.answer.set_exception(ValueError(f"I hold {scene.asked.view.hand}"))
    await scene.house.settle()

    with capture_logs() as logs:
        await scene.house.pass_time(DELAY)

    assert [(entry["event"], entry["fault"]) for entry in logs] == [("bot.failed", "raised")]
    assert "Tile" not in str(logs)


@pytest.mark.parametrize("delay", [0.0, 3.0])
@pytest.mark.parametrize("level", SEARCHING)
async def test_when_a_bot_acts_does_not_tell_how_many_actions_it_had_nor_how_long_it_thought(
    level: str, delay: float
) -> None:
    """H1: one that acted at once where it has no choice would show that it has none."""
    searchers = Searchers()
    async with open_house(searchers=searchers) as house:
        scene = await begun(house, searchers, bot=level, bot_delay=delay)
        due = max(delay, THINKS_FOR[level])
        seen: set[str] = set()
        while seen < {"no choice", "an answer", "no answer"}:
            began, choices = scene.table.turn_since, len(matches.choices(scene.match))
            if scene.table.turn is None:
                await scene.ann.ask("next", room=scene.room)
                continue
            if scene.table.turn == 0:
                await scene.ann_plays()
                continue
            has_answer = choices > 1 and "an answer" not in seen
            if has_answer:
                await scene.answer_with()
            seq = scene.table.seq
            await house.pass_time(began + due - TICK - house.clock.time())
            assert scene.table.seq == seq
            await house.pass_time(2 * TICK)

            assert scene.table.seq == seq + 1
            seen.add("no choice" if choices == 1 else "an answer" if has_answer else "no answer")


async def test_nobody_is_asked_what_to_do_where_there_is_only_one_thing(scene: Scene) -> None:
    """A bot with one legal action acts at its time."""
    while True:
        if scene.table.turn == 0:
            await scene.ann_plays()
        elif len(matches.choices(scene.match)) == 1:
            break
        else:
            await scene.answer_with()
            await scene.house.pass_time(DELAY)
    asked, seq = len(scene.searchers.asked), scene.table.seq

    await scene.house.pass_time(DELAY)

    assert scene.table.seq == seq + 1
    assert not scene.house.bots.faults
    assert len(scene.searchers.asked) <= asked + 1  # it may be its turn again


async def test_what_was_thought_about_a_position_that_was_taken_back_is_forgotten(scene: Scene) -> None:
    """Neither an answer that comes after the undo nor one that was there before it counts for another position."""
    await scene.answer_with(0)
    await scene.house.pass_time(DELAY)
    await scene.ann_plays(0)
    first = scene.asked
    assert not first.answer.done()

    assert (await scene.ann.ask("undo", room=scene.room))["type"] == "ok"
    was_cancelled = first.answer.cancelled()
    await scene.ann_plays(1)
    second, position, cheap = scene.asked, view_for(scene.match, Seat(1)), scene.cheap()
    await scene.house.pass_time(DELAY)

    assert was_cancelled
    assert second is not first
    assert second.view == position
    assert scene.last_act == cheap


async def test_an_answer_that_comes_while_an_undo_and_another_play_are_written_is_not_for_that_play(
    scene: Scene,
) -> None:
    await scene.answer_with(0)
    await scene.house.pass_time(DELAY)
    first, other = (choice["action"] for choice in scene.ann.updates()[-1]["turn"]["legal"][:2])
    await scene.ann.ask("act", room=scene.room, seq=scene.table.seq, action=first)
    scene.house.store.gate.clear()
    scene.ann.say("undo", room=scene.room)
    scene.ann.say("act", room=scene.room, seq=scene.table.seq, action=other)
    seq = scene.table.seq

    await scene.answer_with()
    await scene.house.pass_time(2 * DELAY)
    before = scene.table
    scene.house.store.gate.set()
    await scene.house.settle()

    assert (before.seq, before.turn) == (seq, 1)
    assert scene.asked.view == view_for(scene.match, Seat(1))


async def test_a_table_that_everybody_has_left_lets_nobody_think_and_has_it_thought_anew_later(scene: Scene) -> None:
    scene.ann.hang_up()
    await scene.house.settle()
    was_cancelled = scene.asked.answer.cancelled()
    await scene.house.pass_time(3600)

    again = scene.house.ear(ANN)
    await again.ask("sync", room=scene.room)

    assert was_cancelled
    assert len(scene.searchers.asked) == 2
    chosen = await scene.answer_with()
    await scene.house.pass_time(DELAY)
    assert scene.last_act == chosen


async def test_who_comes_back_to_a_seat_plays_it_whatever_was_thought_for_it() -> None:
    searchers = Searchers()
    async with open_house(searchers=searchers) as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS | {"grace": 5}))["room"]
        await bob.ask("join", room=room)
        await ann.ask("start", room=room)
        bob.hang_up()
        await house.settle()
        await house.pass_time(5)
        asked = searchers.asked[-1]

        back = house.ear(BOB)
        await back.ask("sync", room=room)
        await house.pass_time(2 * DELAY)

        assert asked.answer.cancelled()
        assert house.registry.find(room).table.turn == 1


async def test_a_bot_that_is_sent_away_thinks_no_more() -> None:
    searchers = Searchers()
    async with open_house(searchers=searchers) as house:
        scene = await begun(house, searchers)
        bob = house.ear(BOB)

        await bob.ask("join", room=scene.room)
        await scene.ann.ask("leave", room=scene.room)
        bob.hang_up()
        await house.settle()

        assert scene.searchers.asked[0].answer.cancelled()


async def test_a_room_that_is_handed_over_lets_nobody_think(scene: Scene) -> None:
    assert await scene.house.registry.hand_over(scene.room)

    assert scene.asked.answer.cancelled()


async def test_a_room_that_is_read_from_its_log_again_has_it_thought_anew() -> None:
    store, searchers = FailingStore(), Searchers()
    async with open_house(store, searchers=searchers) as house:
        scene = await begun(house, searchers, bot_delay=RELOAD_AFTER + DELAY)
        first = scene.asked
        store.is_failing = True
        await scene.ann.ask("react", room=scene.room, key="wow")
        store.is_failing = False
        await house.pass_time(RELOAD_AFTER)

        assert first.answer.cancelled()
        assert len(searchers.asked) == 2
        chosen = await scene.answer_with()
        await house.pass_time(DELAY)
        assert scene.last_act == chosen


async def test_a_bot_whose_server_was_restarted_thinks_anew() -> None:
    store, searchers = FailingStore(), Searchers()
    async with open_house(store, searchers=searchers) as house:
        room = (await begun(house, searchers)).room

    async with open_house(store, searchers=searchers) as house:
        await house.registry.load()
        ann = house.ear(ANN)
        await ann.ask("sync", room=room)
        scene = Scene(house, searchers, ann, room)
        chosen = await scene.answer_with()
        await house.pass_time(DELAY)

        assert len(searchers.asked) == 2
        assert scene.last_act == chosen


async def test_a_bot_that_searches_is_played_by_another_where_there_is_no_place_to_search() -> None:
    """A room may come from a node that has one."""
    store, searchers = FailingStore(), Searchers()
    async with open_house(store, searchers=searchers) as house:
        room = (await begun(house, searchers)).room

    async with open_house(store) as house:
        await house.registry.load()
        ann = house.ear(ANN)
        await ann.ask("sync", room=room)
        scene = Scene(house, searchers, ann, room)
        cheap = scene.cheap()
        await house.pass_time(DELAY)

        assert scene.last_act == cheap


async def test_when_the_time_of_a_person_runs_out_nobody_searches() -> None:
    searchers = Searchers()
    async with open_house(searchers=searchers) as house:
        scene = await begun(house, searchers, lead=0, turn_timer=5)
        cheap = scene.cheap()

        await house.pass_time(5)

        assert scene.last_act == cheap
        assert not house.bots.faults


async def test_when_the_time_of_a_bot_runs_out_that_still_thinks_it_is_replaced() -> None:
    searchers = Searchers()
    async with open_house(searchers=searchers) as house:
        scene = await begun(house, searchers, turn_timer=DELAY + 0.5)
        cheap = scene.cheap()

        await house.pass_time(DELAY + 0.5)

        assert scene.last_act == cheap
        assert house.bots.faults == {Fault.LATE: 1}
