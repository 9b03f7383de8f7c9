"""Bots hold while somebody reads the rules or the scores (T4)."""

from __future__ import annotations

from engine.seats import Seat
from server.table.draft import Draft
from server.table.events import Continued, Paused
from server.table.play import seated
from server.table.state import Actor

READING = 30.0
"""Seconds for which one reader holds the bots at most, where people sit at several devices."""


def pause(draft: Draft, actor: Actor) -> None:
    """The sender reads. Said again it is a step again: after a restart, which ends it, its id is remembered so.

    It is no new opening: the time that one reader has for one choice goes on. When it is over, nobody is held by it.
    """
    table, seat = draft.table, seated(draft.table, actor).seat
    opened = table.opened(seat)
    if table.is_solo or opened is None or draft.moment.at < max(opened, table.resumed_at) + READING:
        draft.add(Paused(seat))


def resume(draft: Draft, actor: Actor) -> None:
    """The sender reads no more."""
    read_no_more(draft, seated(draft.table, actor).seat)


def read_no_more(draft: Draft, seat: Seat) -> None:
    """Nobody reads at ``seat``."""
    if seat in draft.table.reading:
        draft.add(Continued(seat))


def settle_readers(draft: Draft) -> None:
    """Who is not there any more, or sits elsewhere, does not hold the bots."""
    for seat in draft.table.reading:
        before, after = draft.before.places[seat], draft.table.places[seat]
        if not after.is_here or after.player != before.player:
            draft.add(Continued(seat))
