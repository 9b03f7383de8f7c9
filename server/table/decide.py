"""From a request to the step that it makes, or a refusal. Pure: the time and randomness come in with the `Moment`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from engine.actions import Action
from engine.seats import Seat
from engine.shuffle import SEED_BYTES
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import Settings
from protocol.messages import client as messages
from server.limits import Limits
from server.rates import told
from server.table import hinting, play, presence, reading, seating, takeback, timers
from server.table.draft import Draft, Moment
from server.table.events import Created, EntropyGiven, Event, Paused, Reacted, TimedOut, Watchers
from server.table.evolve import REACTION_WINDOW, Step, created
from server.table.frozen import replace
from server.table.names import distinct
from server.table.state import Actor, PlayerId, Table

ASIDE = (Watchers, Reacted, Paused, EntropyGiven)
"""Events that move no match, and can be had without end."""
REACTIONS_A_MINUTE = 5
REACTION_INTERVAL = 3.0
"""Seconds between two reactions of one player."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The server asks: the connection on which ``player`` listened is gone."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Returned:
    """The server asks: ``actor`` listens to the table."""

    actor: Actor


@dataclass(frozen=True, slots=True)
class Restarted:
    """The server asks: this process has just loaded the room, nobody is connected."""


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The server asks: a deadline is due."""


@dataclass(frozen=True, slots=True)
class HouseActs:
    """The server asks: a bot chose ``action`` for ``seat``; ``timed_out`` if the holder's time for it ran out."""

    seat: Seat
    action: Action
    timed_out: bool = False


RoomMessage: TypeAlias = (
    messages.Join | messages.Watch | messages.Leave | messages.AddBot | messages.Remove | messages.Swap
    | messages.Start | messages.Act | messages.Next | messages.React | messages.Sync | messages.Undo | messages.Redo
    | messages.Restart | messages.NewGame | messages.Cover | messages.Consent | messages.Pause | messages.Continue
    | messages.Hint
)  # fmt: skip
"""What a player may ask of a room."""

ServerRequest: TypeAlias = Lost | Returned | Restarted | TimePassed | HouseActs


@dataclass(frozen=True, slots=True)
class Decided:
    """The step that follows from a request and the table after it. ``step`` is None where nothing changed."""

    step: Step | None
    after: Table


def create(room: str, actor: Actor, settings: Settings, seat: Seat, moment: Moment, *, quick: bool = False) -> Decided:
    """The creation of a table, with its creator seated."""
    seed, next_seed = (moment.random_bytes(SEED_BYTES).hex() for _ in range(2))
    opened = Created(settings.model_dump(mode="json"), actor.player, quick, seed, next_seed)
    events: list[Event] = [opened]
    for name, local in local_seats(settings, actor, seat):
        step = Step(1, moment.epoch, moment.at, tuple(events))
        named = replace(actor, name=distinct(name, created(room, step), local))
        events.append(play.seated_event(local, named))
    step = Step(1, moment.epoch, moment.at, tuple(events))
    return Decided(step, created(room, step))


def local_seats(settings: Settings, actor: Actor, first: Seat) -> list[tuple[str, Seat]]:
    """Who sits at the creator's device: names and seats, the creator first, then clockwise (H3)."""
    names = [actor.name, *settings.names]
    names += [actor.name] * (settings.local - len(names))
    return [(name, Seat((first + number) % settings.seats)) for number, name in enumerate(names)]


def decide(  # noqa: C901, PLR0912 - one flat case a message
    table: Table, actor: Actor, message: RoomMessage, moment: Moment, limits: Limits
) -> Decided:
    """What happens if ``actor`` says ``message`` now. ``table`` is not changed.

    Raises:
        ProtocolError: with what the sender is told.
    """
    draft = Draft(table, moment)
    match message:
        case messages.Act():
            play.act(draft, actor, message)
        case messages.Join():
            seating.join(draft, actor, message)
        case messages.Watch():
            seating.watch(draft, actor, limits)
        case messages.Leave():
            seating.leave(draft, actor)
        case messages.AddBot():
            seating.add_bot(draft, actor, message)
        case messages.Remove():
            seating.remove(draft, actor, message)
        case messages.Swap():
            seating.swap(draft, actor, message)
        case messages.Start():
            play.start(draft, actor, message)
        case messages.Next():
            play.ready(draft, actor, message)
        case messages.React():
            react(draft, actor, message)
        case messages.Sync():
            sync(draft, actor)
        case messages.Undo() | messages.Redo() | messages.Restart() | messages.NewGame() | messages.Cover():
            takeback.ask_for(draft, actor, message)
        case messages.Consent():
            takeback.answer(draft, actor, message)
        case messages.Pause():
            reading.pause(draft, actor)
        case messages.Continue():
            reading.resume(draft, actor)
        case messages.Hint():
            hinting.ask(draft, actor, message)
        case _:
            assert_never(message)
    if draft.holds_only(ASIDE) and not isinstance(message, messages.Leave):
        timers.require_short(table, limits)
    return _decided(draft)


def decide_for_server(table: Table, request: ServerRequest, moment: Moment, limits: Limits) -> Decided:
    """What happens by the server's own doing: lost connections, restarts, time and bots."""
    draft = Draft(table, moment)
    match request:
        case Lost(player):
            presence.lose(draft, player)
        case Returned(actor):
            presence.come_back(draft, actor)
        case Restarted():
            presence.lose_all(draft)
        case TimePassed():
            timers.pass_time(draft, limits)
        case HouseActs(seat, action, timed_out):
            if table.turn == seat:
                draft.add(*([TimedOut(seat)] if timed_out else []))
                play.take(draft, seat, action)
        case _:
            assert_never(request)
    return _decided(draft)


def _decided(draft: Draft) -> Decided:
    if draft.is_empty:
        return Decided(None, draft.before)
    takeback.settle_request(draft)
    reading.settle_readers(draft)
    return Decided(draft.step(), draft.after())


def react(draft: Draft, actor: Actor, message: messages.React) -> None:
    """One of the fixed reactions, not too often."""
    table = draft.table
    place = play.seated(table, actor)
    recent = [at for at in table.reactions.get(actor.player, ()) if table.at - at < REACTION_WINDOW]
    wait = max(0.0, REACTION_INTERVAL - (table.at - recent[-1])) if recent else 0.0
    if len(recent) >= REACTIONS_A_MINUTE:
        wait = max(wait, REACTION_WINDOW - (table.at - recent[-REACTIONS_A_MINUTE]))
    if wait > 0:
        raise ProtocolError(ErrorCode.RATE_LIMITED, "too many reactions", retry_after=told(wait))
    draft.add(Reacted(place.seat, message.key))


def sync(draft: Draft, actor: Actor) -> None:
    """The sender listens to the table again; who has no part in it is told so."""
    table = draft.table
    if table.place_of(actor.player) or table.coming_of(actor.player):
        presence.come_back(draft, actor)
    elif actor.player not in table.watchers:
        raise ProtocolError(
            ErrorCode.NOT_SEATED,
            "you are not at this table: join or watch it first",
            reason=None if seating.has_seat_for(table, actor.player) else RefusalReason.ROOM_FULL,
        )
