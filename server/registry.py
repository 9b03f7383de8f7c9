"""Every open room of this process: how it comes here, what has become of it, and how it goes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import structlog

from engine.seats import Seat
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import CODE_LENGTH, CODE_SIGNS, Settings
from protocol.messages import client as messages
from server.archive import Archive
from server.listener import Listener
from server.open_tables import OpenTables
from server.rereading import Rereading
from server.room import Hooks, Room
from server.room_index import RoomIndex
from server.store.base import Claimed, Held, Step
from server.table.decide import create
from server.table.draft import Moment
from server.table.state import PlayerId, Table
from server.world import World

logger = structlog.get_logger(__name__)


class Neighbours(Protocol):
    """Other processes that want to know of the rooms of this one."""

    def told(self, before: Table | None, after: Table) -> None:
        """A room is durable as it is in ``after``; before, as in ``before``. None: it was made or taken just now."""
        ...

    def read_again(self, before: Table, after: Table) -> None:
        """A room was read from its log, and so is durable as in ``after``; the last that was told was ``before``."""
        ...

    def moved(self, code: str) -> None:
        """Another process has the room, or is to have it."""
        ...

    def listed(self, code: str, shown: dict[str, Any] | None) -> None:
        """A public table is listed in this way, or no more."""
        ...


class Nobody:
    """No other processes."""

    def told(self, before: Table | None, after: Table) -> None:
        """See `Neighbours`."""

    def read_again(self, before: Table, after: Table) -> None:
        """See `Neighbours`."""

    def moved(self, code: str) -> None:
        """See `Neighbours`."""

    def listed(self, code: str, shown: dict[str, Any] | None) -> None:
        """See `Neighbours`."""


class Registry:
    """Makes, finds, loads and forgets rooms."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.neighbours: Neighbours = Nobody()
        self.index = RoomIndex()
        self._rereading = Rereading(world, self._replace, self._forget)
        self.is_draining = False
        """Nothing new is begun: this process is about to stop."""
        self.taken = 0
        """Rooms that were taken from the store while the process ran."""
        self.open_tables = OpenTables(world.clock, self._listed)
        self._hooks = Hooks(
            changed=self.index.changed,
            told=self._told,
            ended=world.archive.ended,
            closed=self._closed,
            broken=self._broken,
        )
        world.archive.done = self._recorded

    @property
    def archive(self) -> Archive:
        """Where the records of its rooms are."""
        return self._world.archive

    @property
    def levels(self) -> Collection[str]:
        """Of bots that can be seated."""
        return self._world.house.levels

    def __len__(self) -> int:
        return len(self.index)

    async def load(self) -> None:
        """Take every open room of the store but those that another living process has.

        Raises:
            StoreError: the store is out of reach.
        """
        logs = await self._world.store.open_rooms()
        held = [(steps, holder) for steps in logs if (holder := await self._take(steps))]
        if held:  # by a process that is dead, perhaps: then its rooms are free after that time
            await self._world.clock.sleep(max(holder.seconds for _, holder in held))
        for steps, _ in held:
            holder = await self._take(steps)
            if holder is not None:
                logger.warning("room.held", room=steps[0].room, by=holder.by)
        for room in list(self.index.rooms.values()):
            room.restarted()

    async def _take(self, steps: Sequence[Step]) -> Held | None:
        """Claim a room and read it from the end of its log, unless another process has it."""
        code = steps[0].room
        claim = await self._world.store.claim(code, self._world.clock.time())
        if not isinstance(claim, Claimed):
            return claim
        if claim.head != steps[-1].seq:
            steps = await self._world.store.load(code)
        self._admit(code, steps, claim.epoch)
        return None

    def _admit(self, code: str, steps: Sequence[Step], epoch: int) -> None:
        try:
            room = Room.load(code, steps, epoch, self._world, self._hooks)
        except Exception:
            logger.exception("room.unreadable", room=code)
            return
        self.index.put(room)
        self._world.clock.go_on_from(room.table.at)
        self.archive.catch_up(code)

    async def take(self, code: str) -> Held | None:
        """Go on with the room called ``code``, if the store has it, unless another living process has it.

        One call at a time for each room.

        Raises:
            StoreError: the store is out of reach.
        """
        if code in self.index.rooms:
            return None
        claim = await self._world.store.claim(code, self._world.clock.time())
        if not isinstance(claim, Claimed):
            return claim
        steps = await self._world.store.load(code)
        if code in self.index.rooms:  # it was opened meanwhile; with its next step it learns its new epoch
            return None
        self._admit(code, steps, claim.epoch)
        room = self.index.rooms.get(code)
        if room is not None:
            self.taken += 1
            self.open_tables.note(room.table)
            self.neighbours.told(None, room.table)
            room.restarted()
        return None

    async def hand_over(self, code: str) -> bool:
        """Let another process have a room of which nothing is on its way to the store. False: something is.

        Raises:
            StoreError: the store is out of reach: the others take the room when this process is gone.
        """
        room = self.index.rooms.get(code)
        if room is None or not room.is_settled:
            return room is None
        room.rest()
        self.index.drop(code)
        self.neighbours.moved(code)  # before any wait: what comes of whoever listens is no step of this room any more
        room.hand_over()
        await self._world.store.release(code)
        return True

    @property
    def settled(self) -> Mapping[str, int]:
        """The rooms of which nothing is on its way to the store, with the numbers of their newest steps."""
        return {code: room.table.seq for code, room in self.index.rooms.items() if room.is_settled}

    @property
    def codes(self) -> Sequence[str]:
        """Of all rooms here."""
        return list(self.index.rooms)

    def find(self, code: str) -> Room:
        """The open room called ``code``.

        Raises:
            ProtocolError: ``no_such_room``.
        """
        return self.index.find(code)

    def has(self, code: str) -> bool:
        """Whether the room called ``code`` is open here."""
        return code in self.index.rooms

    def rooms_of(self, player: PlayerId) -> list[str]:
        """Codes of the rooms in which ``player`` has a seat, or had one until a step that is not durable yet."""
        return self.index.rooms_of(player)

    def drain(self) -> None:
        """See `is_draining`."""
        self.is_draining = True

    def rest(self) -> None:
        """Let no table do anything by itself any more."""
        for room in self.index.rooms.values():
            room.rest()

    def require_running(self) -> None:
        """Refuse what begins something new in a process that is about to stop.

        Raises:
            ProtocolError: ``draining``.
        """
        if self.is_draining:
            raise ProtocolError(ErrorCode.DRAINING)

    @property
    def players(self) -> Collection[PlayerId]:
        """Who has a seat in an open room, or waits for one."""
        return self.index.players

    def needed_steps(self) -> list[tuple[str, int]]:
        """By room the first step that may still be asked for: that with which its last match began.

        Rooms are left out in which an earlier match may have no record yet.
        """
        rooms = (room for room in self.index.rooms.values() if not self.archive.is_behind(room.code))
        tables = (room.audience.told for room in rooms)
        return [(table.room, table.match_seq if table.match else table.seq) for table in tables]

    def create(self, listener: Listener, message: messages.Create) -> None:
        """Open a room for the sender."""
        if not self._answered(listener, message.id):
            self.open(listener, message, self.new_code())

    def quick(self, listener: Listener, message: messages.Quick) -> None:
        """Let the sender join a fitting public lobby, or open one that waits for people."""
        if self._answered(listener, message.id):
            return
        self.require_running()
        room = self.index.fitting(message, listener.actor.player)
        if room is None:
            self.open(listener, message, self.new_code())
        else:
            self.require_place(listener.actor.player, room.code)
            room.handle(listener, messages.Join(type="join", id=message.id, room=room.code))

    def require_place(self, player: PlayerId, code: str) -> None:
        """Refuse a seat in one more room than a player may have.

        One that the player waits for counts too, and one that was given up until that is durable.

        Raises:
            ProtocolError: ``refused``.
        """
        limit = self._world.limits.rooms_per_player
        mine = self.index.places_of(player)
        if limit and code not in mine and len(mine) >= limit:
            raise too_many_rooms(limit)

    def _answered(self, listener: Listener, message_id: str | None) -> bool:
        """A resent `create` or `quick` is looked up in the rooms of its player."""
        rooms = (self.index.rooms[code] for code in self.rooms_of(listener.actor.player))
        return any(room.answer_again(listener, message_id) for room in rooms)

    def open(self, listener: Listener, message: messages.Create | messages.Quick, code: str) -> None:
        """Open a room called ``code`` for the sender; one for `quick` is public and waits for people."""
        self.require_running()
        if self._world.journal.is_full:
            raise ProtocolError(ErrorCode.UNAVAILABLE)
        self.require_place(listener.actor.player, "")
        self._require_space()
        now = self._world.clock.time()
        moment = Moment(now, max(1, int(now)), self._world.random_bytes)
        if isinstance(message, messages.Quick):
            settings = Settings(game=message.game, seats=message.seats, public=True, fill="wait")
            decided = create(code, listener.actor, settings, Seat(0), moment, quick=True)
        else:
            decided = create(code, listener.actor, message.settings, Seat(message.seat or 0), moment)
        room = Room(decided.after, moment.epoch, self._world, self._hooks)
        room.open(decided, listener, message)

    def _require_space(self) -> None:
        limit = self._world.limits.rooms
        if limit and len(self.index) >= limit:
            raise ProtocolError(
                ErrorCode.REFUSED, "this server has no place for another room", reason=RefusalReason.SERVER_FULL
            )

    def new_code(self) -> str:
        """A code that no room of this process has."""
        while True:
            code = "".join(CODE_SIGNS[byte % len(CODE_SIGNS)] for byte in self._fair_bytes(CODE_LENGTH))
            if code not in self.index.rooms:
                return code

    def _fair_bytes(self, count: int) -> Iterable[int]:
        """Random bytes from which every sign of a code is equally likely."""
        fair = 256 - 256 % len(CODE_SIGNS)
        kept: list[int] = []
        while len(kept) < count:
            kept += [byte for byte in self._world.random_bytes(2 * count) if byte < fair]
        return kept[:count]

    # Changes

    def _told(self, before: Table, after: Table) -> None:
        self.index.told(before, after)
        self.open_tables.note(after)
        self.neighbours.told(None if after.seq == 1 else before, after)

    def _listed(self, code: str, shown: dict[str, Any] | None) -> None:
        self.neighbours.listed(code, shown)

    def _recorded(self, code: str) -> None:
        room = self.index.rooms.get(code)
        if room is not None:
            room.is_recorded()

    def _closed(self, room: Room) -> None:
        """Only now: before its end is durable, nobody may be told that there is no such room."""
        self.index.drop(room.code)
        self.open_tables.remove(room.audience.told)

    # Rooms that failed

    def doubt(self, code: str) -> None:
        """Another process may have taken the room, if it is here: whoever has it, go on with what the log says."""
        room = self.index.rooms.get(code)
        if room is not None:
            self._broken(room)

    def _broken(self, room: Room) -> None:
        if self.index.rooms.get(room.code) is room:
            self._rereading.begin(room)

    def _replace(self, room: Room, steps: Sequence[Step], epoch: int) -> None:
        """Go on with what the log says of ``room``."""
        rebuilt = Room.load(room.code, steps, epoch, self._world, self._hooks)
        rebuilt.read_again_at = self._world.clock.monotonic()
        self.index.put(rebuilt)
        self.archive.catch_up(room.code)
        self.open_tables.note(rebuilt.audience.told)
        self.neighbours.read_again(room.audience.told, rebuilt.audience.told)
        try:
            rebuilt.take_over(room)
        except Exception:
            logger.exception("room.telling", room=room.code, seq=rebuilt.table.seq)
            self._broken(rebuilt)  # which has the listeners now

    def _forget(self, room: Room, holder: Held | None) -> None:
        """Another process has the room, or nobody has: its creation never became durable, or its end did."""
        self.index.drop(room.code)
        if holder is None:
            self.open_tables.remove(room.table)
            if room.table.closed:
                self.neighbours.told(room.audience.told, room.table)
            else:
                if room.is_durable:
                    logger.warning("room.gone", room=room.code, seq=room.audience.told.seq)
                self.neighbours.moved(room.code)  # who visits it looks for it, and finds that it has ended
            room.end_as_logged()
        else:
            logger.warning("room.lost", room=room.code, by=holder.by)
            self.neighbours.moved(room.code)
            room.hand_over()


def too_many_rooms(limit: int) -> ProtocolError:
    """The refusal of a seat in one more room than ``limit``."""
    text = f"you have seats in {limit} open rooms already"
    return ProtocolError(ErrorCode.REFUSED, text, reason=RefusalReason.TOO_MANY_ROOMS)
