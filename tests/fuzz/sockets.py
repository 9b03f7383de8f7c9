"""The same frames over real sockets: a smaller share, for what lies between a socket and a message."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass

import msgpack
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame

from protocol.codecs import codec_for
from protocol.convert import Wire
from protocol.messages import check_sent
from tests.fuzz.fuzz import Report
from tests.fuzz.judge import CLOSED_FOR_A_REASON, Expected, complaints_of_the_answer, expected
from tests.fuzz.mutation import Sent, frame_near
from tests.protocol.examples import EXAMPLES
from tests.system.client import JSON, MSGPACK, PATIENCE, Client
from tests.system.scenes import SCENES, Scene
from tests.system.servers import serving

FRAMES_A_SCENE = 60
FRAME_BYTES = 16 * 1024


@dataclass
class Told:
    """What the sender has been told since a frame, and how the connection ended, if it did."""

    messages: list[Wire]
    code: int | None = None
    is_over: bool = False

    @property
    def outcome(self) -> str:
        """In one word."""
        if self.is_over:
            return f"closed {self.code}"
        return next((str(answer.get("code", answer["type"])) for answer in self.messages), "nothing")


async def fuzz_sockets(seed: int, frames: int) -> Report:
    """Send ``frames`` frames, a scene after the other, each on a server of its own."""
    report = Report()
    number = 0
    while report.frames < frames:
        rng = random.Random(f"{seed}/{number}")
        async with serving(bot_workers=0) as server:  # so that a seed does the same each time
            make = SCENES[number % len(SCENES)]
            await _play(await make(server, rng.choice((JSON, MSGPACK))), make.__name__, rng, report)
        number += 1
    return report


async def _play(scene: Scene, name: str, rng: random.Random, report: Report) -> None:
    """Send frames until one was accepted or has ended the connection; then nobody else has noticed anything."""
    codec = codec_for(scene.sender.subprotocol)
    for _ in range(FRAMES_A_SCENE):
        example = rng.choice(EXAMPLES)
        here = {"room": scene.room} if "room" in example.fields else {}
        message = {**example.message, **here, "id": f"f{report.frames}"}
        sent = frame_near(rng, codec, message)
        told = await _send(scene, sent)
        report.frames += 1
        report.near += sent.is_near
        report.by_scene[name] += 1
        report.outcomes[told.outcome] += 1
        expects = expected(sent, codec, FRAME_BYTES)
        report.faults += [f"{name}: {sent}: {what}" for what in _complaints(expects, told)]
        if told.is_over or any(answer["type"] != "error" for answer in told.messages):
            return
    await scene.assert_nothing_happened()


async def _send(scene: Scene, sent: Sent) -> Told:
    """Write one frame to the socket; what is told until all of it has had its effect."""
    told = Told([])
    scene.sender.socket.transport.write(Frame(sent.opcode, sent.data).serialize(mask=True))
    try:
        await _hear_to_the_end(scene.sender, told)
        await scene.server.app._journal.flushed()
        await _hear_to_the_end(scene.sender, told)
    except ConnectionClosed:
        told.code, told.is_over = scene.sender.socket.close_code, True
    return told


async def _hear_to_the_end(sender: Client, told: Told) -> None:
    """Take in all that the server has said, without making sense of it: what was asked for may make none."""
    ping = await sender.send("ping")
    while True:
        async with asyncio.timeout(PATIENCE):
            frame = await sender.socket.recv()
        message: Wire = json.loads(frame) if isinstance(frame, str) else msgpack.unpackb(frame)
        check_sent(message)
        if message.get("re") == ping:
            return
        told.messages.append(message)


def _complaints(expects: Expected, told: Told) -> list[str]:
    answers = [message for message in told.messages if message["type"] not in ("update", "closing")]
    if not told.is_over:
        return complaints_of_the_answer(expects, answers)
    if told.code in CLOSED_FOR_A_REASON or told.code == expects.due.value:
        return []
    return [f"closed with {told.code}, due was {expects}"]
