"""A table whose server is the test: it says what it likes, for what no deal by the rules would bring about."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from playwright.async_api import Browser, WebSocketRoute, expect

from engine.layout import End, Layout
from engine.tiles import Tile, full_set
from tests.browser.person import Person
from tests.faults.browsing import DESK, open_table

Play: TypeAlias = tuple[Tile, End | None]

ROOM = "K7QM2X"
NAMES = ("Ann", "Bob", "Cat", "Dan")
OWN_SEAT = 1
HAND = ("0-6", "1-5", "2-4")
"""What the person holds, whatever lies on the table: no rules are asked here."""


def long_chain(*, branches: bool, tiles: int = 28, start: int = 1) -> list[Play]:
    """So many plays that fit, at random; of a branching game with an arm on each of the four sides."""
    for seed in range(start, start + 5000):
        plays = _random_chain(random.Random(seed), branches=branches)
        ends = {end for _, end in plays}
        if len(plays) >= tiles and (not branches or ends >= set(End)):
            return plays[:tiles]
    raise AssertionError("no such chain was found")


def _random_chain(chance: random.Random, *, branches: bool) -> list[Play]:
    """Plays until nothing fits any more."""
    layout, plays = Layout(branches=branches), list[Play]()
    rest = list(full_set())
    chance.shuffle(rest)
    plays.append((rest.pop(), None))
    layout = layout.place(*plays[0])
    while fitting := [(tile, end) for tile in rest for end in layout.ends_for(tile)]:
        play = chance.choice(fitting)
        plays.append(play)
        layout = layout.place(*play)
        rest.remove(play[0])
    return plays


class ScriptedTable:
    """A page at a table of four, and what the test lets happen there."""

    def __init__(self, person: Person, game: str) -> None:
        self.person = person
        self.game = game
        self.layout = Layout(branches=game == "all-fives")
        self.seq = 1
        self.heard: list[dict[str, Any]] = []
        self.is_silent = False
        """Whether questions are left unanswered."""
        self._line: WebSocketRoute | None = None
        self._events: list[dict[str, Any]] = [
            {"type": "deal_started", "number": 1, "lead": 0, "tiles": [7, 3, 7, 7], "stock": 0, "hand": list(HAND)}
        ]

    @classmethod
    async def open(
        cls,
        browser: Browser,
        port: int,
        *,
        game: str = "block",
        size: tuple[int, int] = DESK,
        options: Mapping[str, Any] | None = None,
    ) -> ScriptedTable:
        """A table at which nothing lies yet. The files of the page come from the server at ``port``."""
        kept = {"name": NAMES[OWN_SEAT], "token": "t", "rooms": [ROOM]}
        person = await Person.arrive(NAMES[OWN_SEAT], browser, size, kept=kept, **(options or {}))
        table = cls(person, game)
        await person.page.route_web_socket(re.compile("/ws$"), table._answer)
        await open_table(person, port, ROOM)
        await expect(person.see("board")).to_be_visible()
        return table

    async def play(self, tile: Tile, end: End | None) -> None:
        """The next tile is laid. Return when the page shows it."""
        self.layout = self.layout.place(tile, end)
        event = {
            "type": "played",
            "seat": (len(self.layout.tiles) - 1) % len(NAMES),
            "tile": str(tile),
            "end": end,
            **self._ends(),
            "parts": [],
            "points": 0,
            "dropped": 0,
            "scores": [0, 0],
        }
        self.say([event], self._turn())
        await expect(self.person.see("board")).to_have_attribute("data-seq", str(self.seq))

    def offer(self, tile: str, points: Sequence[float] = (0, 0, 0, 0), ends: Collection[str] = tuple(End)) -> None:
        """It is the person's turn, and ``tile`` may be laid at those ``ends`` that are open, for so many points."""
        legal = [
            {"action": {"type": "play", "tile": tile, "end": end.end}, "total": self.layout.total, "parts": []}
            | {"points": worth, "out_bonus": 0, "accepted": True, "after": 0, "wins": False}
            | {"ends": self._ends()["ends"]}
            for end, worth in zip(self.layout.ends, points, strict=False)
            if end.end in ends
        ]
        self.say([], {"seat": OWN_SEAT, "legal": legal})

    def say(self, events: list[dict[str, Any]], turn: dict[str, Any] | None) -> None:
        """One step."""
        self.seq += 1
        self._events += events
        self.tell({"type": "update", "room": ROOM, "epoch": 1, "seq": self.seq, "events": events, "turn": turn})

    def tell(self, message: dict[str, Any]) -> None:
        """Any message."""
        assert self._line is not None, "the page has not connected"
        self._line.send(json.dumps(message))

    async def hang_up(self, code: int) -> None:
        """The line ends."""
        assert self._line is not None, "the page has not connected"
        await self._line.close(code=code)

    def _answer(self, line: WebSocketRoute) -> None:
        self._line = line

        def hear(frame: str | bytes) -> None:
            self.heard.append(json.loads(frame))
            if not self.is_silent:
                self.tell(self._said(self.heard[-1]))

        line.on_message(hear)

    def _said(self, message: dict[str, Any]) -> dict[str, Any]:
        answer = {"re": message.get("id")}
        match message["type"]:
            case "hello":
                welcome = {"type": "welcome", "player": "p1", "token": "t", "protocol": 1, "server": "0"}
                return answer | welcome | {"rooms": [ROOM]}
            case "sync" | "join":
                return answer | self._snapshot()
            case _:
                return answer | {"type": "ok"}

    def _ends(self) -> dict[str, Any]:
        ends = [{"end": end.end, "value": end.value, "counts": end.counts} for end in self.layout.ends]
        return {"ends": ends, "total": self.layout.total, "spinner": str(self.layout.spinner or "") or None}

    def _turn(self) -> dict[str, Any]:
        return {"seat": 0}

    def _snapshot(self) -> dict[str, Any]:
        seats = [
            {"seat": seat, "side": seat % 2, "player": f"p{seat}", "bot": None, "name": name, "coming": None}
            | {"state": "present", "ready": False, "tiles": 7}
            for seat, name in enumerate(NAMES)
        ]
        settings = {
            "game": self.game,
            "seats": len(NAMES),
            "target": 100,
            "lead": 0,
            "public": False,
            "spectators": True,
            "fill": "bots",
            "bot": "club",
            "bot_delay": 0.7,
            "grace": 60,
            "absence": "bot",
            "hints": True,
            "undo": True,
            "next_deal_after": 20,
            "local": 1,
            "names": [],
        }
        return {
            "type": "snapshot",
            "room": ROOM,
            "epoch": 1,
            "seq": self.seq,
            "settings": settings,
            "host": "p0",
            "seats": seats,
            "you": {"seats": [OWN_SEAT], "shown": [OWN_SEAT], "watching": False},
            "phase": "playing",
            "waiting": False,
            "scores": [0, 0],
            "deals": [],
            "deal": {
                "number": 1,
                "lead": 0,
                "stock": 0,
                "hands": {str(OWN_SEAT): list(HAND)},
                "events": self._events,
                "layout": self._ends(),
            },
            "turn": self._turn(),
            "paused": [],
            "ask": None,
            "redo": 0,
            "watchers": [],
            "commitment": "0" * 64,
            "next_commitment": "0" * 64,
        }
