"""Who may send something, and who must not notice."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from protocol.convert import Wire
from tests.system.client import JSON, Client
from tests.system.servers import Server


@dataclass
class Scene:
    """``sender`` may send whatever it likes; ``bystander`` sits at the table of ``room``."""

    server: Server
    room: str
    sender: Client
    bystander: Client
    before: Wire
    """What the bystander sees before anything is sent."""

    async def assert_nothing_happened(self) -> None:
        """No step, nothing else at the table, and no message to the bystander."""
        heard = len(self.bystander.heard)
        assert await self.bystander.look(self.room) == {**self.before, "re": self.bystander.heard[-1]["re"]}
        assert len(self.bystander.heard) == heard + 1
        assert self.server.table(self.room).seq == self.before["seq"]


async def lobby(server: Server, subprotocol: str = JSON) -> Scene:
    """The host may send something, before the match."""
    ann, bob = await server.client("Ann", subprotocol), await server.client("Bob")
    room = await ann.create(game="draw", seats=3, lead=0, bot_delay=0, bot="novice")
    await bob.say("join", room=room)
    return Scene(server, room, ann, bob, await bob.look(room))


async def in_turn(server: Server, subprotocol: str = JSON) -> Scene:
    """The host may send something, whose turn it is at the opening of a deal."""
    scene = await lobby(server, subprotocol)
    await scene.sender.say("start", room=scene.room)
    await scene.bystander.hear(scene.room, "deal_started")
    scene.before = await scene.bystander.look(scene.room)
    return scene


async def watching(server: Server, subprotocol: str = JSON) -> Scene:
    """Somebody who watches a match may send something."""
    scene = await in_turn(server)
    scene.sender = await server.client("Eve", subprotocol)
    await scene.sender.say("watch", room=scene.room)
    await scene.bystander.hear(scene.room, "watchers")
    scene.before = await scene.bystander.look(scene.room)
    return scene


async def visiting(server: Server, subprotocol: str = JSON) -> Scene:
    """Somebody may send something who has no part in the match."""
    scene = await in_turn(server)
    scene.sender = await server.client("Zoe", subprotocol)
    return scene


async def unknown(server: Server, subprotocol: str = JSON) -> Scene:
    """Somebody may send something who has not said hello."""
    scene = await in_turn(server)
    scene.sender = server.stranger("Zoe", subprotocol)
    await scene.sender.open()
    return scene


SceneMaker = Callable[..., Coroutine[Any, Any, Scene]]
SCENES: tuple[SceneMaker, ...] = (lobby, in_turn, watching, visiting, unknown)
