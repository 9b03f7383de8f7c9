"""When things may happen by themselves, and when they must: worked out from the log alone, by rules of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.events import DealEnded, DealStarted, Drew, Knocked, LotDrawn, Played
from server.limits import Limits
from server.table.events import (
    Away,
    Back,
    BotIn,
    BotOut,
    Closed,
    Continued,
    Event,
    Host,
    Left,
    MatchOver,
    MatchStarted,
    Paused,
    PlayedAgain,
    Redone,
    Seated,
    Swapped,
    TimedOut,
    Undone,
    Waiting,
)
from server.table.evolve import Step
from server.table.state import Phase, Place, Presence, Table
from tests.simulation.searchers import LEVEL

READING = 30.0
"""Seconds for which one reader may hold the bots where people sit at several devices."""
NEXT_DEAL_AFTER = 20.0
"""Seconds between deals where the table does not say, and more than one person plays."""

THINKING = 0.7
"""Seconds that a bot of that level has at least, and takes, whatever it holds."""


@dataclass(frozen=True, slots=True)
class Moments:
    """When what goes on at a table began, seconds of the server's clock."""

    turn: float
    """The choice of the seat in turn."""
    phase: float
    """The phase, or the wait for people to fill the seats."""
    resumed: float
    """When somebody came to a table at which nobody had been: everything has its full time again from then on."""
    places: tuple[float, ...]
    """By seat: who sits there, or whether that player is there, changed last."""
    reading: tuple[tuple[int, float], ...] = ()
    """Seats at which somebody reads, and since when: bots hold."""
    openings: tuple[tuple[int, float], ...] = ()
    """Seats at which somebody has read since the present choice began, and since when: reading again is no new time."""

    @classmethod
    def created(cls, at: float, seats: int) -> Moments:
        """Of a table that begins at ``at``."""
        return cls(at, at, at, (at,) * seats)

    def after(self, step: Step, before: Table, after: Table) -> Moments:
        """What they are after ``step``, which led from ``before`` to ``after``."""
        moments = self
        for event in step.events:
            moments = moments._after(event, step.at)
        if self.reading and not moments.reading and _is_computers_turn(after):
            moments = replace(moments, turn=step.at)  # it was held, and has its full time from now on
        if is_deserted(before) and not is_deserted(after):
            return replace(moments, resumed=step.at)
        return moments

    def _after(self, event: Event, at: float) -> Moments:  # noqa: PLR0911 - one flat case an event
        match event:
            case DealStarted():
                return replace(self, turn=at, phase=at, openings=())
            case Played() | Drew() | Knocked():
                return replace(self, turn=at, openings=())
            case Undone() | Redone() | PlayedAgain():
                return replace(self, turn=at, phase=at, openings=())
            case Paused(seat=seat):
                since = {seat: at, **dict(self.openings), **dict(self.reading)}[seat]
                reading, openings = {**dict(self.reading), seat: since}, {**dict(self.openings), seat: since}
                return replace(self, reading=tuple(reading.items()), openings=tuple(openings.items()))
            case Continued(seat=seat):
                return replace(self, reading=tuple(reader for reader in self.reading if reader[0] != seat))
            case DealEnded() | MatchOver() | Waiting():
                return replace(self, phase=at)
            case (
                Seated(seat=seat)
                | Left(seat=seat)
                | Away(seat=seat)
                | Back(seat=seat)
                | BotIn(seat=seat)
                | BotOut(seat=seat)
            ):
                return replace(self, places=(*self.places[:seat], at, *self.places[seat + 1 :]))
            case Swapped(seats=(first, second)):
                places = list(self.places)
                places[first], places[second] = places[second], places[first]
                return replace(self, places=tuple(places))
            case _:
                return self


@dataclass(frozen=True, slots=True)
class Due:
    """The server is to do ``what``, at ``seat`` if it is about one, at the time ``at``."""

    what: str
    at: float
    seat: int | None = None


def is_deserted(table: Table) -> bool:
    """Nobody who sits at ``table``, or is to sit there, is connected: nothing is played, and no time counts."""
    return not any(
        _is_here(place) or (place.coming is not None and place.coming.player in table.watchers)
        for place in table.places
    )


def left(table: Table, moments: Moments, now: float) -> float | None:
    """Seconds that the seat in turn has for its choice; None where there is no turn, no timer, or nobody."""
    due = next((due for due in dues(table, moments, Limits()) if due.what == "time out"), None)
    return None if due is None else max(0.0, due.at - now)


