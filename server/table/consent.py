"""What needs the consent of everybody at the table: asking for it, answering, and when a request lapses (U3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.seats import Seat
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.table.draft import Draft
from server.table.events import Answered, Asked, AskState
from server.table.play import seated
from server.table.state import Actor, Ask, Table

ASKS_A_DEAL = 3
"""Requests of one seat while one deal is on the table."""


def ask(draft: Draft, wanted: Asked, granted: Callable[[Draft, Asked], None]) -> None:
    """Do at once what nobody else need consent to, or ask everybody who does.

    ``wanted`` names nobody yet; ``granted`` does what it asks for.

    Raises:
        ProtocolError: ``refused``: there is an open request, or this seat has asked often enough.
    """
    table = draft.table
    if table.ask is not None:
        raise ProtocolError(ErrorCode.REFUSED, "there is an open request already", reason=RefusalReason.ASK_OPEN)
    if _others(table, wanted.seat) and table.asks.get(wanted.seat, 0) >= ASKS_A_DEAL:
        raise ProtocolError(
            ErrorCode.REFUSED, f"you have asked {ASKS_A_DEAL} times in this deal", reason=RefusalReason.TOO_MANY_ASKS
        )
    need = _needed(table, wanted)
    if need:
        draft.add(replace(wanted, need=need))
    else:
        granted(draft, wanted)


def _others(table: Table, asker: Seat) -> tuple[Seat, ...]:
    """The seats of all other people: they have a say whether they are there or not, computers have none."""
    return tuple(place.seat for place in table.humans() if place.player != table.places[asker].player)


def _needed(table: Table, wanted: Asked) -> tuple[Seat, ...]:
    """Whose consent it takes: that of all others, though they are away or a bot plays for them meanwhile.

    To have a seat covered only those are asked who are there: its holder has it back at once on return.
    """
    others = _others(table, wanted.seat)
    if wanted.cover is None:
        return others
    return tuple(seat for seat in others if seat != wanted.cover and table.places[seat].is_here)


def answer(draft: Draft, actor: Actor, message: messages.Consent, granted: Callable[[Draft, Asked], None]) -> None:
    """The sender says yes or no; when nobody is left to say it, ``granted`` does what was asked for.

    Raises:
        ProtocolError: ``refused``: there is no such open request, or the sender was not asked.
    """
    seated(draft.table, actor)
    mine = [place.seat for place in draft.table.places_of(actor.player)]
    request = draft.table.ask
    if request is None or request.event.ask != message.ask:
        raise ProtocolError(
            ErrorCode.REFUSED, "there is no such open request", reason=RefusalReason.NO_SUCH_ASK, path="ask"
        )
    if request.event.seat in mine:
        if not message.yes:
            _lapse(draft, request)
        return
    asked = [seat for seat in mine if seat in request.event.need]
    if not asked:
        raise ProtocolError(ErrorCode.REFUSED, "you were not asked", reason=RefusalReason.NOT_ASKED)
    if not message.yes and not set(asked) & set(request.need):  # a no ends it, after a yes too
        draft.add(Answered(request.event.ask, asked[0], yes=False, state=AskState.REFUSED))
    for seat in asked:
        _say(draft, seat, yes=message.yes, granted=granted)


def _say(draft: Draft, seat: Seat, *, yes: bool, granted: Callable[[Draft, Asked], None]) -> None:
    request = draft.table.ask
    if request is None or seat not in request.need:
        return
    others = [other for other in request.need if other != seat]
    state = AskState.REFUSED if not yes else AskState.OPEN if others else AskState.AGREED
    draft.add(Answered(request.event.ask, seat, yes=yes, state=state))
    if state is AskState.AGREED:
        granted(draft, request.event)


def _lapse(draft: Draft, request: Ask) -> None:
    draft.add(Answered(request.event.ask, request.event.seat, yes=False, state=AskState.LAPSED))


def settle_request(
    draft: Draft, granted: Callable[[Draft, Asked], None], is_possible: Callable[[Draft, Asked], bool]
) -> None:
    """What the rest of a step means for the request that was open when it began.

    It lapses when the match has moved on, the asker has left, somebody has come who was not asked or has changed seats,
    or what was asked for is not possible any more; a seat that was left consents.
    """
    before, request = draft.before.ask, draft.table.ask
    if before is None or request is None or before.event != request.event:
        return
    if _has_moved(draft) or _has_other_people(draft, request) or not is_possible(draft, request.event):
        _lapse(draft, request)
        return
    for seat in request.need:
        if not draft.table.places[seat].is_human:
            _say(draft, seat, yes=True, granted=granted)


def _has_moved(draft: Draft) -> bool:
    return draft.table.choice_seq > draft.before.seq or draft.table.phase != draft.before.phase


def _has_other_people(draft: Draft, request: Ask) -> bool:
    """Whether the asker, or those who were asked, are not those any more who sit at their seats; leaving is no matter.

    Who has left is not needed any more, but the asker is.
    """
    before, after = draft.before.places, draft.table.places
    changed = {old.player for old, new in zip(before, after, strict=True) if old.player != new.player}
    return (
        not draft.table.people <= draft.before.people
        or before[request.event.seat].player in changed
        or not changed.isdisjoint(draft.table.people)
    )
