"""One valid message of each type, with every field, and which of the fields may be left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ROOM = "ABC234"
ENTROPY = "0123456789abcdef" * 4
PLAY = {"type": "play", "tile": "1-4", "end": "left"}
SETTINGS: dict[str, Any] = {
    "game": "fives-threes",
    "seats": 4,
    "target": 61,
    "lead": 3,
    "public": True,
    "spectators": False,
    "fill": "wait",
    "fill_after": 30,
    "bot": "novice",
    "bot_delay": 0.5,
    "turn_timer": 20,
    "grace": 10,
    "absence": "wait",
    "hints": False,
    "undo": False,
    "next_deal_after": 0,
    "local": 2,
    "names": ["Bo"],
}


@dataclass(frozen=True)
class Example:
    """``fields`` beside ``type``; those in ``optional`` may be left out or null."""

    type: str
    fields: dict[str, Any]
    optional: frozenset[str] = frozenset()

    @property
    def message(self) -> dict[str, Any]:
        return {"type": self.type, **self.fields}

    @property
    def required(self) -> list[str]:
        return [name for name in self.fields if name not in self.optional]


def _example(kind: str, fields: dict[str, Any], *optional: str) -> Example:
    return Example(kind, fields, frozenset(optional))


_IN_ROOM = {"room": ROOM}

EXAMPLES = [
    _example("hello", {"name": "Ann", "token": "secret", "locale": "en-GB", "bot": True}, "token", "locale", "bot"),
    _example("rooms", {"game": "draw", "subscribe": True}, "game", "subscribe"),
    _example("create", {"settings": SETTINGS, "seat": 3}, "seat"),
    _example("join", {**_IN_ROOM, "seat": 1}, "seat"),
    _example("watch", _IN_ROOM),
    _example("leave", _IN_ROOM),
    _example("add_bot", {**_IN_ROOM, "seat": 2, "level": "club"}, "level"),
    _example("remove", {**_IN_ROOM, "seat": 2}),
    _example("swap", {**_IN_ROOM, "seats": [0, 1]}),
    _example("start", {**_IN_ROOM, "entropy": ENTROPY}, "entropy"),
    _example("act", {**_IN_ROOM, "seat": 0, "seq": 7, "action": PLAY}, "seat"),
    _example("next", {**_IN_ROOM, "entropy": ENTROPY}, "entropy"),
    _example("show", {**_IN_ROOM, "seat": 1}),
    _example("hint", {**_IN_ROOM, "seat": 1}, "seat"),
    _example("review", {**_IN_ROOM, "seat": 1}, "seat"),
    _example("undo", _IN_ROOM),
    _example("redo", _IN_ROOM),
    _example("restart", _IN_ROOM),
    _example("new_game", _IN_ROOM),
    _example("cover", {**_IN_ROOM, "seat": 1}),
    _example("consent", {**_IN_ROOM, "ask": 12, "yes": False}),
    _example("pause", _IN_ROOM),
    _example("continue", _IN_ROOM),
    _example("react", {**_IN_ROOM, "key": "nice"}),
    _example("quick", {"game": "block", "seats": 2}),
    _example("sync", {**_IN_ROOM, "epoch": 1_790_000_000, "after": 0}, "epoch", "after"),
    _example("record", {"id": "r1", **_IN_ROOM}, "id", "room"),
    _example("ping", {}),
]
