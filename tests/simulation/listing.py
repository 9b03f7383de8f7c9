"""Holds every list of public tables that is told, and what is told of changes in it, against the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from protocol.convert import Wire
from server.table.state import Phase, Table
from tests.simulation.history import Histories
from tests.simulation.network import Link
from tests.simulation.node import Process
from tests.simulation.timing import is_deserted


class InsightIntoTables(Protocol):
    """What can be seen of the server's tables."""

    has_many_nodes: bool
    """What is said at one may have been decided at another one before."""

    def told(self, room: str) -> int | None:
        """The newest step of ``room`` that the server takes for told; None if there is no such room any more."""
        ...

    def is_in_doubt(self, room: str) -> bool:
        """Whether ``room`` is listed anew soon: it is read again, or this process has told nothing of it yet."""
        ...


class Listings:
    """What each connection has been told of the tables that strangers may look for."""

    def __init__(self, histories: Histories, insight: InsightIntoTables, complain: Callable[[str], None]) -> None:
        self._histories = histories
        self._insight = insight
        self._complain = complain
        self._staying: dict[int, tuple[str | None, dict[str, Wire]]] = {}
        """By connection that is told of changes: of which game only, and what its list is with them."""

    def hear(self, link: Link, asked: Wire | None, message: Wire) -> None:
        """``message`` is a whole list, or what has changed in it."""
        if asked is None:
            self._hear_changes(link, message)
            return
        listed = {room["room"]: room for room in message["rooms"]}
        if not self._insight.has_many_nodes:  # there it is known by and by
            self._check(link, listed, asked.get("game"))
        if asked.get("subscribe"):
            self._staying[link.number] = asked.get("game"), listed
        elif asked.get("subscribe") is False:
            self._staying.pop(link.number, None)

    def _hear_changes(self, link: Link, message: Wire) -> None:
        if link.number not in self._staying:
            self._complain(f"#{link.number} is told of tables and has not asked for it: {message}")
            return
        game, listed = self._staying[link.number]
        listed |= {room["room"]: room for room in message["rooms"]}
        for code in message["gone"]:
            listed.pop(code, None)
        if not self._insight.has_many_nodes:
            self._check(link, listed, game)

    def check_rest(self, node: Process) -> None:
        """Who stays has heard of every change, but for those that are still gathered."""
        if node.registry.open_tables._timer is not None:
            return
        for link in node.links:
            if link.is_open and link.number in self._staying:
                game, listed = self._staying[link.number]
                self._check(link, listed, game)

    def _check(self, link: Link, listed: dict[str, Wire], game: str | None) -> None:
        """Those and only those are listed that are public, of that game and with somebody there, as they are."""
        tables = {code: self._table(code) for code in self._histories.rooms if not self._insight.is_in_doubt(code)}
        true = {
            code: _shown(table)
            for code, table in tables.items()
            if table is not None and _is_listed(table, game)
            and (table.seq > 1 or code in listed)  # a creation is in memory before it is told
        }  # fmt: skip
        known = {
            code: {name: room[name] for name in true.get(code, ())}
            for code, room in listed.items()
            if not self._insight.is_in_doubt(code)
        }
        if known != true:
            self._complain(f"#{link.number} has the tables {known}; true are {true}")

    def _table(self, code: str) -> Table | None:
        """As it has been told; None as long as its creation is not durable."""
        tables = self._histories.rooms[code].tables
        seq = len(tables) if self._insight.has_many_nodes else self._insight.told(code)
        return tables[seq - 1] if seq and tables else None


def _is_listed(table: Table, game: str | None) -> bool:
    is_open = table.settings.public and not table.closed and not is_deserted(table)
    return is_open and game in (None, table.settings.game)


def _shown(table: Table) -> Wire:
    """How ``table`` is listed, but for words."""
    has_begun = table.phase is not Phase.LOBBY
    unheld = [place for place in table.places if place.player is None]
    return {
        "room": table.room,
        "phase": table.phase.value,
        "humans": sum(place.player is not None and place.bot is None for place in table.places),
        "bots": sum(place.bot is not None for place in table.places),
        "free": sum(place.bot is None or (has_begun and place.coming is None) for place in unheld),
    }
