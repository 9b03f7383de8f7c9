"""What the players connected to this node have to do with rooms, wherever those are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from typing import Protocol, TypeVar

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage
from protocol.messages import client as messages
from server.clock import Clock
from server.cluster.asked import MAX_PENDING, PASSING, Pending
from server.cluster.directory import NodeId
from server.cluster.visit import Visit, unasked
from server.dispatch import Visitor
from server.outgoing import Outgoing, refusal_for, refusal_of
from server.table.draft import RandomBytes

ANSWER_WITHIN = 2.0
"""Seconds after which the owner of a room that has not answered is looked for again."""
NOT_NOW_PAUSE = 0.2
"""Seconds after which a room that nobody can have at this moment is looked for again."""
SPREAD = 0.3
"""Seconds over which those who look for a new owner spread when one is dead, so that not all of them try at once."""
SEARCHES_AT_ONCE = 8
"""Rooms that are looked for at once: when a node dies there are many."""
MAX_IDLE = 16
"""Visits of one player that may be over and still be known."""

Outer = TypeVar("Outer")
Inner = TypeVar("Inner")


class NotNow(Exception):
    """Nobody can have the room at this moment; what is asked of it waits."""


class Owners(Protocol):
    """Finds out which node has a room, and speaks with it."""

    @property
    def can_be_asked(self) -> bool:
        """Whether anything that is said now is likely to arrive."""
        ...

    async def find(self, room: str) -> NodeId | None:
        """The node that has ``room``: this one from now on, if nobody had it. None: there is no such room.

        Raises:
            NotNow: it is to be looked for again.
            StoreError: nobody knows.
        """
        ...

    def say(self, owner: NodeId, visit: Visit, message: ClientMessage) -> None:
        """Bring ``message`` to ``owner``; never waits."""
        ...

    def end(self, owner: NodeId, visit: Visit) -> None:
        """Tell ``owner`` that the visit is over; never waits."""
        ...

    def has_no_room(self, visit: Visit) -> None:
        """There is no such room as this visit is to."""
        ...


class Edge:
    """Every visit of this node. Synchronous, but for looking for an owner.

    ``remembered``: the answers to each player that a room remembers; 0: all of them.
    """

    def __init__(
        self,
        owners: Owners,
        clock: Clock,
        random_bytes: RandomBytes,
        jitter: Callable[[], float],
        remembered: int,
    ) -> None:
        self._owners = owners
        self._clock = clock
        self._remembered = remembered
        self._prefix = random_bytes(8).hex()
        self._jitter = jitter
        self._numbers = count(1)
        self._visits: dict[int, Visit] = {}
        self._by_visitor: dict[Visitor, dict[str, Visit]] = {}
        self._by_room: dict[str, dict[int, Visit]] = {}
        self._searches: dict[str, asyncio.Task[None]] = {}
        self._few = asyncio.Semaphore(SEARCHES_AT_ONCE)

    # What players ask

    def say(self, visitor: Visitor, room: str, message: ClientMessage) -> None:
        """Bring ``message`` to the owner of ``room``. Every message is answered, if need be by another owner.

        Raises:
            ProtocolError: ``rate_limited``: too many wait for an answer.
        """
        if message.id is not None:
            self.ask(visitor, room, message, message.id, visitor.send)
        else:
            self.ask(visitor, room, message, self.own_id(), lambda answer: visitor.send(unasked(answer)))

    def ask(
        self,
        visitor: Visitor,
        room: str,
        message: ClientMessage,
        message_id: str,
        reply: Callable[[Outgoing], None],
        *,
        opens: bool = False,
    ) -> None:
        """Bring ``message`` to the owner of ``room`` under ``message_id``; ``reply`` takes the one answer.

        ``opens``: if nobody has the room, this node is to open it for this message.

        Raises:
            ProtocolError: ``rate_limited``, too many wait for an answer; ``unavailable``, the connection is lost, or
                this node is cut off from the owners.
        """
        if not visitor.is_open:
            raise ProtocolError(ErrorCode.UNAVAILABLE)  # nobody would end the visit
        if not self._owners.can_be_asked:
            raise ProtocolError(ErrorCode.UNAVAILABLE)  # said once, it would wait for as long as that lasts
        visit = self._visit(visitor, room)
        if visit.asked.waiting >= MAX_PENDING:
            raise ProtocolError(ErrorCode.RATE_LIMITED, retry_after=ANSWER_WITHIN)
        named = message.model_copy(update={"id": message_id})
        visit.ask(Pending(named, reply, self._clock.monotonic(), opens=opens), message_id)
        if visit.owner is None:
            self._search(room)
        else:
            self._say_rest(visit, visit.owner)

    def _say_rest(self, visit: Visit, owner: NodeId) -> None:
        """Bring to ``owner`` what it has not been told, as soon as the visit has been told what the room has said."""
        for pending in list(visit.asked.pending.values()):
            if visit.owner == owner and visit.resuming is None and not pending.is_said:
                if not visit.asked.may_say(pending, self._remembered):
                    return  # nor what comes after it: the next answer makes room for more
                visit.asked.note_said(pending, self._clock.monotonic())
                self._owners.say(owner, visit, pending.message)

    def end(self, visitor: Visitor) -> None:
        """The connection of ``visitor`` is lost."""
        for visit in list(self._by_visitor.get(visitor, {}).values()):
            self._drop(visit)

    def _visit(self, visitor: Visitor, room: str) -> Visit:
        visits = self._by_visitor.setdefault(visitor, {})
        if room not in visits:
            for idle in [visit for visit in visits.values() if visit.is_idle][:-MAX_IDLE]:
                self._drop(idle)
            self._add(Visit(next(self._numbers), visitor, room, self._known_owner(room)))
        return self._by_visitor[visitor][room]

    def _known_owner(self, room: str) -> NodeId | None:
        return next((visit.owner for visit in self._of(room)), None)

    def _add(self, visit: Visit) -> None:
        self._visits[visit.number] = visit
        self._by_visitor.setdefault(visit.visitor, {})[visit.room] = visit
        self._by_room.setdefault(visit.room, {})[visit.number] = visit

    def _drop(self, visit: Visit) -> None:
        self._leave(visit)
        del self._visits[visit.number]
        _remove(self._by_visitor, visit.visitor, visit.room)
        _remove(self._by_room, visit.room, visit.number)
        self._refuse(visit, ProtocolError(ErrorCode.UNAVAILABLE), is_over=True)

    def opens(self, room: str) -> bool:
        """Whether something that waits is to open ``room`` at this node."""
        return any(pending.opens for visit in self._of(room) for pending in visit.asked.pending.values())

    def visits_at(self, owner: NodeId) -> list[int]:
        """The numbers of all visits to rooms of ``owner``."""
        return [visit.number for visit in self._visits.values() if visit.owner == owner]

    def _of(self, room: str) -> Iterator[Visit]:
        return iter(list(self._by_room.get(room, {}).values()))

    def own_id(self) -> str:
        """An id for what the client has given none."""
        return f"{self._prefix}.{next(self._numbers)}"

    # What rooms answer

    def tell(self, number: int, outgoing: Outgoing, owner: NodeId) -> None:
        """A room at ``owner`` says something to the visit of that number."""
        visit = self._at(owner, number)
        if visit is None:
            return
        if visit.take(outgoing):
            self._say_rest(visit, owner)
        else:
            self._resume(visit)

    def listens(self, number: int, is_listening: bool, owner: NodeId) -> None:
        """A room at ``owner`` tells the visit of that number its steps from now on, or no more."""
        visit = self._at(owner, number)
        if visit is not None:
            visit.is_listening = is_listening

    def _at(self, owner: NodeId, number: int) -> Visit | None:
        """The visit of that number, unless its room goes on elsewhere: a node that was frozen may not know that yet."""
        visit = self._visits.get(number)
        return visit if visit is not None and visit.owner == owner else None

    def cut(self, number: int) -> None:
        """Close the connection of the visit of that number, for a fault of ours."""
        visit = self._visits.get(number)
        if visit is not None:
            visit.visitor.cut()

    def _resume(self, visit: Visit) -> None:
        if visit.is_listening and visit.resuming is None and visit.owner is not None:
            self._owners.say(visit.owner, visit, visit.resume(self.own_id(), self._clock.monotonic()))

    # Where rooms are

    def moved(self, room: str, owner: NodeId, within: float = 0.0) -> None:
        """``owner`` has ``room`` no longer: it is looked for at some moment ``within`` so many seconds."""
        for visit in self._of(room):
            if visit.owner == owner:
                self._leave(visit)
        if any(not visit.is_idle for visit in self._of(room)):
            self._search(room, within)

    def _leave(self, visit: Visit) -> None:
        """The visit is over where it was: there may be a guest still, of a room that has ended there."""
        if visit.owner is not None:
            owner, visit.owner = visit.owner, None
            self._owners.end(owner, visit)
            self._number_anew(visit)

    def _number_anew(self, visit: Visit) -> None:
        """Give it a new number: should the same owner have the room again, nothing that it said before is an answer."""
        visit.asked.left()
        del self._visits[visit.number]
        _remove(self._by_room, visit.room, visit.number)
        visit.number = next(self._numbers)
        self._add(visit)

    def has_none(self, room: str, owner: NodeId) -> None:
        """There is no such room, says ``owner``, who is the one to know."""
        self._no_room(visit for visit in self._of(room) if visit.owner == owner)

    def lost(self, owner: NodeId) -> None:
        """``owner`` is no more."""
        for room in self._rooms_at(owner):
            self.moved(room, owner, SPREAD)

    def missed(self, owner: NodeId) -> None:
        """Something that ``owner`` said is lost: ask it again for all that was told, and everything that was asked."""
        for room in self._rooms_at(owner):
            for visit in self._of(room):
                self._begin(visit, owner)

    def _rooms_at(self, owner: NodeId) -> list[str]:
        return list(dict.fromkeys(visit.room for visit in self._visits.values() if visit.owner == owner))

    def retry_late(self) -> None:
        """Look again for the owners of rooms that have not answered in time. Called every second or so."""
        for room in list(self._by_room):
            if any(visit.is_late(self._late) for visit in self._of(room)):
                self._search(room, SPREAD)

    @property
    def _late(self) -> float:
        """What was asked before this time should have been answered."""
        return self._clock.monotonic() - ANSWER_WITHIN

    def _search(self, room: str, within: float = 0.0) -> None:
        if room not in self._searches:
            task = asyncio.get_running_loop().create_task(self._find(room, within), name=f"find {room}")
            self._searches[room] = task

    async def _find(self, room: str, within: float) -> None:
        if within:
            await self._clock.sleep(self._jitter() * within)
        try:
            owner = await self._find_owner(room)
        except Exception as error:  # noqa: BLE001 - every request is answered
            self._searches.pop(room)
            self._refuse_all(room, refusal_for(error))
        else:
            self._searches.pop(room)
            self._found(room, owner)

    async def _find_owner(self, room: str) -> NodeId | None:
        while True:
            try:
                async with self._few:
                    return await self._owners.find(room)
            except NotNow:
                await self._clock.sleep(NOT_NOW_PAUSE)

    def _found(self, room: str, owner: NodeId | None) -> None:
        if owner is None:
            self._no_room(self._of(room))
            return
        for visit in self._of(room):
            if visit.owner != owner or visit.is_late(self._late):
                self._begin(visit, owner)

    def _no_room(self, visits: Iterator[Visit]) -> None:
        for visit in visits:
            self._has_no_room(visit)
            self._refuse(visit, ProtocolError(ErrorCode.NO_SUCH_ROOM, path="room"))

    def _has_no_room(self, visit: Visit) -> None:
        self._owners.has_no_room(visit)
        self._leave(visit)
        visit.resuming = None
        if visit.is_listening:
            visit.visitor.come_again()
        for pending in visit.asked.pending.values():
            if not isinstance(pending.message, messages.Create | messages.Quick):
                visit.visitor.count_guess()

    def _begin(self, visit: Visit, owner: NodeId) -> None:
        """Go on with a visit at ``owner``, wherever the room was before."""
        if visit.owner != owner:
            self._leave(visit)
        visit.asked.say_all_again(self._clock.monotonic())
        visit.owner = owner
        visit.resuming = None
        self._resume(visit)
        self._say_rest(visit, owner)

    def _refuse_all(self, room: str, refusal: ProtocolError) -> None:
        """Nobody can answer what was asked of ``room``."""
        for visit in self._of(room):
            self._refuse(visit, refusal)

    def _refuse(self, visit: Visit, refusal: ProtocolError, *, is_over: bool = False) -> None:
        """Answer what waits; what may have counted waits on until somebody knows, unless the visit ``is_over``."""
        waits_on = refusal.code in PASSING and not is_over
        for message_id in visit.asked.refusable() if waits_on else list(visit.asked.pending):
            visit.answer(message_id, refusal_of(message_id, ProtocolError(refusal.code, path=refusal.path)))


def _remove(groups: dict[Outer, dict[Inner, Visit]], outer: Outer, inner: Inner) -> None:
    del groups[outer][inner]
    if not groups[outer]:
        del groups[outer]
