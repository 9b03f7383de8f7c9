"""What an ``update`` tells: facts, in the order in which they happened, each as its receiver may see it (H1)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from protocol.messages.parts import (
    BotLevel,
    Digits,
    EndName,
    Name,
    Reaction,
    Score,
    SeatNumber,
    SeatPair,
    Seq,
    TileText,
)

NextLead: TypeAlias = SeatNumber | Literal["lot"] | None
PointsBy: TypeAlias = Literal[1, 3, 5]
Seated: TypeAlias = BotLevel | Literal["headless"]
"""Who plays a seat for a machine: a level of ours, or a program behind a WebSocket."""


class Sent(BaseModel):
    """A part of what the server sends. Clients ignore unknown fields, so the schema allows them."""

    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class OpenEndShown(Sent):
    """An open place: the pip that a tile must show there, and what the end adds to the total (C14)."""

    end: EndName
    value: int
    counts: int


class PartShown(Sent):
    """How points arise: ``points`` for a total that ``by`` divides, or for going out (``by`` 1)."""

    by: PointsBy
    points: Score


class OfSeat(Sent):
    """An event about one seat."""

    seat: SeatNumber


class MatchStarted(Sent):
    """A match began. ``entropy`` lists what the players gave to its seed (L2)."""

    class Entropy(Sent):
        """The last value that a player gave."""

        player: str
        value: Digits

    type: Literal["match_started"]
    commitment: Digits
    next_commitment: Digits
    entropy: list[Entropy]


class Lot(OfSeat):
    """A lot among all seats fell on ``seat`` (C4, A14); right before the ``deal_started`` that it is for."""

    type: Literal["lot"]
    purpose: Literal["lead"]


class DealStarted(Sent):
    """A deal began. ``tiles`` are hand sizes, ``hand`` the receiver's own where it is shown."""

    type: Literal["deal_started"]
    number: int
    lead: SeatNumber
    tiles: list[int]
    stock: int
    hand: list[TileText] | None = None


class Played(OfSeat):
    """A tile was laid; ``ends``, ``total``, ``spinner`` and ``scores`` are those after it."""

    type: Literal["played"]
    tile: TileText
    end: EndName | None
    ends: list[OpenEndShown]
    total: int
    spinner: TileText | None
    parts: list[PartShown]
    points: Score
    dropped: Score
    scores: list[Score]


class Drew(OfSeat):
    """A tile was drawn, seen by its holder where the hand is shown; ``stock`` are left."""

    type: Literal["drew"]
    stock: int
    tile: TileText | None = None


class Knocked(OfSeat):
    """The seat passed."""

    type: Literal["knocked"]


class DealEnded(Sent):
    """The deal is over and the hands are shown (C10)."""

    type: Literal["deal_ended"]
    reason: Literal["out", "blocked", "target"]
    seat: SeatNumber | None
    bonus: list[Score]
    dropped: Score
    hands: list[list[TileText]]
    scores: list[Score]
    next_lead: NextLead


class MatchEnded(Sent):
    """A side has won, or the match was broken off (``winner`` null). The seed is shown (L2)."""

    type: Literal["match_ended"]
    winner: SeatNumber | None
    scores: list[Score]
    seed: Digits
    record: str


class TakenBack(Sent):
    """The match went to another point of its log; a fresh ``snapshot`` follows at once (U1, U2)."""

    type: Literal["undone", "redone", "restarted"]
    to: Seq


class SatDown(OfSeat):
    """Somebody, a bot, or nobody (both null) has the seat now."""

    type: Literal["seated"]
    player: str | None
    bot: Seated | None
    name: Name | None


class Coming(OfSeat):
    """Who sits here after the deal; null: not after all."""

    type: Literal["coming"]
    player: str | None
    name: Name | None


class BotIn(OfSeat):
    """A bot plays for the seat from now on."""

    type: Literal["bot_in"]
    level: BotLevel


class OfOneSeat(OfSeat):
    """What has no more to tell than its seat."""

    type: Literal["left", "away", "back", "bot_out", "ready", "paused", "continued", "hinted", "timed_out"]


class Host(Sent):
    """The host's part went over to ``player``; null while nobody is there to have it."""

    type: Literal["host"]
    player: str | None


class Waiting(Sent):
    """The match begins when the last seat is taken, or ``fill_after`` later."""

    type: Literal["waiting"]


class Watchers(Sent):
    """Who watches now."""

    type: Literal["watchers"]
    names: list[Name]


class Swapped(Sent):
    """Two seats have changed places."""

    type: Literal["swapped"]
    seats: SeatPair


class Reacted(OfSeat):
    """A reaction to be shown at the seat."""

    type: Literal["reacted"]
    key: Reaction


class AskShown(Sent):
    """An open request: ``need`` are the seats whose consent is missing."""

    ask: Seq
    what: Literal["undo", "redo", "restart", "new_game", "cover"]
    seat: SeatNumber
    to: Seq | None = None
    """The step that the match would go back to, or on to."""
    cover: SeatNumber | None = None
    """The seat that a bot would play."""
    need: list[SeatNumber]


class Asked(AskShown):
    """Somebody asks for what needs consent (U3)."""

    type: Literal["asked"]


class Answered(OfSeat):
    """An answer to the open request, and what became of it."""

    type: Literal["answered"]
    ask: Seq
    yes: bool
    state: Literal["open", "agreed", "refused", "lapsed"]


class Closed(Sent):
    """The room is gone; its last event."""

    type: Literal["closed"]
    reason: str


DealEventShown: TypeAlias = Annotated[
    DealStarted | Played | Drew | Knocked | DealEnded | MatchEnded, Field(discriminator="type")
]
"""What ``deal.events`` of a snapshot holds."""

EventShown: TypeAlias = Annotated[
    MatchStarted
    | Lot
    | DealStarted
    | Played
    | Drew
    | Knocked
    | DealEnded
    | MatchEnded
    | TakenBack
    | SatDown
    | Coming
    | BotIn
    | OfOneSeat
    | Host
    | Waiting
    | Watchers
    | Swapped
    | Reacted
    | Asked
    | Answered
    | Closed,
    Field(discriminator="type"),
]
