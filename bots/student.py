"""Student's t: how far the mean of a few samples may lie from what it is the mean of."""

from __future__ import annotations

from functools import reduce

_FEW = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706)
"""For one to five degrees of freedom."""
_NORMAL = 1.959964
"""For ever so many of them."""
_TERMS = (2.555850, 2.822499, 2.372271, _NORMAL)
"""Of its inverse, highest power first: Cornish and Fisher's expansion at `_NORMAL`."""


def reach(freedom: int) -> float:
    """Half the width of the 95 % interval, in standard errors, with ``freedom`` degrees of freedom, at least one.

    It is off by 0.002 at most.
    """
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    return reduce(lambda found, term: found / freedom + term, _TERMS)
