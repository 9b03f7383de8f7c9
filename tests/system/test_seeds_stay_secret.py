"""The seed of a running match, and that of the next one, are in no message, log line, metric or crash report (H1, L2).

Everything that leaves the process is kept, at the finest level of logging, while everything is asked and everything
goes wrong. The code that goes wrong has the seeds at hand, and says them.
"""

from __future__ import annotations

import asyncio
import base64
import io
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest
import structlog

from server import logs
from server.audience import Audience
from server.connection import Connection
from server.house_players import HousePlayers
from server.outgoing import Outgoing
from server.rereading import RELOAD_AFTER
from server.store.base import StoreError
from server.store.memory import MemoryStore
from server.table import play
from server.table.state import Phase, Table
from tests.protocol.examples import EXAMPLES
from tests.system.client import Client
from tests.system.party import Party, gather
from tests.system.servers import Server, serving
from tests.system.test_http import fetch

PAGES = ("/", "/new", "/t/ABC234", "/r/0123456789abcdef", "/healthz", "/readyz", "/metrics", "/asyncapi.json", "/x")


class Trace:
    """All bytes that have left the process, and how secrets would look among them."""

    def __init__(self, log: io.StringIO) -> None:
        self.log = log
        self.sent: list[bytes] = []

    def has_logged(self, event: str) -> bool:
        """Whether a line of the log begins with ``event``."""
        return f'"event": "{event}' in self.log.getvalue()

    def tells(self, secret: bytes) -> list[str]:
        """Where ``secret`` is, in whatever form."""
        forms = {
            secret, secret[::-1], secret.hex().encode(), secret.hex().upper().encode(), repr(secret)[2:-1].encode(),
            base64.b64encode(secret), base64.urlsafe_b64encode(secret), str(int.from_bytes(secret)).encode(),
        }  # fmt: skip
        written = self.log.getvalue().encode().replace(b"\\\\", b"\\")  # as it was before it became JSON
        return [
            *(f"sent: {frame[:200]!r}" for frame in self.sent if any(form in frame for form in forms)),
            *(f"logged: {line[:200]!r}" for line in written.splitlines() if any(form in line for form in forms)),
        ]


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Trace]:
    """What the server sends and logs, down to the last detail of it and of its libraries."""
    log = io.StringIO()
    root, before = logging.getLogger(), (logging.getLogger().handlers[:], logging.getLogger().level)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", log)
        logs.configure()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    root.setLevel(logging.DEBUG)
    for handler in root.handlers:
        handler.setLevel(logging.DEBUG)
    trace = Trace(log)
    honest = Connection.send

    def send(self: Connection, outgoing: Outgoing) -> None:
        trace.sent.append(outgoing.frame(self.codec))
        honest(self, outgoing)

    monkeypatch.setattr(Connection, "send", send)
    yield trace
    structlog.reset_defaults()
    root.handlers[:], root.level = before[0], before[1]


def secrets_of(table: Table) -> tuple[bytes, bytes]:
    return table.seed, table.next_seed


def say_seeds(table: Table) -> None:
    """Fail as badly as code can that has a table."""
    seed, next_seed = secrets_of(table)
    raise RuntimeError(seed.hex(), next_seed.hex(), seed, next_seed, table, table.match)


class Faulty(MemoryStore):
    """A store that fails when it is told to, saying all that it was given."""

    is_failing = False

    async def append(self, steps: Sequence[Any]) -> Any:
        if self.is_failing:
            raise StoreError("a batch of so many steps cannot be written", len(steps))
        return await super().append(steps)


async def ask_everything(client: Client, room: str) -> None:
    """Every message of the protocol, as far as it changes no match."""
    for example in EXAMPLES:
        if example.type in {"hello", "leave", "new_game", "restart", "undo", "redo", "pause"}:
            continue
        fields = {**example.fields, "room": room} if "room" in example.fields else example.fields
        await client.ask(example.type, **fields | {"id": f"{client.name}-{example.type}-{len(client.heard)}"})


async def go_wrong(server: Server, party: Party, trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults in telling, deciding, answering and waking, in the store, and in a callback of the loop."""
    for logged, owner, name, fault in (
        ("room.telling", Audience, "note", partial_fault(lambda audience, *_: audience.told)),
        ("connection.bug", play, "act", partial_fault(lambda draft, *_: draft.table)),
        ("room.timer", HousePlayers, "choose", partial_fault(lambda *_: server.table(party.room))),
        ("journal.failed", Faulty, "is_failing", True),
    ):
        while not trace.has_logged(logged):
            await party.step()
            with monkeypatch.context() as broken:
                broken.setattr(owner, name, fault)
                await try_to_go_on(server, party)
            await recover(server, party)
    table, steps = server.table(party.room), await server.store.history(party.room)
    asyncio.get_running_loop().call_soon(partial(lambda table, *_: say_seeds(table), table, steps[0], steps[-1]))
    await turns()
    assert trace.has_logged("Exception in callback")


def partial_fault(table_in: Callable[..., Table]) -> Callable[..., Any]:
    def fail(*arguments: Any, **_: Any) -> None:
        say_seeds(table_in(*arguments))

    return fail


async def try_to_go_on(server: Server, party: Party) -> None:
    """Somebody acts, and a bot is to act: whatever becomes of it, and whenever it is answered."""
    ann = party.players[0]
    table = ann.tables[party.room]
    legal = (table["turn"] or {}).get("legal") or [{"action": {"type": "knock"}}]
    await ann.send("act", room=party.room, seq=table["seq"], action=legal[0]["action"])
    await ann.send("react", room=party.room, key="oops")
    await turns()
    server.let_pass(1)
    await turns()


async def turns() -> None:
    """What was sent arrives, and is handled."""
    for _ in range(50):
        await asyncio.sleep(0)


async def recover(server: Server, party: Party) -> None:
    """The room is read from its log again, and everybody sees it."""
    for _ in range(3):
        server.let_pass(RELOAD_AFTER)
        await turns()
    for client in party.everyone:
        await client.say("sync", room=party.room)


async def test_nothing_that_leaves_the_process_tells_the_seed_of_a_running_match(
    trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(Faulty(), limits={"rooms_per_player": 0}) as server:
        party = await gather(server, 2, game="draw", seats=3, target=1_000_000)
        lobby = secrets_of(server.table(party.room))
        await party.start()
        running = secrets_of(server.table(party.room))
        for _ in range(8):
            await party.step()
        for client in party.everyone:
            await ask_everything(client, party.room)
        bodies = [(await fetch(server, page)).body for page in PAGES]
        await go_wrong(server, party, trace, monkeypatch)
        trace.sent += bodies
        table = server.table(party.room)
        assert table.phase is not Phase.MATCH_OVER
        assert lobby == running == secrets_of(table)
        assert [trace.tells(secret) for secret in running] == [[], []]

        assert len(trace.sent) > 200


async def test_only_the_seed_of_the_match_that_has_ended_is_told(trace: Trace) -> None:
    """And so the search finds a seed that was told, in messages of both codecs."""
    async with serving() as server:
        party = await gather(server, 2, game="block", seats=2, target=10)
        await party.play_match()
        await party.players[0].say("record", room=party.room)
        ended, to_come = secrets_of(server.table(party.room))

        assert len(trace.tells(ended)) > 3
        assert trace.tells(to_come) == []


def test_a_seed_that_is_logged_is_found(trace: Trace) -> None:
    secret = bytes(range(32))

    structlog.get_logger().debug("test", seed=secret.hex())
    logging.getLogger("library").debug("seed %r", secret)

    assert len(trace.tells(secret)) == 2
