"""Wakes a room when its table has something to do by itself: a bot's turn, the end of somebody's time, a deadline."""

from __future__ import annotations

from collections.abc import Callable

from server.clock import Clock, Handle
from server.limits import Limits
from server.table import timers
from server.table.decide import HouseActs, ServerRequest, TimePassed
from server.table.state import Table
from server.thinking import Thinking


class Alarm:
    """One timer for a room, set to the earliest of all that its table waits for. ``ring`` is called then.

    While it is set the bot in turn thinks.
    """

    def __init__(self, clock: Clock, thinking: Thinking, ring: Callable[[], None]) -> None:
        self._clock = clock
        self._thinking = thinking
        self._ring = ring
        self._timer: Handle | None = None

    def set(self, table: Table, limits: Limits) -> None:
        """Ring when ``table`` next has something to do under ``limits``; forget what was set before."""
        self._stop()
        self._thinking.begin(table)
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
        """Do not ring, and let no bot think."""
        self._stop()
        self._thinking.forget()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def due_request(table: Table, now: float, thinking: Thinking) -> ServerRequest:
    """What the server asks of ``table`` now that its alarm has rung."""
    action = thinking.choice(table, now)
    seat = table.turn
    if seat is not None and action is not None:
        return HouseActs(seat, action)
    if seat is not None and timers.time_left(table, now) == 0:
        return HouseActs(seat, thinking.choice_at_once(table), timed_out=True)
    return TimePassed()
