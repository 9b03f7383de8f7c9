"""Frames sent in every phase of a match, and what must not follow from them. All of it hangs on one seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog.testing

from server.limits import Limits
from tests.fuzz.house import open_house
from tests.fuzz.judge import complaints, expected, has_changed
from tests.fuzz.mutation import Sent, frame_as_it_is, frame_near
from tests.fuzz.scenes import SCENES, Scene

FRAMES_A_SCENE = 120
ENDLESS = {"messages_per_second": 0, "refusals_per_minute": 0, "wrong_codes": 0, "wrong_codes_per_address": 0}
"""Without them a connection would soon be closed."""


@dataclass
class Report:
    """What became of the frames."""

    frames: int = 0
    newest: int = 0
    """Those of the newest scene."""
    near: int = 0
    """Those that were valid messages with one thing changed."""
    by_scene: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.frames} frames, {self.near} near a valid message, {len(self.faults)} faults"


def fuzz(seed: int, frames: int, progress: Callable[[Report], None] = lambda _report: None) -> Report:
    """Send ``frames`` frames, a scene after the other. A scene's seed leads to it again."""
    report = Report()
    number = 0
    while report.frames < frames:
        before = report.frames
        play_scene(f"{seed}/{number}", number, min(FRAMES_A_SCENE, frames - report.frames), report)
        report.newest = report.frames - before
        progress(report)
        number += 1
    return report


def play_scene(seed: str, number: int, frames: int, report: Report) -> None:
    """Send up to ``frames`` frames in one phase; it ends early where the phase does."""
    rng = random.Random(seed)
    limits = Limits() if rng.random() < 0.1 else Limits.model_validate(ENDLESS)
    with structlog.testing.capture_logs() as logs, open_house(rng, limits) as house:
        scene = SCENES[number % len(SCENES)](house, rng)
        scene.made_at = house.table(scene.room).seq
        for _ in range(frames):
            sent = _send(scene, rng, limits, report)
            logged = [entry for entry in logs if entry["log_level"] in ("warning", "error")]
            report.faults += [f"{scene.name}: {sent}: logged {entry}" for entry in logged]
            report.faults += [f"{scene.name}: {sent}: the loop caught {fault}" for fault in house.node.loop.faults]
            if scene.sender.is_over or logged or house.node.loop.faults or not _goes_on(scene):
                break


def _send(scene: Scene, rng: random.Random, limits: Limits, report: Report) -> Sent:
    """Send one frame and judge what follows."""
    for person in scene.house.people:
        person.heard.clear()
    sent = _some_frame(scene, rng, f"f{report.frames}")
    before = scene.house.tables()
    scene.sender.send(sent.opcode, sent.data)
    report.frames += 1
    report.near += sent.is_near
    report.by_scene[scene.name] += 1
    report.outcomes[_outcome(scene)] += 1
    expects = expected(sent, scene.sender.codec, limits.frame_bytes)
    report.faults += [f"{scene.name}: {sent}: {what}" for what in complaints(scene, expects, before)]
    if expects.id is not None and has_changed(scene, before):
        scene.accepted[expects.id] = None
    return sent


def _some_frame(scene: Scene, rng: random.Random, new_id: str) -> Sent:
    message = scene.valid(rng)
    if scene.accepted and rng.random() < 0.1:
        return frame_as_it_is(scene.sender.codec, {**message, "id": rng.choice(list(scene.accepted))})
    if rng.random() < 0.9:
        message["id"] = new_id
    return frame_near(rng, scene.sender.codec, message)


def _outcome(scene: Scene) -> str:
    if scene.sender.is_over:
        return f"closed {scene.sender.code}"
    answer = next((heard for heard in scene.sender.heard if heard["type"] != "update"), None)
    return "nothing" if answer is None else str(answer.get("code", answer["type"]))


def _goes_on(scene: Scene) -> bool:
    """Whether the sender may go on: the scene is as it was made, or nearly."""
    rooms = scene.house.tables()
    return scene.room in rooms and len(rooms) < 6 and rooms[scene.room].seq < scene.made_at + 10
