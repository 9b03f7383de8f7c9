from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engine.notation import parse_tile, parse_tiles
from engine.shuffle import Shuffle, commitment
from engine.tiles import Tile, full_set

FAIR_DEALS = Path(__file__).parents[2] / "docs" / "fair-deals.md"
SEED = bytes(range(32))
DEALS = 200_000
"""That are counted."""


def vectors() -> Sequence[dict[str, Any]]:
    """The vectors as the page prints them."""
    block = re.search(r"^## Vectors$.*?^```json$(.*?)^```$", FAIR_DEALS.read_text(), re.MULTILINE | re.DOTALL)
    assert block is not None
    found: list[dict[str, Any]] = json.loads(block[1])
    return found


def shuffle_of(vector: dict[str, Any]) -> Shuffle:
    return Shuffle(bytes.fromhex(vector["seed"]), [bytes.fromhex(value) for value in vector["entropy"]])


def dealt_tiles(shuffle: Shuffle, number: int = 1, seats: int = 4, hand_size: int = 5) -> tuple[Tile, ...]:
    hands, stock = shuffle.deal(number, seats, hand_size)
    return (*(tile for hand in hands for tile in hand), *stock)


@pytest.mark.parametrize("vector", vectors())
def test_the_published_vectors_are_dealt(vector: dict[str, Any]) -> None:
    """L1, L3: a deal and a lot are the same on every machine and for ever."""
    shuffle = shuffle_of(vector)

    for deal in vector["deals"]:
        hands, stock = shuffle.deal(deal["number"], vector["seats"], vector["hand_size"])
        assert hands == tuple(map(parse_tiles, deal["hands"]))
        assert stock == parse_tiles(deal["stock"])
        assert shuffle.lot(deal["number"], vector["seats"]) == deal["lot"]


@pytest.mark.parametrize("vector", vectors())
def test_the_published_commitments_are_those_of_the_seeds(vector: dict[str, Any]) -> None:
    """L2."""
    assert commitment(bytes.fromhex(vector["seed"])) == vector["commitment"]


def by_the_page(seed: bytes, entropy: Sequence[bytes], number: int) -> tuple[bytes, tuple[Tile, ...]]:
    """The match key and all tiles of a deal, built from docs/fair-deals.md alone."""
    message = b"doublesix/1/match-key:" + bytes([len(entropy)]) + b"".join(entropy)
    key = hmac.new(seed, message, hashlib.sha256).digest()

    def stream() -> Iterator[int]:
        for block in count():
            purpose = f"doublesix/1/stream:deal/{number}".encode()
            yield from hmac.new(key, purpose + block.to_bytes(4, "big"), hashlib.sha256).digest()

    tiles = [parse_tile(f"{low}-{high}") for low in range(7) for high in range(low, 7)]
    source = stream()
    for place in range(27, 0, -1):
        byte = next(source)
        while byte >= 256 - 256 % (place + 1):
            byte = next(source)
        other = byte % (place + 1)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    return key, tuple(tiles)


@pytest.mark.parametrize("vector", vectors())
def test_the_match_keys_of_the_page_follow_from_its_text(vector: dict[str, Any]) -> None:
    shuffle = shuffle_of(vector)

    key, _ = by_the_page(shuffle.seed, shuffle.entropy, 1)

    assert key.hex() == vector["match_key"]


def test_who_follows_the_page_deals_the_same_tiles() -> None:
    """L2: enough deals that some need a second block of bytes."""
    for number in range(1, 200):
        _, tiles = by_the_page(SEED, [b"\x07" * 32], number)
        assert dealt_tiles(Shuffle(SEED, [b"\x07" * 32]), number) == tiles


@pytest.mark.parametrize(("seats", "hand_size"), [(2, 9), (2, 7), (3, 7), (3, 5), (4, 5)])
def test_hands_and_stock_make_one_full_set(seats: int, hand_size: int) -> None:
    """C1."""
    hands, stock = Shuffle(SEED).deal(1, seats, hand_size)

    assert [len(hand) for hand in hands] == [hand_size] * seats
    assert sorted([*sum(hands, ()), *stock]) == list(full_set())


def test_a_flipped_bit_of_the_seed_changes_commitment_and_deal() -> None:
    """P4."""
    for bit in range(0, 256, 17):
        other = bytes(byte ^ (1 << bit % 8 if place == bit // 8 else 0) for place, byte in enumerate(SEED))
        assert commitment(other) != commitment(SEED)
        assert dealt_tiles(Shuffle(other)) != dealt_tiles(Shuffle(SEED))


def test_each_deal_of_a_match_and_each_way_to_mix_entropy_is_another_shuffle() -> None:
    """P4, P5: the order, the number and the place of the values matter."""
    one, two = b"\x01" * 32, b"\x02" * 32
    mixes: list[list[bytes]] = [[], [one], [two], [one, two], [two, one], [one, one], [bytes(32)]]

    deals = {dealt_tiles(Shuffle(SEED, mix), number) for mix in mixes for number in range(1, 12)}

    assert len(deals) == len(mixes) * 11


def test_values_that_differ_only_in_where_they_are_joined_deal_differently() -> None:
    """P5."""
    first = Shuffle(SEED, [b"a" * 31 + b":", b"b" * 32])
    second = Shuffle(SEED, [b"a" * 32, b":" + b"b" * 31])

    assert dealt_tiles(first) != dealt_tiles(second)


@pytest.mark.parametrize("value", [b"", b"\x00" * 31, b"\x00" * 33])
def test_a_seed_or_entropy_of_another_length_is_refused(value: bytes) -> None:
    """P5: joined values of one length can be read in one way only."""
    with pytest.raises(ValueError, match="not 32"):
        Shuffle(value)
    with pytest.raises(ValueError, match="not 32"):
        Shuffle(SEED, [value])
    with pytest.raises(ValueError, match="not 32"):
        commitment(value)


def test_a_shuffle_does_not_print_its_seed() -> None:
    """H1."""
    assert repr(SEED) not in repr(Shuffle(SEED))
    assert SEED.hex() not in repr(Shuffle(SEED))


def seeds(number: int) -> Iterator[bytes]:
    for index in range(number):
        yield hashlib.sha256(index.to_bytes(4, "big")).digest()


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((found - expected) ** 2 / expected for found in counts)


def test_each_tile_comes_to_each_place_equally_often() -> None:
    """P2: 27 x 27 degrees of freedom have mean 729 and standard deviation 38; the bound is four of them away."""
    counts = Counter[tuple[int, Tile]]()
    for seed in seeds(DEALS):
        counts.update(enumerate(dealt_tiles(Shuffle(seed))))

    assert len(counts) == 28 * 28
    assert 729 - 4 * 38 < chi_square(list(counts.values())) < 729 + 4 * 38


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_lot_falls_on_each_seat_equally_often(seats: int) -> None:
    """C4, L3: within four standard deviations of the mean of chi-square."""
    counts = [0] * seats
    for seed in seeds(DEALS // 4):
        counts[Shuffle(seed).lot(1, seats)] += 1

    freedom = seats - 1
    assert chi_square(counts) < freedom + 4 * (2 * freedom) ** 0.5


def test_lots_and_deals_of_one_number_are_independent_of_each_other() -> None:
    """L3: among equal first tiles every lot occurs."""
    seen = {(dealt_tiles(Shuffle(seed))[0], Shuffle(seed).lot(1, 2)) for seed in seeds(400)}

    assert len(seen) == 2 * 28
