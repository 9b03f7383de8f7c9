"""The form in which a record lies in the store: MessagePack of its header and of each step, compressed as one stream.

Records may have thousands of steps: both ways go a piece at a time, so that others can have their turn in between.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import msgpack

from protocol.convert import Wire

PIECE = 16 * 1024
"""Bytes that are unpacked at once."""


class Packing:
    """A record on its way into the store: the header first, then its steps one by one."""

    def __init__(self, header: Wire) -> None:
        self._compressor = zlib.compressobj()
        self._packed: list[bytes] = []
        self.add(header)

    def add(self, part: Wire) -> None:
        """The next part."""
        self._packed.append(self._compressor.compress(msgpack.packb(part)))

    def payload(self) -> bytes:
        """The whole; nothing can be added any more."""
        return b"".join((*self._packed, self._compressor.flush()))


def pack(record: Wire) -> bytes:
    """``record`` as the store keeps it."""
    packing = Packing({name: value for name, value in record.items() if name != "steps"})
    for step in record["steps"]:
        packing.add(step)
    return packing.payload()


def parts(payload: bytes) -> Iterator[Wire]:
    """The header, then each step, as they are read.

    Raises:
        ValueError: it is not whole.
    """
    unpacker, decompressor = msgpack.Unpacker(), zlib.decompressobj()
    while not decompressor.eof:
        piece = decompressor.decompress(payload, PIECE)
        if not piece and not decompressor.eof:
            raise ValueError("the record is cut off")
        payload = decompressor.unconsumed_tail
        unpacker.feed(piece)
        yield from unpacker


def unpack(payload: bytes) -> Wire:
    """The record that `pack` was given."""
    header, *steps = parts(payload)
    return {**header, "steps": steps}
