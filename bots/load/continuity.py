"""Whether the steps told follow one on another, and each snapshot shows what they have made of the room.

The steps are folded as any client would fold them, from the first snapshot on. Where nobody was told a step, because
a snapshot stood for it everywhere, that snapshot must still hold what was known before and acknowledged meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bots.fold import fold
from bots.load.comparison import Difference, break_between, difference
from bots.load.course import objection
from bots.load.history import Accepted, Asked, RoomHistory, Shown, Told, events_of, is_next, picture_of
from bots.load.log import Log
from bots.load.violations import Fault, Violation
from protocol.convert import Wire

_TAKEN_BACK = {"undone", "redone", "restarted"}
"""After these only a new snapshot tells what lies on the table."""
_NONSENSE = (LookupError, TypeError, ValueError, AttributeError)
"""What comes of reading a message that is none of this room."""
_STRANGER: Wire = {"seats": [], "shown": [], "watching": True}


class _Known(NamedTuple):
    """The room at step ``seq``. Its picture is what a stranger who watches sees."""

    seq: int
    picture: Wire


class _Look(NamedTuple):
    """A snapshot, and who was shown it."""

    picture: Wire
    witness: str


def continuity(history: RoomHistory, log: Log) -> Iterator[Violation]:
    """Steps that cannot follow on those before, and snapshots that do not show what was told or acknowledged."""
    looks, deeds = _looks(history), _deeds(history, log)
    known: _Known | None = None
    for seq in sorted(log.keys() | looks.keys()):
        if known is not None and known.seq == seq - 1 and seq in log:
            known, impossible = _followed(known, log[seq].told)
            if impossible is not None:
                yield Violation(Fault.IMPOSSIBLE, history.room, seq, log[seq].witness, impossible)
        if seq in looks:
            for wrong, witness in _wrong_looks(known, seq, looks[seq], deeds):
                yield Violation(wrong.fault, history.room, seq, witness, wrong.text)
            known = _looked(known, seq, looks[seq])


def _wrong_looks(
    known: _Known | None, seq: int, looks: Iterable[_Look], deeds: Mapping[int, str]
) -> Iterator[tuple[Difference, str]]:
    """What is wrong with ``looks`` at the room of step ``seq``, of which ``known`` is that step or one before it."""
    picture = known.picture if known is not None and known.seq == seq else None
    for look in looks:
        wrong = None
        try:
            if picture is not None:
                wrong = difference(picture, look.picture)
            elif known is not None:
                between = [deeds[other] for other in range(known.seq + 1, seq + 1) if other in deeds]
                wrong = break_between(known.picture, look.picture, between)
        except _NONSENSE as error:
            wrong = Difference(Fault.ALTERED, f"the snapshot makes no sense in this room: {error!r}")
        if wrong is not None:
            yield wrong, look.witness
        picture = picture or look.picture


def _looked(known: _Known | None, seq: int, looks: Sequence[_Look]) -> _Known:
    """The room at step ``seq``. If nobody was shown what was told, the server goes on from what it has shown."""
    if known is not None and known.seq == seq and any(look.picture == known.picture for look in looks):
        return known
    return _Known(seq, looks[0].picture)


def _looks(history: RoomHistory) -> Mapping[int, Sequence[_Look]]:
    """The snapshots by step."""
    looks: dict[int, list[_Look]] = {}
    for client in history.clients:
        for entry in client.entries:
            if isinstance(entry, Shown):
                looks.setdefault(entry.seq, []).append(_Look(picture_of(entry), client.name))
    return looks


def _deeds(history: RoomHistory, log: Log) -> Mapping[int, str]:
    """By step what was done in the deal, as far as somebody was told or acknowledged it."""
    deeds = {}
    for client in history.clients:
        asked = {entry.id: entry.deed for entry in client.entries if isinstance(entry, Asked)}
        for entry in client.entries:
            if isinstance(entry, Accepted) and entry.seq is not None:
                deeds[entry.seq] = asked.get(entry.id)
    deeds |= {seq: told.deed for seq, (told, _) in log.items()}
    return {seq: deed for seq, deed in deeds.items() if deed is not None and not is_next(deed)}


def _followed(known: _Known, told: Told) -> tuple[_Known | None, str | None]:
    """The room after the next step ``told``, None if that is not known; and why it cannot be the next, if it cannot."""
    picture, wrong = known.picture, None
    try:
        for event in events_of(told):
            if event["type"] in _TAKEN_BACK:
                return None, wrong
            wrong = wrong or objection(picture, event)
            picture = _folded(picture, event)
    except _NONSENSE as error:
        return None, f"it makes no sense in this room: {error!r}"
    return _Known(told.seq, picture), wrong


def _folded(picture: Wire, event: Wire) -> Wire:
    update = {"epoch": None, "seq": None, "events": [event], "turn": None}
    table = fold({**picture, "you": _STRANGER}, update, "")
    return {name: table[name] for name in picture}
