"""The levels that are built, weakest first."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from bots.beginner import Beginner
from bots.club import Club
from bots.novice import Novice
from bots.player import Player
from bots.search.levels import WORK, Searcher
from bots.trained import Trained

Factory: TypeAlias = Callable[[random.Random], Player]
"""Makes a player with chance of its own, which must never come from the seed of a deal."""

LEVELS: Mapping[str, Factory] = MappingProxyType(
    {
        "novice": Novice,
        "beginner": lambda _rng: Beginner(),
        "club": Club,
        "trained": Trained,
    }
)
"""By name on the wire, those that choose within a millisecond or so: they can be asked on an event loop."""

SEARCHING: Mapping[str, Factory] = MappingProxyType({level: partial(Searcher, level) for level in WORK})
"""By name on the wire, those that take too long for that."""

EVERY_LEVEL: Mapping[str, Factory] = MappingProxyType({**LEVELS, **SEARCHING})