def dues(table: Table, moments: Moments, limits: Limits) -> Iterator[Due]:
    """All that the server has to do at ``table`` by itself if nothing happens before."""
    yield from _end(table, moments, limits)
    if is_deserted(table):
        return
    yield from _choices(table, moments)
    people = {place.player for place in table.places if place.player is not None and place.bot is None}
    for seat, since in moments.reading:
        if len(people) > 1 or table.places[seat].player not in people:
            yield Due("read", max(since, moments.resumed) + READING, seat)
    yield from _absences(table, moments)
    began, settings = max(moments.phase, moments.resumed), table.settings
    if table.waiting and settings.fill_after is not None:
        yield Due("fill", began + settings.fill_after)
    pause = _pause(table)
    if table.phase is Phase.DEAL_OVER and pause is not None:
        yield Due("deal", began + pause)


def caused_by_time(event: Event) -> Due | None:  # noqa: PLR0911 - one flat case an event
    """What must have been due when a step that nobody asked for begins with ``event``; None: it is none of time's."""
    match event:
        case TimedOut(seat=seat):
            return Due("time out", 0.0, seat)
        case Played(seat=seat) | Drew(seat=seat) | Knocked(seat=seat):
            return Due("bot", 0.0, seat)
        case BotIn(seat=seat):
            return Due("cover", 0.0, seat)
        case Continued(seat=seat):
            return Due("read", 0.0, seat)
        case Host():
            return Due("host", 0.0)
        case MatchStarted() | Seated(player=None):
            return Due("fill", 0.0)
        case DealStarted() | LotDrawn():
            return Due("deal", 0.0)
        case Closed(reason=reason):
            return Due(reason, 0.0)
        case _:
            return None


def _is_here(place: Place) -> bool:
    return place.player is not None and place.presence is Presence.PRESENT


def _is_computers_turn(table: Table) -> bool:
    """A bot is to act, in process, over the network, or for somebody who is away."""
    if table.turn is None:
        return False
    place = table.places[table.turn]
    return place.player is None or place.bot is not None or place.presence is Presence.BOT_IN


def _choices(table: Table, moments: Moments) -> Iterator[Due]:
    seat, settings = table.turn, table.settings
    if seat is None:
        return
    place = table.places[seat]
    if moments.reading and _is_computers_turn(table):
        return
    if place.player is None or place.presence is Presence.BOT_IN:
        level = place.bot if place.player is None else place.substitute
        delay = max(settings.bot_delay, THINKING if level == LEVEL else 0.0)
        yield Due("bot", max(moments.turn, moments.resumed, moments.places[seat]) + delay, seat)
    if settings.turn_timer is not None:
        yield Due("time out", max(moments.turn, moments.resumed) + settings.turn_timer, seat)


def _absences(table: Table, moments: Moments) -> Iterator[Due]:
    """A bot comes for who is away too long, and the host's part goes to somebody who is there."""
    has_heir = any(_is_here(place) and place.player != table.host for place in table.places)
    for place in table.places:
        over = max(moments.places[place.seat], moments.resumed) + table.settings.grace
        if place.presence is Presence.AWAY and _is_in_match(table) and table.settings.absence == "bot":
            yield Due("cover", over, place.seat)
        if place.player == table.host and has_heir and place.presence in (Presence.AWAY, Presence.BOT_IN):
            yield Due("host", moments.places[place.seat] if place.presence is Presence.BOT_IN else over)


def _is_in_match(table: Table) -> bool:
    return table.phase in (Phase.PLAYING, Phase.DEAL_OVER)


def _pause(table: Table) -> float | None:
    """Seconds after a deal in which people may look at it; one who is there alone takes all the time."""
    if table.settings.next_deal_after is not None:
        return table.settings.next_deal_after
    people = [place for place in table.places if place.player is not None and place.bot is None]
    is_one = len({place.player for place in people}) == 1
    return None if is_one and any(map(_is_here, people)) else NEXT_DEAL_AFTER


def _end(table: Table, moments: Moments, limits: Limits) -> Iterator[Due]:
    if table.closed:
        return
    reasons = {
        Phase.LOBBY: ("idle", limits.idle_lobby),
        Phase.MATCH_OVER: ("finished", limits.finished_room),
    }
    if is_deserted(table):
        reason, seconds = reasons.get(table.phase, ("abandoned", limits.abandoned_room))
        yield Due(reason, max(moments.places) + seconds)
    elif table.phase in reasons:
        reason, seconds = reasons[table.phase]
        yield Due(reason, table.at + seconds)
