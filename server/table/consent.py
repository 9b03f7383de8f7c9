"""What needs the consent of everybody at the table: asking for it, answering, and when a request lapses (U3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.seats import Seat
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.table.draft import Draft
from server.table.events import Answered, Asked
from server.table.play import seated
from server.table.state import Actor, Ask, Place

ASKS_A_DEAL = 3
"""Requests of one seat while one deal is on the table."""


def ask(draft: Draft, wanted: Asked, granted: Callable[[Draft, Asked], None]) -> None:
    """Do at once what nobody else need consent to, or ask everybody who does.

    ``wanted`` names nobody yet; ``granted`` does what it asks for.

    Raises:
        ProtocolError: ``refused``: there is an open request, or this seat has asked often enough.
    """
    table = draft.table
    place = table.places[wanted.seat]
    need = tuple(other.seat for other in table.places if _is_asked(other, place) and other.seat != wanted.cover)
    if table.ask is not None:
        raise ProtocolError(ErrorCode.REFUSED, "there is an open request already", reason=RefusalReason.ASK_OPEN)
    if not need:
        granted(draft, wanted)
        return
    if table.asks.get(place.seat, 0) >= ASKS_A_DEAL:
        raise ProtocolError(
            ErrorCode.REFUSED, f"you have asked {ASKS_A_DEAL} times in this deal", reason=RefusalReason.TOO_MANY_ASKS
        )
    draft.add(replace(wanted, need=need))


def _is_asked(other: Place, asking: Place) -> bool:
    """Computers consent to everything, also one that plays for somebody who is away or silent."""
    return other.is_played_by_person and other.player != asking.player


def answer(draft: Draft, actor: Actor, message: messages.Consent, granted: Callable[[Draft, Asked], None]) -> None:
    """The sender says yes or no; when nobody is left to say it, ``granted`` does what was asked for.

    Raises:
        ProtocolError: ``refused``: there is no such open request, or the sender was not asked.
    """
    mine = [place.seat for place in draft.table.places_of(actor.player)]
    seated(draft.table, actor)
    ask = draft.table.ask
    if ask is None or ask.event.ask != message.ask:
        raise ProtocolError(
            ErrorCode.REFUSED, "there is no such open request", reason=RefusalReason.NO_SUCH_ASK, path="ask"
        )
    if ask.event.seat in mine:
        if not message.yes:
            draft.add(Answered(ask.event.ask, ask.event.seat, yes=False, state="lapsed"))
        return
    asked = [seat for seat in mine if seat in ask.event.need]
    if not asked:
        raise ProtocolError(ErrorCode.REFUSED, "you were not asked", reason=RefusalReason.NOT_ASKED)
    if not message.yes and not set(asked) & set(ask.need):  # a no ends it, after a yes too
        draft.add(Answered(ask.event.ask, asked[0], yes=False, state="refused"))
    for seat in asked:
        _say(draft, seat, yes=message.yes, granted=granted)


def _say(draft: Draft, seat: Seat, *, yes: bool, granted: Callable[[Draft, Asked], None]) -> None:
    ask = draft.table.ask
    if ask is None or seat not in ask.need:
        return
    others = [other for other in ask.need if other != seat]
    state = "refused" if not yes else "open" if others else "agreed"
    draft.add(Answered(ask.event.ask, seat, yes=yes, state=state))
    if state == "agreed":
        granted(draft, ask.event)


def settle_request(
    draft: Draft, granted: Callable[[Draft, Asked], None], is_possible: Callable[[Draft, Asked], bool]
) -> None:
    """What the rest of a step means for the request that was open when it began.

    It lapses when the match has moved on, the asker has left, somebody has come who was not asked, or what was asked
    for is not possible any more; a seat that a computer plays now consents.
    """
    before, ask = draft.before.ask, draft.table.ask
    if before is None or ask is None or before.event != ask.event:
        return
    has_moved = draft.table.choice_seq > draft.before.seq or draft.table.phase != draft.before.phase
    has_come = not draft.table.people <= draft.before.people
    if has_moved or has_come or _has_left(draft, ask) or not is_possible(draft, ask.event):
        draft.add(Answered(ask.event.ask, ask.event.seat, yes=False, state="lapsed"))
        return
    for seat in ask.need:
        if not draft.table.places[seat].is_played_by_person:
            _say(draft, seat, yes=True, granted=granted)


def _has_left(draft: Draft, ask: Ask) -> bool:
    seat = ask.event.seat
    return draft.before.places[seat].player != draft.table.places[seat].player
