"""What happens at a table beside the rules: who sits, who is there, when matches begin.

Each event names in `public` what everybody may know of it; a field that is not named there stays in the log.
Events of the rules themselves are in `engine.events`.
"""

# ruff: noqa: D102 - each `public` gives what everybody may know of the event, as the wire has it
from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from engine import events as rules
from engine.points import Points
from engine.seats import Seat, Side
from protocol.convert import Wire, scores_to_wire


class Wish(StrEnum):
    """What needs the consent of everybody at the table."""

    UNDO = "undo"
    REDO = "redo"
    RESTART = "restart"
    NEW_GAME = "new_game"
    COVER = "cover"


class AskState(StrEnum):
    """What an answer makes of the request."""

    OPEN = "open"
    AGREED = "agreed"
    REFUSED = "refused"
    LAPSED = "lapsed"


class Closing(StrEnum):
    """Why a room ends."""

    IDLE = "idle"
    FINISHED = "finished"
    ABANDONED = "abandoned"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Created:
    """Step 1: the table exists. The first holder is seated by the `Seated` of the same step."""

    settings: Wire
    host: str
    anyone_starts: bool
    seed: str = field(repr=False)
    """Secret, like ``next_seed``: 64 hex digits."""
    next_seed: str = field(repr=False)

    def public(self) -> Wire:
        return {"type": "created"}


@dataclass(frozen=True, slots=True)
class Seated:
    """``player`` or, where it is None, a bot of level ``bot`` holds the seat from now on."""

    seat: Seat
    player: str | None
    bot: str | None
    name: str

    def public(self) -> Wire:
        return {"type": "seated", "seat": self.seat, "player": self.player, "bot": self.bot, "name": self.name}


@dataclass(frozen=True, slots=True)
class Coming:
    """``player`` has the seat when the deal is over; None: not after all."""

    seat: Seat
    player: str | None
    name: str | None
    headless: bool = False

    def public(self) -> Wire:
        return {"type": "coming", "seat": self.seat, "player": self.player, "name": self.name}


@dataclass(frozen=True, slots=True)
class Left:
    """The seat is empty. In a match a bot's `Seated` follows in the same step."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "left", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Away:
    """The holder's connection is lost."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "away", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Back:
    """The holder is there again."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "back", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class BotIn:
    """A bot plays for the holder, who is away or silent."""

    seat: Seat
    level: str

    def public(self) -> Wire:
        return {"type": "bot_in", "seat": self.seat, "level": self.level}


@dataclass(frozen=True, slots=True)
class BotOut:
    """The holder has the seat back."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "bot_out", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Ready:
    """The holder waits for the start or the next deal."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "ready", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class EntropyGiven:
    """``player`` chose ``value`` (64 hex digits) for the next match (L2). Told to all by `MatchStarted`."""

    player: str
    value: str = field(repr=False)

    def public(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Host:
    """The host's part goes to ``player``; None while nobody is there to have it."""

    player: str | None

    def public(self) -> Wire:
        return {"type": "host", "player": self.player}


@dataclass(frozen=True, slots=True)
class Waiting:
    """The match begins when the last seat is taken."""

    def public(self) -> Wire:
        return {"type": "waiting"}


@dataclass(frozen=True, slots=True)
class Watchers:
    """Who watches now: pairs of player and name, in the order in which they came."""

    watchers: tuple[tuple[str, str], ...]

    def public(self) -> Wire:
        return {"type": "watchers", "names": [name for _, name in self.watchers]}


@dataclass(frozen=True, slots=True)
class Swapped:
    """Who sits at the two seats changed places."""

    seats: tuple[Seat, Seat]

    def public(self) -> Wire:
        return {"type": "swapped", "seats": list(self.seats)}


