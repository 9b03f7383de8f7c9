"""Who sits where, and who watches."""

from __future__ import annotations

from dataclasses import replace

from engine.seats import Seat
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.config import Limits
from server.table.draft import Draft
from server.table.events import Coming, Host, Left, Swapped
from server.table.names import distinct
from server.table.play import go_on, house_bot, require_host, seated, seated_event
from server.table.presence import add_watcher, come_back, pass_host, remove_watcher
from server.table.state import Actor, Phase, Place, Table


def join(draft: Draft, actor: Actor, message: messages.Join) -> None:
    """The sender sits down: at once where that is possible, or when the running deal is over."""
    table = draft.table
    mine = table.place_of(actor.player)
    wanted = None if message.seat is None else Seat(message.seat)
    if wanted is not None and wanted >= table.settings.seats:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, f"this table has {table.settings.seats} seats", path="seat")
    if mine is not None:
        _take_own_seat(draft, actor, mine, wanted)
    elif table.phase is Phase.LOBBY:
        _sit(draft, actor, _choose(_empty(table), wanted))
    else:
        _join_running(draft, actor, wanted)


def _take_own_seat(draft: Draft, actor: Actor, mine: Place, wanted: Seat | None) -> None:
    come_back(draft, actor)
    if wanted is None or wanted == mine.seat or draft.table.phase is not Phase.LOBBY:
        return
    if draft.table.places[wanted] not in _empty(draft.table):
        raise ProtocolError(ErrorCode.SEAT_TAKEN, f"seat {wanted} is taken", path="seat")
    draft.add(Left(mine.seat))
    draft.add(seated_event(wanted, replace(actor, name=distinct(actor.name, draft.table, wanted))))


def _join_running(draft: Draft, actor: Actor, wanted: Seat | None) -> None:
    table = draft.table
    own = [place for place in table.places if place.is_house and place.former == actor.player]
    if own and wanted in (None, own[0].seat):
        _sit(draft, actor, own[0])
        return
    coming = table.coming_of(actor.player)
    if coming is not None and wanted in (None, coming.seat):
        return
    if table.phase is Phase.PLAYING:
        place = _choose([p for p in table.places if p.is_house and p.coming is None], wanted)
        if coming is not None:
            draft.add(Coming(coming.seat, None, None))
        name = distinct(actor.name, draft.table, place.seat)
        draft.add(Coming(place.seat, actor.player, name, actor.headless))
        add_watcher(draft, actor, name)
    else:
        _sit(draft, actor, _choose([*_empty(table), *(p for p in table.places if p.is_house)], wanted))


def _sit(draft: Draft, actor: Actor, place: Place) -> None:
    draft.add(seated_event(place.seat, replace(actor, name=distinct(actor.name, draft.table, place.seat))))
    if actor.player in draft.table.watchers:
        remove_watcher(draft, actor.player)
    if draft.table.host is None:
        draft.add(Host(actor.player))
    go_on(draft)


def _empty(table: Table) -> list[Place]:
    return [place for place in table.places if place.player is None and place.bot is None]


def _choose(free: list[Place], wanted: Seat | None) -> Place:
    if wanted is None:
        if not free:
            raise ProtocolError(ErrorCode.ROOM_FULL, "no seat is free at this table")
        return free[0]
    place = next((place for place in free if place.seat == wanted), None)
    if place is None:
        raise ProtocolError(ErrorCode.SEAT_TAKEN, f"seat {wanted} is taken", path="seat")
    return place


def watch(draft: Draft, actor: Actor, limits: Limits) -> None:
    """The sender watches; said twice it is one watcher."""
    table = draft.table
    if table.place_of(actor.player) is not None:
        raise ProtocolError(ErrorCode.REFUSED, "you are seated at this table", reason=RefusalReason.SEATED)
    if actor.player in table.watchers:
        return
    if not table.settings.spectators:
        raise ProtocolError(ErrorCode.REFUSED, "this table has no spectators", reason=RefusalReason.NO_SPECTATORS)
    if limits.spectators and len(table.watchers) >= limits.spectators:
        raise ProtocolError(
            ErrorCode.REFUSED, f"{limits.spectators} people watch already", reason=RefusalReason.TOO_MANY_SPECTATORS
        )
    add_watcher(draft, actor, actor.name)


def leave(draft: Draft, actor: Actor) -> None:
    """The sender stands up, or watches no longer. In a match a bot takes the seat."""
    table = draft.table
    place = table.place_of(actor.player)
    if place is not None:
        _empty_seat(draft, place)
        if draft.table.host == actor.player:
            pass_host(draft, place.seat)
        go_on(draft)
        return
    coming = table.coming_of(actor.player)
    if coming is None and actor.player not in table.watchers:
        raise ProtocolError(ErrorCode.NOT_SEATED, "you are not at this table")
    if coming is not None:
        draft.add(Coming(coming.seat, None, None))
    if actor.player in table.watchers:
        remove_watcher(draft, actor.player)


def _empty_seat(draft: Draft, place: Place) -> None:
    draft.add(Left(place.seat))
    if draft.table.phase in (Phase.PLAYING, Phase.DEAL_OVER):
        draft.add(house_bot(draft.table, place.seat, draft.table.settings.bot))


def add_bot(draft: Draft, actor: Actor, message: messages.AddBot) -> None:
    """The host seats a bot at an empty seat, between matches."""
    place = _host_names(draft.table, actor, message.seat)
    if place not in _empty(draft.table):
        raise ProtocolError(ErrorCode.SEAT_TAKEN, f"seat {message.seat} is taken", path="seat")
    draft.add(house_bot(draft.table, place.seat, message.level or draft.table.settings.bot))
    go_on(draft)


def remove(draft: Draft, actor: Actor, message: messages.Remove) -> None:
    """The host empties a seat, between matches; a person can be removed too."""
    place = _host_names(draft.table, actor, message.seat)
    if place in _empty(draft.table):
        raise ProtocolError(
            ErrorCode.REFUSED, f"seat {message.seat} is empty", reason=RefusalReason.SEAT_EMPTY, path="seat"
        )
    draft.add(Left(place.seat))
    if draft.table.host == place.player:
        pass_host(draft, place.seat)
    go_on(draft)


def swap(draft: Draft, actor: Actor, message: messages.Swap) -> None:
    """The host lets the holders of two seats change places, between matches."""
    first, second = (_host_names(draft.table, actor, seat, path=f"seats.{i}") for i, seat in enumerate(message.seats))
    if first.seat == second.seat:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "two different seats are needed", path="seats")
    draft.add(Swapped((first.seat, second.seat)))


def _host_names(table: Table, actor: Actor, seat: int, path: str = "seat") -> Place:
    """The seat that the host names between matches."""
    seated(table, actor)
    require_host(table, actor)
    if seat >= table.settings.seats:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, f"this table has {table.settings.seats} seats", path=path)
    if table.phase in (Phase.PLAYING, Phase.DEAL_OVER):
        raise ProtocolError(ErrorCode.ALREADY_STARTED, "the match has started; that can be done when it is over")
    return table.places[seat]
