from __future__ import annotations

import pytest

from tests.system.bad_messages import BadMessage, bad_messages
from tests.system.client import JSON, MSGPACK, Client
from tests.system.scenes import SCENES, SceneMaker
from tests.system.servers import Server


def can_send(client: Client, bad: BadMessage) -> bool:
    """MessagePack has no half surrogate pairs and no integers of more than 64 bits."""
    try:
        client.encode(bad.message)
    except (UnicodeEncodeError, OverflowError):
        return client.subprotocol != MSGPACK
    return True


async def fault_of_answer(sender: Client, bad: BadMessage) -> str | None:
    """How the server's answer to ``bad`` is not the one that it must be."""
    fields = {name: value for name, value in bad.message.items() if name != "type"}
    answer = await sender.ask(bad.message["type"], **fields)
    if (answer["type"], answer.get("code")) != ("error", "bad_message"):
        return f"{bad.what}: {answer}"
    path = answer.get("path", "")
    if path != bad.path and not path.startswith(f"{bad.path}."):
        return f"{bad.what}: the path is {path!r}"
    return None


@pytest.mark.parametrize("scene_of", SCENES, ids=lambda scene: scene.__name__)
@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_bad_field_is_named_and_nobody_else_notices(
    server: Server, scene_of: SceneMaker, subprotocol: str
) -> None:
    scene = await scene_of(server, subprotocol)
    tried = [bad for bad in bad_messages(scene.room) if can_send(scene.sender, bad)]

    faults = [await fault_of_answer(scene.sender, bad) for bad in tried]

    assert [fault for fault in faults if fault is not None] == []
    assert len(tried) > 500
    await scene.assert_nothing_happened()
