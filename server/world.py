"""What comes from outside: storage, time, randomness, bots and limits."""

from __future__ import annotations

from dataclasses import dataclass

from server.archive import Archive
from server.clock import Clock
from server.house_players import HousePlayers
from server.journal import Journal
from server.limits import Limits
from server.store.base import Store
from server.table.draft import RandomBytes


@dataclass(frozen=True, slots=True)
class World:
    """One of each for all rooms of a process."""

    store: Store
    journal: Journal
    archive: Archive
    clock: Clock
    limits: Limits
    random_bytes: RandomBytes
    house: HousePlayers
