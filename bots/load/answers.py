"""Whether what the clients asked for was answered truly: done once, as the step that the `ok` names, or refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bots.load.history import Accepted, Asked, ClientHistory, Refused, RoomHistory, Shown, Told, is_next
from bots.load.log import Log
from bots.load.violations import Fault, Violation


def answers(history: RoomHistory, log: Log, stored_from: int | None = None) -> Iterator[Violation]:
    """Answers that are not true, or do not come, and steps in which a seat acts that nobody asked for.

    From step ``stored_from`` on ``log`` is complete; before it, or without it, a step may be missing because a snapshot
    stood for its update everywhere.
    """
    claimed: dict[int, str] = {}
    open_deeds: Counter[str | None] = Counter()
    for client in history.clients:
        requests = _Requests(history.room, client, stored_from)
        yield from requests.violations(log)
        for name, seq in requests.steps.items():
            if seq is not None and claimed.setdefault(seq, name) != name:
                text = f"{claimed[seq]} and {name} were both acknowledged as it"
                yield Violation(Fault.UNFOUNDED, history.room, seq, client.name, text)
        open_deeds.update(asked.deed for asked in requests.undecided())
    for seq, (told, witness) in log.items():
        if told.deed is None or seq in claimed:
            continue
        if open_deeds[told.deed] > 0:  # done, and the answer never came
            open_deeds[told.deed] -= 1
        else:
            yield Violation(Fault.UNASKED, history.room, seq, witness, f"nobody asked for this: {told.deed}")


class _Requests:
    """What one client asked for, and what became of it."""

    def __init__(self, room: str, client: ClientHistory, stored_from: int | None) -> None:
        self._room = room
        self._client = client
        self._stored_from = stored_from
        self.steps: dict[str, int | None] = {}
        """By id, the step of what was accepted; None where it was none."""
        self._asked: dict[str, Asked] = {}
        self._asked_after: dict[str, int] = {}
        """By id, the newest step that was known when it was asked."""
        self._refused: set[str] = set()
        self._newest = 0
        self._skipped: list[range] = []
        """Steps for whose updates a snapshot stood."""

    def violations(self, log: Log) -> Iterator[Violation]:
        """What is wrong with each answer; afterwards ``steps`` and `undecided` are known."""
        for entry in self._client.entries:
            match entry:
                case Asked():
                    self._asked[entry.id] = entry
                    self._asked_after[entry.id] = self._newest
                case Told(seq=seq):
                    self._newest = max(self._newest, seq)
                case Shown(seq=seq):
                    self._skipped.append(range(self._newest + 1, seq + 1))
                    self._newest = max(self._newest, seq)
                case Accepted():
                    yield from self._accepted(entry, log)
                case Refused(id=name):
                    yield from self._denied(name)
        yield from self._unanswered()

    def _accepted(self, ok: Accepted, log: Log) -> Iterator[Violation]:
        first = self.steps.setdefault(ok.id, ok.seq)
        asked = self._asked.get(ok.id)
        if first != ok.seq:
            yield self._violation(Fault.ANSWERED_TWICE, ok.seq, f"{ok.id} was step {first} before")
        if ok.seq is not None and ok.seq > self._newest:
            yield self._violation(Fault.EARLY, ok.seq, f"{ok.id} was acknowledged before its update")
        text = f"{ok.id} was never asked" if asked is None else self._untrue(asked, ok.seq, log)
        if text is not None:
            yield self._violation(Fault.UNFOUNDED, ok.seq, text)

    def _untrue(self, asked: Asked, seq: int | None, log: Log) -> str | None:
        """Why ``asked`` cannot be step ``seq``; None: it can."""
        said = f"{asked.id} ({asked.deed or 'start'})"
        if seq is None:
            return None if is_next(asked.deed or "") else f"{said} was acknowledged as no step"
        if seq <= self._asked_after[asked.id]:
            return f"{said} came after this step"
        if seq not in log:
            return None if self._may_be_unknown(seq) else f"{said} is no step that was told"
        done = log[seq].told.deed
        return None if done == asked.deed else f"{said} was acknowledged as {done or 'nothing of a seat'}"

    def _may_be_unknown(self, seq: int) -> bool:
        is_stored = self._stored_from is not None and seq >= self._stored_from
        return not is_stored and any(seq in part for part in self._skipped)

    def _denied(self, name: str) -> Iterator[Violation]:
        """Under the id of what was accepted the first answer must come again."""
        self._refused.add(name)
        if name in self.steps:
            yield self._violation(Fault.DENIED, self.steps[name], f"{name} was acknowledged, and then refused")

    def _unanswered(self) -> Iterator[Violation]:
        """What has no answer in the end, though the client could still look at the room."""
        if self._client.entries and isinstance(self._client.entries[-1], Shown):
            for asked in self.undecided():
                text = f"{asked.id} ({asked.deed or 'start'}) was never answered"
                yield self._violation(Fault.UNANSWERED, self._newest, text)

    def undecided(self) -> Sequence[Asked]:
        """What may have been done or not: neither acknowledged nor refused."""
        answered = self.steps.keys() | self._refused
        return [asked for name, asked in self._asked.items() if name not in answered]

    def _violation(self, fault: Fault, seq: int | None, text: str) -> Violation:
        return Violation(fault, self._room, seq or 0, self._client.name, text)
