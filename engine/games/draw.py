"""Draw (B, D): Block with drawing from the stock (B3)."""

from __future__ import annotations

from engine.games.base import BySeats, Game, lead_goes_out
from engine.games.counting import nothing_in_play, plain_blocked, plain_out

DRAW = Game(
    name="draw",
    hand_sizes=BySeats(two=7, three=5, four=5),
    targets=BySeats(two=100, three=100, four=100),
    draws=True,
    branches=False,
    end_parts=nothing_in_play,
    count_out=plain_out,
    count_blocked=plain_blocked,
    next_lead=lead_goes_out,
)
