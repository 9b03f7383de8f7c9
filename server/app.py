"""Composition root: builds each object of the server once, and takes them down in the right order."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from collections.abc import Coroutine, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from protocol.codecs import codec_for, select_codec
from protocol.errors import CloseCode
from server.addresses import Addresses, is_admitted
from server.archive import Archive
from server.assets import load_assets
from server.clock import Clock, SystemClock
from server.cluster import metrics as cluster_metrics
from server.cluster.cut_off import CutOff
from server.cluster.house import ClusterHouse
from server.cluster.redis_exchange import RedisExchange
from server.config import Config
from server.connected import Connected
from server.connection import CLOSE_TIMEOUT, Connection, Shared
from server.dispatch import Dispatcher
from server.farewell import Farewell
from server.house_players import HousePlayers, searchers
from server.housekeeping import Housekeeping
from server.http import HttpRoutes, Status, is_own_origin
from server.journal import Journal
from server.metrics import Metrics
from server.registry import Registry
from server.sessions import Sessions
from server.store.base import Store, StoreError
from server.store.memory import MemoryStore
from server.store.redis.store import RedisStore
from server.store.sqlite import SqliteStore
from server.table.draft import RandomBytes
from server.world import World

SWEEP = 5.0
"""Seconds between looks for connections that do not take what is sent to them, or on which nothing comes."""
READY_FOR = 1.0
"""Seconds for which the store's answer to a ping, which is a write, counts."""
OPEN_TIMEOUT = 10.0
PING_INTERVAL = 8.0
"""Seconds between pings: some mobile networks and proxies cut a line after ten seconds of silence.

They do not wait for answers: nginx takes a node that sends nothing for frozen. Who answers none is cut by the sweep.
"""
BACKLOG = 1024
UNSENT_IN_SYSTEM = 128 * 1024
"""Bytes of one connection that the system takes before it can send them, or little more."""

logger = structlog.get_logger(__name__)


async def open_store(config: Config, clock: Clock) -> Store:
    """The store that ``config`` names.

    Raises:
        DatabaseRefused: there is a database that must not be touched.
        StoreError: it is out of reach.
    """
    match config.store:
        case "memory":
            return MemoryStore()
        case "sqlite":
            return SqliteStore(config.data, durability=config.durability)
        case address:
            return await RedisStore.open(address, clock=clock)


async def open_exchange(config: Config, store: Store, clock: Clock) -> RedisExchange | None:
    """The way to the other nodes that use the same Redis; None where there cannot be any.

    Raises:
        StoreError: Redis is out of reach.
    """
    return await RedisExchange.open(config.store, store, clock) if isinstance(store, RedisStore) else None


