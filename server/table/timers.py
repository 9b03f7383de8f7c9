"""What a table does by itself when time passes. One rule a row; the room sleeps until the earliest is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import TypeAlias

from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from server.limits import Limits
from server.table.draft import Draft
from server.table.events import Closed, Closing
from server.table.play import begin_match, deal_next
from server.table.presence import cover, pass_host
from server.table.reading import READING, read_no_more
from server.table.state import Phase, Presence, Table

Effect: TypeAlias = Callable[[Draft], None]

NEXT_DEAL_AFTER = 20.0
"""Seconds between deals where the table does not set another time and people of several sides play."""

THINKS_FOR: Mapping[str, float] = MappingProxyType({"strong": 0.3, "expert": 0.7, "master": 1.5})
"""Seconds that a level which searches has for a choice where ``bot_delay`` is less: on an idle machine enough."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """At ``due`` (seconds of the server's clock) the table does ``effect``."""

    due: float
    effect: Effect


def deadlines(table: Table, limits: Limits) -> Iterator[Deadline]:
    """Everything that ``table`` waits for; bots' turns are the room's own business.

    While nobody is connected only the end of the room is waited for, and the others get their full time anew.
    """
    yield from _end_of_room(table, limits)
    if table.is_deserted:
        return
    yield from _absences(table)
    for seat, since in table.reading.items():
        if not (table.is_solo and table.places[seat].is_human):
            yield Deadline(_since(table, since) + READING, partial(read_no_more, seat=seat))
    if table.waiting and table.settings.fill_after is not None:
        yield Deadline(_since(table, table.phase_since) + table.settings.fill_after, begin_match)
    if table.phase is Phase.DEAL_OVER:
        pause = next_deal_after(table)
        if pause is not None:
            yield Deadline(_since(table, table.phase_since) + pause, deal_next)


def pass_time(draft: Draft, limits: Limits) -> None:
    """Do what is due, the earliest alone: it may change what the others wait for."""
    earliest = min(deadlines(draft.before, limits), key=lambda deadline: deadline.due, default=None)
    if earliest is not None and earliest.due <= draft.moment.at:
        earliest.effect(draft)


def bot_turn(table: Table) -> float | None:
    """When the bot in turn acts: ``bot_delay`` after its turn began, or `THINKS_FOR` if that is more. None: no turn.

    However long it thought: a time that hung on its choices would tell what it holds (H1). While somebody reads no bot
    acts (T4).
    """
    if table.turn is None or table.is_deserted or table.is_held:
        return None
    place = table.places[table.turn]
    if place.house_level is None:
        return None
    delay = max(table.settings.bot_delay, THINKS_FOR.get(place.house_level, 0.0))
    return _since(table, max(table.turn_since, place.since)) + delay


def time_left(table: Table, now: float) -> float | None:
    """Seconds that the seat in turn still has for its choice.

    None without a turn timer, while nobody is there, and while somebody reads for whom a computer in turn holds.
    """
    if table.turn is None or table.settings.turn_timer is None or table.is_deserted or table.is_held:
        return None
    return max(0.0, _since(table, table.turn_since) + table.settings.turn_timer - now)


def next_deal_after(table: Table) -> float | None:
    """Seconds after which the next deal begins at the latest; None: it waits for the one person, who is there."""
    if table.settings.next_deal_after is not None:
        return table.settings.next_deal_after
    is_alone = table.is_solo and any(place.is_here for place in table.humans())
    return None if is_alone else NEXT_DEAL_AFTER


def _since(table: Table, began: float) -> float:
    return max(began, table.resumed_at)


def _absences(table: Table) -> Iterator[Deadline]:
    for place in table.places:
        if place.presence is Presence.AWAY:
            due = _since(table, place.since) + table.settings.grace
        elif place.presence is Presence.BOT_IN:
            due = place.since  # its grace is over already
        else:
            continue
        if place.player == table.host and _has_heir(table):
            yield Deadline(due, partial(pass_host, seat=place.seat))
        in_match = table.phase in (Phase.PLAYING, Phase.DEAL_OVER)
        if place.presence is Presence.AWAY and in_match and table.settings.absence == "bot":
            yield Deadline(due, partial(cover, seat=place.seat))


def _has_heir(table: Table) -> bool:
    return any(place.is_here and place.player != table.host for place in table.places)


def require_short(table: Table, limits: Limits) -> None:
    """Keep half of a match's steps for what moves it: nobody ends it by watching, reacting or reading without end.

    Raises:
        ProtocolError: ``refused``.
    """
    if limits.steps_per_match and table.seq - table.match_seq >= limits.steps_per_match // 2:
        raise ProtocolError(
            ErrorCode.REFUSED, "the match is so long that only what moves it is taken", reason=RefusalReason.LONG_MATCH
        )


def _end_of_room(table: Table, limits: Limits) -> Iterator[Deadline]:
    if limits.steps_per_match and table.seq - table.match_seq >= limits.steps_per_match:
        yield Deadline(table.at, partial(close, reason=Closing.TOO_LONG))
    if table.phase is Phase.LOBBY:
        seconds, reason = limits.idle_lobby, Closing.IDLE
    elif table.phase is Phase.MATCH_OVER:
        seconds, reason = limits.finished_room, Closing.FINISHED
    elif table.is_deserted:
        seconds, reason = limits.abandoned_room, Closing.ABANDONED
    else:
        return
    if seconds:
        # Where nobody with a seat is connected, watchers who come and go do not keep the room.
        since = max(place.since for place in table.places) if table.is_deserted else table.at
        yield Deadline(since + seconds, partial(close, reason=reason))


@cache
def endless(limits: Limits) -> Limits:
    """``limits`` under which no room ends."""
    return limits.model_copy(
        update=dict.fromkeys(("steps_per_match", "idle_lobby", "finished_room", "abandoned_room"), 0)
    )


def close(draft: Draft, reason: Closing) -> None:
    """The room ends."""
    draft.add(Closed(reason))
