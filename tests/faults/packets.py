"""Several messages in one packet, as quick fingers and slow lines bring them."""

from __future__ import annotations

from typing import Any

from websockets.frames import Frame, Opcode

from tests.system.client import Client


def send_together(client: Client, *messages: dict[str, Any]) -> None:
    """Write all ``messages`` to the connection in one go."""
    client.socket.transport.write(b"".join(_frame(client, message) for message in messages))


def _frame(client: Client, message: dict[str, Any]) -> bytes:
    encoded = client.encode(message)
    if isinstance(encoded, str):
        return Frame(Opcode.TEXT, encoded.encode()).serialize(mask=True)
    return Frame(Opcode.BINARY, encoded).serialize(mask=True)
