"""The fold: a table and the events of one step make the next table. It may not refuse: they have happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import assert_never

from engine import events as rules
from engine import match as matches
from engine.games import GAMES
from engine.seats import Seat, seat_range
from protocol.messages import DEALS_LISTED, NAME_CHARACTERS, Settings
from server.table.events import (
    Answered,
    Asked,
    AskState,
    Away,
    Back,
    BotIn,
    BotOut,
    Closed,
    Coming,
    Continued,
    Created,
    DealSummary,
    EntropyGiven,
    Event,
    Hinted,
    Host,
    Left,
    MatchOver,
    MatchStarted,
    Paused,
    PlayedAgain,
    Reacted,
    Ready,
    Redone,
    Scoring,
    Seated,
    Swapped,
    TimedOut,
    Undone,
    Waiting,
    Watchers,
)
from server.table.frozen import replace
from server.table.line import extended, restarted, taken_back
from server.table.state import Actor, Ask, Phase, Place, PlayerId, Presence, Table

REACTION_WINDOW = 60.0
"""Seconds for which reactions are remembered, to limit them."""
MAX_EPOCHS = 64
"""Of the processes that have had the room, so many are remembered."""
MAX_GONE = 64
"""Players without a seat whose entropy is kept for the match to come."""


@dataclass(frozen=True, slots=True)
class Step:
    """All events of one accepted request, numbered ``seq`` within the room and written under ``epoch``."""

    seq: int
    epoch: int
    at: float
    """When it was decided, seconds of the server's clock."""
    events: tuple[Event, ...]


def evolve(table: Table, step: Step) -> Table:
    """``table`` after ``step``."""
    return settle(table, reduce(apply, step.events, stamped(table, step.seq, step.epoch, step.at)), step.events)


def stamped(table: Table, seq: int, epoch: int, at: float) -> Table:
    """``table`` at the beginning of the step of that number, epoch and time."""
    epochs = table.epochs
    if not epochs or epochs[-1][1] != epoch:
        epochs = (*epochs, (seq, epoch))[-MAX_EPOCHS:]
    return replace(table, seq=seq, epoch=epoch, at=at, epochs=epochs)


def settle(before: Table, after: Table, events: Sequence[Event]) -> Table:
    """``after`` as the table at the end of a step with these ``events`` that began with ``before``."""
    if before.is_deserted and not after.is_deserted:
        after = replace(after, resumed_at=after.at)
    return extended(before, after, events)


def created(room: str, step: Step) -> Table:
    """The table that step 1 makes.

    Raises:
        ValueError: the step does not begin with `Created`.
    """
    first, *others = step.events
    if not isinstance(first, Created):
        raise ValueError(f"room {room} does not begin with its creation")  # noqa: TRY004 - the log's value is wrong
    # They were judged when they came: the limits of today are none for what has happened.
    settings = Settings.model_validate(first.settings, context={NAME_CHARACTERS: 0})
    empty = Table(
        room=room,
        settings=settings,
        places=tuple(Place(seat) for seat in seat_range(settings.seats)),
        host=PlayerId(first.host),
        anyone_starts=first.anyone_starts,
        waiting=first.anyone_starts,
        seed=bytes.fromhex(first.seed),
        next_seed=bytes.fromhex(first.next_seed),
        phase_since=step.at,
        resumed_at=step.at,
    )
    return evolve(empty, replace(step, events=tuple(others)))


def replay(room: str, steps: Sequence[Step]) -> Table:
    """The table that the whole log of ``room`` makes."""
    return reduce(evolve, steps[1:], created(room, steps[0]))


