"""A fault of the server's own, over a real socket: who met it comes back and has missed nothing."""

from __future__ import annotations

from typing import Any

import pytest

from server.audience import Logged
from server.table.state import PlayerId
from tests.system.servers import Server


async def test_who_could_not_be_told_a_step_is_closed_with_1011_and_resumes(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(game="draw", seats=2)
    await bob.say("join", room=room)
    is_private = Logged.is_private

    def fail_for_bob(logged: Logged, player: PlayerId, *others: Any) -> bool:
        if player == bob.player:
            raise ZeroDivisionError
        return is_private(logged, player, *others)

    with monkeypatch.context() as patch:
        patch.setattr(Logged, "is_private", fail_for_bob)
        reacted = await ann.say("react", room=room, key="wow")
        assert await bob.close_code() == 1011
    await ann.hear(room, "away")
    await bob.come_back()
    await bob.resume(room)

    told = [event["type"] for update in bob.updates(room) for event in update["events"]]
    assert told[:2] == ["reacted", "away"]
    assert reacted["type"] == "ok"