class App:
    """One server process. `start`, then `stop`."""

    def __init__(
        self,
        config: Config,
        store: Store,
        *,
        clock: Clock | None = None,
        random_bytes: RandomBytes = os.urandom,
        bot_randomness: random.Random | None = None,
        exchange: RedisExchange | None = None,
    ) -> None:
        self._config = config
        self._store = store
        self._clock = clock or SystemClock()
        self._metrics = Metrics()
        self._journal = Journal(store, self._metrics)
        chance = bot_randomness or random.Random()  # noqa: S311 - how bots choose is no secret
        self._house = HousePlayers(chance, searchers(config.bot_workers), self._clock.monotonic)
        self._archive = Archive(store, self._clock)
        world = World(store, self._journal, self._archive, self._clock, config.limits, random_bytes, self._house)
        self.registry = Registry(world)
        self._exchange = exchange
        self._cluster: ClusterHouse | None = None
        self._cut_off: CutOff | None = None
        spread = random.Random()  # noqa: S311 - only spreads the load
        self._connected = Connected()
        if exchange is not None:
            self._cluster = ClusterHouse(
                self.registry,
                exchange,
                self._connected.replace,
                self._clock,
                config.limits,
                random_bytes,
                spread,
            )
        house = self._cluster or Dispatcher(self.registry)
        sessions = Sessions(store, house, self._archive, self._clock, random_bytes, self._connected)
        self._housekeeping = Housekeeping(store, self.registry, self._connected, self._clock, config.limits)
        self._addresses = Addresses(config.limits, config.proxies)
        may_read = partial(is_admitted, proxies=config.proxies, guests=config.monitors)
        self._routes = HttpRoutes(
            load_assets(), Status(self._is_ready, self._metrics.text, may_read), self._house.levels
        )
        self._shared = Shared(sessions, self._clock, config.limits, self._addresses, self._metrics)
        self._farewell = Farewell(self.registry, self._journal, self._connections, self._clock, spread)
        if exchange is not None:
            self._cut_off = CutOff(exchange, self._clock, self._farewell.send_all_away)
        self._show_metrics()
        self._asked_store: tuple[float, asyncio.Task[bool]] | None = None
        """When the store was asked last whether it answers, and what it says."""
        self._server: Server | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.has_failed = asyncio.Event()
        """Something without which nothing goes on has ended: only a new process helps."""

    def _show_metrics(self) -> None:
        gauge = self._metrics.gauge
        gauge(
            "doublesix_connections",
            "Connections, those included that are not open yet.",
            lambda: len(self._connections),
        )
        gauge("doublesix_players", "Players who are connected.", lambda: len(self._connected.players))
        gauge("doublesix_rooms", "Open rooms of this process.", lambda: len(self.registry))
        gauge("doublesix_unwritten_steps", "Steps that wait for the store.", lambda: len(self._journal))
        gauge("doublesix_unrecorded_rooms", "Rooms that may have a match without a record.", lambda: len(self._archive))
        cluster_metrics.show(self._metrics, self._exchange or cluster_metrics.Alone(), self.registry)
        gauge("doublesix_draining", "1 while the server is about to stop.", lambda: self.registry.is_draining)
        failures = "Choices of bots that had to be replaced because of a bug."
        self._metrics.counter("doublesix_bot_failures", failures, lambda: self._house.failures)
        late = "Choices of bots that search for which there was no answer when it was needed."
        self._metrics.counter("doublesix_bot_late", late, lambda: self._house.late)

    @property
    def ports(self) -> Sequence[int]:
        """The ports that the server listens on."""
        sockets = () if self._server is None else self._server.sockets
        return [listening.getsockname()[1] for listening in sockets]

    async def start(self) -> None:
        """Open the port, take the rooms of the store and serve. Whoever connects before that waits.

        Raises:
            OSError: the port is not free; nothing has been written.
            StoreError: the store is out of reach.
        """
        listening = _listen(self._config.host, self._config.port)
        try:
            await self._take_rooms()
        except BaseException:
            listening.close()
            raise
        self._server = await serve(
            self._handle,
            sock=listening,
            create_connection=partial(Connection, shared=self._shared),  # type: ignore[arg-type]  # any factory will do
            process_request=self._process_request,
            select_subprotocol=_select_subprotocol,
            compression=None,
            max_size=self._config.limits.frame_bytes or None,
            open_timeout=OPEN_TIMEOUT,
            close_timeout=CLOSE_TIMEOUT,
            ping_interval=PING_INTERVAL,
            ping_timeout=None,
            server_header=None,
        )
        if self._cut_off is not None:
            self._run_always(self._cut_off.run(), "cut off")
        self._run_always(self._sweep(), "sweep")
        self._run_always(self._metrics.measure_lag(self._clock), "lag")
        self._run_always(self._housekeeping.run(), "housekeeping")
        logger.info("server.started", ports=self.ports, rooms=len(self.registry))

    async def _take_rooms(self) -> None:
        self._run_always(self._journal.run(), "journal")
        self._run_always(self._archive.run(), "archive")
        if self._exchange is not None and self._cluster is not None:
            await self._exchange.start()
            self._run_always(self._exchange.run(), "exchange")
            self._run_always(self._cluster.run(), "cluster")
        else:
            await self.registry.load()

    def _run_always(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        task.add_done_callback(self._note_end)
        self._tasks.append(task)

    def _note_end(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            logger.error("server.task_ended", task=task.get_name(), exc_info=task.exception())
            self.has_failed.set()

    async def stop(self) -> None:
        """Take nothing new, write and tell what is decided, send the clients away and close the store."""
        self._house.close()
        await self._farewell.say(self._cluster)
        if self._server is not None:
            await self._close(self._server)
        if self._exchange is not None:
            await self._exchange.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._store.close()
        logger.info("server.stopped")

    async def _close(self, server: Server) -> None:
        """Close the port, which was open so long: `/readyz` said there that this is no place to come to."""
        server.close(close_connections=False)
        for connection in self._connections:
            connection.transport.abort()  # they have not got as far as to be told anything
        await server.wait_closed()

    @property
    def _is_cut_off(self) -> bool:
        return self._cluster is not None and not self._cluster.is_sure

    async def _is_ready(self) -> bool:
        """Whether players can be served. The store is asked at most once in `READY_FOR` seconds."""
        if self.registry.is_draining or self.has_failed.is_set() or self._is_cut_off:
            return False
        now = self._clock.monotonic()
        asked = self._asked_store
        if asked is None or (asked[1].done() and now - asked[0] >= READY_FOR):
            asked = self._asked_store = (now, asyncio.create_task(self._store_answers(), name="ready"))
        return await asyncio.shield(asked[1])

    async def _store_answers(self) -> bool:
        try:
            await self._store.ping()
        except StoreError:
            return False
        return True

    async def _process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        peer = connection.transport.get_extra_info("peername")
        response = await self._routes.answer(request, peer[0] if peer else "")
        if response is not None:
            return response
        if not is_own_origin(request, self._config.origins):
            return connection.respond(HTTPStatus.FORBIDDEN, "this origin is not admitted\n")
        if self.registry.is_draining:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "the server is about to stop\n")
        if self._is_cut_off:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "the server is cut off from the others\n")
        if not _ours(connection).may_open(request.headers.get_all("X-Forwarded-For")):
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None

    async def _handle(self, opened: ServerConnection) -> None:
        """Hold an open connection until it is closed; its messages are handled as they arrive."""
        connection = _ours(opened)
        if connection.subprotocol is None and _offers(connection):
            connection.close_now(CloseCode.UNSUPPORTED_VERSION)
        else:
            codec = codec_for(connection.subprotocol) if connection.subprotocol else select_codec(())
            if codec is not None:
                connection.start(codec)
        if self.registry.is_draining:
            self._farewell.send_away(connection)
        await connection.wait_closed()

    @property
    def _connections(self) -> set[Connection]:
        return self._shared.connections

    async def _sweep(self) -> None:
        while True:
            await self._clock.sleep(SWEEP)
            for connection in list(self._connections):
                connection.check_stalled()
                connection.check_silent()


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; without ``host`` one for IPv4 and IPv6 together, so that port 0 is one port."""
    is_dual = not host and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if is_dual or ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, dualstack_ipv6=is_dual, backlog=BACKLOG)
    # Connections inherit it. asyncio sets it on sockets of its own making alone; without it each answer waits 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # else the system holds megabytes beside what `unsent_bytes` counts
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_IN_SYSTEM)
    return listening


def _ours(connection: ServerConnection) -> Connection:
    if not isinstance(connection, Connection):
        raise TypeError("connections are made by create_connection")
    return connection


def _offers(connection: ServerConnection) -> list[str]:
    """The subprotocols that the client offered."""
    if connection.request is None:
        return []
    values = connection.request.headers.get_all("Sec-WebSocket-Protocol")
    return [offer.strip() for value in values for offer in value.split(",")]


def _select_subprotocol(_connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    codec = select_codec(offered)
    return None if codec is None or not offered else Subprotocol(codec.subprotocol)
