"""Every phase in which somebody may send something, each with what would be valid then."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from protocol.codecs import CODECS
from protocol.convert import Wire
from server.table.state import Phase
from tests.fuzz.house import House, Person
from tests.protocol.examples import EXAMPLES, SETTINGS

TABLE: dict[str, Any] = {"game": "block", "seats": 3, "target": 1, "lead": 0, "bot": "novice", "bot_delay": 60}
"""Settings of a short match in which nothing happens by itself."""
WORKING_SETTINGS = {"local": 1, "names": []}


@dataclass
class Scene:
    """``sender`` may send anything; ``bystander`` sits at the table of ``room``, and so does ``host``."""

    name: str
    house: House
    room: str
    sender: Person
    host: Person
    bystander: Person
    made_at: int = 0
    """The newest step when the scene had been made."""
    accepted: dict[str, None] = field(default_factory=dict)
    """Ids of the sender's messages that have made a step in ``room``."""

    def valid(self, rng: random.Random) -> Wire:
        """A message that is valid, and more often than not one that makes sense now."""
        if rng.random() < 0.5:
            return self._sensible(rng)
        message = rng.choice(EXAMPLES).message
        if "room" in message:
            message["room"] = self.room
        if "settings" in message:
            message["settings"] = {**SETTINGS, **(WORKING_SETTINGS if rng.random() < 0.7 else {})}
        return message

    def _sensible(self, rng: random.Random) -> Wire:
        table = self.house.table(self.room)
        in_room = {"room": self.room}
        legal = self.house.legal(self.room) if table.phase is Phase.PLAYING else []
        act: Wire = {"type": "act", **in_room, "seq": table.seq, "action": rng.choice(legal or [{"type": "knock"}])}
        choices: list[Wire] = [
            act,
            act,
            act,
            {"type": "next", **in_room},
            {"type": "react", **in_room, "key": "wow"},
            {"type": "sync", **in_room, "epoch": table.epoch, "after": rng.randint(0, table.seq)},
            {"type": "join", **in_room},
            {"type": "watch", **in_room},
            {"type": "leave", **in_room},
            {"type": "hint", **in_room},
            {"type": "review", **in_room},
            {"type": "start", **in_room},
            {"type": "add_bot", **in_room, "seat": 2, "level": "novice"},
            {"type": "create", "settings": {"game": "draw", "seats": 2}},
            {"type": "hello", "name": "Zoe"},
        ]
        return rng.choice(choices)


def _gathered(house: House, rng: random.Random, name: str, **settings: Any) -> Scene:
    host, bystander = house.person("Ann", rng.choice(CODECS)), house.person("Bob", rng.choice(CODECS))
    room = host.say("create", settings={**TABLE, **settings})["room"]
    bystander.say("join", room=room, seat=1)
    return Scene(name, house, room, host, host, bystander)


def _started(house: House, rng: random.Random, name: str, **settings: Any) -> Scene:
    scene = _gathered(house, rng, name, **settings)
    scene.host.say("start", room=scene.room)
    return scene


def _play(scene: Scene, *, until: Phase) -> None:
    """Ann and Bob play a table for two."""
    while scene.house.table(scene.room).phase is not until:
        table = scene.house.table(scene.room)
        if table.phase is Phase.DEAL_OVER:
            for person in (scene.host, scene.bystander):
                person.say("next", room=scene.room)
        else:
            actor = (scene.host, scene.bystander)[table.turn or 0]
            actor.say("act", room=scene.room, seq=table.seq, action=scene.house.legal(scene.room)[0])


def _seated_for_two(house: House, rng: random.Random, name: str, **settings: Any) -> Scene:
    return _started(house, rng, name, seats=2, **settings)


def before_hello(house: House, rng: random.Random) -> Scene:
    scene = _started(house, rng, "before hello")
    scene.sender = Person(house, "Zoe", rng.choice(CODECS))
    return scene


def visiting(house: House, rng: random.Random) -> Scene:
    scene = _started(house, rng, "visiting")
    scene.sender = house.person("Zoe", rng.choice(CODECS))
    return scene


def lobby_host(house: House, rng: random.Random) -> Scene:
    return _gathered(house, rng, "lobby, host")


def lobby_guest(house: House, rng: random.Random) -> Scene:
    scene = _gathered(house, rng, "lobby, guest")
    scene.sender = house.person("Zoe", rng.choice(CODECS))
    scene.sender.say("join", room=scene.room)
    return scene


def waiting(house: House, rng: random.Random) -> Scene:
    return _started(house, rng, "waiting", fill="wait")


def own_turn(house: House, rng: random.Random) -> Scene:
    return _started(house, rng, "own turn")


def others_turn(house: House, rng: random.Random) -> Scene:
    return _started(house, rng, "others' turn", lead=1)


def deal_over(house: House, rng: random.Random) -> Scene:
    scene = _seated_for_two(house, rng, "deal over", target=1000)
    _play(scene, until=Phase.DEAL_OVER)
    return scene


def match_over(house: House, rng: random.Random) -> Scene:
    scene = _seated_for_two(house, rng, "match over")
    _play(scene, until=Phase.MATCH_OVER)
    return scene


def watching(house: House, rng: random.Random) -> Scene:
    scene = _started(house, rng, "watching")
    scene.sender = house.person("Eve", rng.choice(CODECS))
    scene.sender.say("watch", room=scene.room)
    return scene


def coming(house: House, rng: random.Random) -> Scene:
    scene = _started(house, rng, "coming")
    scene.sender = house.person("Eve", rng.choice(CODECS))
    scene.sender.say("join", room=scene.room)
    return scene


SceneMaker = Callable[[House, random.Random], Scene]
SCENES: tuple[SceneMaker, ...] = (
    before_hello, visiting, lobby_host, lobby_guest, waiting, own_turn, others_turn, deal_over, match_over, watching,
    coming,
)  # fmt: skip
