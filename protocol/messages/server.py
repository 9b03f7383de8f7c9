"""Server -> client. The server builds plain dicts; these models are their definition, and what tests hold them to."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, TypeAdapter
from pydantic.json_schema import WithJsonSchema

from protocol.errors import REASONS, ErrorCode
from protocol.hints import HintReason
from protocol.messages.events import (
    AskShown,
    DealEventShown,
    EventShown,
    OpenEndShown,
    PartShown,
    Seated,
    Sent,
)
from protocol.messages.parts import (
    Action,
    Digits,
    Draw,
    GameName,
    Knock,
    MessageId,
    Play,
    RoomCode,
    Score,
    SeatCount,
    SeatNumber,
    Seq,
    Settings,
    TileText,
)

Phase: TypeAlias = Literal["lobby", "playing", "deal_over", "match_over"]
Seconds: TypeAlias = Annotated[float, Field(ge=0)]
Chance: TypeAlias = Annotated[float, Field(ge=0, le=1)]
ChanceByTile: TypeAlias = Annotated[list[Chance | None], Field(min_length=28, max_length=28)]
Pip: TypeAlias = Annotated[int, Field(ge=0, le=6)]


def _known_code(code: str) -> str:
    return ErrorCode(code).value


def _known_reason(reason: str) -> str:
    if reason not in REASONS:
        raise ValueError("is no known reason")
    return reason


def _known_hint(reason: str) -> str:
    return HintReason(reason).value


Code: TypeAlias = Annotated[
    str, AfterValidator(_known_code), WithJsonSchema({"type": "string", "enum": [code.value for code in ErrorCode]})
]
ReasonKey: TypeAlias = Annotated[
    str, AfterValidator(_known_reason), WithJsonSchema({"type": "string", "enum": list(REASONS)})
]
HintKey: TypeAlias = Annotated[
    str,
    AfterValidator(_known_hint),
    WithJsonSchema({"type": "string", "enum": [reason.value for reason in HintReason]}),
]


class Answer(Sent):
    """``re`` is the ``id`` of the message that is answered; pushed messages have none."""

    re: MessageId | None = None


class PlayChoice(Sent):
    """A play, and what it would do. Nothing in it hangs on a hidden tile."""

    action: Play
    total: int
    parts: list[PartShown]
    points: Score
    """Of the ends."""
    out_bonus: Literal[0, 1]
    """1 in Fives and Threes if the play ends the deal by going out."""
    accepted: bool
    """False where the exact target drops the event (F8)."""
    after: Score
    """The side's score then."""
    wins: bool
    ends: list[OpenEndShown]


class OtherChoice(Sent):
    """A draw or a knock."""

    action: Annotated[Draw | Knock, Field(discriminator="type")]


ChoiceShown: TypeAlias = PlayChoice | OtherChoice


class Welcome(Answer):
    """Answer to ``hello``. ``token`` is to be kept secret and said at the next ``hello``."""

    type: Literal["welcome"]
    player: str
    token: str
    protocol: Literal[1]
    server: str
    rooms: list[RoomCode]


class RoomShown(Sent):
    """A public room in the list."""

    room: RoomCode
    game: GameName
    seats: SeatCount
    target: int
    phase: Phase
    host: str
    humans: int
    bots: int
    free: int


class RoomList(Answer):
    """The public rooms; pushed with ``gone``: those new or changed, and the codes of those that are gone."""

    type: Literal["rooms"]
    rooms: list[RoomShown]
    gone: list[RoomCode] | None = None


class Ok(Answer):
    """Done; ``seq`` of its step."""

    type: Literal["ok"]
    seq: Seq | None = None


class Error(Answer):
    """Refused: nothing has changed."""

    type: Literal["error"]
    code: Code
    message: str
    reason: ReasonKey | None = None
    path: str | None = None
    legal: list[ChoiceShown] | None = None
    retry_after: Seconds | None = None


class Hand(Answer):
    """The uncovered seat of a local table."""

    type: Literal["hand"]
    room: RoomCode
    seat: SeatNumber
    hand: list[TileText]
    legal: list[ChoiceShown] | None = None


class OddsShown(Sent):
    """What a play comes to, where worlds of chance were played out; else nothing."""

    points: float | None = None
    """Of the own side from here to the end of the deal, less those of another one."""
    chance: Chance | None = None
    """To win the match."""
    error: Chance | None = None
    """The standard error of the chance."""


