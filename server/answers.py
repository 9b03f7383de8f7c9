"""What a room remembers of the messages that it has accepted: under the same id the first answer comes again."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from server.table.log import Cause
from server.table.state import PlayerId

MAX_PLAYERS = 256
"""Players without a seat whose messages a room remembers; who was heard longest ago is forgotten first."""
MAX_UNLOGGED = 64
"""Of those that are accepted and change nothing between two steps, so many are remembered over a restart."""


@dataclass(frozen=True, slots=True)
class Unlogged:
    """An accepted message that changed nothing after step ``seq``."""

    seq: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Answer:
    """What a message was answered."""

    seq: int | None
    """Of its step; None if it changed nothing."""
    kind: str
    """See `Cause.answer`."""


class Answers:
    """The newest ``ids`` answers to each player of one room (0: all of them)."""

    def __init__(self, ids: int) -> None:
        self._ids = ids
        self._by_player: OrderedDict[PlayerId, OrderedDict[str, Answer]] = OrderedDict()
        self._unlogged: deque[Unlogged] = deque(maxlen=MAX_UNLOGGED)
        """What goes into the log with the next step.

        If there is none before the process ends, they are forgotten with it: said again they are judged anew.
        """

    @property
    def unlogged(self) -> tuple[Unlogged, ...]:
        """The accepted messages that changed nothing and are not in the log yet."""
        return tuple(self._unlogged)

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

    def remember_unchanged(self, cause: Cause, seq: int, seated: Collection[PlayerId | None]) -> None:
        """``cause`` was accepted after step ``seq`` and changed nothing."""
        self.remember(cause, None, seated)
        self._unlogged.append(Unlogged(seq, cause))

    def to_entry(self) -> list[list[str | int | None]]:
        """All answers, who was heard longest ago first, of what MessagePack can hold."""
        return [
            [player, message_id, answer.kind, answer.seq]
            for player, answers in self._by_player.items()
            for message_id, answer in answers.items()
        ]

    def recall(self, entry: Iterable[tuple[str, str, str, int | None]]) -> None:
        """Remember what `to_entry` gave."""
        for player, message_id, kind, seq in entry:
            self._by_player.setdefault(PlayerId(player), OrderedDict())[message_id] = Answer(seq, kind)

    def logged(self, written: Iterable[Unlogged]) -> None:
        """These are in the log now."""
        for unlogged in written:
            if unlogged in self._unlogged:
                self._unlogged.remove(unlogged)

    def adopt(self, older: Answers, head: int, seated: Collection[PlayerId | None]) -> None:
        """Take over what ``older`` did not get into the log, but for what hung on a step above ``head``."""
        for unlogged in older.unlogged:
            if unlogged.seq <= head:
                self.remember_unchanged(unlogged.cause, unlogged.seq, seated)
