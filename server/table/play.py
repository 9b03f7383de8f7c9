"""Matches at a table: how they begin, go on and are played."""

from __future__ import annotations

from engine import match as matches
from engine.actions import Action
from engine.errors import RuleViolation
from engine.events import DealEnded, Event, MatchEnded
from engine.seats import Seat
from engine.shuffle import SEED_BYTES, Shuffle, commitment
from protocol.convert import action_from_message
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.messages import client as messages
from server.table.draft import Draft
from server.table.events import Coming, EntropyGiven, Host, MatchOver, MatchStarted, Ready, Seated, Waiting, Watchers
from server.table.names import COMPUTER, distinct
from server.table.state import HEADLESS, Actor, Phase, Place, PlayerId, Presence, Table

RECORD_ID_BYTES = 8


def start(draft: Draft, actor: Actor, message: messages.Start) -> None:
    """The host starts: bots fill the empty seats, or the table waits for people."""
    table = draft.table
    place = seated(table, actor)
    if table.phase is not Phase.LOBBY and not table.waiting:
        raise ProtocolError(ErrorCode.ALREADY_STARTED, "the match has already started")
    if not table.anyone_starts:
        require_host(table, actor)
    give_entropy(draft, place, message.entropy)
    if has_room(table) and table.settings.fill == "wait" and not table.waiting:
        draft.add(Waiting())
    else:
        begin_match(draft)


def ready(draft: Draft, actor: Actor, message: messages.Next) -> None:
    """The sender waits for the start, the next deal or another match. During a deal nobody waits for it."""
    give_entropy(draft, seated(draft.table, actor), message.entropy)
    waiting = [place for place in draft.table.places_of(actor.player) if not place.ready]
    if draft.table.phase is not Phase.PLAYING and waiting:
        draft.add(*(Ready(place.seat) for place in waiting))
        go_on(draft)


def act(draft: Draft, actor: Actor, message: messages.Act) -> None:
    """The sender plays, draws or knocks."""
    table = draft.before
    place = in_turn(table, actor, message.seat)
    if message.seq > table.seq:
        raise ProtocolError(
            ErrorCode.STALE, f"step {message.seq} has not happened; the newest is {table.seq}", path="seq"
        )
    if message.seq < table.choice_seq:
        raise ProtocolError(
            ErrorCode.STALE, f"the table changed at step {table.choice_seq} after you chose", path="seq"
        )
    if place.bot == HEADLESS and table.reading:
        raise ProtocolError(ErrorCode.REFUSED, "somebody reads: bots hold", reason=RefusalReason.PAUSED)
    take(draft, place.seat, action_from_message(message.action))


def in_turn(table: Table, actor: Actor, seat: int | None) -> Place:
    """The seat of ``actor``, the one named or any, whose turn it is.

    Raises:
        ProtocolError: ``not_seated``, ``not_started``, ``not_your_turn``, or ``refused`` where a bot plays the seat.
    """
    place = _acting(table, actor, seat)
    if table.phase is Phase.LOBBY:
        raise ProtocolError(ErrorCode.NOT_STARTED, "the match has not started")
    if place.presence is Presence.BOT_IN:
        raise ProtocolError(
            ErrorCode.REFUSED, "a bot plays your seat: join to take it back", reason=RefusalReason.COVERED
        )
    if table.turn != place.seat:
        raise not_your_turn()
    return place


def not_your_turn() -> ProtocolError:
    """The refusal of what is for the seat in turn alone."""
    return ProtocolError(ErrorCode.NOT_YOUR_TURN, "it is not your turn", reason="not_your_turn")


def _acting(table: Table, actor: Actor, seat: int | None) -> Place:
    """The seat of the sender that acts: the one named, or where none is, that in turn."""
    first = seated(table, actor)
    mine = {place.seat: place for place in table.places_of(actor.player)}
    if seat is None:
        return first if table.turn is None else mine.get(table.turn, first)
    if seat not in mine:
        raise ProtocolError(ErrorCode.NOT_SEATED, f"you do not sit at seat {seat}", path="seat")
    return mine[Seat(seat)]


def take(draft: Draft, seat: Seat, action: Action) -> None:
    """``seat`` takes ``action``, with all that follows by the rules.

    Raises:
        ProtocolError: ``illegal_action`` with the rule's reason. What would be legal is added for who sees the hand.
    """
    match = running(draft.table)
    try:
        events = matches.decide(match, seat, action)
    except RuleViolation as violation:
        raise ProtocolError(
            ErrorCode.ILLEGAL_ACTION,
            f"the rules do not allow that now: {violation.reason.value.replace('_', ' ')}",
            reason=violation.reason.value,
            path="action",
        ) from None
    _follow(draft, events)


def _follow(draft: Draft, events: tuple[Event, ...]) -> None:
    for event in events:
        if isinstance(event, MatchEnded):
            draft.add(match_over(draft, event))
        else:
            draft.add(event)
    if any(isinstance(event, DealEnded) for event in events):
        seat_newcomers(draft)
        go_on(draft)


