"""A real nginx to test with, under a configuration of ours that is brought to this machine."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.documents import ROOT

CLUSTER = ROOT / "docker" / "nginx-cluster.conf"
SINGLE = ROOT / "docker" / "nginx.conf"
PATIENCE = 10.0
"""Seconds in which it must listen."""
_SERVER = re.compile(r"^( *server )[\w.-]+:\d+(.*;)$", re.MULTILINE)
_LISTEN = re.compile(r"\blisten \d+;")
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""What nginx puts aside, each into a folder of its own."""


def _program() -> str:
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise RuntimeError("there is no nginx: install Debian's nginx-light, or let `make tools` do it")
    return found


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def adapted(text: str, nodes: Sequence[str], port: int, folder: Path) -> str:
    """The configuration ``text`` for this machine: ``nodes`` (HOST:PORT) for the servers that it names, and no others.

    It listens on ``port``, and ``folder`` takes what it writes. All else stays as it is.
    """
    named = list(_SERVER.finditer(text))
    servers = "\n".join(f"{named[0][1]}{node}{named[0][2]}" for node in nodes)
    text = text[: named[0].start()] + servers + text[named[-1].end() :]
    text, ports = _LISTEN.subn(f"listen 127.0.0.1:{port};", text)
    assert ports == 1, "it listens on one port"
    aside = "".join(f"    {name}_temp_path {folder / name};\n" for name in _TEMPORARY)
    return text.replace("http {\n", f"http {{\n{aside}", 1)


class Nginx:
    """A process of nginx before ``nodes``."""

    def __init__(self, folder: Path, nodes: Sequence[str], configuration: Path = CLUSTER) -> None:
        self.port = free_port()
        self.log = folder / "nginx.log"
        self._folder = folder
        self._file = folder / "nginx.conf"
        self._file.write_text(adapted(configuration.read_text(), nodes, self.port, folder))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address for WebSockets."""
        return f"ws://127.0.0.1:{self.port}/ws"

    def start(self) -> None:
        """Return when it listens.

        Raises:
            RuntimeError: it does not like its configuration, or cannot listen.
        """
        own = f"daemon off; pid {self._folder / 'nginx.pid'};"
        command = [_program(), "-p", str(self._folder), "-c", str(self._file), "-e", str(self.log), "-g", own]
        self._process = subprocess.Popen(command)
        deadline = time.monotonic() + PATIENCE
        while not self._listens():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"nginx did not start:\n{self.log.read_text()}")
            time.sleep(0.01)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """End it at once, and every connection with it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


@contextmanager
def nginx(folder: Path, nodes: Sequence[str], configuration: Path = CLUSTER) -> Iterator[Nginx]:
    """A started one."""
    server = Nginx(folder, nodes, configuration)
    server.start()
    try:
        yield server
    finally:
        server.stop()
