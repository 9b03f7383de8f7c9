"""What the policy has learned: its weights, by game and number of seats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bots.kernel.rules import Rules
from bots.policy.swift import Swift, SwiftWeights
from bots.policy.traits import Traits

FILE = Path(__file__).parent / "weights.json"
_KEPT = 16


class Weights(NamedTuple):
    """For one game at a table of so many seats."""

    traits: Traits
    swift: SwiftWeights

    def dump(self) -> dict[str, dict[str, float]]:
        """By name, those that are not 0."""
        return {
            part: {name: weight for name, weight in weights._asdict().items() if weight}
            for part, weights in self._asdict().items()
        }

    @classmethod
    def load(cls, kept: Mapping[str, Mapping[str, float]]) -> Weights:
        """The weights of which `dump` gave ``kept``."""
        swift = dict.fromkeys(SwiftWeights._fields, 0.0) | dict(kept["swift"])
        return cls(Traits(**kept["traits"]), SwiftWeights(**swift))


@cache
def learned(game: str, seats: int) -> Weights:
    """The weights for ``game`` with ``seats``."""
    return Weights.load(_kept()[game][str(seats)])


@lru_cache(_KEPT)
def swift_of(rules: Rules) -> Swift:
    """The playout policy for ``rules``."""
    return Swift(rules, learned(rules.game.name, rules.seats).swift)


@cache
def _kept() -> Mapping[str, Any]:
    kept: Mapping[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept
