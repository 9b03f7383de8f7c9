"""Rooms that belong to another process, come free, or are taken away."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from copy import deepcopy

from structlog.testing import capture_logs

from server.rereading import RELOAD_AFTER
from server.store.base import Claimed, Held, Outcome, Step
from tests.fakes import FailingStore, FakeClock
from tests.server.rooms import SETTINGS, House, in_turn, open_house, two_at_a_table
from tests.server.tables import ANN

LEASE = 5.0


class SharedStore(FailingStore):
    """A store in which another process may have rooms."""

    def __init__(self) -> None:
        super().__init__()
        self.held: set[str] = set()
        """Rooms that another process has, until `until`."""
        self.until = 0.0
        self.fenced: set[str] = set()
        """Rooms in which our steps do not count."""
        self.clock = FakeClock()

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        left = self.until - self.clock.monotonic()
        if room in self.held and left > 0:
            return Held("other", left)
        return await super().claim(room, now)

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        free = [step for step in steps if step.room not in self.fenced]
        written = iter(await super().append(free))
        return [next(written) if step in free else Outcome.FENCED for step in steps]

    def hold(self, room: str) -> None:
        """Another process has the room, and has just renewed its lease."""
        self.held.add(room)
        self.until = self.clock.monotonic() + LEASE


async def rooms_of_a_dead_process(store: SharedStore, count: int) -> list[str]:
    """The codes of rooms that it has made."""
    async with open_house(store, clock=store.clock) as house:
        return [(await house.ear(ANN).ask("create", settings=SETTINGS))["room"] for _ in range(count)]


async def loading(house: House) -> asyncio.Task[None]:
    task = asyncio.create_task(house.registry.load())
    await house.settle()
    return task


async def test_a_room_of_a_process_that_is_dead_is_taken_when_its_lease_has_ended() -> None:
    store = SharedStore()
    (room,) = await rooms_of_a_dead_process(store, 1)
    store.hold(room)
    async with open_house(store, clock=store.clock) as house:
        load = await loading(house)
        before = load.done()

        await house.pass_time(LEASE)

        assert (before, load.done()) == (False, True)
        assert house.registry.find(room).table.room == room


async def test_a_room_of_a_process_that_lives_is_left_to_it() -> None:
    store = SharedStore()
    room, other = await rooms_of_a_dead_process(store, 2)
    store.hold(room)
    async with open_house(store, clock=store.clock) as house:
        load = await loading(house)
        store.until += LEASE

        with capture_logs() as logs:
            await house.pass_time(LEASE)

        assert load.done()
        assert [entry["room"] for entry in logs if entry["event"] == "room.held"] == [room]
        assert len(house.registry) == 1
        assert house.registry.find(other).table.room == other


async def test_what_another_process_wrote_while_it_was_waited_for_is_there() -> None:
    store = SharedStore()
    async with open_house(store, clock=store.clock) as owner, open_house(store, clock=store.clock) as house:
        ann = owner.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        store.hold(room)
        load = await loading(house)
        written = (await ann.ask("add_bot", room=room, seat=1, level="novice"))["seq"]

        await house.pass_time(LEASE)

        assert load.done()
        assert house.registry.find(room).audience.told.epoch_of(written) is not None


async def test_a_step_in_a_room_that_was_taken_away_is_unavailable_and_the_room_is_not_here_any_more() -> None:
    store = SharedStore()
    async with open_house(store, clock=store.clock) as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)
        store.hold(room)
        store.fenced.add(room)

        with capture_logs() as logs:
            answer = await ear.ask("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])

        assert answer["code"] == "unavailable"
        assert [entry["event"] for entry in logs] == ["journal.fenced", "room.lost"]
        assert [update["seq"] for update in ear.updates()][-1] == seen["seq"]
        assert (await ear.ask("sync", room=room))["code"] == "no_such_room"


async def test_a_room_that_is_read_again_goes_on_under_a_new_epoch() -> None:
    store = SharedStore()
    async with open_house(store, clock=store.clock) as house:
        ann, _, room = await two_at_a_table(house)
        before = ann.updates()[-1]["epoch"]
        store.is_failing = True
        ann.say("react", room=room, key="wow")
        await house.settle()
        store.is_failing = False

        await house.pass_time(RELOAD_AFTER)
        await ann.ask("react", room=room, key="wow")

        assert ann.updates()[-1]["epoch"] > before


async def test_who_has_seen_what_the_store_has_lost_is_told_so() -> None:
    store = SharedStore()
    async with open_house(store, clock=store.clock) as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)
        older = deepcopy(store._index)
        await ear.ask("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])
        ann.heard.clear()
        store._index = older

        ann.say("react", room=room, key="wow")
        await house.settle()
        await ann.ask("react", room=room, key="wow")

        snapshot, update = (message for message in ann.heard if message["type"] in {"snapshot", "update"})
        assert (snapshot["seq"], snapshot["reset"]) == (seen["seq"], True)
        assert (update["seq"], update["epoch"] > seen["epoch"]) == (seen["seq"] + 1, True)