@dataclass(frozen=True, slots=True)
class Reacted:
    """One of the fixed reactions."""

    seat: Seat
    key: str

    def public(self) -> Wire:
        return {"type": "reacted", "seat": self.seat, "key": self.key}


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The time for one choice ran out: a bot made it, in the same step (C12)."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "timed_out", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match begins under the seed committed to before any entropy was seen (L2)."""

    commitment: str
    next_commitment: str
    entropy: tuple[tuple[str, str], ...]
    """Pairs of player and value, by seat."""
    next_seed: str = field(repr=False)
    """Secret: behind ``next_commitment``."""

    def public(self) -> Wire:
        return {
            "type": "match_started",
            "commitment": self.commitment,
            "next_commitment": self.next_commitment,
            "entropy": [{"player": player, "value": value} for player, value in self.entropy],
        }


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has ended: its seed is no secret any more (L2). ``winner`` None: broken off."""

    winner: Side | None
    scores: tuple[Points, ...]
    seed: str
    record: str

    def public(self) -> Wire:
        return {
            "type": "match_ended",
            "winner": self.winner,
            "scores": scores_to_wire(self.scores),
            "seed": self.seed,
            "record": self.record,
        }


@dataclass(frozen=True, slots=True)
class Undone:
    """The match is again as it was after step ``to`` (U1)."""

    to: int

    def public(self) -> Wire:
        return {"type": "undone", "to": self.to}


@dataclass(frozen=True, slots=True)
class Redone:
    """What was taken back last happens again, up to step ``to`` (U1)."""

    to: int

    def public(self) -> Wire:
        return {"type": "redone", "to": self.to}


@dataclass(frozen=True, slots=True)
class PlayedAgain:
    """The match begins again with its first deal, as after step ``to`` (U2)."""

    to: int

    def public(self) -> Wire:
        return {"type": "restarted", "to": self.to}


@dataclass(frozen=True, slots=True)
class Asked:
    """Whoever sits at ``seat`` asks the holders of the seats ``need`` for their consent (U3)."""

    ask: int
    """The number of this step names the request."""
    what: Wish
    seat: Seat
    need: tuple[Seat, ...]
    to: int | None = None
    """The step that the match would go back to, or on to."""
    cover: Seat | None = None
    """The seat that a bot would play."""

    def public(self) -> Wire:
        shown: Wire = {
            "type": "asked",
            "ask": self.ask,
            "what": self.what.value,
            "seat": self.seat,
            "need": list(self.need),
        }
        named = {"to": self.to, "cover": self.cover}
        return shown | {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Answered:
    """``seat`` says yes or no; ``state`` is that of the request then."""

    ask: int
    seat: Seat
    yes: bool
    state: AskState

    def public(self) -> Wire:
        return {"type": "answered", "ask": self.ask, "seat": self.seat, "yes": self.yes, "state": self.state.value}


@dataclass(frozen=True, slots=True)
class Paused:
    """Whoever sits at ``seat`` reads: bots hold (T4)."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "paused", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Continued:
    """Reading is over at ``seat``."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "continued", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Hinted:
    """Whoever sits at ``seat`` was given a hint (H2)."""

    seat: Seat

    def public(self) -> Wire:
        return {"type": "hinted", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Closed:
    """The room's last event."""

    reason: Closing

    def public(self) -> Wire:
        return {"type": "closed", "reason": self.reason.value}


TableEvent: TypeAlias = (
    Created | Seated | Coming | Left | Away | Back | BotIn | BotOut | Ready | EntropyGiven | Host | Waiting | Watchers
    | Swapped | Reacted | TimedOut | MatchStarted | MatchOver | Undone | Redone | PlayedAgain | Asked | Answered
    | Paused | Continued | Hinted | Closed
)  # fmt: skip

Event: TypeAlias = TableEvent | rules.Event


@dataclass(frozen=True, slots=True)
class Scoring:
    """A play that scored, or would have but for the exact target (F11)."""

    seat: Seat
    total: int
    points: Points
    dropped: Points


@dataclass(frozen=True, slots=True)
class DealSummary:
    """A finished deal without its tiles."""

    number: int
    lead: Seat
    ended: rules.DealEnded
    scored: tuple[Scoring, ...]
