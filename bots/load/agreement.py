"""Whether all clients of a room were told the same, and by one process at a time."""

from __future__ import annotations

from collections.abc import Iterator

from bots.load.history import ClientHistory, RoomHistory, Shown, Told
from bots.load.log import Log, Witnessed, told_to
from bots.load.violations import Fault, Violation


def agreement(history: RoomHistory, log: Log) -> Iterator[Violation]:
    """Steps that are not the same for all, and epochs that differ or go back."""
    for client in history.clients:
        yield from _differences(history.room, client, log)
        yield from _other_epochs(history.room, client, log)
    newest = 0
    for seq, epoch, witness in _epochs(history, log):
        if epoch < newest:
            yield Violation(Fault.BACKDATED, history.room, seq, witness, f"written under epoch {epoch}, after {newest}")
        newest = max(newest, epoch)


def _differences(room: str, client: ClientHistory, log: Log) -> Iterator[Violation]:
    different = [told for told in told_to(client) if told != log[told.seq].told]
    elsewhere = {(log[told.seq].told.content, log[told.seq].told.deed) for told in different}
    for told in different:
        known = log[told.seq]
        if told.content != known.told.content and told.epoch != known.told.epoch:
            yield _replaced(room, client.name, told, known)
            continue
        if told.content == known.told.content:
            fault, text = Fault.ALTERED, f"under epoch {told.epoch}; for {known.witness} under {known.told.epoch}"
        elif (told.content, told.deed) in elsewhere:
            fault, text = Fault.SWAPPED, f"{known.witness} was told this as another step"
        else:
            fault, text = Fault.ALTERED, f"{known.witness} was told something else"
        yield Violation(fault, room, told.seq, client.name, text)


def _replaced(room: str, name: str, told: Told, known: Witnessed) -> Violation:
    """Two processes wrote the step: that of the older epoch is gone, though somebody was told of it."""
    if told.epoch < known.told.epoch:
        lost, epoch, other = told, known.told.epoch, known.witness
    else:
        name, lost, epoch, other = known.witness, known.told, told.epoch, name
    text = f"told under epoch {lost.epoch}; under {epoch} another step has its number, {other} was told"
    return Violation(Fault.LOST, room, lost.seq, name, text)


def _other_epochs(room: str, client: ClientHistory, log: Log) -> Iterator[Violation]:
    for entry in client.entries:
        if isinstance(entry, Shown) and entry.seq in log and log[entry.seq].told.epoch != entry.epoch:
            known, witness = log[entry.seq]
            text = f"shown under epoch {entry.epoch}; {witness} was told it under {known.epoch}"
            yield Violation(Fault.ALTERED, room, entry.seq, client.name, text)


def _epochs(history: RoomHistory, log: Log) -> list[tuple[int, int, str]]:
    """The steps whose epoch is known, with it and who knows, in their order."""
    told = [(seq, told.epoch, witness) for seq, (told, witness) in log.items()]
    shown = [
        (entry.seq, entry.epoch, client.name)
        for client in history.clients
        for entry in client.entries
        if isinstance(entry, Shown) and entry.seq not in log
    ]
    return sorted([*told, *shown])
