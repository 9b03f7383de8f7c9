"""The limits that tables, rooms and connections keep: a module of their own, so that a pure table may know them."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from protocol.codecs import MAX_NESTING
from protocol.names import MAX_NAME

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


LEAST_FRAME = 1000
"""Bytes that the longest messages take which people and bots send."""


def _check_frame(size: int) -> int:
    if 0 < size < LEAST_FRAME:
        raise ValueError(f"0 for none, or {LEAST_FRAME} at least")
    return size


class Limits(BaseModel):
    """What one connection, address or player may use. 0 means no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    frame_bytes: Annotated[Count, AfterValidator(_check_frame)] = 16 * 1024
    nesting: Count = MAX_NESTING
    """Levels of a message, itself included."""
    name_characters: Count = MAX_NAME
    messages_per_second: Count = 20
    burst: Count = 40
    refusals_per_minute: Count = 50
    connections_per_address: Count = 64
    rooms: Count = 50_000
    """Open ones of the process."""
    rooms_per_player: Count = 10
    steps_per_match: Count = 20_000
    """Steps after which a room ends whose match does not."""
    spectators: Count = 50
    """A room."""
    answered_ids: Count = 32
    """Answers that a room remembers for each player, to give them again under the same ``id``."""
    unsent_bytes: Count = 256 * 1024
    """To one connection; above it the connection is cut and may resume."""
    stalled: Seconds = 20
    """Seconds after which a connection that still has not taken what was sent to it is cut."""
    hello: Seconds = 5
    """Seconds from the handshake to the first valid `hello`."""
    idle_lobby: Seconds = 30 * 60
    finished_room: Seconds = 10 * 60
    abandoned_room: Seconds = 24 * 60 * 60
    """Seconds after which a room in a match without a connected player ends."""
    absent_player: Seconds = 30 * 24 * 60 * 60
    """Seconds after which a player without a seat who has not come back is forgotten."""
    records: Seconds = 90 * 24 * 60 * 60
    """Seconds for which the record of a finished match is kept."""
    wrong_codes: Count = 10
    """Unknown room codes, and ids of records, a minute for one connection."""
    wrong_codes_per_address: Count = 60
