"""Whether the histories of a room's clients are such as the promises of the protocol allow. Pure functions.

`check` takes all together; each part looks for faults of its own and knows nothing of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from bots.load.history import Accepted, Asked, ClientHistory, Connected, Refused, RoomHistory, Shown, Told
from bots.load.violations import Fault, Violation

STORE = "the store"
"""The witness for what stands in the log of the server itself."""

_NOTHING = -1
"""Below every step: what a client knows before its first snapshot."""


class Witnessed(NamedTuple):
    """A step, and who was the first to be told of it."""

    told: Told
    witness: str


Log: TypeAlias = Mapping[int, Witnessed]
"""The steps of a room by ``seq``."""


def check(history: RoomHistory, stored: Sequence[Told] | None = None) -> list[Violation]:
    """Everything that is wrong in ``history``; ``stored`` is the whole log of the server, where that is at hand."""
    log = merged(history, stored or ())
    violations: list[Violation] = []
    for client in history.clients:
        violations += delivery(history.room, client)
        violations += end(history.room, client)
    violations += agreement(history, log)
    violations += answers(history, log, is_complete=stored is not None)
    if stored is not None:
        violations += [
            Violation(Fault.LOST, history.room, seq, witness, "it is not in the log")
            for seq, (_, witness) in log.items()
            if witness != STORE
        ]
    return violations


def merged(history: RoomHistory, stored: Iterable[Told] = ()) -> Log:
    """The room's steps as the store has them, or else as the first client was told them."""
    log = {told.seq: Witnessed(told, STORE) for told in stored}
    for client in history.clients:
        for told in _told(client):
            if told.seq not in log:
                log[told.seq] = Witnessed(told, client.name)
    return log


def _told(client: ClientHistory) -> Iterator[Told]:
    return (entry for entry in client.entries if isinstance(entry, Told))


# What one client was sent.


def delivery(room: str, client: ClientHistory) -> Iterator[Violation]:
    """Gaps, repetitions and a changed order among the updates of ``client``, counted from its snapshots."""
    newest, is_resuming = _NOTHING, True
    gaps: list[range] = []
    for entry in client.entries:
        match entry:
            case Connected():
                is_resuming = True
                continue
            case Shown(seq=seq):
                yield from _shown(room, client.name, entry, newest, is_resuming=is_resuming)
                newest = seq
            case Told(seq=seq) if newest == _NOTHING:
                yield Violation(Fault.UNINVITED, room, seq, client.name, "told before any snapshot")
                newest = seq
            case Told(seq=seq) if seq > newest:
                if seq > newest + 1:
                    gaps.append(range(newest + 1, seq))
                newest = seq
            case Told(seq=seq):
                fault = Fault.SWAPPED if any(seq in gap for gap in gaps) else Fault.REPEATED
                gaps = [part for gap in gaps for part in _without(gap, seq)]
                yield Violation(fault, room, seq, client.name, f"told after step {newest}")
            case _:
                continue
        is_resuming = False
    for gap in gaps:
        yield Violation(Fault.LOST, room, gap[0], client.name, f"not told, nor any up to step {gap[-1]}")


def _shown(room: str, name: str, shown: Shown, newest: int, *, is_resuming: bool) -> Iterator[Violation]:
    """What is wrong with a snapshot after step ``newest``. Only on a new connection may it stand for other steps."""
    if shown.is_reset:
        yield Violation(Fault.RESET, room, shown.seq, name, f"reset after step {newest}")
    elif shown.seq < newest:
        yield Violation(Fault.LOST, room, shown.seq + 1, name, f"a snapshot is older than step {newest}, told before")
    elif shown.seq > newest and not is_resuming:
        yield Violation(Fault.LOST, room, newest + 1, name, f"not told before the snapshot of step {shown.seq}")


def _without(gap: range, seq: int) -> Iterator[range]:
    """What is left of ``gap`` once ``seq`` has come after all."""
    if seq not in gap:
        yield gap
    else:
        yield from (part for part in (range(gap.start, seq), range(seq + 1, gap.stop)) if part)


def end(room: str, client: ClientHistory) -> Iterator[Violation]:
    """What ``client`` was told or acknowledged, and its last look at the room does not include."""
    last = client.entries[-1] if client.entries else None
    known = max((entry.seq for entry in client.entries if isinstance(entry, Told | Accepted)), default=0)
    if not isinstance(last, Shown):
        yield Violation(Fault.UNPROVEN, room, known, client.name, "the room could not be looked at in the end")
    elif last.seq < known:
        yield Violation(Fault.LOST, room, known, client.name, f"the room ends at step {last.seq}")


# What the clients were sent, held against each other.


