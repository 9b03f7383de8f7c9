"""The topology of docker-compose.yml, with its commands and settings, as processes of this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import pytest_asyncio

from tests.cluster.nodes import play
from tests.cluster.topology import CLUSTER, DOCKERFILE, Topology, command_of, instruction, is_node, mounted, services
from tests.documents import ROOT
from tests.system.client import Client

SINGLE = ROOT / "docker-compose.single.yml"
BLOCK: dict[str, Any] = {"game": "block", "seats": 2, "lead": 0, "target": 1_000_000}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def topology(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Topology]:
    running = Topology(tmp_path_factory.mktemp("compose"))
    await running.start()
    yield running
    await running.end()


class Table:
    """Two people at one table, who come through nginx."""

    def __init__(self, topology: Topology, room: str, players: list[Client]) -> None:
        self.topology = topology
        self.room = room
        self.players = players

    def nodes(self) -> list[str]:
        """At which node each of them is connected."""
        with self.topology.redis.client() as redis:
            known = [redis.get(f"ds:at:{player.player}") for player in self.players]
        return [str(where).partition(" ")[0] for where in known]

    async def come_back(self, path: str) -> None:
        """New connections for both, to ``path``; one that is in vain is tried again."""
        for player in self.players:
            if player.is_open:
                await player.drop()
            await player.come_back(self.topology.nginx.url + path)
            await player.say("sync", room=self.room)


async def sit_down(topology: Topology) -> Table:
    players = [Client(topology.nginx.url, name) for name in ("Ann", "Bob")]
    for player in players:
        await player.open()
        await player.hello()
    ann, bob = players
    room = await ann.create(**BLOCK)
    await bob.say("join", room=room)
    await ann.say("start", room=room)
    await bob.hear(room, "deal_started")
    return Table(topology, room, players)


@pytest.mark.asyncio(loop_scope="module")
async def test_people_play_through_nginx_whichever_node_they_come_to(topology: Topology) -> None:
    table = await sit_down(topology)

    await play(table.room, table.players, 6)

    first, second = (player.tables[table.room] for player in table.players)
    assert first["deal"]["layout"] == second["deal"]["layout"]


@pytest.mark.asyncio(loop_scope="module")
async def test_who_names_the_room_in_the_path_comes_to_the_node_of_the_others(topology: Topology) -> None:
    for _ in range(3):
        table = await sit_down(topology)
        await table.come_back(f"/{table.room}")

        first, second = table.nodes()

        assert first == second


@pytest.mark.asyncio(loop_scope="module")
async def test_redis_keeps_each_step_and_throws_nothing_away(topology: Topology) -> None:
    with topology.redis.client() as redis:
        settings = {name: redis.config_get(name)[name] for name in ("appendonly", "appendfsync", "maxmemory-policy")}

    assert settings == {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.mark.asyncio(loop_scope="module")
async def test_pages_come_through_nginx(topology: Topology) -> None:
    def read() -> tuple[str, bytes]:
        with urlopen(f"http://127.0.0.1:{topology.nginx.port}/") as page:
            return page.headers["Content-Security-Policy"], page.read()

    policy, page = await asyncio.to_thread(read)

    assert "default-src 'self'" in policy
    assert b"<title>" in page


@pytest.mark.asyncio(loop_scope="module")
async def test_a_match_goes_on_when_redis_is_killed_and_comes_back(topology: Topology) -> None:
    table = await sit_down(topology)
    await play(table.room, table.players, 3)

    topology.redis.kill()
    topology.redis.start()

    ann, bob = table.players
    before = [player.tables[table.room]["deal"]["layout"] for player in table.players]
    async with asyncio.timeout(20):
        while (await ann.ask("sync", room=table.room))["type"] == "error":
            continue
    await bob.say("sync", room=table.room)
    assert [player.tables[table.room]["deal"]["layout"] for player in table.players] == before
    await play(table.room, [ann, bob], 3)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_match_goes_on_through_nginx_when_a_node_is_gone_which_its_health_check_says(
    topology: Topology,
) -> None:
    table = await sit_down(topology)
    await play(table.room, table.players, 3)
    first, second = topology.nodes.values()
    assert await topology.is_healthy(first)

    await first.kill()

    assert not await topology.is_healthy(first)
    assert await topology.is_healthy(second)
    await table.come_back("")
    await play(table.room, table.players, 3)


@pytest.mark.parametrize("file", [CLUSTER, SINGLE], ids=lambda file: str(file.name))
def test_what_a_compose_file_names_is_there(file: Path) -> None:
    named = services(file)

    for service in named.values():
        assert set(service.get("depends_on", ())) <= set(named)
        assert all(named[other]["restart"] == "unless-stopped" for other in named)
    assert mounted(named["nginx"], "/etc/nginx/nginx.conf").is_file()


@pytest.mark.parametrize("file", [CLUSTER, SINGLE], ids=lambda file: str(file.name))
def test_nodes_believe_nginx_alone_where_players_come_from(file: Path) -> None:
    named = services(file)
    (address,) = (network["ipv4_address"] for network in named["nginx"]["networks"].values())

    commands = [command_of(service) for service in named.values() if is_node(service)]

    assert commands
    for command in commands:
        assert command[command.index("--proxy") + 1] == address


def test_nobody_reaches_redis_but_the_nodes() -> None:
    named = services(CLUSTER)

    assert "ports" not in named["redis"]
    for name, service in named.items():
        shares = set(named["redis"]["networks"]) & set(service["networks"])
        assert bool(shares) == (name == "redis" or is_node(service))


def test_the_image_is_made_of_what_is_there_and_runs_without_privileges() -> None:
    text = DOCKERFILE.read_text()
    copied = [line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ") and "--from" not in line]
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}

    assert {name for names in copied for name in names} <= admitted
    assert all((ROOT / name).exists() for name in admitted)
    assert instruction("USER") not in ("root", "0")
    assert json.loads(instruction("ENTRYPOINT")) == ["doublesix"]
