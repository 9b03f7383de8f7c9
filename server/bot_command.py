"""`doublesix bot`: one headless seat at a table."""

from __future__ import annotations


def run(url: str, room: str, seat: int | None, level: str, command: str | None) -> int:
    """Play until the room closes."""
    raise SystemExit(f"not yet: {url} {room} {seat} {level} {command}")
