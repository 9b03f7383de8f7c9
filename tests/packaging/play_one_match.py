"""Play one match with what is installed: server, page and bot, each as its user would start it.

Run by the python of an environment that holds nothing but the wheel and its dependencies. The last line counts what
passed and failed; the exit status is 1 if anything failed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

LIMIT = 120.0
"""Seconds that all of it may take."""
PATIENCE = 30.0
"""Seconds that one message may take."""
COMMAND = Path(sys.executable).with_name("doublesix")


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The ``doublesix`` command, until the block ends or the time is up."""
    with subprocess.Popen([COMMAND, *arguments], stdout=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(LIMIT, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


def address_of(server: subprocess.Popen[str]) -> str:
    """Where the server says that it is: ``host:port``."""
    line = server.stdout.readline() if server.stdout else ""
    if "http://" not in line:
        raise RuntimeError(f"the server told no address but {line!r}")
    return line.rpartition("http://")[2].strip()


def check_page(address: str) -> None:
    """The browser client is part of the wheel."""
    connection = HTTPConnection(address, timeout=PATIENCE)
    connection.request("GET", "/")
    page = connection.getresponse().read().decode()
    connection.close()
    if "<title>Doublesix" not in page:
        raise RuntimeError(f"the page is not the client: {page[:200]!r}")


class Player:
    """A person at a table who takes the first legal action."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.room = ""

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message, about the room once there is one."""
        room = {"room": self.room} if self.room else {}
        self._socket.send(json.dumps({"type": kind, **room, **fields}))

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of that type; an error is none that could be expected."""
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=PATIENCE))
            if message["type"] == "error":
                raise RuntimeError(f"the server refused: {message}")
            if message["type"] == kind:
                return message

    def create(self) -> None:
        """Open a table for two."""
        self.say("hello", name="Ann")
        self.hear("welcome")
        self.say("create", settings={"game": "fives-threes", "seats": 2, "target": 10, "bot_delay": 0})
        self.room = self.hear("snapshot")["room"]

    def play(self) -> dict[str, Any]:
        """Start once the other seat is taken, and play until the match is over. Returns how it ended."""
        while True:
            update = self.hear("update")
            for event in update["events"]:
                if event["type"] == "match_ended":
                    return dict(event)
                if event["type"] == "seated":
                    self.say("start")
                elif event["type"] == "deal_ended":
                    self.say("next")
            if update["turn"] and "legal" in update["turn"]:
                self.say("act", seq=update["seq"], action=update["turn"]["legal"][0]["action"])


def play_one_match() -> None:
    """Raises whatever goes wrong."""
    with started("serve", "--port", "0", "--host", "127.0.0.1", "--store", "memory") as server:
        address = address_of(server)
        check_page(address)
        url = f"ws://{address}/ws"
        with connect(url, proxy=None, compression=None) as socket:
            player = Player(socket)
            player.create()
            with started("bot", "--url", url, "--room", player.room, "--level", "club"):
                ended = player.play()
    if ended["winner"] not in (0, 1) or ended["scores"][ended["winner"]] != 10:
        raise RuntimeError(f"the match ended wrongly: {ended}")


def main() -> int:
    """The exit status."""
    try:
        play_one_match()
    except Exception as failure:  # noqa: BLE001 - whatever it is, it is what failed
        sys.stdout.write(f"{type(failure).__name__}: {failure}\n0 passed, 1 failed\n")
        return 1
    sys.stdout.write("1 passed, 0 failed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