def match_over(draft: Draft, event: MatchEnded) -> MatchOver:
    """The end of the match as the table tells it: with the seed, and an id for its record."""
    record = draft.moment.random_bytes(RECORD_ID_BYTES).hex()
    return MatchOver(event.winner, event.scores, draft.table.seed.hex(), record)


def seat_newcomers(draft: Draft) -> None:
    """Who was waiting for the end of the deal sits down, unless the connection was lost meanwhile.

    They wait on for a deal that nobody has seen yet (H1).
    """
    if draft.table.is_known:
        return
    watchers = dict(draft.table.watchers)
    for place in draft.table.places:
        if place.coming is None:
            continue
        if place.coming.player in watchers:
            del watchers[place.coming.player]
            draft.add(seated_event(place.seat, place.coming))
            take_host_part(draft, place.coming.player)
        else:
            draft.add(Coming(place.seat, None, None))
    if len(watchers) < len(draft.table.watchers):
        draft.add(Watchers(tuple(watchers.items())))


def take_host_part(draft: Draft, player: PlayerId) -> None:
    """``player`` is the host from now on, if nobody is."""
    if draft.table.host is None:
        draft.add(Host(player))


def seated_event(seat: Seat, actor: Actor) -> Seated:
    """``actor`` sits down at ``seat``."""
    return Seated(seat, actor.player, HEADLESS if actor.headless else None, actor.name)


def go_on(draft: Draft) -> None:
    """Begin what all who are waited for are ready for: the next deal, or another match."""
    table = draft.table
    if table.waiting and not has_room(table):
        begin_match(draft)
    elif table.phase is Phase.DEAL_OVER and all_ready(table):
        deal_next(draft)
    elif table.phase is Phase.MATCH_OVER and all_ready(table) and any(place.ready for place in table.places):
        begin_another(draft)


def all_ready(table: Table) -> bool:
    """Whether every person present has said `next`; nobody is waited for at a table of bots."""
    people = [place for place in table.humans() if place.is_here]
    if people:
        return all(place.ready for place in people)
    return not table.is_deserted and not any(table.humans())


def begin_another(draft: Draft) -> None:
    """Begin the match after one that has ended; where the table fills with people, when its last seat is taken."""
    if has_room(draft.table) and draft.table.settings.fill == "wait":
        if not draft.table.waiting:
            draft.add(Waiting())
    else:
        begin_match(draft)


def begin_match(draft: Draft) -> None:
    """Fill the empty seats with bots, start a match and deal."""
    for place in draft.table.places:
        if place.is_empty:
            draft.add(house_bot(draft.table, place.seat, draft.table.settings.bot))
    table = draft.table
    seed = table.next_seed if table.match else table.seed
    next_seed = draft.moment.random_bytes(SEED_BYTES) if table.match else table.next_seed
    players = dict.fromkeys(place.player for place in table.places if place.player is not None)
    entropy = tuple((player, table.offered[player]) for player in players if player in table.offered)
    draft.add(MatchStarted(commitment(seed), commitment(next_seed), entropy, next_seed.hex()))
    deal_next(draft)


def house_bot(table: Table, seat: Seat, level: str) -> Seated:
    """A bot of ``level`` sits down at ``seat``."""
    return Seated(seat, None, level, distinct(COMPUTER, table, seat))


def deal_next(draft: Draft) -> None:
    """Deal; who leads is drawn by lot where the rules say so."""
    table = draft.table
    values = [bytes.fromhex(value) for value in table.entropy]
    draft.add(*matches.next_deal(running(table), Shuffle(table.seed, values)))


def give_entropy(draft: Draft, place: Place, value: str | None) -> None:
    """Note what the holder of ``place`` adds to the seed of the match to come, which is fixed already (L2)."""
    if value is None or place.player is None:
        return
    if draft.table.offered.get(place.player) != value:
        draft.add(EntropyGiven(place.player, value))


def running(table: Table) -> matches.Match:
    """The table's match.

    Raises:
        ProtocolError: ``not_started`` in the lobby.
    """
    if table.match is None:
        raise ProtocolError(ErrorCode.NOT_STARTED, "the match has not started")
    return table.match


def seated(table: Table, actor: Actor) -> Place:
    """Where ``actor`` sits.

    Raises:
        ProtocolError: ``not_seated``.
    """
    place = table.place_of(actor.player)
    if place is None:
        raise ProtocolError(ErrorCode.NOT_SEATED, "you have no seat at this table")
    return place


def require_host(table: Table, actor: Actor) -> None:
    """Refuse what only the host may do."""
    if table.host != actor.player:
        raise ProtocolError(ErrorCode.NOT_HOST, "only the host may do that")


def has_room(table: Table) -> bool:
    """Whether a seat is empty."""
    return any(place.is_empty for place in table.places)
