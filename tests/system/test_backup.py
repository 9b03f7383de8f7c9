from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.system.servers import server_process
from tests.system.test_restart import SETTINGS, Pair


def back_up(database: Path, copy: Path) -> None:
    """As docs/operations.md says."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))


async def test_a_backup_taken_while_people_play_can_be_restored_and_clients_are_told(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        room = await ann.create(**SETTINGS)
        await bob.say("join", room=room, seat=2)
        await ann.say("start", room=room)
        await bob.hear(room, "deal_started")
        pair = Pair(server, room, [ann, bob])
        await pair.play(2)
        copied = max(view["seq"] for view in pair.views)
        database = tmp_path / "store" / "doublesix.db"

        await asyncio.gather(asyncio.to_thread(back_up, database, tmp_path / "copy.db"), pair.play(6))
        seen, epoch = max((view["seq"], view["epoch"]) for view in pair.views)
        await server.kill()
        for leftover in database.parent.glob("doublesix.db*"):
            leftover.unlink()
        (tmp_path / "copy.db").rename(database)
        await server.start()
        await ann.come_back(server.url)
        told = await ann.say("sync", room=room, after=seen + 100, epoch=epoch)

        assert told["type"] == "snapshot"
        assert told["reset"] is True
        assert told["seq"] >= copied
        assert told["epoch"] > epoch
        await bob.come_back(server.url)
        await bob.say("sync", room=room)
        await ann.say("sync", room=room)
        await pair.play(1000)
        assert {view["phase"] for view in pair.views} == {"match_over"}
