"""Whether what was accepted was allowed, by rules of its own; and whether a refusal tells more than it may."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine import match as matches
from engine.events import DealStarted, Drew, Knocked, Played
from protocol.convert import Wire, choice_to_wire
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import client as messages
from protocol.messages import parse
from server.audience import has_part
from server.limits import Limits
from server.table.decide import decide
from server.table.draft import Moment
from server.table.events import Ready
from server.table.evolve import Step
from server.table.state import Actor, Phase, PlayerId, Table
from tests.simulation.timing import is_deserted

CHOICE_EVENTS = (DealStarted, Played, Drew, Knocked)
"""What changes what the seat in turn may choose."""
TOLD_BY_THE_RULES = ("illegal_action", "not_your_turn")
"""Refusals of an act that look at more than at who asks."""


class Case:
    """A message of ``player`` that made the step after ``before``."""

    def __init__(self, player: str, message: Wire, before: Table, after: Table, steps: list[Step]) -> None:
        self.player = PlayerId(player)
        self.message = message
        self.before = before
        self.after = after
        self.steps = steps
        """The log up to the step that it made."""

    def objections(self, limits: Limits) -> Iterator[str]:  # noqa: PLR0911 - one flat case a message
        """Why it must not have been accepted, or not in this way."""
        match self.message["type"]:
            case "act":
                return self._act()
            case "watch":
                return self._watch(limits)
            case "join":
                return self._join()
            case "leave":
                return self._leave()
            case "next":
                return self._next()
            case "start":
                return self._start()
            case "add_bot" | "remove" | "swap":
                return self._arrange()
            case "quick":
                return self._quick()
            case _:
                return iter(())

    def _act(self) -> Iterator[str]:
        turn, mine = self.before.turn, self.before.places_of(self.player)
        place = next((place for place in mine if place.seat == turn), None)
        if place is None or self.message.get("seat") not in (None, turn):
            yield "another seat was in turn"
        elif self.before.reading and place.bot is not None:
            yield "a bot acted while somebody was reading"
        seen = self.message["seq"]
        if seen > self.before.seq:
            yield "it was chosen on a step that had not happened"
        since = [event for step in self.steps[seen:-1] for event in step.events]
        if any(isinstance(event, CHOICE_EVENTS) for event in since):
            yield "it was chosen before the choice had changed"

    def _watch(self, limits: Limits) -> Iterator[str]:
        if not self.before.settings.spectators:
            yield "nobody may watch here"
        if self.before.place_of(self.player) is not None:
            yield "who sits at the table cannot watch"
        if limits.spectators and len(self.before.watchers) >= limits.spectators:
            yield f"{limits.spectators} watched already"

    def _join(self) -> Iterator[str]:
        wanted, coming = self.message.get("seat"), self.after.coming_of(self.player)
        seats = [place.seat for place in (*self.after.places_of(self.player), coming) if place is not None]
        if not seats:
            yield "who has joined has no seat"
        elif wanted not in (None, *seats) and self.before.place_of(self.player) is None:
            yield f"who wanted seat {wanted} has {seats}"

    def _next(self) -> Iterator[str]:
        for event in self.steps[-1].events:
            if isinstance(event, Ready) and self.before.places[event.seat].ready:
                yield "who was ready is ready once more"
            if isinstance(event, Ready) and self.before.phase is Phase.PLAYING:
                yield "nobody waits for `next` during a deal"

    def _leave(self) -> Iterator[str]:
        if has_part(self.after, self.player):
            yield "who has left is still there"

    def _start(self) -> Iterator[str]:
        if self.before.host != self.player and not self.before.anyone_starts:
            yield "only the host may start"
        if self.before.phase is not Phase.LOBBY and not self.before.waiting:
            yield "the match has begun already"

    def _arrange(self) -> Iterator[str]:
        if self.before.host != self.player:
            yield "only the host may arrange the seats"
        if self.before.phase in (Phase.PLAYING, Phase.DEAL_OVER):
            yield "nobody may arrange the seats in a match"

    def _quick(self) -> Iterator[str]:
        if is_deserted(self.before) and self.before.place_of(self.player) is None:
            yield "quick match led to a table where nobody is"


def refusal_hangs_on_hidden_tiles(
    table: Table, player: str, own: Collection[int], asked: Wire, told: Mapping[str, Any]
) -> bool:
    """Whether ``told``, the refusal of an act, would have been another if tiles lay elsewhere.

    ``table`` is the one on which it was refused; ``player`` sees the hands of the seats ``own``.
    """
    if asked["type"] != "act" or told["code"] not in TOLD_BY_THE_RULES:
        return False
    others = (_redealt(table, own, random.Random(number)) for number in range(2))
    return any(_refusal(other, player, asked) != told for other in (table, *others))


def _refusal(table: Table, player: str, asked: Wire) -> Wire | None:
    """What ``asked`` is refused with at ``table``; None if it is accepted."""
    moment = Moment(table.at, table.epoch, random.Random(0).randbytes)
    message = parse(asked)
    assert isinstance(message, messages.Act)
    try:
        decide(table, Actor(PlayerId(player), ""), message, moment, Limits())
    except ProtocolError as refusal:
        if refusal.code is ErrorCode.ILLEGAL_ACTION and table.match is not None:
            refusal.legal = [choice_to_wire(choice) for choice in matches.choices(table.match)]
        refusal.re = message.id
        return refusal.to_wire()
    return None


def _redealt(table: Table, own: Collection[int], rng: random.Random) -> Table:
    """``table`` with all tiles dealt anew that who sees the hands of the seats ``own`` does not see."""
    match = table.match
    if match is None or match.deal is None:
        return table
    deal = match.deal
    hidden = [*deal.stock, *(tile for seat, hand in enumerate(deal.hands) if seat not in own for tile in hand)]
    rng.shuffle(hidden)
    deck = iter(hidden)
    stock = tuple(next(deck) for _ in deal.stock)
    hands = tuple(hand if seat in own else tuple(next(deck) for _ in hand) for seat, hand in enumerate(deal.hands))
    return replace(table, match=match._replace(deal=deal._replace(hands=hands, stock=stock)))
