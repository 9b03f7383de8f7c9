"""What docker-compose.yml starts, as processes of this machine: its very commands, with addresses of this machine."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from tests.documents import ROOT
from tests.nginx_server import Nginx, free_port
from tests.redis_servers import NEWEST, RedisServer
from tests.system.servers import ServerProcess

CLUSTER = ROOT / "docker-compose.yml"
DOCKERFILE = ROOT / "Dockerfile"
HERE = "127.0.0.1"
PORT = 8661
"""Where the image listens."""
REDIS_PORT = 6379
Service: TypeAlias = Mapping[str, Any]


def services(file: Path) -> dict[str, Service]:
    """The services of a compose file, by name."""
    found: dict[str, Service] = yaml.safe_load(file.read_text())["services"]
    return found


def command_of(service: Service) -> list[str]:
    """What a service runs, word by word."""
    command = service["command"]
    return shlex.split(command) if isinstance(command, str) else list(command)


def is_node(service: Service) -> bool:
    """Whether it runs our own image."""
    return service.get("build") == "."


def mounted(service: Service, target: str) -> Path:
    """The file of the checkout that a service sees as ``target``."""
    for volume in service["volumes"]:
        source, seen, *_ = volume.split(":")
        if seen == target:
            return ROOT / str(source)
    raise AssertionError(f"nothing is mounted at {target}")


def instruction(name: str) -> str:
    """What the last instruction of that name in the Dockerfile says, on one line."""
    text = re.sub(r"\\\n\s*", "", DOCKERFILE.read_text())
    return str(re.findall(rf"^{name} (.*)$", text, re.MULTILINE)[-1])


class Topology:
    """Redis, the nodes and nginx."""

    def __init__(self, folder: Path, file: Path = CLUSTER) -> None:
        self._services = services(file)
        self._ports = {name: free_port() for name in self._services}
        redis_folder = folder / "redis"
        redis_folder.mkdir()
        program, *settings = command_of(self._services["redis"])
        assert program == "redis-server"
        self.redis = RedisServer(redis_folder, NEWEST, *settings, port=self._ports["redis"], safety=())
        self.nodes = {name: self._node(folder, name) for name, service in self._services.items() if is_node(service)}
        configuration = mounted(self._services["nginx"], "/etc/nginx/nginx.conf")
        self.nginx = Nginx(folder, self._places_in(configuration), configuration)

    def _node(self, folder: Path, name: str) -> ServerProcess:
        (folder / name).mkdir()
        program, *arguments = [self._brought_here(word) for word in command_of(self._services[name])]
        assert program == "serve"
        return ServerProcess(folder / name, *arguments, "--port", str(self._ports[name]))

    def _brought_here(self, word: str) -> str:
        """A word of a command, with this machine in place of others."""
        for name, service in self._services.items():
            for port in (PORT, REDIS_PORT):
                word = word.replace(f"//{name}:{port}", f"//{HERE}:{self._ports[name]}")
            networks = service.get("networks")
            for network in networks.values() if isinstance(networks, dict) else ():
                if network is not None and word == network["ipv4_address"]:
                    word = HERE
        return word

    def _places_in(self, configuration: Path) -> list[str]:
        """Where the servers are that nginx is to know, in its order."""
        named = re.findall(rf"^\s*server ([\w-]+):{PORT}\b", configuration.read_text(), re.MULTILINE)
        assert sorted(named) == sorted(self.nodes)
        return [f"{HERE}:{self._ports[name]}" for name in named]

    async def start(self) -> None:
        """In the order in which the services need each other."""
        self.redis.start()
        await asyncio.gather(*(node.start() for node in self.nodes.values()))
        self.nginx.start()

    async def end(self) -> None:
        """Kill them all."""
        self.nginx.stop()
        await asyncio.gather(*(node.kill() for node in self.nodes.values()))
        for node in self.nodes.values():
            await node.send_all_away()
        self.redis.kill()

    async def is_healthy(self, node: ServerProcess) -> bool:
        """What the health check of the image says of a node."""
        program, *arguments = json.loads(instruction("HEALTHCHECK").partition("CMD ")[2])
        words = [word.replace(f"localhost:{PORT}", f"{HERE}:{node.port}") for word in arguments]
        check = await asyncio.create_subprocess_exec(program, *words, stderr=asyncio.subprocess.DEVNULL)
        return await check.wait() == 0
