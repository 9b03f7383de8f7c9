"""`python -m tests.limits.slow_reader`: is a seat that reads nothing in the way of the others at its table?

Matches in which it reads and in which it does not take turns, so both see the same machine. In both it reads nothing
while the others are timed; the difference is what waits for it meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from engine.notation import parse_tile
from protocol.convert import Wire
from tests.system.client import Client
from tests.system.servers import NO_LIMITS, ServerProcess, server_process

NAMES = ("Ann", "Bob", "Cat", "Dan")
SLOW = 3
"""The seat that stops reading."""
SETTINGS: dict[str, Any] = {"game": "block", "seats": 4, "lead": 0, "target": 1}
SNAPSHOTS = 4
"""What the slow seat asks for at each of its turns and does not read."""
TOLERATED = 0.10


class Match:
    """One match of four people, the last of whom reads or does not."""

    def __init__(self, players: list[Client], room: str, *, reads: bool) -> None:
        self._players = players
        self.room = room
        self._reads = reads
        self._hand = set(players[SLOW].tables[room]["deal"]["hands"][str(SLOW)])
        self.seconds: list[float] = []
        """What each act of the others took until its answer."""

    @property
    def _view(self) -> Wire:
        return self._players[0].tables[self.room]

    async def play(self) -> None:
        """Play the first deal to its end."""
        slow = self._players[SLOW]
        slow.socket.transport.pause_reading()
        while self._view["turn"] is not None:
            seat = self._view["turn"]["seat"]
            if seat == SLOW:
                await self._act_blindly()
            else:
                await self._act(self._players[seat])
            await self._catch_up()
        slow.socket.transport.resume_reading()
        await slow.reach(self.room, self._view["seq"])

    async def _act(self, player: Client) -> None:
        table = player.tables[self.room]
        action = table["turn"]["legal"][0]["action"]
        began = time.perf_counter()
        await player.say("act", room=self.room, seq=table["seq"], action=action)
        self.seconds.append(time.perf_counter() - began)

    async def _act_blindly(self) -> None:
        """The slow seat knows its hand, and everybody knows the ends."""
        slow, seq = self._players[SLOW], self._view["seq"]
        for _ in range(SNAPSHOTS):
            await slow.send("sync", room=self.room)
        await slow.send("act", room=self.room, seq=seq, action=self._choose())
        await self._players[0].reach(self.room, seq + 1)

    def _choose(self) -> Wire:
        for end in self._view["deal"]["layout"]["ends"]:
            for text in self._hand:
                tile = parse_tile(text)
                if end["value"] in (tile.low, tile.high):
                    self._hand.remove(text)
                    return {"type": "play", "tile": text, "end": end["end"]}
        return {"type": "knock"}

    async def _catch_up(self) -> None:
        """Everybody who reads takes in the newest step."""
        seq = max(player.tables[self.room]["seq"] for player in self._players[:SLOW])
        for player in self._players[:SLOW]:
            await player.reach(self.room, seq)
        if self._reads:
            slow = self._players[SLOW]
            slow.socket.transport.resume_reading()
            await slow.reach(self.room, seq)
            slow.socket.transport.pause_reading()


async def new_match(players: list[Client], *, reads: bool) -> Match:
    """A match at a new table."""
    host = players[0]
    room = await host.create(**SETTINGS)
    for player in players[1:]:
        await player.say("join", room=room)
    await host.say("start", room=room)
    for player in players:
        await player.reach(room, host.tables[room]["seq"])
    return Match(players, room, reads=reads)


async def compare(matches: int) -> tuple[list[float], list[float]]:
    """Seconds of the others' acts while the slow seat reads, and while it does not."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder:
        limits = [f"--limit={name}=0" for name in (*NO_LIMITS, "rooms_per_player")]
        async with server_process(Path(folder), "--durability", "process", *limits) as server:
            players = [await _player(server, name) for name in NAMES]
            for number in range(matches):
                match = await new_match(players, reads=number % 2 == 0)
                await match.play()
                if number > 1:  # the first of either kind warm everything up
                    seconds[number % 2 == 0] += match.seconds
            await cut_and_come_back(players)
    return seconds[True], seconds[False]


async def _player(server: ServerProcess, name: str) -> Client:
    client = server.stranger(name)
    await client.open(receive_buffer=4096)
    await client.hello()
    return client


async def cut_and_come_back(players: list[Client]) -> None:
    """The slow seat asks and asks and reads nothing, until it is cut; then it is back with all that it has missed."""
    host, slow = players[0], players[SLOW]
    room = (await new_match(players, reads=False)).room
    slow.socket.transport.pause_reading()
    while host.tables[room]["seats"][SLOW]["state"] != "away":
        with suppress(ConnectionClosed):
            await slow.send("sync", room=room)
        await host.say("ping")
    await slow.drop()
    await slow.come_back()
    assert (await slow.resume(room))["type"] == "ok"
    await slow.look(room)


def main() -> int:
    """Compare, and say whether the difference is tolerable."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--matches", type=int, default=200, help="how many, half of them with a seat that does not read"
    )
    given = parser.parse_args()
    reading, not_reading = asyncio.run(compare(given.matches))
    medians = [statistics.median(seconds) * 1000 for seconds in (reading, not_reading)]
    change = medians[1] / medians[0] - 1
    sys.stdout.write(
        f"acts of the others: {len(reading)} while one seat reads, median {medians[0]:.3f} ms; "
        f"{len(not_reading)} while it does not, median {medians[1]:.3f} ms\n"
        f"one seat reads nothing: the others' median changes by {change:+.1%}; it was cut and came back\n"
    )
    return 0 if abs(change) < TOLERATED else 1


if __name__ == "__main__":
    sys.exit(main())
