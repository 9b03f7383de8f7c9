"""What a record holds, and how one is read, of whatever version. Field by field in docs/records.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from protocol.convert import Wire
from protocol.messages import NAME_CHARACTERS, Settings
from protocol.messages.parts import GameName, SeatCount, SeatNumber, Seq

FORMAT = 1
"""Of the records that are written. Older ones stay readable."""

Bits256: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""Small letters alone: what is written in two ways could be changed unnoticed."""
One: TypeAlias = Annotated[int, Field(ge=1, le=1)]
"""The number 1; a literal would be equal to `True` and 1.0."""
RecordId: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class Form(BaseModel):
    """A part of a record: unknown fields, and values of another type, are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class RecordSettings(Form):
    """Those of the table: the ones that the rules hang on by name, and what else the protocol knows, as it is."""

    model_config = ConfigDict(extra="allow")

    game: GameName
    seats: SeatCount
    target: Annotated[int, Field(ge=1)]
    lead: SeatNumber | Literal["lot"]

    @model_validator(mode="after")
    def _are_of_the_protocol(self) -> Self:
        try:
            # They were judged when the table was made: the limits of today are none for what has happened.
            Settings.model_validate(self.model_dump(), context={NAME_CHARACTERS: 0})
        except ValidationError as invalid:
            raise PydanticCustomError("settings", "{fault}", {"fault": _first_fault(invalid)}) from None
        return self


class RecordPlayer(Form):
    """Who held a seat when the match began: a player, or a bot in the server where ``player`` is None."""

    player: str | None
    bot: str | None
    name: str


class RecordEntropy(Form):
    """What a player added to the seed."""

    player: str
    value: Bits256


class RecordStep(Form):
    """One step of the room's log."""

    seq: Seq
    at: float
    """Seconds since the match began."""
    events: list[Wire]
    """As an ``update`` has them, but with every hand, the stock, and every tile that was drawn."""


class Record(Form):
    """A finished match."""

    format: One
    id: RecordId
    game: GameName
    seats: SeatCount
    settings: RecordSettings
    practice: bool = False
    """The match was begun again (U2). Records of before do not say."""
    players: list[RecordPlayer]
    """By seat."""
    server: str
    protocol: One
    """Version of the wire protocol that the events are written in."""
    began: float
    ended: float
    """Unix time, like ``began``."""
    commitment: Bits256
    seed: Bits256
    entropy: list[RecordEntropy]
    """In the order in which it is mixed into the seed."""
    winner: SeatNumber | None
    """The side; None where the match was broken off."""
    scores: list[float | int]
    steps: list[RecordStep]

    def to_wire(self) -> Wire:
        """The object that `read` takes; fields that it did not have when it was read are not added."""
        return self.model_dump(mode="json", exclude_unset=True)


_READERS: Mapping[int, Callable[[Mapping[str, Any]], Record]] = {1: Record.model_validate}
"""By format: what makes a record of today of one that was written then."""


def read(value: object) -> Record:
    """The record that ``value``, decoded from JSON, is.

    Raises:
        ValueError: it is none, or of a newer format; the text says what is wrong and where.
    """
    if not isinstance(value, Mapping):
        raise ValueError("a record is one JSON object")  # noqa: TRY004 - a wrong value of a file
    written = value.get("format")
    reader = _READERS.get(written) if type(written) is int else None
    if reader is None:
        raise ValueError(f"its format is {written!r}; this program reads {', '.join(map(str, _READERS))}")
    try:
        return reader(value)
    except ValidationError as invalid:
        raise ValueError(_first_fault(invalid)) from None


def _first_fault(invalid: ValidationError) -> str:
    fault = invalid.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
