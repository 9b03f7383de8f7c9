"""What needs the consent of everybody at the table: asking for it, answering, and when a request lapses (U3)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.seats import Seat
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.table.draft import Draft
from server.table.events import Answered, Asked, AskState
from server.table.frozen import replace
from server.table.play import seated
from server.table.state import Actor, Ask, Table

ASKS_A_DEAL = 3
"""Requests of one seat while one deal is on the table."""


def ask(draft: Draft, wanted: Asked) -> bool:
    """Ask everybody who must consent to ``wanted``, which names nobody yet. False: nobody need, it may be done at once.

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
    return bool(need)


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


def answer(draft: Draft, actor: Actor, message: messages.Consent) -> Asked | None:
    """The sender says yes or no. Gives what was asked for when nobody is left to say it.

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
            lapse(draft, request)
        return None
    asked = [seat for seat in mine if seat in request.event.need]
    if not asked:
        raise ProtocolError(ErrorCode.REFUSED, "you were not asked", reason=RefusalReason.NOT_ASKED)
    if not message.yes:  # it ends the request, after a yes too
        draft.add(Answered(request.event.ask, asked[0], yes=False, state=AskState.REFUSED))
        return None
    return _agree(draft, asked)


def _agree(draft: Draft, seats: Iterable[Seat]) -> Asked | None:
    """Those of ``seats`` that are needed say yes. Gives what was asked for when nobody else is needed."""
    for seat in seats:
        request = draft.table.ask
        if request is None or seat not in request.need:
            continue
        is_last = request.need == (seat,)
        state = AskState.AGREED if is_last else AskState.OPEN
        draft.add(Answered(request.event.ask, seat, yes=True, state=state))
        if is_last:
            return request.event
    return None


def lapse(draft: Draft, request: Ask) -> None:
    """Nothing comes of ``request``, and nobody has said no."""
    draft.add(Answered(request.event.ask, request.event.seat, yes=False, state=AskState.LAPSED))


def still_open(draft: Draft) -> Ask | None:
    """The request that was open when the step began, if it still is."""
    before, request = draft.before.ask, draft.table.ask
    return request if before is not None and request is not None and before.event == request.event else None


def has_lapsed(draft: Draft, request: Ask) -> bool:
    """Whether the rest of the step leaves ``request`` nothing to stand on.

    The match has moved on, the asker has left, or somebody has come who was not asked or has changed seats.
    """
    return _has_moved(draft) or _has_other_people(draft, request)


def pass_over_the_gone(draft: Draft, request: Ask) -> Asked | None:
    """A seat that its holder has left consents. Gives what was asked for when nobody else is needed."""
    return _agree(draft, [seat for seat in request.need if not draft.table.places[seat].is_human])


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
