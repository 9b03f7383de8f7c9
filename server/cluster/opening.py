"""`create` and `quick`: to which room each leads, however often and at whatever nodes it is said."""

from __future__ import annotations

from typing import TypeAlias

from protocol.messages import client as messages
from server.cluster.directory import Directory
from server.cluster.edge import Edge
from server.cluster.people import People
from server.cluster.visit import unasked
from server.dispatch import Visitor
from server.outgoing import Outgoing
from server.registry import Registry
from server.waiting import Waiting

Opens: TypeAlias = messages.Create | messages.Quick

ATTEMPTS = 5
"""Tables that `quick` tries before it opens one."""
TAKEN = {
    "create": ("no_such_room", "not_seated"),
    "quick": ("room_full", "seat_taken", "no_such_room", "not_seated", "already_started", "refused"),
}
"""What a table answers that has changed since it was listed, or was left or ended since the message was first said."""


class Opening:
    """A new room is opened by the node at which it is asked for first."""

    def __init__(self, registry: Registry, directory: Directory, edge: Edge, people: People, waiting: Waiting) -> None:
        self._registry = registry
        self._directory = directory
        self._edge = edge
        self._people = people
        self._waiting = waiting

    def handle(self, listener: Visitor, message: Opens) -> None:
        """Bring ``message`` to the room that it makes or finds; the answer comes by ``listener.send``.

        Raises:
            ProtocolError: ``rate_limited``: too much of the same player waits.
        """
        self._waiting.begin(listener, listener.send, message.id, self._open(listener, message))

    async def _open(self, listener: Visitor, message: Opens) -> None:
        message_id = message.id or self._edge.own_id()
        player = listener.actor.player
        code = await self._directory.room_for(player, message_id)
        if code is None:
            chosen = await self._choose(message)
            await self._people.require_place(player, chosen)
            code = await self._directory.keep_room_for(player, message_id, chosen)
        self._ask(listener, code, message, message_id, ATTEMPTS)

    async def _choose(self, message: Opens, taken: str = "") -> str:
        """A table that fits, or the code of a new one: for `quick` the same for all who look for one at this moment."""
        if isinstance(message, messages.Create):
            return self._registry.new_code()
        fitting = self._registry.open_tables.fitting(message.game, message.seats)
        listed = next((code for code in fitting if code != taken), None)
        return listed or await self._directory.meet(message.game, message.seats, self._registry.new_code(), taken)

    def _ask(self, listener: Visitor, code: str, message: Opens, message_id: str, attempts: int) -> None:
        def reply(answer: Outgoing) -> None:
            if attempts and answer.message.get("code") in TAKEN[message.type]:
                again = self._try_another(listener, code, message, message_id, attempts - 1)
                self._waiting.go_on(listener, listener.send, message.id, again)
            else:
                listener.send(answer if message.id is not None else unasked(answer))

        opens = not self._registry.open_tables.lists(code)
        self._edge.ask(listener, code, message, message_id, reply, opens=opens)

    async def _try_another(self, listener: Visitor, taken: str, message: Opens, message_id: str, attempts: int) -> None:
        chosen = await self._choose(message, taken) if attempts else self._registry.new_code()
        code = await self._directory.keep_room_for(listener.actor.player, message_id, chosen, instead_of=taken)
        self._ask(listener, code, message, message_id, attempts)
