"""What one receiver may know of a table, as the wire has it. Built by naming what is shown, never by cutting (H1, H4).

The only module from which table state goes to anybody: live updates, snapshots, resumed updates and bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine import events as rules
from engine import match as matches
from engine.games import GAMES
from engine.seats import Seat, side_of
from engine.shuffle import commitment
from engine.view import redact, view_for
from protocol.convert import (
    Wire,
    choice_to_wire,
    deal_to_wire,
    event_to_wire,
    points_to_wire,
    scores_to_wire,
    tiles_to_wire,
)
from server.table.events import DealSummary, Event, MatchOver
from server.table.state import Ask, Phase, Place, PlayerId, Table
from server.table.timers import NEXT_DEAL_AFTER, time_left


def event_for(event: Event, eye: Seat | None) -> Wire | None:
    """``event`` as a receiver who sees the hand of seat ``eye`` is told; None where there is nothing to tell.

    Raises:
        TypeError: an event of a kind that nobody has decided how to show.
    """
    if isinstance(event, rules.MatchEnded):
        raise TypeError("a match ends for clients with MatchOver, which reveals the seed")
    return event_to_wire(redact(event, eye)) if isinstance(event, rules.Event) else event.public()


def events_for(events: Sequence[Event], eye: Seat | None) -> list[Wire]:
    """``events`` as `event_for` shows them, in order."""
    return events_seen((event, eye) for event in events)


def events_seen(seen: Iterable[tuple[Event, Seat | None]]) -> list[Wire]:
    """Each event as `event_for` shows it to the eye beside it, in order."""
    shown = (event_for(event, eye) for event, eye in seen)
    return [event for event in shown if event is not None]


def is_private(event: Event, eye: Seat) -> bool:
    """Whether ``event`` looks different to the one who sees the hand of seat ``eye``."""
    return isinstance(event, rules.DealStarted) or (isinstance(event, rules.Drew) and event.seat == eye)


def turn_for(table: Table, eye: Seat | None, now: float) -> Wire | None:
    """Whose turn it is and what is left of its time; for who sees that hand, what each legal action would do."""
    seat = table.turn
    if seat is None or table.match is None:
        return None
    turn: Wire = {"seat": seat}
    if seat == eye:
        turn["legal"] = legal_for(table)
    left = time_left(table, now)
    if left is not None:
        turn["left"] = round(left, 3)
    return turn


def legal_for(table: Table) -> list[Wire]:
    """What each legal action of the seat in turn would do, for who sees its hand; empty where nobody is in turn."""
    return [] if table.match is None else [choice_to_wire(choice) for choice in matches.choices(table.match)]


def snapshot_for(table: Table, player: PlayerId | None, now: float, *, reset: bool = False) -> Wire:
    """All that ``player`` may know of ``table``; None is a stranger who watches.

    The hands of who holds several seats are covered (H3).
    """
    eye = None if player is None else table.eye(player)
    mine = [place.seat for place in table.places if player is not None and place.player == player]
    snapshot: Wire = {
        "type": "snapshot",
        "room": table.room,
        "epoch": table.epoch,
        "seq": table.seq,
        "settings": settings_for_all(table),
        "host": table.host,
        "seats": [_place(table, place) for place in table.places],
        "you": {"seats": mine, "shown": mine if len(mine) == 1 else [], "watching": player in table.watchers},
        "phase": table.phase.value,
        "waiting": table.waiting,
        "practice": table.practice,
        "scores": scores_to_wire(table.scores),
        "deals": [_summary(deal) for deal in table.deals],
        "deal": _deal(table, eye),
        "turn": turn_for(table, eye, now),
        "paused": sorted(table.reading),
        "ask": None if table.ask is None else _open_request(table.ask),
        "redo": sum(moved.acts for again in table.redo for moved in again),
        "watchers": list(table.watchers.values()),
        "commitment": _commitment(table.seed),
        "next_commitment": _commitment(table.next_seed),
    }
    if reset:
        snapshot["reset"] = True
    return snapshot


def _open_request(ask: Ask) -> Wire:
    shown = ask.event.public() | {"need": list(ask.need)}
    return {name: value for name, value in shown.items() if name != "type"}


def hand_for(table: Table, seat: Seat) -> Wire:
    """The hand of ``seat`` for who has uncovered it, and in its turn what each legal action would do."""
    if table.match is None:
        raise ValueError(f"room {table.room} has no match")
    hand: Wire = {"room": table.room, "seat": seat, "hand": tiles_to_wire(view_for(table.match, seat).hand)}
    return {**hand, "legal": legal_for(table)} if table.turn == seat else hand


_commitment = lru_cache(maxsize=1024)(commitment)


def settings_for_all(table: Table) -> Wire:
    """The table's settings with all defaults filled in."""
    settings = table.settings
    filled = settings.model_dump(mode="json")
    if settings.target is None:
        filled["target"] = GAMES[settings.game].target(settings.seats)
    if settings.next_deal_after is None:
        filled["next_deal_after"] = NEXT_DEAL_AFTER
    return filled


def _place(table: Table, place: Place) -> Wire:
    return {
        "seat": place.seat,
        "side": side_of(place.seat, table.settings.seats),
        "player": place.player,
        "bot": place.bot,
        "name": place.name,
        "coming": None if place.coming is None else place.coming.name,
        "state": place.presence.value,
        "ready": place.ready,
        "tiles": _hand_size(table, place.seat),
    }


def _hand_size(table: Table, seat: Seat) -> int:
    deal = None if table.match is None else table.match.deal
    return 0 if deal is None else len(deal.hands[seat])


def _summary(deal: DealSummary) -> Wire:
    ended = deal.ended
    return {
        "number": deal.number,
        "lead": deal.lead,
        "reason": ended.reason.value,
        "seat": ended.seat,
        "bonus": scores_to_wire(ended.bonus),
        "scores": scores_to_wire(ended.scores),
        "scored": [
            {
                "seat": play.seat,
                "total": play.total,
                "points": points_to_wire(play.points),
                "dropped": points_to_wire(play.dropped),
            }
            for play in deal.scored
        ],
    }


def _deal(table: Table, eye: Seat | None) -> Wire | None:
    if table.phase is Phase.LOBBY or table.match is None or table.match.deal is None:
        return None
    deal = deal_to_wire(view_for(table.match, eye))
    last = table.deal_events[-1]
    if isinstance(last, MatchOver):
        deal["events"][-1] = last.public()  # of the rules alone it would be without the seed and the record
    return deal
