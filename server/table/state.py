"""What a table is: its seats, who sits there, the phase and the match. Frozen; `evolve` makes the next one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from engine import events as rules
from engine.match import Match
from engine.points import Points
from engine.seats import Seat, side_count
from protocol.messages import Settings
from server.table.events import Asked, DealSummary, Event

PlayerId = NewType("PlayerId", str)
"""Public id of a player, made by the server."""

HEADLESS = "headless"
"""What `Place.bot` says of a bot that came over the network."""


class Phase(StrEnum):
    """Where the table is between its creation and its end."""

    LOBBY = "lobby"
    PLAYING = "playing"
    DEAL_OVER = "deal_over"
    MATCH_OVER = "match_over"


class Presence(StrEnum):
    """Whether the seat's holder is there. Bots in process are always present."""

    EMPTY = "empty"
    PRESENT = "present"
    AWAY = "away"
    BOT_IN = "bot_in"
    """A bot plays for the holder: away for the table's ``grace``, or covered because the others wanted it."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: a player under the name given at ``hello``; ``headless`` for a bot over the network."""

    player: PlayerId
    name: str
    headless: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """One seat and who sits there."""

    seat: Seat
    player: PlayerId | None = None
    bot: str | None = None
    """The level of a bot in process, `HEADLESS`, or None for a person or an empty seat."""
    name: str | None = None
    presence: Presence = Presence.EMPTY
    ready: bool = False
    coming: Actor | None = None
    """Who has this seat when the running deal is over."""
    since: float = 0.0
    """When the presence last changed, seconds of the server's clock."""
    former: PlayerId | None = None
    """Who left this seat to a bot in the running match, with nothing taken back since, and may have it back at once."""
    former_name: str | None = None
    substitute: str | None = None
    """The level of the bot that plays for the holder."""

    @property
    def is_empty(self) -> bool:
        """Nobody holds the seat, neither a player nor a bot in process."""
        return self.player is None and self.bot is None

    @property
    def is_house(self) -> bool:
        """A bot in process holds the seat."""
        return self.bot is not None and self.player is None

    @property
    def is_human(self) -> bool:
        """A person holds the seat, present or not."""
        return self.player is not None and self.bot is None

    @property
    def is_played_by_person(self) -> bool:
        """A person holds the seat, and no bot plays it meanwhile."""
        return self.is_human and self.presence is not Presence.BOT_IN

    @property
    def is_here(self) -> bool:
        """A connected player, human or headless, holds the seat."""
        return self.player is not None and self.presence is Presence.PRESENT

    @property
    def house_level(self) -> str | None:
        """The level at which the server plays this seat now; None where its holder plays."""
        if self.is_house:
            return self.bot
        return self.substitute if self.presence is Presence.BOT_IN else None


def only_eye(eyes: Mapping[PlayerId, tuple[Seat, ...]], player: PlayerId) -> Seat | None:
    """The one seat whose hand ``player`` has been dealt, if it is one."""
    seats = eyes.get(player, ())
    return seats[0] if len(seats) == 1 else None


@dataclass(frozen=True, slots=True)
class Moved:
    """A step that took the match on: an act with all that followed by the rules, or a deal."""

    seq: int
    events: tuple[Event, ...]
    """Those of the rules alone."""
    by: PlayerId | None
    """The person who acted; None where a bot did, in process or headless, and where a deal began by itself."""

    @property
    def acts(self) -> int:
        """How many plays, draws and knocks."""
        return sum(isinstance(event, rules.Played | rules.Drew | rules.Knocked) for event in self.events)


@dataclass(frozen=True, slots=True)
class Ask:
    """The open request for consent (U3)."""

    event: Asked
    need: tuple[Seat, ...]
    """Those who have not answered."""


