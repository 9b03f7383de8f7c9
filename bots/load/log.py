"""The steps of a room, as they can be known from what its clients were told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from bots.load.history import ClientHistory, RoomHistory, Told

STORE = "the store"
"""The witness for what stands in the log of the server itself."""


class Witnessed(NamedTuple):
    """A step, and who was the first to be told of it."""

    told: Told
    witness: str


Log: TypeAlias = Mapping[int, Witnessed]
"""The steps of a room by ``seq``."""


def merged(history: RoomHistory, stored: Iterable[Told] = ()) -> Log:
    """The room's steps as the store has them, or else as the first client was told them.

    Of two steps under one number the one of the later epoch stands: the room has gone on from that one.
    """
    log = {told.seq: Witnessed(told, STORE) for told in stored}
    for client in history.clients:
        for told in told_to(client):
            known = log.get(told.seq)
            if known is None or (known.witness != STORE and _is_rewritten(known.told, told)):
                log[told.seq] = Witnessed(told, client.name)
    return log


def told_to(client: ClientHistory) -> Iterator[Told]:
    """The updates that ``client`` was sent, in their order."""
    return (entry for entry in client.entries if isinstance(entry, Told))


def _is_rewritten(known: Told, told: Told) -> bool:
    return told.epoch > known.epoch and told.content != known.content