def apply(table: Table, event: Event) -> Table:  # noqa: C901, PLR0911, PLR0912 - one flat case an event
    """``table`` after one ``event`` of the step that ``table`` is stamped with."""
    match event:
        case rules.Played() | rules.Drew() | rules.Knocked() | rules.DealStarted() | rules.DealEnded():
            return _evolve_deal(table, event)
        case rules.LotDrawn() | Created() | TimedOut():
            return table
        case MatchOver(winner, scores, _, _):
            over = matches.evolve(_match(table), rules.MatchEnded(winner, scores))
            return replace(
                table,
                match=over,
                phase=Phase.MATCH_OVER,
                phase_since=table.at,
                deal_events=(*table.deal_events, event),
                places=tuple(replace(place, former=None) for place in table.places),
            )
        case MatchStarted():
            return _start_match(table, event)
        case Host(player):
            return replace(table, host=None if player is None else PlayerId(player))
        case Waiting():
            return replace(table, waiting=True, phase_since=table.at)
        case Watchers(watchers):
            return replace(table, watchers={PlayerId(player): name for player, name in watchers})
        case EntropyGiven(player, value):
            return replace(table, offered=_with_entropy(table, PlayerId(player), value))
        case Swapped(seats):
            return _swap(table, seats)
        case Undone(to):
            return taken_back(table, to)
        case Redone():
            return _brought_again(table)
        case PlayedAgain():
            return restarted(table)
        case Asked():
            asks = {**table.asks, event.seat: table.asks.get(event.seat, 0) + 1}
            return replace(table, ask=Ask(event, event.need), asks=asks)
        case Answered():
            return replace(table, ask=_still_open(table, event))
        case Paused(seat):
            return _read(table, seat)
        case Continued(seat):
            return _read_no_more(table, seat)
        case Hinted():
            return replace(table, hinted_choice=table.choice_seq)
        case Closed():
            return replace(table, closed=True)
        case Reacted(seat, _):
            return _react(table, seat)
        case rules.MatchEnded():
            raise TypeError("a table ends its match with MatchOver, which reveals the seed")
        case _:
            return _evolve_place(table, event)


def _evolve_deal(
    table: Table, event: rules.Played | rules.Drew | rules.Knocked | rules.DealStarted | rules.DealEnded
) -> Table:
    game = matches.evolve(_match(table), event)
    if isinstance(event, rules.DealStarted):
        return replace(
            table,
            match=game,
            phase=Phase.PLAYING,
            phase_since=table.at,
            waiting=False,
            deals=_finished(table),
            deal_events=(event,),
            eyes=table.dealt_eyes(),
            places=tuple(replace(place, ready=False) for place in table.places),
            asks={},
            choice_seq=table.seq,
            turn_since=table.at,
        )
    if isinstance(event, rules.DealEnded):
        return replace(
            table,
            match=game,
            phase=Phase.DEAL_OVER,
            phase_since=table.at,
            deal_events=(*table.deal_events, event),
        )
    return replace(
        table,
        match=game,
        deal_events=(*table.deal_events, event),
        choice_seq=table.seq,
        turn_since=table.at,
    )


def _read(table: Table, seat: Seat) -> Table:
    """Whoever sits at ``seat`` reads. Said again it is no new opening, nor is it while the choice is the same."""
    since = table.reading.get(seat, table.opened(seat))
    since = table.at if since is None else since
    openings = {**table.openings, seat: (table.choice_seq, since)}
    return replace(table, reading={**table.reading, seat: since}, openings=openings)


def _read_no_more(table: Table, seat: Seat) -> Table:
    """Nobody reads at ``seat``; a computer that was held has its full time when nobody does anywhere."""
    reading = {reader: since for reader, since in table.reading.items() if reader != seat}
    was_held = table.is_held and not reading
    return replace(table, reading=reading, turn_since=table.at if was_held else table.turn_since)


def _brought_again(table: Table) -> Table:
    """What was taken back last has happened again."""
    *rest, again = table.redo
    events = [event for moved in again for event in moved.events]
    return replace(reduce(apply, events, table), line=(*table.line, *again), redo=tuple(rest))


def _still_open(table: Table, answer: Answered) -> Ask | None:
    if table.ask is None or answer.state is not AskState.OPEN:
        return None
    return replace(table.ask, need=tuple(seat for seat in table.ask.need if seat != answer.seat))


def _match(table: Table) -> matches.Match:
    if table.match is None:
        raise ValueError(f"room {table.room} has no match at step {table.seq}")
    return table.match


def _start_match(table: Table, event: MatchStarted) -> Table:
    settings = table.settings
    return replace(
        table,
        match=matches.begin(
            GAMES[settings.game],
            settings.seats,
            target=settings.target,
            lead="lot" if settings.lead == "lot" else Seat(settings.lead),
        ),
        seed=table.next_seed if table.match else table.seed,
        next_seed=bytes.fromhex(event.next_seed),
        entropy=tuple(value for _, value in event.entropy),
        offered={},
        deals=(),
        practice=False,
        seen_deal=0,
        deal_events=(),
        match_seq=table.seq,
        eyes={},
        waiting=False,
    )


