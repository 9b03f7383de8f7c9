"""What a seat asks for, in the imperative (C5-C8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine.layout import End
from engine.tiles import Tile


class Play(NamedTuple):
    """Lay ``tile`` on ``end``; None opens the layout (C13)."""

    tile: Tile
    end: End | None


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the next tile of the stock (A2)."""


@dataclass(frozen=True, slots=True)
class Knock:
    """Pass, because nothing can be played or drawn (C8)."""


Action: TypeAlias = Play | Draw | Knock
