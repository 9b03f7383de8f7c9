"""Wakes a room when its table has something to do by itself: a bot's turn, the end of somebody's time, a deadline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from server.clock import Clock, Handle
from server.config import Limits
from server.house_players import HousePlayers
from server.table import timers
from server.table.decide import HouseActs, ServerRequest, TimePassed
from server.table.state import Table


class Alarm:
    """One timer for a room, set to the earliest of all that its table waits for. ``ring`` is called then."""

    def __init__(self, clock: Clock, ring: Callable[[], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._timer: Handle | None = None

    def set(self, table: Table, limits: Limits) -> None:
        """Ring when ``table`` next has something to do under ``limits``; forget what was set before."""
        self.cancel()
        now = self._clock.time()
        dues = [deadline.due for deadline in timers.deadlines(table, limits)]
        bot_turn = timers.bot_turn(table)
        if bot_turn is not None:
            dues.append(bot_turn)
        left = timers.time_left(table, now)
        if left is not None:
            dues.append(now + left)
        if dues:
            self._timer = self._clock.call_at(self._clock.monotonic() + max(0.0, min(dues) - now), self._ring)

    def cancel(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def due_request(table: Table, now: float, house: HousePlayers) -> ServerRequest:
    """What the server asks of ``table`` now that its alarm has rung."""
    bot_turn = timers.bot_turn(table)
    if bot_turn is not None and bot_turn <= now:
        return _house_acts(table, house)
    if timers.time_left(table, now) == 0:
        return replace(_house_acts(table, house), timed_out=True)
    return TimePassed()


def _house_acts(table: Table, house: HousePlayers) -> HouseActs:
    """What a bot chooses for the seat in turn, from what that seat may know (H2)."""
    seat, match = table.turn, table.match
    if seat is None or match is None:
        raise ValueError(f"nobody is to act in room {table.room}")
    level = table.places[seat].house_level or table.settings.bot
    return HouseActs(seat, house.choose(level, match, seat))
