"""What one client was sent: gaps, repetitions, another order, and whether the room still has it all in the end."""

from __future__ import annotations

from collections.abc import Iterator

from bots.load.history import Accepted, ClientHistory, Connected, OtherHand, Shown, Told
from bots.load.violations import Fault, Violation

_NOTHING = -1
"""Below every step: what a client knows before its first snapshot."""


def own_hand(room: str, client: ClientHistory) -> Iterator[Violation]:
    """Hands that ``client`` was shown otherwise than it was told of them."""
    for entry in client.entries:
        if isinstance(entry, OtherHand):
            text = f"the own hand is shown as {' '.join(entry.shown)}; by the steps told it is {' '.join(entry.told)}"
            yield Violation(Fault.ALTERED, room, entry.seq, client.name, text)


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
    known = max((entry.seq or 0 for entry in client.entries if isinstance(entry, Told | Accepted)), default=0)
    if not isinstance(last, Shown):
        yield Violation(Fault.UNPROVEN, room, known, client.name, "the room could not be looked at in the end")
    elif last.seq < known:
        yield Violation(Fault.LOST, room, known, client.name, f"the room ends at step {last.seq}")
