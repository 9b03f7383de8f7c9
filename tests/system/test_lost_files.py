"""The database file is moved away under a running server."""

from __future__ import annotations

from pathlib import Path

from structlog.testing import capture_logs

from server.app import READY_FOR
from server.store.sqlite import FILE_NAME, SqliteStore
from tests.system.servers import Server, serving
from tests.system.test_http import fetch


async def is_ready(server: Server) -> bool:
    server.let_pass(READY_FOR)
    return (await fetch(server, "/readyz")).status == 200


async def test_players_are_refused_until_the_file_is_back_and_then_go_on(tmp_path: Path) -> None:
    async with serving(SqliteStore(tmp_path)) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="draw", seats=2)
        assert await is_ready(server)

        with capture_logs() as logs:
            (tmp_path / FILE_NAME).rename(tmp_path / "elsewhere.db")
            refused = await ann.refused("react", room=room, key="wow")

        assert refused["code"] == "unavailable"
        assert not await is_ready(server)
        said = [line for line in logs if line["log_level"] == "error"]
        assert [(line["event"], line["files"]) for line in said] == [("store.files_lost", [str(tmp_path / FILE_NAME)])]

        (tmp_path / "elsewhere.db").rename(tmp_path / FILE_NAME)
        assert await is_ready(server)
        assert (await ann.say("react", room=room, key="wow"))["type"] == "ok"
