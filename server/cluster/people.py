"""Who is connected to this node, and at how many tables they sit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from server.cluster.exchange import Exchange
from server.cluster.items import Replaced
from server.dispatch import Admission
from server.limits import Limits
from server.registry import too_many_rooms
from server.table.state import PlayerId

Replace: TypeAlias = Callable[[PlayerId, int], object]
"""Takes who is connected elsewhere, and since when: older connections here are to end."""


@dataclass(slots=True)
class Seats:
    """Of a player, over the connection of that number: the rooms, or more than there are, but none less."""

    connection: int
    since: int
    """See `Arrival`."""
    rooms: set[str]


class People:
    """One connection a player in the whole cluster, and no more rooms for one than are allowed."""

    def __init__(self, exchange: Exchange, replace: Replace, limits: Limits) -> None:
        self._exchange = exchange
        self._directory = exchange.directory
        self._replace = replace
        self._limits = limits
        self._seats: dict[PlayerId, Seats] = {}
        self._arriving: dict[tuple[PlayerId, int], int] = {}
        """Who is about to be connected here, and since when they are connected elsewhere; 0: they are not."""

    async def arrive(self, player: PlayerId, number: int) -> Admission:
        """``player`` is connected here over connection ``number``; where else, that connection ends.

        Raises:
            StoreError: nobody knows.
        """
        self._arriving[player, number] = 0
        try:
            since, elsewhere = await self._directory.arrive(player, number)
            if elsewhere is not None:
                self._exchange.post(elsewhere, Replaced(player, since))
            rooms = await self._directory.rooms_of(player)
        except BaseException:
            self._directory.depart(player, number)  # perhaps it was noted already
            raise
        finally:
            newer = self._arriving.pop((player, number))
        if newer > since:  # as soon as the connection stands
            asyncio.get_running_loop().call_soon(self._replace, player, newer)
        known = self._seats.get(player)
        if known is None or known.since < since:
            self._seats[player] = Seats(number, since, set(rooms))
        return Admission(since, rooms)

    def is_elsewhere(self, player: PlayerId, since: int) -> None:
        """``player`` is connected to another node ``since`` then."""
        for arriving, newer in self._arriving.items():
            if arriving[0] == player:
                self._arriving[arriving] = max(since, newer)
        self._replace(player, since)

    def ended(self, player: PlayerId, number: int) -> None:
        """Connection ``number`` of ``player`` is lost."""
        seats = self._seats.get(player)
        if seats is not None and seats.connection == number:
            del self._seats[player]
        self._directory.depart(player, number)

    def since(self, player: PlayerId) -> int:
        """By which the connection of ``player`` here is newer or older than one at another node, see `Arrival`."""
        seats = self._seats.get(player)
        return 0 if seats is None else seats.since

    # Seats

    def knows(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` has a seat in ``room``, as far as it is known here."""
        seats = self._seats.get(player)
        return seats is not None and room in seats.rooms

    def has_no_seat(self, player: PlayerId, room: str) -> None:
        """``player`` has no seat in ``room``, though its owner was killed perhaps before it said so."""
        self._directory.note_seats(room, left={player})
        if player in self._seats:
            self._seats[player].rooms.discard(room)

    def may_sit(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` may have a seat in ``room`` too, which then counts."""
        limit, seats = self._limits.rooms_per_player, self._seats.get(player)
        if seats is None:
            return True
        if limit and room not in seats.rooms and len(seats.rooms) >= limit:
            return False
        seats.rooms.add(room)
        return True

    async def require_place(self, player: PlayerId, room: str) -> None:
        """What is known here may be more than there is: seats that were refused, or given up since.

        Raises:
            ProtocolError: ``refused``: too many rooms.
            StoreError: nobody knows.
        """
        if self.may_sit(player, room):
            return
        rooms = await self._directory.rooms_of(player)
        if player in self._seats:
            self._seats[player].rooms = set(rooms)
        if not self.may_sit(player, room):
            raise too_many_rooms(self._limits.rooms_per_player)
