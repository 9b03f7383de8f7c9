"""How a match came to stand as it does, so that acts can be taken back and brought again (U1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TypeGuard

from engine import events as rules
from engine import match as matches
from engine.games import GAMES
from engine.match import Match
from server.table.events import Event, Left, MatchOver, MatchStarted, Seated, TimedOut
from server.table.frozen import replace
from server.table.state import Moved, Phase, PlayerId, Table

MAX_DEALS = 99
"""Deals before the one on the table that can be gone back to: `Table.deals` lists those whose scores are known."""

Act = rules.Played | rules.Drew | rules.Knocked


def extended(before: Table, after: Table, events: Sequence[Event]) -> Table:
    """``after``, the end of a step with these ``events``, with what the step did to the match added to its line.

    Over the network nothing is taken back past a draw or the end of a deal, and never past anybody's coming or going:
    there the line begins anew.
    """
    moved = _moved(before, after.seq, events)
    if _begins_anew(events):
        return replace(after, line=() if moved is None else (moved,), opening=moved, redo=())
    if any(_changes_who_plays(event) for event in events):
        return replace(after, line=(), redo=after.redo if moved is None else ())
    if moved is None:
        return after
    line = (*after.line, moved)
    if _starts_deal(moved):
        line = _last_deals(line)
    if not after.is_solo and any(isinstance(event, rules.Drew | rules.DealEnded) for event in moved.events):
        line = ()
    return replace(after, line=line, redo=())


def _begins_anew(events: Iterable[Event]) -> bool:
    return any(isinstance(event, MatchStarted | MatchOver) for event in events)


def _changes_who_plays(event: Event) -> bool:
    return isinstance(event, Left | Seated)


def _moved(before: Table, seq: int, events: Sequence[Event]) -> Moved | None:
    """What of a step belongs to the match that runs after it."""
    started = [number for number, event in enumerate(events) if isinstance(event, MatchStarted | MatchOver)]
    since = events[started[-1] + 1 :] if started else events
    of_the_match = tuple(event for event in since if _is_of_the_match(event))
    if not of_the_match:
        return None
    timed_out = any(isinstance(event, TimedOut) for event in events)
    return Moved(seq, of_the_match, None if timed_out else _person_behind(before, of_the_match[0]))


def _is_of_the_match(event: Event) -> TypeGuard[rules.Event]:
    return isinstance(event, rules.Event)


def _person_behind(table: Table, event: rules.Event) -> PlayerId | None:
    if not isinstance(event, Act):
        return None
    place = table.places[event.seat]
    return place.player if place.is_played_by_person else None


def _last_deals(line: tuple[Moved, ...]) -> tuple[Moved, ...]:
    deals = [number for number, moved in enumerate(line) if _starts_deal(moved)]
    return line[deals[-MAX_DEALS] :] if len(deals) > MAX_DEALS else line


def _starts_deal(moved: Moved) -> bool:
    return any(isinstance(event, rules.DealStarted) for event in moved.events)


def last_act_of(table: Table, player: PlayerId) -> int | None:
    """Where in the line the last act of ``player`` is, if it can be taken back."""
    acts = [number for number, moved in enumerate(table.line) if moved.by == player]
    if not acts:
        return None
    kept, gone = table.line[: acts[-1]], table.line[acts[-1] :]
    can_go_back = not any(map(_starts_deal, gone)) or any(map(_starts_deal, kept))
    return acts[-1] if can_go_back else None


def taken_back(table: Table, to: int) -> Table:
    """The match as it was after step ``to``; what followed can be brought back."""
    kept = tuple(moved for moved in table.line if moved.seq <= to)
    gone = table.line[len(kept) :]
    stands = _standing(table, _deal_events(table, kept, gone))
    return replace(stands, line=kept, redo=(*table.redo, gone), seen_deal=_seen(table))


def _seen(table: Table) -> int:
    """The last deal of which something is known that will be hidden again."""
    started = table.deal_events[0]
    return max(table.seen_deal, started.number) if isinstance(started, rules.DealStarted) else table.seen_deal


def _deal_events(table: Table, kept: Iterable[Moved], gone: Sequence[Moved]) -> tuple[Event, ...]:
    """The events of the deal on the table once ``gone`` is taken away."""
    if not any(map(_starts_deal, gone)):
        taken = sum(len(moved.events) for moved in gone)
        return table.deal_events[: len(table.deal_events) - taken]
    events = [event for moved in kept for event in moved.events]
    starts = [number for number, event in enumerate(events) if isinstance(event, rules.DealStarted)]
    return tuple(events[starts[-1] :])


def restarted(table: Table) -> Table:
    """The match as it was when its first deal had begun (U2)."""
    if table.opening is None:
        raise ValueError(f"room {table.room} has no match to begin again")
    started = tuple(event for event in table.opening.events if isinstance(event, rules.DealStarted))
    again = _standing(replace(table, deals=()), started)
    return replace(
        again, line=(table.opening,), redo=(), eyes=table.dealt_eyes(), practice=True, seen_deal=_seen(table)
    )


def _standing(table: Table, deal_events: tuple[Event, ...]) -> Table:
    """``table`` with another deal on it, in which somebody is to act.

    Who has left may not come back to the own hand any more: those who stayed may have seen a bot play from it (H1).
    """
    started = deal_events[0]
    if not isinstance(started, rules.DealStarted):
        raise ValueError(f"room {table.room} goes back to no deal")  # noqa: TRY004 - the log is wrong, not a type
    stands = replace(
        table,
        deal_events=deal_events,
        deals=tuple(deal for deal in table.deals if deal.number < started.number),
        phase=Phase.PLAYING,
        phase_since=table.at,
        turn_since=table.at,
        choice_seq=table.seq,
        places=tuple(replace(place, ready=False, former=None) for place in table.places),
    )
    return replace(stands, match=match_of(stands))


def match_of(table: Table) -> Match:
    """The match as the fold of the deal on the table, begun with the scores after the one before."""
    settings = table.settings
    scores = table.deals[-1].ended.scores if table.deals else None
    begun = matches.begin(GAMES[settings.game], settings.seats, target=settings.target, scores=scores)
    return reduce(matches.evolve, map(_as_the_rules_say, table.deal_events), begun)


def _as_the_rules_say(event: Event) -> rules.Event:
    if isinstance(event, MatchOver):
        return rules.MatchEnded(event.winner, event.scores)
    if _is_of_the_match(event):
        return event
    raise TypeError(f"{type(event).__name__} belongs to no deal")
