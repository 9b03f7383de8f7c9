"""What several messages are made of: checked scalars, actions and settings."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator
from pydantic.json_schema import WithJsonSchema

from protocol.names import MAX_NAME, clean_name

MAX_UINT64 = 2**64 - 1
MAX_ID = 64
"""Characters of the `id` of a message."""
CODE_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The signs of a room code: none that is read for another."""
CODE_LENGTH = 6
DEALS_LISTED = 100
"""Finished deals that `deals` of a snapshot lists at most, the latest."""
NAME_CHARACTERS = "name_characters"
"""In the context of a validation: how long a name may be, 0 without end. `MAX_NAME` where nothing is said."""


class Part(BaseModel):
    """A part of a client's message: unknown fields, and values of another type, are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def _room_code(text: str) -> str:
    code = text.upper()
    # Only ASCII: other letters have capitals of another length (the sharp s becomes SS).
    if not text.isascii() or len(code) != CODE_LENGTH or not set(code) <= set(CODE_SIGNS):
        raise ValueError(f"is no room code ({CODE_LENGTH} of {CODE_SIGNS})")
    return code


def _name(text: str, info: ValidationInfo) -> str:
    limits = info.context or {}
    return clean_name(text, limits.get(NAME_CHARACTERS, MAX_NAME))


MessageId: TypeAlias = Annotated[str, Field(min_length=1, max_length=MAX_ID)]
RoomCode: TypeAlias = Annotated[
    str,
    AfterValidator(_room_code),
    WithJsonSchema({"type": "string", "pattern": f"^[{CODE_SIGNS}{CODE_SIGNS[8:].lower()}]{{{CODE_LENGTH}}}$"}),
]
"""Typed case-blind, kept in capitals."""
Name: TypeAlias = Annotated[
    str, AfterValidator(_name), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_NAME})
]
SeatNumber: TypeAlias = Annotated[int, Field(ge=0, le=3)]
SeatPair: TypeAlias = Annotated[list[SeatNumber], Field(min_length=2, max_length=2)]
SeatCount: TypeAlias = Annotated[int, Field(ge=2, le=4)]
Seq: TypeAlias = Annotated[int, Field(ge=0, le=MAX_UINT64)]
"""A room's sequence number; also an epoch, and the number of an open request."""
TileText: TypeAlias = Annotated[str, Field(pattern=r"^(0-[0-6]|1-[1-6]|2-[2-6]|3-[3-6]|4-[4-6]|5-[56]|6-6)$")]
"""A tile, low before high: ``1-4``."""
Digits: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$"), AfterValidator(str.lower)]
"""256 bits in hexadecimal."""
Score: TypeAlias = Annotated[float, Field(multiple_of=0.5)]

GameName: TypeAlias = Literal["fives-threes", "all-fives", "block", "draw"]
BotLevel: TypeAlias = Literal["novice", "beginner", "club", "trained", "strong", "expert", "master"]
EndName: TypeAlias = Literal["left", "right", "up", "down"]
Reaction: TypeAlias = Literal["hello", "nice", "well_played", "wow", "thinking", "oops", "thanks", "again"]


class Play(Part):
    """Lay ``tile`` on ``end``; null opens the layout."""

    type: Literal["play"]
    tile: TileText
    end: EndName | None


class Draw(Part):
    """Take the next tile of the stock."""

    type: Literal["draw"]


class Knock(Part):
    """Pass, because nothing can be played or drawn."""

    type: Literal["knock"]


Action: TypeAlias = Annotated[Play | Draw | Knock, Field(discriminator="type")]


class Settings(Part):
    """How a table plays. Durations are seconds; None stands for what its docstring says."""

    game: GameName
    seats: SeatCount
    target: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """None: the game's own."""
    lead: Literal["lot"] | SeatNumber = "lot"
    public: bool = False
    spectators: bool = True
    fill: Literal["bots", "wait"] = "bots"
    fill_after: Annotated[float, Field(ge=0, le=3600)] | None = None
    """None: wait for the last seat without end."""
    bot: BotLevel = "club"
    bot_delay: Annotated[float, Field(ge=0, le=60)] = 0.7
    turn_timer: Annotated[float, Field(ge=1, le=3600)] | None = None
    """None: no timer (C12)."""
    grace: Annotated[float, Field(ge=0, le=86_400)] = 60
    absence: Literal["bot", "wait"] = "bot"
    hints: bool = True
    undo: bool = True
    next_deal_after: Annotated[float, Field(ge=0, le=3600)] | None = None
    """None: 20, or without end at a table with one human side."""
    local: Annotated[int, Field(ge=1, le=4)] = 1
    """Human seats on the creator's device, the creator's included."""
    names: list[Name] = []
    """Of the other local seats."""

    @model_validator(mode="before")
    @classmethod
    def _null_is_left_out(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        optional = {name for name, field in cls.model_fields.items() if not field.is_required()}
        return {name: value for name, value in given.items() if value is not None or name not in optional}

    @field_validator("lead")
    @classmethod
    def _lead_is_a_seat(cls, lead: Literal["lot"] | int, info: ValidationInfo) -> Literal["lot"] | int:
        if lead != "lot" and lead >= info.data.get("seats", 4):
            raise ValueError("is no seat of this table")
        return lead

    @field_validator("local")
    @classmethod
    def _local_seats_fit(cls, local: int, info: ValidationInfo) -> int:
        if local > info.data.get("seats", 4):
            raise ValueError("is more than the table has seats")
        return local

    @field_validator("names")
    @classmethod
    def _names_are_of_local_seats(cls, names: list[str], info: ValidationInfo) -> list[str]:
        if len(names) >= info.data.get("local", 4):
            raise ValueError("has more names than there are other local seats")
        return names
