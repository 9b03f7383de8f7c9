"""Who could know what when: worked out from the log, and held against every message that a client was sent (H1, H4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.events import DealEnded, DealStarted, Drew, Played
from engine.seats import Seat
from engine.tiles import Tile
from protocol.convert import Wire
from server.store.base import Store
from server.table.events import Created, Event, MatchOver, MatchStarted
from server.table.evolve import Step
from server.table.log import unpack
from tests.system.client import Client

TILE = re.compile(r"(?<!\w)[0-6]-[0-6](?!\w)")


async def read_log(store: Store, room: str) -> list[Step]:
    """Every durable step of ``room``, secrets included."""
    return [unpack(stored.seq, stored.epoch, stored.payload)[0] for stored in await store.load(room)]


def leaks(client: Client, room: str, log: Sequence[Step], seat: Seat | None) -> list[str]:
    """What ``client`` was sent of ``room`` but could not know, who sat at ``seat`` all the time or watched (None)."""
    tiles = list(_knowable_tiles(log, seat))
    seeds = list(_secret_seeds(log))
    found = []
    seq = 1
    for message in client.heard:
        if message.get("room", room) != room:
            continue
        seq = message.get("seq", seq)
        for text in _texts(message):
            foreign = {tile for tile in TILE.findall(text) if tile not in tiles[seq - 1]}
            foreign |= {seed for seed in seeds[seq - 1] if seed in text}
            found += [f"{secret} in {message['type']} of step {seq}" for secret in sorted(foreign)]
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _knowable_tiles(log: Iterable[Step], seat: Seat | None) -> Iterator[frozenset[str]]:
    """For each step the tiles that ``seat`` may be told of: its own, those played, all hands once a deal is over."""
    known: frozenset[str] = frozenset()
    for step in log:
        told = known
        for event in step.events:
            if isinstance(event, DealStarted):
                known = frozenset()
            known |= _shown(event, seat)
            told |= known
        yield told if any(isinstance(event, DealEnded) for event in step.events) else known


def _shown(event: Event, seat: Seat | None) -> frozenset[str]:
    tiles: Iterable[Tile | None] = ()
    match event:
        case DealStarted(hands=hands) if seat is not None:
            tiles = hands[seat] or ()
        case Played(tile=tile):
            tiles = (tile,)
        case Drew(seat=drawer, tile=tile) if drawer == seat:
            tiles = (tile,)
        case DealEnded(hands=hands):
            tiles = [tile for hand in hands for tile in hand]
        case _:
            pass
    return frozenset(str(tile) for tile in tiles)


def _secret_seeds(log: Iterable[Step]) -> Iterator[frozenset[str]]:
    """For each step the seeds that nobody may know (L2)."""
    secret: frozenset[str] = frozenset()
    for step in log:
        for event in step.events:
            match event:
                case Created(seed=seed, next_seed=next_seed):
                    secret |= {seed, next_seed}
                case MatchStarted(next_seed=next_seed):
                    secret |= {next_seed}
                case MatchOver(seed=seed):
                    secret -= {seed}
                case _:
                    pass
        yield secret


def public(update: Wire) -> Wire:
    """What all receivers of a step are told alike."""
    return {
        "epoch": update["epoch"],
        "seq": update["seq"],
        "events": [{name: event[name] for name in event if not _is_own(event, name)} for event in update["events"]],
    }


def _is_own(event: Wire, name: str) -> bool:
    return (event["type"], name) in {("deal_started", "hand"), ("drew", "tile")}
