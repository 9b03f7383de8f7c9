"""Taking back, bringing again, starting over, and bots for the silent: at once, or by consent of the others (U1-U3)."""

from __future__ import annotations

from typing import assert_never

from engine.events import MatchEnded
from engine.seats import Seat
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.table import consent, line
from server.table.draft import Draft
from server.table.events import Asked, PlayedAgain, Redone, Undone, Wish
from server.table.frozen import replace
from server.table.play import begin_another, match_over, running, seat_newcomers, seated
from server.table.presence import cover
from server.table.state import Actor, Phase, Place, Presence, Table

SILENT = 300.0
"""Seconds without an act after which a seat in turn can be covered."""

Wanted = messages.Undo | messages.Redo | messages.Restart | messages.NewGame | messages.Cover


def ask_for(draft: Draft, actor: Actor, message: Wanted) -> None:
    """The sender wants something that everybody must consent to.

    Raises:
        ProtocolError: it is not possible now, or not at this table.
    """
    table = draft.table
    place = seated(table, actor)
    running(table)
    wanted = Asked(table.seq, Wish(message.type), place.seat, ())
    match message:
        case messages.Undo():
            wanted = replace(wanted, to=_undo(table, actor))
        case messages.Redo():
            wanted = replace(wanted, to=_redo(table))
        case messages.Restart():
            _require_unfinished(table)
            wanted = replace(wanted, to=table.match_seq)
        case messages.NewGame():
            pass
        case messages.Cover():
            wanted = replace(wanted, cover=_cover(draft, actor, message))
        case _:
            assert_never(message)
    if not consent.ask(draft, wanted):
        _grant(draft, wanted)


def answer(draft: Draft, actor: Actor, message: messages.Consent) -> None:
    """The sender says yes or no to the open request. When all have consented, what was asked for is done.

    Raises:
        ProtocolError: as `consent.answer` does.
    """
    agreed = consent.answer(draft, actor, message)
    if agreed is not None:
        _grant(draft, agreed)


def settle_request(draft: Draft) -> None:
    """What the rest of a step means for the request that was open when it began."""
    request = consent.still_open(draft)
    if request is None:
        return
    if consent.has_lapsed(draft, request) or not _is_possible(draft, request.event):
        consent.lapse(draft, request)
        return
    agreed = consent.pass_over_the_gone(draft, request)
    if agreed is not None:
        _grant(draft, agreed)


def _grant(draft: Draft, asked: Asked) -> None:
    """Do what ``asked`` asks for: everybody has consented, or nobody need."""
    match asked.what:
        case Wish.UNDO:
            draft.add(Undone(_step_of(asked)))
        case Wish.REDO:
            draft.add(Redone(_step_of(asked)))
        case Wish.RESTART:
            draft.add(PlayedAgain(_step_of(asked)))
        case Wish.NEW_GAME:
            new_game(draft)
        case Wish.COVER:
            cover(draft, _seat_of(asked))
        case _:
            assert_never(asked.what)


def _step_of(asked: Asked) -> int:
    if asked.to is None:
        raise ValueError(f"{asked.what} names no step")
    return asked.to


def _seat_of(asked: Asked) -> Seat:
    if asked.cover is None:
        raise ValueError(f"{asked.what} names no seat")
    return asked.cover


def _is_possible(draft: Draft, asked: Asked) -> bool:
    """Whether what ``asked`` asks for can still be done after the step."""
    table = draft.after()
    match asked.what:
        case Wish.UNDO:
            return any(moved.seq > _step_of(asked) for moved in table.line)
        case Wish.REDO:
            return bool(table.redo) and table.redo[-1][-1].seq == asked.to
        case Wish.RESTART | Wish.NEW_GAME:
            return True
        case Wish.COVER:
            place = table.places[_seat_of(asked)]
            is_the_same = place.player == draft.before.places[place.seat].player
            return is_the_same and _is_silent(table, place, draft.moment.at)
        case _:
            assert_never(asked.what)


def _undo(table: Table, actor: Actor) -> int:
    """The step that the match goes back to."""
    _require_unfinished(table)
    _require_allowed(table)
    last = line.last_act_of(table, actor.player)
    if last is None:
        raise ProtocolError(ErrorCode.REFUSED, "there is nothing to take back", reason=RefusalReason.NOTHING_TO_UNDO)
    return table.line[last].seq - 1


def _redo(table: Table) -> int:
    """The step that the match goes on to."""
    _require_unfinished(table)
    _require_allowed(table)
    if not table.redo:
        raise ProtocolError(ErrorCode.REFUSED, "there is nothing to bring again", reason=RefusalReason.NOTHING_TO_REDO)
    return table.redo[-1][-1].seq


def _require_unfinished(table: Table) -> None:
    if table.phase is Phase.MATCH_OVER:
        raise ProtocolError(ErrorCode.REFUSED, "the match is over: its seed is known", reason=RefusalReason.MATCH_OVER)


def _require_allowed(table: Table) -> None:
    if not (table.settings.undo or table.is_solo):
        raise ProtocolError(ErrorCode.REFUSED, "nothing is taken back at this table", reason=RefusalReason.UNDO_OFF)


def new_game(draft: Draft) -> None:
    """Another match with the same settings, as when all are ready for one; a running one ends without a winner."""
    table = draft.table
    if table.phase is not Phase.MATCH_OVER:
        draft.add(match_over(draft, MatchEnded(None, table.scores)))
        seat_newcomers(draft)
    begin_another(draft)


def _cover(draft: Draft, actor: Actor, message: messages.Cover) -> Seat:
    """The seat that a bot is to play."""
    table = draft.table
    if message.seat >= table.settings.seats:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, f"this table has {table.settings.seats} seats", path="seat")
    _require_unfinished(table)
    place = table.places[message.seat]
    if place.player in {None, actor.player} or not _is_silent(table, place, draft.moment.at):
        raise ProtocolError(
            ErrorCode.REFUSED,
            f"whoever sits at seat {message.seat} is not away, and has not been silent for {SILENT:.0f} s",
            reason=RefusalReason.NOT_AWAY,
            path="seat",
        )
    return place.seat


def _is_silent(table: Table, place: Place, now: float) -> bool:
    if place.presence is Presence.AWAY:
        return True
    waited = now - max(table.turn_since, place.since)
    return place.presence is Presence.PRESENT and table.turn == place.seat and waited >= SILENT