def agreement(history: RoomHistory, log: Log) -> Iterator[Violation]:
    """Steps that are not the same for all, and epochs that go back."""
    for client in history.clients:
        yield from _differences(history.room, client, log)
    newest = 0
    for seq, (told, witness) in sorted(log.items()):
        if told.epoch < newest:
            yield Violation(
                Fault.BACKDATED, history.room, seq, witness, f"written under epoch {told.epoch}, after {newest}"
            )
        newest = max(newest, told.epoch)


def _differences(room: str, client: ClientHistory, log: Log) -> Iterator[Violation]:
    different = [told for told in _told(client) if told != log[told.seq].told]
    elsewhere = {(log[told.seq].told.content, log[told.seq].told.deed) for told in different}
    for told in different:
        known, witness = log[told.seq]
        if told.content == known.content:
            fault, text = Fault.ALTERED, f"under epoch {told.epoch}; for {witness} under {known.epoch}"
        elif (told.content, told.deed) in elsewhere:
            fault, text = Fault.SWAPPED, f"{witness} was told this as another step"
        else:
            fault, text = Fault.ALTERED, f"{witness} was told something else"
        yield Violation(fault, room, told.seq, client.name, text)


# What the clients asked for.


def answers(history: RoomHistory, log: Log, *, is_complete: bool = False) -> Iterator[Violation]:
    """Acts that are not the step which they were told, and steps in which a seat acts that nobody asked for.

    Where ``log`` is not complete, a step may be missing in it because a snapshot stood for its update everywhere.
    """
    claimed: dict[int, str] = {}
    open_deeds: Counter[str] = Counter()
    for client in history.clients:
        acts = _Acts(history.room, client)
        yield from acts.violations(log, is_complete=is_complete)
        for name, seq in acts.steps.items():
            if claimed.setdefault(seq, name) != name:
                text = f"acts {claimed[seq]} and {name} were both acknowledged as it"
                yield Violation(Fault.UNFOUNDED, history.room, seq, client.name, text)
        open_deeds.update(acts.unanswered())
    for seq, (told, witness) in log.items():
        if told.deed is None or seq in claimed:
            continue
        if open_deeds[told.deed] > 0:  # done, and the answer never came
            open_deeds[told.deed] -= 1
        else:
            yield Violation(Fault.UNASKED, history.room, seq, witness, f"nobody asked for this: {told.deed}")


class _Acts:
    """The acts of one client, and what became of them."""

    def __init__(self, room: str, client: ClientHistory) -> None:
        self._room = room
        self._client = client
        self.steps: dict[str, int] = {}
        """By id, the step of an accepted act."""
        self._deeds: dict[str, str] = {}
        self._asked_after: dict[str, int] = {}
        """By id, the newest step that was known when the act was chosen."""
        self._skipped: list[range] = []
        """Steps for whose updates a snapshot stood."""

    def violations(self, log: Log, *, is_complete: bool) -> Iterator[Violation]:
        """What is wrong with each `ok`; afterwards ``steps`` and `unanswered` are known."""
        newest = 0
        for entry in self._client.entries:
            match entry:
                case Asked():
                    self._deeds[entry.id] = entry.deed
                    self._asked_after[entry.id] = newest
                case Told(seq=seq):
                    newest = max(newest, seq)
                case Shown(seq=seq):
                    if not is_complete:
                        self._skipped.append(range(newest + 1, seq + 1))
                    newest = max(newest, seq)
                case Accepted(seq=seq):
                    if seq > newest:
                        yield self._violation(Fault.EARLY, seq, f"act {entry.id} was acknowledged before its update")
                    yield from self._accepted(entry, log)

    def _accepted(self, ok: Accepted, log: Log) -> Iterator[Violation]:
        asked = self._deeds.get(ok.id)
        first = self.steps.setdefault(ok.id, ok.seq)
        if first != ok.seq:
            yield self._violation(Fault.ANSWERED_TWICE, ok.seq, f"act {ok.id} was step {first} before")
        if ok.seq <= self._asked_after.get(ok.id, 0):
            yield self._violation(Fault.UNFOUNDED, ok.seq, f"act {ok.id} ({asked}) came after this step")
        elif ok.seq not in log:
            if not any(ok.seq in part for part in self._skipped):
                yield self._violation(Fault.UNFOUNDED, ok.seq, f"act {ok.id} ({asked}) is no step that was told")
        elif log[ok.seq].told.deed != asked:
            done = log[ok.seq].told.deed
            yield self._violation(Fault.UNFOUNDED, ok.seq, f"act {ok.id} ({asked}) was acknowledged as {done}")

    def unanswered(self) -> Iterator[str]:
        """The deeds of the acts that may have been done or not."""
        refused = {entry.id for entry in self._client.entries if isinstance(entry, Refused)}
        return (deed for name, deed in self._deeds.items() if name not in self.steps and name not in refused)

    def _violation(self, fault: Fault, seq: int, text: str) -> Violation:
        return Violation(fault, self._room, seq, self._client.name, text)
