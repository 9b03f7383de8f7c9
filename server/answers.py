"""What a room remembers of the messages that it has accepted: under the same id the first answer comes again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass

from server.table.log import Cause
from server.table.state import PlayerId

MAX_PLAYERS = 256
"""Players without a seat whose messages a room remembers; who was heard longest ago is forgotten first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a message was answered."""

    seq: int | None
    """Of its step; None if it changed nothing."""
    kind: str
    """``ok`` or ``snapshot``."""


class Answers:
    """The newest ``ids`` answers to each player of one room (0: all of them)."""

    def __init__(self, ids: int) -> None:
        self._ids = ids
        self._by_player: OrderedDict[PlayerId, OrderedDict[str, Answer]] = OrderedDict()

    def find(self, player: PlayerId, message_id: str | None) -> Answer | None:
        """What ``player`` was answered under this id, if it is remembered."""
        answers = self._by_player.get(player)
        return None if answers is None or message_id is None else answers.get(message_id)

    def remember(self, cause: Cause, seq: int | None, seated: Collection[PlayerId | None]) -> None:
        """``cause`` has led to step ``seq``, or to none. Players who are ``seated`` are never forgotten."""
        player = PlayerId(cause.player)
        answers = self._by_player.setdefault(player, OrderedDict())
        self._by_player.move_to_end(player)
        answers[cause.id] = Answer(seq, cause.answer)
        if self._ids and len(answers) > self._ids:
            answers.popitem(last=False)
        if len(self._by_player) > MAX_PLAYERS + len(seated):
            del self._by_player[next(player for player in self._by_player if player not in seated)]
