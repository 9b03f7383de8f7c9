"""What club cares about, by game and number of seats."""

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


_S2 = Traits(gain=1, pips=-0.03, double=0.2, options=0.3, variety=0.1, next_reply=-0.7, next_stuck=0.6)
_S3 = _S2._replace(last_reply=-0.1, last_stuck=0.1)
_S4 = _S2._replace(partner_reply=0.2, partner_stuck=-0.3, last_reply=-0.1, last_stuck=0.1)
_B = Traits(gain=1, pips=0.5, double=1, options=2, variety=1, next_reply=-1, next_stuck=4.6, block=1)
_B3 = _B._replace(last_stuck=1)
_B4 = _B._replace(partner_stuck=-2, last_stuck=1)
_A2, _A3, _A4 = [w._replace(pips=0.3, options=1, next_stuck=2) for w in (_S2, _S3, _S4)]
CLUB: Mapping[str, BySeats] = MappingProxyType(
    {
        "fives-threes": BySeats(_S2, _S3, _S4),
        "all-fives": BySeats(_A2, _A3, _A4),
        "block": BySeats(_B, _B3, _B4),
        "draw": BySeats(_B, _B3, _B4),
    }
)
