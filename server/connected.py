"""Who is connected to this process: the newest session of each player."""

from __future__ import annotations

from collections.abc import Collection

from server.session import Session
from server.table.state import PlayerId


class Connected:
    """Of two sessions of one player only that of the newer connection stays."""

    def __init__(self) -> None:
        self._newest: dict[PlayerId, Session] = {}

    @property
    def players(self) -> Collection[PlayerId]:
        """Who is connected."""
        return self._newest.keys()

    def add(self, session: Session) -> bool:
        """Whether ``session`` is the newest of its player now; the other one is replaced."""
        player = session.actor.player
        other = self._newest.get(player)
        if other is not None and other.since > session.since:
            session.replace()
            return False
        self._newest[player] = session
        if other is not None:
            other.replace()
        return True

    def replace(self, player: PlayerId, since: int) -> None:
        """``player`` is connected to another process ``since`` then: an older session here ends."""
        session = self._newest.get(player)
        if session is not None and session.since < since:
            session.replace()

    def remove(self, session: Session) -> None:
        """The connection of ``session`` is lost."""
        if self._newest.get(session.actor.player) is session:
            del self._newest[session.actor.player]
