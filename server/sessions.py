"""How a session begins and ends: a player's identity by token."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import client as messages
from protocol.schema import PROTOCOL_VERSION
from server.archive import Archive
from server.clock import Clock
from server.connected import Connected
from server.dispatch import House
from server.outgoing import Outgoing, answer_to
from server.session import Line, Session
from server.store.base import Store
from server.table.draft import RandomBytes
from server.table.state import Actor, PlayerId

TOKEN_BYTES = 24
PLAYER_BYTES = 8


class Sessions:
    """Begins and ends sessions; who somebody is hangs on the token alone."""

    def __init__(
        self,
        store: Store,
        house: House,
        archive: Archive,
        clock: Clock,
        random_bytes: RandomBytes,
        connected: Connected,
    ) -> None:
        self._store = store
        self._house = house
        self._archive = archive
        self._clock = clock
        self._random_bytes = random_bytes
        self._connected = connected

    async def greet(self, line: Line, hello: messages.Hello) -> Session:
        """A session for who says ``hello``; an older connection of that player is closed.

        That can be this one, if a newer one was faster.

        Raises:
            ProtocolError: ``unauthorized``, the token is not valid; ``unavailable``, nobody is there any more.
            StoreError: the store is out of reach.
        """
        if hello.token is None:
            token = base64.urlsafe_b64encode(self._random_bytes(TOKEN_BYTES)).decode()
            player = PlayerId(self._random_bytes(PLAYER_BYTES).hex())
            await self._store.add_player(_digest(token), player, self._clock.time())
        else:
            token = hello.token
            found = await self._store.find_player(_digest(token), self._clock.time())
            if found is None:
                raise ProtocolError(ErrorCode.UNAUTHORIZED, "the token is not valid", path="token")
            player = PlayerId(found)
        if not line.is_open:  # a process that was frozen reads late what it was told; the player is elsewhere by then
            raise ProtocolError(ErrorCode.UNAVAILABLE, "the connection is closed")
        since, rooms = await self._house.arrive(player, line.number)
        actor = Actor(player, hello.name, bool(hello.bot))
        session = Session(actor, line, since, self._house, self._archive, self._clock)
        if self._connected.add(session):
            session.send(_welcome(player, hello, token, rooms))
        return session

    def end(self, session: Session) -> None:
        """The connection of ``session`` is lost."""
        self._connected.remove(session)
        session.end()


def _welcome(player: PlayerId, hello: messages.Hello, token: str, rooms: Sequence[str]) -> Outgoing:
    welcome: dict[str, Any] = {
        "type": "welcome",
        "player": player,
        "token": token,
        "protocol": PROTOCOL_VERSION,
        "server": "doublesix",
        "rooms": rooms,
    }
    return answer_to(hello.id, welcome)


def _digest(token: str) -> bytes:
    """What is stored of a token: nobody can log in with it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