def _finished(table: Table) -> tuple[DealSummary, ...]:
    """The deals before the one that starts now."""
    if not table.deal_events:
        return table.deals
    started, ended = table.deal_events[0], table.deal_events[-1]
    if not isinstance(started, rules.DealStarted) or not isinstance(ended, rules.DealEnded):
        fault = f"room {table.room} has an unfinished deal before the one that starts at step {table.seq}"
        raise ValueError(fault)  # noqa: TRY004 - the log is wrong, not a type
    scored = tuple(
        Scoring(event.seat, event.total, event.points, event.dropped)
        for event in table.deal_events
        if isinstance(event, rules.Played) and (event.points or event.dropped)
    )
    return (*table.deals, DealSummary(started.number, started.lead, ended, scored))[-DEALS_LISTED:]


def _swap(table: Table, seats: tuple[Seat, Seat]) -> Table:
    places = list(table.places)
    first, second = seats
    places[first] = replace(table.places[second], seat=first)
    places[second] = replace(table.places[first], seat=second)
    return replace(table, places=tuple(places))


def _with_entropy(table: Table, player: PlayerId, value: str) -> dict[PlayerId, str]:
    """Who stands up may come back and still have given it; of those who gave it longest ago only so many are kept."""
    entropy = {giver: given for giver, given in table.offered.items() if giver != player}
    gone = [giver for giver in entropy if table.place_of(giver) is None]
    for giver in gone[: max(0, len(gone) - MAX_GONE)]:
        del entropy[giver]
    return {**entropy, player: value}


def _react(table: Table, seat: Seat) -> Table:
    player = table.places[seat].player
    if player is None:
        return table
    recent = {reactor: _recent(table, times) for reactor, times in table.reactions.items()}
    reactions = {reactor: times for reactor, times in recent.items() if times}
    return replace(table, reactions={**reactions, player: (*reactions.get(player, ()), table.at)})


def _recent(table: Table, times: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(at for at in times if table.at - at < REACTION_WINDOW)


def _evolve_place(table: Table, event: Seated | Coming | Left | Away | Back | BotIn | BotOut | Ready) -> Table:
    before = table.places[event.seat]
    place = _evolved_place(before, event, table)
    places = (*table.places[: event.seat], place, *table.places[event.seat + 1 :])
    if isinstance(event, Left) and before.player is not None and before.player in table.eyes:
        # Who leaves one of several seats has the hands of the others covered for the rest of the deal.
        eyes = {player: seats for player, seats in table.eyes.items() if player != before.player}
        return replace(table, places=places, eyes=eyes)
    if isinstance(event, Seated) and place.player is not None:
        if place.player == before.former and table.phase is Phase.PLAYING:
            mine = sorted({*table.eyes.get(place.player, ()), place.seat})
            return replace(table, places=places, eyes={**table.eyes, place.player: tuple(mine)})
        places = tuple(_without_claim(other, place.player) for other in places)
    return replace(table, places=places)


def _without_claim(place: Place, player: PlayerId) -> Place:
    """Who sits down elsewhere has no seat to come back to: nobody sees the hand of a second seat in one deal."""
    return replace(place, former=None) if place.former == player else place


def _evolved_place(  # noqa: PLR0911 - one flat case an event
    place: Place, event: Seated | Coming | Left | Away | Back | BotIn | BotOut | Ready, table: Table
) -> Place:
    match event:
        case Seated(seat, player, bot, name):
            return Place(
                seat,
                player=None if player is None else PlayerId(player),
                bot=bot,
                name=name,
                presence=Presence.PRESENT,
                since=table.at,
                former=place.former if player is None else None,
                former_name=place.former_name if player is None else None,
            )
        case Left(seat):
            in_match = table.phase in (Phase.PLAYING, Phase.DEAL_OVER)
            former = (place.player, place.name) if in_match else (None, None)
            return Place(seat, since=table.at, former=former[0], former_name=former[1])
        case Coming(_, None, _):
            return replace(place, coming=None)
        case Coming(_, player, name, headless):
            return replace(place, coming=Actor(PlayerId(player or ""), name or "", headless))
        case Away():
            return replace(place, presence=Presence.AWAY, since=table.at)
        case Back():
            return replace(place, presence=Presence.PRESENT, since=table.at)
        case BotIn(_, level):
            return replace(place, presence=Presence.BOT_IN, since=table.at, substitute=level)
        case BotOut():
            return replace(place, presence=Presence.AWAY, since=table.at, substitute=None)
        case Ready():
            return replace(place, ready=True)
        case _:
            assert_never(event)
