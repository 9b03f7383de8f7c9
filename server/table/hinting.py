"""Hints for whoever is in turn: who may have them, and that everybody is told (H2)."""

from __future__ import annotations

from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.table.draft import Draft
from server.table.events import Hinted
from server.table.play import in_turn, not_your_turn
from server.table.state import Actor, PlayerId, Table


def ask(draft: Draft, actor: Actor, message: messages.Hint) -> None:
    """The sender wants hints. All are told so, once for each choice; alone one may always have them.

    Raises:
        ProtocolError: as for an `act` of that seat, or ``refused``: this table has no hints.
    """
    table = draft.table
    place = in_turn(table, actor, message.seat)
    if not (table.settings.hints or table.is_solo):
        raise ProtocolError(ErrorCode.REFUSED, "there are no hints at this table", reason=RefusalReason.HINTS_OFF)
    if not table.is_hinted:
        draft.add(Hinted(place.seat))


def require_told(table: Table, player: PlayerId) -> None:
    """Refuse hints for a choice of ``player`` if not everybody has been told of them.

    Raises:
        ProtocolError: ``not_your_turn`` or ``stale``.
    """
    if table.turn is None or table.places[table.turn].player != player:
        raise not_your_turn()
    if not table.is_hinted:
        raise outdated()


def outdated() -> ProtocolError:
    """The choice that was asked about is over."""
    return ProtocolError(ErrorCode.STALE, "that was for an earlier choice: ask again under another id")
