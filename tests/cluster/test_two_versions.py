"""Pages while nodes of two versions run, through docker/nginx-cluster.conf."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from http.client import HTTPConnection
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from server.assets import Asset, load_assets
from server.http import HttpRoutes, Status
from tests.nginx_server import Nginx, nginx
from tests.system.client import PATIENCE

SCRIPT = "text/javascript; charset=utf-8"
PAGES = 20
"""So many that each node is asked for some of them."""


async def always_ready() -> bool:
    return True


STATUS = Status(always_ready, metrics=lambda: b"", may_read=lambda _peer, _forwarded: False)


def version(name: str) -> Mapping[str, Asset]:
    """The files of a version, two of whose modules are its own."""
    own = {path: Asset.of(SCRIPT, f"// {path} of {name}".encode()) for path in ("/main.js", "/turn.js")}
    return {**load_assets(), **own}


class Node:
    """What a node of a version answers to who asks for a page or a file."""

    def __init__(self, name: str) -> None:
        self._routes = HttpRoutes(version(name), STATUS, ())

    async def run(self, running: AsyncExitStack) -> str:
        """Answer as long as ``running`` lasts; the address."""
        server = await running.enter_async_context(serve(_no_line, "127.0.0.1", 0, process_request=self._answer))
        return f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _answer(self, _connection: ServerConnection, request: Request) -> Response | None:
        return await self._routes.answer(request)


async def _no_line(_line: ServerConnection) -> None:
    """Nobody plays here."""


@pytest.fixture
async def front(tmp_path: Path) -> AsyncIterator[Nginx]:
    async with AsyncExitStack() as running:
        addresses = [await Node(name).run(running) for name in ("old", "new")]
        yield running.enter_context(nginx(tmp_path, addresses))


async def fetch(front: Nginx, path: str) -> tuple[int, str]:
    """Status and text of the answer."""
    return await asyncio.to_thread(_fetch, front.port, path)


def _fetch(port: int, path: str) -> tuple[int, str]:
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        line.request("GET", path)
        response = line.getresponse()
        return response.status, response.read().decode()
    finally:
        line.close()


async def test_each_page_has_all_its_files_from_its_own_version(front: Nginx) -> None:
    pages = [(await fetch(front, "/"))[1] for _ in range(PAGES)]
    scripts = [re.findall(r'"(/v/\w+/(?:main|turn)\.js)"', page) for page in pages]

    found = [[await fetch(front, path) for path in paths] for paths in scripts]

    versions = [{text.rpartition(" ")[2] for _, text in files} for files in found]
    assert {status for files in found for status, _ in files} == {200}
    assert {len(files) for files in found} == {2}
    assert all(len(names) == 1 for names in versions)
    assert set.union(*versions) == {"old", "new"}


async def test_a_version_that_no_node_has_any_more_is_not_made_up_from_another(front: Nginx) -> None:
    statuses = {(await fetch(front, "/v/0123456789abcdef/main.js"))[0] for _ in range(4)}

    assert statuses == {404}