class HintShown(Answer):
    """Every legal action of ``seat`` after step ``seq``, best first (H2)."""

    class Advice(OddsShown):
        """An action, what it is worth to the own side, in points, and why."""

        class ReplyShown(Sent):
            """The most that the next seat could score."""

            total: int
            points: Score

        action: Action
        value: float
        reason: HintKey
        close: bool | None = None
        """Too close to call: the first action may be no better."""
        answers: int | None = None
        """Unseen tiles that fit then."""
        shut: list[SeatNumber] | None = None
        """Seats of which surely no tile fits then."""
        reply: ReplyShown | None = None

    class TileMap(Sent):
        """Where the unseen tiles may be. Exact.

        Chances by tile: of 0-0, 0-1 to 0-6, then 1-1, 1-2 and so on to 6-6; null where the tile is seen.
        """

        seats: list[ChanceByTile]
        """By seat."""
        stock: ChanceByTile
        """To be undealt, or in the stock."""
        none_of: list[list[Pip]]
        """By seat, pips that it surely has on no tile though unseen tiles show them."""

    type: Literal["hint"]
    room: RoomCode
    seat: SeatNumber
    seq: Seq
    actions: list[Advice]
    map: TileMap | None = None


class ReviewShown(Answer):
    """The plays of ``seat`` in deal ``number``, which is over, each judged by what the seat saw then."""

    class Reviewed(OddsShown):
        """A play, what would have been best, and how much of the chance to win the match it cost."""

        action: Play
        best: Play
        """The play itself, where nothing would have been better."""
        regret: Chance
        close: bool
        """Too close to call: it may have cost nothing."""
        blunder: bool

    type: Literal["review"]
    room: RoomCode
    seat: SeatNumber
    number: int
    plays: list[Reviewed]
    result: float
    """Points of the own side in the deal, less those of another one."""
    par: Score | None
    """What that would have been if everybody had seen all tiles and played perfectly; null where it cannot be told."""


class ConsentAsked(Answer):
    """The others are asked first (U3)."""

    type: Literal["consent_asked"]
    ask: Seq


class RecordShown(Answer):
    """A finished match, replayable and verifiable."""

    type: Literal["record"]
    id: str
    record: dict[str, Any]


class Pong(Answer):
    """Answer to ``ping``."""

    type: Literal["pong"]


class Closing(Sent):
    """The server is about to close this connection on purpose."""

    type: Literal["closing"]
    reason: str
    retry_after: Seconds | None = None


class SeatShown(Sent):
    """One seat of the table."""

    seat: SeatNumber
    side: SeatNumber
    player: str | None
    bot: Seated | None
    name: str | None
    coming: str | None
    state: Literal["present", "away", "bot_in", "empty"]
    ready: bool
    tiles: int


class You(Sent):
    """The receiver's own seats, those of them that are uncovered, and whether it watches."""

    seats: list[SeatNumber]
    shown: list[SeatNumber]
    watching: bool


class DealSummary(Sent):
    """A finished deal of this match."""

    class Scored(Sent):
        """One play that gave points, or would have."""

        seat: SeatNumber
        total: int
        points: Score
        dropped: Score

    number: int
    lead: SeatNumber
    reason: Literal["out", "blocked", "target"]
    seat: SeatNumber | None
    bonus: list[Score]
    scores: list[Score]
    scored: list[Scored]


class LayoutShown(Sent):
    """The open ends, their total and the spinner."""

    ends: list[OpenEndShown]
    total: int
    spinner: TileText | None


class DealShown(Sent):
    """The running deal, or the last one, as its receiver may see it."""

    number: int
    lead: SeatNumber
    stock: int
    hands: dict[Literal["0", "1", "2", "3"], list[TileText]]
    events: list[DealEventShown]
    layout: LayoutShown


class Turn(Sent):
    """Who is to act; ``legal`` for the holder of a shown hand alone."""

    seat: SeatNumber
    legal: list[ChoiceShown] | None = None
    left: Seconds | None = None
    """Seconds until the turn timer runs out."""


class Snapshot(Answer):
    """All of a room that its receiver may see, at ``seq``. ``reset``: what was seen before may have been lost."""

    type: Literal["snapshot"]
    room: RoomCode
    epoch: Seq
    seq: Seq
    reset: bool | None = None
    settings: Settings
    host: str | None
    seats: list[SeatShown]
    you: You
    phase: Phase
    waiting: bool
    practice: bool
    """The running or last match was begun again (U2): its deals are known."""
    scores: list[Score]
    deals: list[DealSummary]
    deal: DealShown | None
    turn: Turn | None
    paused: list[SeatNumber]
    ask: AskShown | None
    redo: int
    watchers: list[str]
    commitment: Digits
    next_commitment: Digits


class Update(Sent):
    """One accepted step. ``turn`` is null when nobody is to act, and in all but the last of those sent again."""

    type: Literal["update"]
    room: RoomCode
    epoch: Seq
    seq: Seq
    events: list[EventShown]
    turn: Turn | None


ServerMessage: TypeAlias = Annotated[
    Welcome
    | RoomList
    | Snapshot
    | Update
    | Ok
    | Error
    | Hand
    | HintShown
    | ReviewShown
    | ConsentAsked
    | RecordShown
    | Pong
    | Closing,
    Field(discriminator="type"),
]

SERVER_MESSAGES: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)


def check_sent(message: object) -> ServerMessage:
    """``message`` held to its model, unknown fields included.

    Raises:
        pydantic.ValidationError: it is not what this version of the protocol sends.
    """
    return SERVER_MESSAGES.validate_python(message, extra="forbid")
