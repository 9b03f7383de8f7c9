"""Deals and lots from a seed, the same on every machine (L1-L3). Byte for byte in docs/fair-deals.md."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.events import Hand
from engine.seats import Seat
from engine.tiles import full_set

SEED_BYTES = 32
"""Length of a seed and of each value of entropy. Fixed, so that joined values can be read in one way only."""

_COMMITMENT = b"doublesix/1/commitment:"
_MATCH_KEY = b"doublesix/1/match-key:"
_STREAM = b"doublesix/1/stream:"


def commitment(seed: bytes) -> str:
    """What is published before the first deal (L2): 64 hex digits that fix ``seed`` and do not tell it."""
    _check_length("seed", seed)
    return hashlib.sha256(_COMMITMENT + seed).hexdigest()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """All deals and lots of one match: those of ``seed``, mixed with ``entropy`` of the players (L2).

    ``seed`` and each value of ``entropy`` have 32 bytes; other lengths, and more than 255 values, are a ValueError.
    """

    seed: bytes = field(repr=False)  # it tells every hidden tile (H1)
    entropy: Sequence[bytes] = ()

    def __post_init__(self) -> None:
        _check_length("seed", self.seed)
        for value in self.entropy:
            _check_length("entropy", value)

    def deal(self, number: int, seats: int, hand_size: int) -> tuple[tuple[Hand, ...], Hand]:
        """The hands, one a seat, and the stock in the order of drawing, of deal ``number`` (from 1)."""
        tiles = list(full_set())
        stream = self._stream(f"deal/{number}")
        for last in range(len(tiles) - 1, 0, -1):
            other = _below(last + 1, stream)
            tiles[last], tiles[other] = tiles[other], tiles[last]
        hands = tuple(tuple(tiles[seat * hand_size : (seat + 1) * hand_size]) for seat in range(seats))
        return hands, tuple(tiles[seats * hand_size :])

    def lot(self, number: int, seats: int) -> Seat:
        """The seat that leads deal ``number`` where the lot decides (C4, A14)."""
        return Seat(_below(seats, self._stream(f"lot/lead/{number}")))

    def _stream(self, purpose: str) -> Iterator[int]:
        """Bytes without end for one ``purpose``."""
        key = _mac(self.seed, _MATCH_KEY + bytes([len(self.entropy)]) + b"".join(self.entropy))
        prefix = _STREAM + purpose.encode("ascii")
        counter = 0
        while True:
            yield from _mac(key, prefix + counter.to_bytes(4, "big"))
            counter += 1


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number from 0 to ``bound`` - 1, each as likely: bytes that would favour the low ones are passed over."""
    limit = 256 - 256 % bound
    return next(byte for byte in stream if byte < limit) % bound


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _check_length(name: str, value: bytes) -> None:
    if len(value) != SEED_BYTES:
        raise ValueError(f"{name} has {len(value)} bytes, not {SEED_BYTES}")
