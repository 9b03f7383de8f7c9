"""Who is there: connections lost and found again, bots for the absent, and the host's part."""

from __future__ import annotations

from engine.seats import Seat
from server.table.draft import Draft
from server.table.events import Away, Back, BotIn, BotOut, Host, Watchers
from server.table.play import go_on, take_host_part
from server.table.state import Actor, Place, PlayerId, Presence, Table


def come_back(draft: Draft, actor: Actor) -> None:
    """The sender listens to the table again: has the own seat back at once, or waits for the one that is coming."""
    places = draft.table.places_of(actor.player)
    coming = draft.table.coming_of(actor.player)
    if not places and coming is not None and coming.coming is not None:
        add_watcher(draft, actor, coming.coming.name)
    away = [place for place in places if place.presence is not Presence.PRESENT]
    for place in away:
        if place.presence is Presence.BOT_IN:
            draft.add(BotOut(place.seat))
        draft.add(Back(place.seat))
        take_host_part(draft, actor.player)
    if away:
        go_on(draft)


def lose(draft: Draft, player: PlayerId) -> None:
    """The connection on which ``player`` listened to the table is gone."""
    here = [place for place in draft.table.places_of(player) if place.presence is Presence.PRESENT]
    if here:
        draft.add(*(Away(place.seat) for place in here))
        go_on(draft)
    if player in draft.table.watchers:
        remove_watcher(draft, player)


def lose_all(draft: Draft) -> None:
    """The server was started anew: nobody is connected yet."""
    draft.add(*(Away(place.seat) for place in draft.table.places if place.is_here))
    if draft.table.watchers:
        draft.add(Watchers(()))


def add_watcher(draft: Draft, actor: Actor, name: str) -> None:
    """``actor`` watches under ``name``; once, however often it is said."""
    if actor.player not in draft.table.watchers:
        draft.add(Watchers((*draft.table.watchers.items(), (actor.player, name))))


def remove_watcher(draft: Draft, player: PlayerId) -> None:
    """``player`` watches no longer."""
    draft.add(Watchers(tuple((p, name) for p, name in draft.table.watchers.items() if p != player)))


def cover(draft: Draft, seat: Seat) -> None:
    """A bot plays for the holder of ``seat``: away for ``grace``, or covered because the others wanted it."""
    draft.add(BotIn(seat, draft.table.settings.bot))


def pass_host(draft: Draft, seat: Seat) -> None:
    """The host's part goes clockwise from ``seat``: to a person who is there, else to any player, else to nobody."""
    table = draft.table
    heir = next((p for p in _clockwise(table, seat) if p.is_human and p.is_here), None)
    heir = heir or next((p for p in _clockwise(table, seat) if p.is_here), None)
    heir = heir or next((p for p in _clockwise(table, seat) if p.player is not None), None)
    draft.add(Host(None if heir is None else heir.player))


def _clockwise(table: Table, seat: Seat) -> list[Place]:
    return [*table.places[seat + 1 :], *table.places[:seat]]
