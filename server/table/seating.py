"""Who sits where, and who watches."""

from __future__ import annotations

from collections.abc import Sequence

from engine.seats import Seat
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.limits import Limits
from server.table.draft import Draft
from server.table.events import Coming, Left, Swapped
from server.table.frozen import replace
from server.table.names import distinct
from server.table.play import go_on, house_bot, require_host, seated, seated_event, take_host_part
from server.table.presence import add_watcher, come_back, pass_host, remove_watcher
from server.table.state import Actor, Phase, Place, PlayerId, Table


def join(draft: Draft, actor: Actor, message: messages.Join) -> None:
    """The sender sits down: at once where that is possible, or when the running deal is over."""
    table = draft.table
    mine = table.places_of(actor.player)
    wanted = None if message.seat is None else Seat(message.seat)
    if wanted is not None and wanted >= table.settings.seats:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, f"this table has {table.settings.seats} seats", path="seat")
    if mine:
        _take_own_seat(draft, actor, mine, wanted)
    elif table.phase is Phase.LOBBY:
        _sit(draft, actor, _choose(_free(table), wanted))
    else:
        _join_running(draft, actor, wanted)


def has_seat_for(table: Table, player: PlayerId) -> bool:
    """Whether ``join`` gives ``player`` a seat, at once or when the deal is over."""
    return bool(_free(table)) or (table.phase is not Phase.LOBBY and bool(_left_by(table, player)))


def _take_own_seat(draft: Draft, actor: Actor, mine: Sequence[Place], wanted: Seat | None) -> None:
    come_back(draft, actor)
    is_mine = any(place.seat == wanted for place in mine)
    if wanted is None or is_mine or draft.table.phase is not Phase.LOBBY:
        return
    if len(mine) > 1:
        raise ProtocolError(
            ErrorCode.REFUSED,
            "you hold several seats: the host can swap them",
            reason=RefusalReason.LOCAL_SEATS,
            path="seat",
        )
    if draft.table.places[wanted] not in _empty(draft.table):
        raise ProtocolError(ErrorCode.SEAT_TAKEN, f"seat {wanted} is taken", path="seat")
    draft.add(Left(mine[0].seat))
    draft.add(seated_event(wanted, replace(actor, name=distinct(actor.name, draft.table, wanted))))


def _join_running(draft: Draft, actor: Actor, wanted: Seat | None) -> None:
    table = draft.table
    own = _left_by(table, actor.player)
    coming = table.coming_of(actor.player)
    if own and (wanted is None or any(place.seat == wanted for place in own)):
        for place in own:
            _give_back(draft, replace(actor, name=place.former_name or actor.name), place)
    elif coming is not None and wanted in (None, coming.seat):
        come_back(draft, actor)
    elif table.phase is Phase.PLAYING or table.is_known:
        place = _choose(_free(table), wanted)
        _drop_claim(draft, coming)
        _promise(draft, actor, place)
        add_watcher(draft, actor, distinct(actor.name, draft.table, place.seat))
    else:
        _sit(draft, actor, _choose(_free(table), wanted))


def _give_back(draft: Draft, actor: Actor, own: Place) -> None:
    """The last holder sits down again; whoever waited for that seat waits for another bot's, if there is one."""
    _drop_claim(draft, draft.table.coming_of(actor.player))
    displaced = draft.table.places[own.seat].coming
    if displaced is not None:
        _drop_claim(draft, own)
        others = [place for place in _promisable(draft.table) if place.seat != own.seat]
        if others:
            _promise(draft, displaced, others[0])
    _sit(draft, actor, own)


def _promisable(table: Table) -> list[Place]:
    """Bots' seats for which nobody waits."""
    return [place for place in table.places if place.is_house and place.coming is None]


def _promise(draft: Draft, actor: Actor, place: Place) -> None:
    """``actor`` has the seat when the deal is over."""
    name = distinct(actor.name, draft.table, place.seat)
    draft.add(Coming(place.seat, actor.player, name, actor.headless))


def _drop_claim(draft: Draft, place: Place | None) -> None:
    """Nobody waits for ``place`` any more."""
    if place is not None:
        draft.add(Coming(place.seat, None, None))


def _sit(draft: Draft, actor: Actor, place: Place) -> None:
    draft.add(seated_event(place.seat, replace(actor, name=distinct(actor.name, draft.table, place.seat))))
    if actor.player in draft.table.watchers:
        remove_watcher(draft, actor.player)
    take_host_part(draft, actor.player)
    go_on(draft)


def _left_by(table: Table, player: PlayerId) -> list[Place]:
    """Bots' seats whose last holder was ``player``."""
    return [place for place in table.places if place.is_house and place.former == player]


def _free(table: Table) -> list[Place]:
    """The seats that a newcomer can have: in a match those of bots, in a deal when it is over."""
    if table.phase is Phase.LOBBY:
        return _empty(table)
    if table.phase is Phase.PLAYING or table.is_known:
        return _promisable(table)
    return [*_empty(table), *(place for place in table.places if place.is_house)]


def _empty(table: Table) -> list[Place]:
    return [place for place in table.places if place.is_empty]


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
    places = table.places_of(actor.player)
    if places:
        for place in places:
            _empty_seat(draft, place)
        if draft.table.host == actor.player:
            pass_host(draft, places[0].seat)
        go_on(draft)
        return
    coming = table.coming_of(actor.player)
    if coming is None and actor.player not in table.watchers:
        raise ProtocolError(ErrorCode.NOT_SEATED, "you are not at this table")
    _drop_claim(draft, coming)
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
