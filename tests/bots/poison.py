"""Matches in which nobody can look at a tile that one seat may not see without being caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from engine.events import DealStarted, Drew, Event
from engine.match import Match
from engine.seats import Seat
from tests.engine.playing import deal_of


class PeekError(BaseException):
    """A hidden tile was looked at. No `Exception`, which a guard could take for a bot's own failure."""


def _caught(*_: object, **__: object) -> NoReturn:
    raise PeekError


class Hidden:
    """In place of hidden tiles: how many they are is public, and all else raises."""

    def __init__(self, count: int = 1) -> None:
        object.__setattr__(self, "__count__", count)

    def __len__(self) -> int:
        return int(object.__getattribute__(self, "__count__"))

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name) if name.startswith("__") else _caught()

    __iter__ = __reversed__ = __contains__ = __getitem__ = __add__ = __radd__ = _caught
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _caught
    __repr__ = __str__ = __format__ = __reduce_ex__ = _caught


def poisoned(match: Match, seat: Seat) -> Match:
    """``match`` with `Hidden` wherever it has tiles that ``seat`` may not see: hands, stock, and the record of both."""
    deal = deal_of(match)
    hands: tuple[Any, ...] = tuple(
        [hand if holder == seat else Hidden(len(hand)) for holder, hand in enumerate(deal.hands)]
    )
    stock: Any = Hidden(len(deal.stock))
    events = tuple([_poisoned(event, seat) for event in deal.events])
    return match._replace(deal=deal._replace(hands=hands, stock=stock, events=events))


def _poisoned(event: Event, seat: Seat) -> Event:
    hidden: Any
    if isinstance(event, DealStarted):
        hidden = [hand if holder == seat else Hidden(len(hand or ())) for holder, hand in enumerate(event.hands)]
        stock: Any = Hidden(event.stock)
        return replace(event, hands=tuple(hidden), stock_tiles=stock)
    if isinstance(event, Drew) and event.seat != seat:
        hidden = Hidden()
        return replace(event, tile=hidden)
    return event
