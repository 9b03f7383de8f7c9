from __future__ import annotations

import socket

import pytest
from websockets.exceptions import ConnectionClosed

from tests.limits.slow_reader import compare
from tests.system.scenes import Scene, in_turn
from tests.system.servers import serving


async def stop_reading(scene: Scene) -> None:
    """The sender reads nothing any more, on a line that holds little."""
    await scene.sender.drop()
    await scene.bystander.hear(scene.room, "away")
    await scene.sender.open(receive_buffer=4096)
    await scene.sender.hello()
    await scene.sender.say("sync", room=scene.room)
    await scene.bystander.hear(scene.room, "back")
    scene.sender.socket.transport.pause_reading()
    connection = max(scene.server.app._connections, key=lambda connection: connection.number)
    connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


async def ask_without_end(scene: Scene) -> None:
    """Whatever the sender is told, it does not read it."""
    while True:
        await scene.sender.send("sync", room=scene.room)
        await scene.bystander.say("ping")


async def test_a_seat_that_stops_reading_is_cut_and_has_all_that_it_missed_when_it_comes_back() -> None:
    async with serving(limits={"unsent_bytes": 32 * 1024}) as server:
        scene = await in_turn(server)
        await stop_reading(scene)
        seen = scene.sender.tables[scene.room]["seq"]
        with pytest.raises(ConnectionClosed):
            await ask_without_end(scene)
        for _ in range(5):
            await scene.bystander.say("react", room=scene.room, key="wow")
            server.let_pass(4)

        await scene.sender.come_back()
        answer = await scene.sender.resume(scene.room)

        missed = [update["events"][0]["type"] for update in scene.sender.updates(scene.room) if update["seq"] > seen]
        assert answer["type"] == "ok"
        assert missed == ["away", *["reacted"] * 5, "back"]
        await scene.sender.look(scene.room)


async def test_the_comparison_times_the_others_in_both_kinds_of_match() -> None:
    reading, not_reading = await compare(matches=4)

    assert len(reading) > 5
    assert len(not_reading) > 5
