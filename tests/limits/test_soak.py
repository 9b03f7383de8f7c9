from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from server.addresses import Addresses
from server.room import Room
from tests.limits.soak import soak


@pytest.fixture(autouse=True)
async def without_debugging() -> None:
    """The loop's debug mode keeps a traceback for each handle: it would take most of the time."""
    asyncio.get_running_loop().set_debug(False)


async def test_connections_and_matches_leave_nothing_behind() -> None:
    before, after = await soak(1000, 200)

    assert after.grown_since(before) == []


def count_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Addresses, "leave", lambda *_arguments: None)


def hold_on_to_rooms(patch: pytest.MonkeyPatch) -> None:
    kept: list[Room] = []
    give = Room.open

    def give_and_keep(room: Room, *arguments: Any) -> None:
        kept.append(room)
        give(room, *arguments)

    patch.setattr(Room, "open", give_and_keep)


@pytest.mark.parametrize(("plant", "what"), [(count_for_ever, "visits"), (hold_on_to_rooms, "Room")])
async def test_what_is_left_behind_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)

    before, after = await soak(200, 20)

    assert any(grown.startswith(f"{what}:") for grown in after.grown_since(before))
