"""What kind of run a seed is: who plays what, under which limits, and how much goes wrong."""

from __future__ import annotations

import random
from typing import Any

from server.limits import Limits
from tests.simulation.disk import Weather
from tests.simulation.searchers import LEVEL

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve")


class Scenario:
    """Drawn from the run's chance before anything happens.

    ``nodes``: how many servers there are. ``bots_search``: those do that fill seats and those that play for the absent.
    ``has_files``: the store is SQLite on real files.
    """

    def __init__(self, rng: random.Random, nodes: int, *, bots_search: bool, has_files: bool) -> None:
        self.nodes = nodes
        self.has_files = has_files
        self.bots_search = bots_search
        self.length = rng.choice((200, 500, 1000, 2000))
        """Steps before the calm."""
        self.rest = rng.choice((100, 200, 10_000))
        """Steps after which everything may come to rest for a moment, to be looked at."""
        self.trouble = rng.choice((0.0, 0.01, 0.03, 0.1))
        """How often a step is a disturbance."""
        self.tail, self.checkpoint_every = rng.choice(((256, 256), (5, 3), (20, 8)))
        """Steps that are kept for those who come back, and from one table that is written down to the next."""
        self.weather = rng.choice((Weather.FAIR, Weather.FAIR, Weather.FLAKY))
        """How well the store mostly works before the calm."""
        self.zeal = rng.choice((0.0, 0.5, 0.9))
        """How often all that is under way goes on, and people play on, instead of one thing happening anywhere."""
        self.whims = rng.choice((0.05, 0.3))
        """How often people at a table do something else than what brings the match on."""
        self.mischief = rng.choice((0.0, 0.05, 0.2))
        """How often people send what no good client sends."""
        count = rng.randint(2, 5)
        self.people = [(name, rng.random() < 0.1) for name in NAMES[:count]]
        """Names, and whether it is a headless bot."""
        self.settings = _settings(rng)
        self.limits = Limits(
            idle_lobby=rng.choice((60, 300)),
            finished_room=rng.choice((20, 300)),
            abandoned_room=rng.choice((100, 600)),
            unsent_bytes=rng.choice((16_384, 262_144)),
            spectators=rng.choice((1, 50)),
            rooms_per_player=rng.choice((1, 10)),
        )
        if bots_search:
            self.settings["bot"] = LEVEL
        if nodes > 1:
            self._suit_many()

    def _suit_many(self) -> None:
        """Nodes do something each second, so matches must be short, and rooms that nobody is in must end soon."""
        self.settings |= {
            "local": 1,
            "grace": min(self.settings["grace"], 10.0),
            "bot_delay": min(self.settings["bot_delay"], 0.7),
            "target": min(self.settings["target"], 10 if self.settings["game"] == "fives-threes" else 50),
        }
        self.settings.pop("names", None)
        self.limits = self.limits.model_copy(
            update={"idle_lobby": 30, "finished_room": 20, "abandoned_room": 30, "rooms_per_player": 10}
        )
        self.length = min(self.length, 1000)
        self.trouble = max(self.trouble, 0.03)


def nodes_of(seed: int) -> int:
    """How many nodes the run of a seed has: one in most."""
    return {3: 2, 8: 3}.get(seed % 10, 1)


def has_files(seed: int) -> bool:
    """Whether the store in the run of a seed is SQLite on real files: it is in one of ten."""
    return seed % 10 == 5


def bots_search(seed: int) -> bool:
    """Whether bots search in the run of a seed: they do in three of ten."""
    return seed % 10 in (1, 6, 8)


def _settings(rng: random.Random) -> dict[str, Any]:
    game = rng.choice(("fives-threes", "all-fives", "block", "draw"))
    seats = rng.randint(2, 4)
    settings: dict[str, Any] = {
        "game": game,
        "seats": seats,
        "local": rng.choice((1, 1, rng.randint(2, seats))),
        "target": rng.choice((1, 10, 30) if game == "fives-threes" else (5, 50, 120)),
        "public": rng.random() < 0.5,
        "spectators": rng.random() < 0.8,
        "fill": rng.choice(("bots", "bots", "wait")),
        "bot": rng.choice(("novice", "beginner")),
        "bot_delay": rng.choice((0.0, 0.7, 3.0)),
        "grace": rng.choice((0.0, 2.0, 60.0)),
        "turn_timer": rng.choice((None, None, 1.0, 8.0)),
        "absence": rng.choice(("bot", "bot", "wait")),
    }
    if settings["local"] > 1:
        settings["names"] = ["Gil", "Hal", "Ida"][: rng.randrange(settings["local"])]
    if settings["fill"] == "wait":
        settings["fill_after"] = rng.choice((0.0, 5.0))
    if rng.random() < 0.7:
        settings["next_deal_after"] = rng.choice((0.0, 1.0, 20.0))
    return settings
