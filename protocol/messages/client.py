"""Client -> server: every message of version 1."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationInfo, field_validator

from protocol.messages.parts import (
    Action,
    BotLevel,
    Digits,
    GameName,
    MessageId,
    Name,
    Part,
    Reaction,
    RoomCode,
    SeatCount,
    SeatNumber,
    SeatPair,
    Seq,
    Settings,
)


class Message(Part):
    """One map. Under the ``id`` of an accepted message the first answer comes again and nothing changes."""

    id: MessageId | None = None


class RoomMessage(Message):
    """A message about one room."""

    room: RoomCode


class Hello(Message):
    """Comes first and once. Without ``token`` it makes a new player. Answer: ``welcome``."""

    type: Literal["hello"]
    name: Name
    token: str | None = None
    """Any string: one that is no valid token is ``unauthorized``."""
    locale: Annotated[str, Field(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$")] | None = None
    bot: bool | None = None
    """True: a headless bot, taken to consent to everything and never waited for."""


class Rooms(Message):
    """The public rooms. ``subscribe`` true pushes what changes, false ends that. Answer: ``rooms``."""

    type: Literal["rooms"]
    game: GameName | None = None
    subscribe: bool | None = None


class Create(Message):
    """Open a room; the creator is host and seated. Answer: ``snapshot``."""

    type: Literal["create"]
    settings: Settings
    seat: SeatNumber | None = None

    @field_validator("seat")
    @classmethod
    def _seat_is_of_the_table(cls, seat: int | None, info: ValidationInfo) -> int | None:
        settings = info.data.get("settings")
        if seat is not None and settings is not None and seat >= settings.seats:
            raise ValueError("is no seat of this table")
        return seat


class Join(RoomMessage):
    """Sit down, on the first empty seat or on ``seat``. Answer: ``snapshot``."""

    type: Literal["join"]
    seat: SeatNumber | None = None


class Watch(RoomMessage):
    """See the public table. Answer: ``snapshot`` without hands."""

    type: Literal["watch"]


class Leave(RoomMessage):
    """Stand up, or end watching. Answer: ``ok``."""

    type: Literal["leave"]


class AddBot(RoomMessage):
    """The host seats a bot, in the lobby or after a match. Answer: ``ok``."""

    type: Literal["add_bot"]
    seat: SeatNumber
    level: BotLevel | None = None


class Remove(RoomMessage):
    """The host empties a seat, in the lobby or after a match. Answer: ``ok``."""

    type: Literal["remove"]
    seat: SeatNumber


class Swap(RoomMessage):
    """The host lets two seats change places, in the lobby or after a match. Answer: ``ok``."""

    type: Literal["swap"]
    seats: SeatPair


class Start(RoomMessage):
    """The host starts the match; empty seats are filled as ``fill`` says. Answer: ``ok``."""

    type: Literal["start"]
    entropy: Digits | None = None


class Act(RoomMessage):
    """A seat acts, having seen step ``seq``. Answer: ``ok``, or ``not_your_turn``, ``illegal_action``, ``stale``."""

    type: Literal["act"]
    seat: SeatNumber | None = None
    seq: Seq
    action: Action


class Next(RoomMessage):
    """Ready: in the lobby, for the next deal, for another match. Answer: ``ok``."""

    type: Literal["next"]
    entropy: Digits | None = None


class Show(RoomMessage):
    """Uncover one seat of a local table and cover the others (H3). Answer: ``hand``."""

    type: Literal["show"]
    seat: SeatNumber


class Hint(RoomMessage):
    """Ask what to do in turn (H2); everybody is told that it was asked, once a turn. Answer: ``hint``."""

    type: Literal["hint"]
    seat: SeatNumber | None = None


class Review(RoomMessage):
    """What the plays of an own seat have cost in the deal that is over. Answer: ``review``."""

    type: Literal["review"]
    seat: SeatNumber | None = None


class Undo(RoomMessage):
    """Take back the last human action (U1, U3). Answer: ``ok`` or ``consent_asked``."""

    type: Literal["undo"]


class Redo(RoomMessage):
    """Bring back what was taken back (U1, U3). Answer: ``ok`` or ``consent_asked``."""

    type: Literal["redo"]


class Restart(RoomMessage):
    """Play the match again from its first deal (U2, U3). Answer: ``ok`` or ``consent_asked``."""

    type: Literal["restart"]


class NewGame(RoomMessage):
    """Deal anew with the same settings (U2, U3). Answer: ``ok`` or ``consent_asked``."""

    type: Literal["new_game"]


class Cover(RoomMessage):
    """A bot is to play a seat that is away or idle. Answer: ``ok`` or ``consent_asked``."""

    type: Literal["cover"]
    seat: SeatNumber


class Consent(RoomMessage):
    """Agree to the open request ``ask``, or not. Answer: ``ok``."""

    type: Literal["consent"]
    ask: Seq
    yes: bool


class Pause(RoomMessage):
    """Rules or Scores are open: bots hold (T4). Answer: ``ok``."""

    type: Literal["pause"]


class Continue(RoomMessage):
    """Reading is over. Answer: ``ok``."""

    type: Literal["continue"]


class React(RoomMessage):
    """A reaction to be seen at the table. Answer: ``ok``."""

    type: Literal["react"]
    key: Reaction


class Quick(Message):
    """Join a fitting public room, or open one. Answer: ``snapshot``."""

    type: Literal["quick"]
    game: GameName
    seats: SeatCount


class Sync(RoomMessage):
    """The ``update``s after that ``seq``, then ``ok``; or a ``snapshot``, always when ``after`` is left out."""

    type: Literal["sync"]
    epoch: Seq | None = None
    after: Seq | None = None


class Record(Message):
    """A finished match: the last one of ``room``, or without ``room`` the one whose record is called ``id``."""

    type: Literal["record"]
    room: RoomCode | None = Field(default=None, validate_default=True)

    @field_validator("room")
    @classmethod
    def _one_is_named(cls, room: str | None, info: ValidationInfo) -> str | None:
        if room is None and info.data.get("id") is None:
            raise ValueError("is missing, and so is id")
        return room


class Ping(Message):
    """Are you there? Answer: ``pong``."""

    type: Literal["ping"]


ClientMessage: TypeAlias = Annotated[
    Hello
    | Rooms
    | Create
    | Join
    | Watch
    | Leave
    | AddBot
    | Remove
    | Swap
    | Start
    | Act
    | Next
    | Show
    | Hint
    | Review
    | Undo
    | Redo
    | Restart
    | NewGame
    | Cover
    | Consent
    | Pause
    | Continue
    | React
    | Quick
    | Sync
    | Record
    | Ping,
    Field(discriminator="type"),
]

CLIENT_MESSAGES: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)
