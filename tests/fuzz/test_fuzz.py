from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from protocol.errors import ErrorCode, ProtocolError
from server.connection import Connection
from server.outgoing import Outgoing
from server.room import Room
from server.session import Session
from server.table.state import Actor
from tests.fuzz.fuzz import Report, fuzz
from tests.fuzz.scenes import SCENES
from tests.fuzz.sockets import fuzz_sockets

FRAMES = 3000
ENOUGH = 1500
"""Frames within which every planted fault must show."""


def test_frames_in_every_phase_are_answered_once_or_close_and_change_nothing_if_refused() -> None:
    report = fuzz(seed=20, frames=FRAMES)

    assert report.faults == []
    assert report.frames == FRAMES
    assert report.near >= FRAMES / 2
    assert len(report.by_scene) == len(SCENES)
    assert min(report.by_scene.values()) > FRAMES / len(SCENES) / 4
    assert set(report.outcomes) >= {"ok", "snapshot", "pong", "bad_message", "too_large", "closed 1007", "closed 1009"}


async def test_frames_over_sockets_are_treated_the_same() -> None:
    report = await fuzz_sockets(seed=20, frames=300)

    assert report.faults == []
    assert report.near >= report.frames / 2
    assert len(report.by_scene) == 5


def test_the_same_seed_sends_the_same_frames() -> None:
    first, second = fuzz(seed=3, frames=300), fuzz(seed=3, frames=300)

    assert (first.outcomes, first.near) == (second.outcomes, second.near)


def answer_twice(patch: pytest.MonkeyPatch) -> None:
    send = Connection.send

    def twice(connection: Connection, outgoing: Outgoing) -> None:
        send(connection, outgoing)
        if outgoing.message.get("code") == ErrorCode.NOT_SEATED:
            send(connection, outgoing)

    patch.setattr(Connection, "send", twice)


def be_silent(patch: pytest.MonkeyPatch) -> None:
    send = Connection.send

    def rarely(connection: Connection, outgoing: Outgoing) -> None:
        if outgoing.message.get("code") != ErrorCode.UNSUPPORTED:
            send(connection, outgoing)

    patch.setattr(Connection, "send", rarely)


def forget_the_id(patch: pytest.MonkeyPatch) -> None:
    send = Connection.send

    def without(connection: Connection, outgoing: Outgoing) -> None:
        if outgoing.message["type"] == "error":
            outgoing.message.pop("re", None)
        send(connection, outgoing)

    patch.setattr(Connection, "send", without)


def have_a_bug(patch: pytest.MonkeyPatch) -> None:
    handle = Session.handle

    def handle_badly(session: Session, message: Any) -> None:
        if message.type == "swap":
            raise KeyError("a bug")
        handle(session, message)

    patch.setattr(Session, "handle", handle_badly)


def close_for_nothing(patch: pytest.MonkeyPatch) -> None:
    handle = Session.handle

    def handle_or_close(session: Session, message: Any) -> None:
        if message.type == "swap":
            session.cut()
        handle(session, message)

    patch.setattr(Session, "handle", handle_or_close)


class Mute:
    """A listener to whom nothing is said."""

    is_open = True

    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    def send(self, outgoing: Outgoing) -> None:
        pass


def change_and_refuse(patch: pytest.MonkeyPatch) -> None:
    handle = Room.handle

    def handle_and_refuse(room: Room, listener: Any, message: Any) -> None:
        if message.type == "react":
            handle(room, cast("Any", Mute(listener.actor)), message)
            raise ProtocolError(ErrorCode.REFUSED, re=message.id)
        handle(room, listener, message)

    patch.setattr(Room, "handle", handle_and_refuse)


def forget_what_was_answered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Room, "answer_again", lambda *_arguments: False)


def tell_others_of_refusals(patch: pytest.MonkeyPatch) -> None:
    handle = Room.handle

    def handle_and_tell(room: Room, listener: Any, message: Any) -> None:
        if message.type == "watch":
            for other in room.audience.listeners.values():
                other.send(Outgoing({"type": "closing", "reason": "somebody wants to watch"}))
        handle(room, listener, message)

    patch.setattr(Room, "handle", handle_and_tell)


@pytest.mark.parametrize(
    ("plant", "complaint"),
    [
        (answer_twice, "2 answers"),
        (be_silent, "0 answers"),
        (forget_the_id, "the answer is to None"),
        (have_a_bug, "an error of our own"),
        (close_for_nothing, "closed with 1011"),
        (change_and_refuse, "a refused message has changed something"),
        (forget_what_was_answered, "has led to another step"),
        (tell_others_of_refusals, "was told of a refused message"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)

    report: Report = fuzz(seed=4, frames=ENOUGH)

    assert any(complaint in fault for fault in report.faults), report.faults[:3]
