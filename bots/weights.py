"""What club cares about, by game and number of seats.

Found by the cross-entropy method over duplicate deals against beginner and an earlier club, then rounded where that
made no difference. Points are the unit: a weight of 2 says that 1 of the trait is worth 2 points.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bots.judge import Traits


class BySeats(NamedTuple):
    """Weights for two, three and four seats."""

    two: Traits
    three: Traits
    four: Traits


_FIVES_THREES = BySeats(
    two=Traits(gain=1, pips=-0.03, double=0.3, options=0.3, variety=0.05, next_reply=-0.6, next_stuck=0.4),
    three=Traits(gain=1, pips=-0.04, double=0.1, options=0.25, next_reply=-0.55, next_stuck=0.5, last_reply=-0.2),
    four=Traits(
        gain=1,
        pips=-0.08,
        double=0.4,
        options=0.2,
        variety=-0.15,
        next_reply=-0.9,
        next_stuck=1.1,
        partner_reply=0.3,
        partner_stuck=-0.25,
        last_stuck=0.6,
    ),
)

_ALL_FIVES_TWO = Traits(gain=1, pips=0.25, double=2, options=0.7, variety=0.3, next_reply=-0.9, next_stuck=2)
_ALL_FIVES = BySeats(
    two=_ALL_FIVES_TWO,
    three=_ALL_FIVES_TWO._replace(last_reply=-0.2, last_stuck=0.5),
    four=_ALL_FIVES_TWO._replace(partner_reply=0.3, partner_stuck=-0.5, last_reply=-0.1, last_stuck=0.5),
)

_BLOCK = BySeats(
    two=Traits(pips=0.6, double=5, options=0.5, variety=1.7, next_reply=-0.8, next_stuck=5, block=0.8),
    three=Traits(
        pips=0.5,
        double=4,
        options=2.3,
        variety=0.7,
        next_reply=-1.1,
        next_stuck=6,
        last_reply=-0.5,
        last_stuck=1.6,
        block=0.2,
    ),
    four=Traits(
        pips=0.6,
        double=2,
        options=2.1,
        variety=0.5,
        next_reply=-0.8,
        next_stuck=5.7,
        partner_reply=0.1,
        partner_stuck=-1.4,
        last_stuck=4.6,
        block=1.6,
    ),
)

_DRAW_TWO = Traits(pips=0.4, double=2.4, options=1.1, variety=0.7, next_reply=-1, next_stuck=5, block=0.8)
_DRAW = BySeats(
    two=_DRAW_TWO,
    three=_DRAW_TWO._replace(last_reply=-0.3, last_stuck=1.5),
    four=_DRAW_TWO._replace(partner_reply=0.1, partner_stuck=-1.3, last_stuck=4),
)

CLUB: Mapping[str, BySeats] = MappingProxyType(
    {"fives-threes": _FIVES_THREES, "all-fives": _ALL_FIVES, "block": _BLOCK, "draw": _DRAW}
)
"""By the game's name on the wire."""