@dataclass(frozen=True, slots=True)
class Table:
    """The state after step ``seq``: the fold of the room's log.

    Times are seconds of the server's clock, taken from the steps.
    """

    room: str
    settings: Settings
    places: tuple[Place, ...]
    host: PlayerId | None
    anyone_starts: bool
    """Opened by `quick`: anyone seated may start."""
    seed: bytes = field(repr=False)
    """Of the running match, in the lobby of the one to come. Secret until the match has ended (L2)."""
    next_seed: bytes = field(repr=False)
    seq: int = 0
    epoch: int = 0
    at: float = 0.0
    phase: Phase = Phase.LOBBY
    waiting: bool = False
    """Started with ``fill`` "wait": the match begins when the last seat is taken."""
    match: Match | None = None
    entropy: tuple[str, ...] = ()
    """What counts in the running or last match, 64 hex digits each, by seat."""
    offered: Mapping[PlayerId, str] = field(default_factory=dict)
    """The latest entropy of each player for the match to come."""
    watchers: Mapping[PlayerId, str] = field(default_factory=dict)
    deals: tuple[DealSummary, ...] = ()
    """Finished deals of this match before the one on the table."""
    deal_events: tuple[Event, ...] = ()
    """The events of the deal on the table, secrets included."""
    opening: Moved | None = None
    """How the first deal of this match began: there it begins again with `restart`."""
    line: tuple[Moved, ...] = ()
    """How the match came to stand as it does, as far back as it may be taken back."""
    redo: tuple[tuple[Moved, ...], ...] = ()
    """What was taken back, one entry for each time, the last of them last."""
    practice: bool = False
    """The match was begun again: it is played by people who know its deals."""
    seen_deal: int = 0
    """The last deal of this match of which somebody knows more than what lies on the table: it was played further."""
    ask: Ask | None = None
    asks: Mapping[Seat, int] = field(default_factory=dict)
    """How often each seat has asked for consent in the deal on the table."""
    reading: Mapping[Seat, float] = field(default_factory=dict)
    """Seats whose holders read, and since when: bots hold."""
    openings: Mapping[Seat, tuple[int, float]] = field(default_factory=dict)
    """By seat, the `choice_seq` at which its holder last read, and since when in that choice, be it over or not."""
    eyes: Mapping[PlayerId, tuple[Seat, ...]] = field(default_factory=dict)
    """Whose hands of the deal on the table each player has been dealt: one, or those of the local seats (H3)."""
    choice_seq: int = 0
    """The last step that changed what the seat in turn may choose; an older `act` is stale."""
    hinted_choice: int = 0
    """The `choice_seq` for which everybody was last told of a hint."""
    turn_since: float = 0.0
    phase_since: float = 0.0
    resumed_at: float = 0.0
    """When the room last went on after nobody was connected: time that passed before is given back."""
    match_seq: int = 1
    """The step with which the running or last match began; before the first, that with which the room began."""
    epochs: tuple[tuple[int, int], ...] = ()
    """Pairs of a step's number and its epoch, for each step with which a process took the room."""
    reactions: Mapping[PlayerId, tuple[float, ...]] = field(default_factory=dict)
    """When each player reacted within the last minute."""
    closed: bool = False

    @property
    def scores(self) -> tuple[Points, ...]:
        """One a side; zeros before the first match."""
        return self.match.scores if self.match else (0,) * side_count(self.settings.seats)

    @property
    def turn(self) -> Seat | None:
        """The seat that is to act, if any."""
        if self.phase is not Phase.PLAYING or self.match is None or self.match.deal is None:
            return None
        return self.match.deal.turn

    @property
    def is_held(self) -> bool:
        """A computer is to act, and holds because somebody reads (T4)."""
        return bool(self.reading) and self.turn is not None and not self.places[self.turn].is_played_by_person

    def opened(self, seat: Seat) -> float | None:
        """When the holder of ``seat`` first read in the present choice, be it over or not; None: not in this one."""
        choice_seq, since = self.openings.get(seat, (None, 0.0))
        return since if choice_seq == self.choice_seq else None

    @property
    def is_hinted(self) -> bool:
        """Whether everybody was told that the seat in turn was given hints for this choice."""
        return self.turn is not None and self.hinted_choice == self.choice_seq

    @property
    def is_deserted(self) -> bool:
        """Nobody who holds a seat, or waits for one, is connected: bots and timers wait."""
        return not any(place.is_here or self._awaits(place) for place in self.places)

    def _awaits(self, place: Place) -> bool:
        return place.coming is not None and place.coming.player in self.watchers

    def epoch_of(self, seq: int) -> int | None:
        """Under which epoch step ``seq`` was written, if that is remembered."""
        return next((epoch for first, epoch in reversed(self.epochs) if first <= seq <= self.seq), None)

    @property
    def people(self) -> frozenset[PlayerId]:
        """Who holds a seat, present or not; no computer."""
        return frozenset(place.player for place in self.places if place.is_human and place.player is not None)

    @property
    def holders(self) -> frozenset[PlayerId]:
        """Who holds a seat, programs too; nobody where the room has closed."""
        return frozenset(place.player for place in self.places if place.player is not None and not self.closed)

    @property
    def awaited(self) -> frozenset[PlayerId]:
        """Who has a seat when the deal is over; nobody where the room has closed."""
        return frozenset(place.coming.player for place in self.places if place.coming is not None and not self.closed)

    @property
    def seated(self) -> frozenset[PlayerId]:
        """Who holds a seat or is to have one."""
        return self.holders | self.awaited

    @property
    def is_solo(self) -> bool:
        """One human side of the screen (U1): nobody need consent to anything."""
        return len(self.people) <= 1

    @property
    def is_known(self) -> bool:
        """What is still hidden of the deal on the table, or of the next one, was seen before it was taken back (H1)."""
        if self.match is None or self.match.deal is None or self.phase is Phase.MATCH_OVER:
            return False
        return self.seen_deal >= self.match.deal.number + (self.phase is not Phase.PLAYING)

    def dealt_eyes(self) -> dict[PlayerId, tuple[Seat, ...]]:
        """Whose hands each player sees of a deal that begins now."""
        players = dict.fromkeys(place.player for place in self.places if place.player is not None)
        return {player: tuple(place.seat for place in self.places_of(player)) for player in players}

    def place_of(self, player: PlayerId) -> Place | None:
        """Where ``player`` sits, if anywhere."""
        return next((place for place in self.places if place.player == player), None)

    def coming_of(self, player: PlayerId) -> Place | None:
        """The seat that ``player`` has when the deal is over, if any."""
        return next((p for p in self.places if p.coming is not None and p.coming.player == player), None)

    def humans(self) -> Iterator[Place]:
        """Seats held by people, present or not."""
        return (place for place in self.places if place.is_human)

    def places_of(self, player: PlayerId) -> tuple[Place, ...]:
        """Where ``player`` sits: at one seat, at several of a local table, or nowhere."""
        return tuple(place for place in self.places if place.player == player)

    def eye(self, player: PlayerId) -> Seat | None:
        """The seat whose hand of this deal ``player`` may see unasked (H1).

        None for everybody who holds none (H4), and for who holds several: each of them is uncovered by `show` (H3).
        """
        return only_eye(self.eyes, player)
