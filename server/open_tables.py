"""The public tables that strangers may look for: a list on request, and what changes in it for those who stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TypeAlias

from protocol.convert import Wire
from protocol.messages import client as messages
from server.clock import Clock, Handle
from server.listener import Listener
from server.outgoing import Outgoing, answer_to
from server.table.state import Phase, Place, Table
from server.views import settings_for_all

Publish: TypeAlias = Callable[[str, Wire | None], None]
"""Takes a table's code, and how it is listed or that it is not any more, for those who list it elsewhere."""

MAX_LISTED = 200
"""Tables of one answer: those with a free seat first, and of these the newest."""
MAX_SEARCHED = 2_000
"""Tables that are looked at for one answer, the newest."""
PUSH_AFTER = 1.0
"""Seconds for which changes are gathered before those who stay are told of them."""


class OpenTables:
    """Knows only what is durable. A public table is listed while somebody is there."""

    def __init__(self, clock: Clock, publish: Publish) -> None:
        self._clock = clock
        self._publish = publish
        self._listed: dict[str, Wire] = {}
        self._changed: dict[str, str] = {}
        """Codes and games of the tables of which those who stay have not been told."""
        self._staying: dict[Listener, str | None] = {}
        """Who is told of changes, and of which game only."""
        self._timer: Handle | None = None

    def note(self, table: Table) -> None:
        """``table`` is durable as it is now."""
        if table.settings.public:
            self._note(table.room, None if table.closed or table.is_deserted else _shown(table))

    def remove(self, table: Table) -> None:
        """There is no such table."""
        self._note(table.room, None)

    def _note(self, code: str, shown: Wire | None) -> None:
        if self.put(code, shown):
            self._publish(code, shown)

    def put(self, code: str, shown: Wire | None) -> bool:
        """The table is listed as ``shown``, or no more, by whoever knows it. False: it is so already."""
        listed = self._listed.get(code)
        if shown == listed:
            return False
        if shown is None:
            del self._listed[code]
        else:
            self._listed[code] = shown
        self._has_changed(code, (shown or listed or {})["game"])
        return True

    def put_all(self, shown: Mapping[str, Wire], is_ours: Callable[[str], bool]) -> None:
        """These tables are listed elsewhere, and no others. What is known of our own is newer."""
        for code in self._listed.keys() | shown.keys():
            if not is_ours(code):
                self.put(code, shown.get(code))

    def lists(self, code: str) -> bool:
        """Whether the table of that code is listed."""
        return code in self._listed

    def fitting(self, game: str, seats: int) -> list[str]:
        """The codes of the lobbies of that game and size that have an empty seat, the oldest first."""
        wanted = (game, seats, Phase.LOBBY.value)
        listed = self._listed.items()
        return [code for code, shown in listed if shown["free"] and _kind(shown) == wanted]

    def _has_changed(self, code: str, game: str) -> None:
        if self._staying:
            self._changed[code] = game
            if self._timer is None:
                self._timer = self._clock.call_at(self._clock.monotonic() + PUSH_AFTER, self._push)

    def answer(self, listener: Listener, message: messages.Rooms) -> None:
        """Send the list; from then on what changes in it, if that is asked for, or no more."""
        if message.subscribe:
            self._staying[listener] = message.game
        elif message.subscribe is False:
            self.forget(listener)
        newest = list(islice(reversed(self._listed.values()), MAX_SEARCHED))
        found = [shown for shown in newest if message.game in (None, shown["game"])]
        found.sort(key=lambda shown: shown["free"] == 0)
        listener.send(answer_to(message.id, {"type": "rooms", "rooms": found[:MAX_LISTED]}))

    def forget(self, listener: Listener) -> None:
        """``listener`` is told of no more changes."""
        self._staying.pop(listener, None)

    def _push(self) -> None:
        self._timer = None
        changed, self._changed = self._changed, {}
        for listener, game in list(self._staying.items()):
            codes = [code for code, of_game in changed.items() if game in (None, of_game)]
            rooms = [self._listed[code] for code in codes if code in self._listed]
            gone = [code for code in codes if code not in self._listed]
            if codes:
                listener.send(Outgoing({"type": "rooms", "rooms": rooms, "gone": gone}))


def _shown(table: Table) -> Wire:
    """What a stranger may know of a table before sitting down."""
    host = next((place.name for place in table.places if place.player is not None and place.player == table.host), "")
    return {
        "room": table.room,
        "game": table.settings.game,
        "seats": table.settings.seats,
        "target": settings_for_all(table)["target"],
        "phase": table.phase.value,
        "host": host,
        "humans": sum(place.is_human for place in table.places),
        "bots": sum(place.bot is not None for place in table.places),
        "free": sum(_is_free(table, place) for place in table.places),
    }


def _kind(shown: Wire) -> tuple[str, int, str]:
    return shown["game"], shown["seats"], shown["phase"]


def _is_free(table: Table, place: Place) -> bool:
    """Whether a newcomer may have the seat: once a match has begun a bot's too."""
    in_match = table.phase is not Phase.LOBBY
    return place.is_empty or (in_match and place.is_house and place.coming is None)
