"""Other deals behind the same public record: what one seat cannot tell apart."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

from engine import deal as deals
from engine.actions import Action, Draw, Knock, Play
from engine.deal import Deal
from engine.errors import RuleViolation
from engine.events import DealStarted, Drew, Hand, Knocked, Played
from engine.match import Match
from engine.seats import Seat
from engine.tiles import Tile
from tests.engine.playing import deal_of


@dataclass(frozen=True)
class _Dealt:
    """Where every tile was when the deal began."""

    hands: tuple[Hand, ...]
    stock: Hand

    def renamed(self, names: dict[Tile, Tile]) -> _Dealt:
        hands = tuple(tuple(names.get(tile, tile) for tile in hand) for hand in self.hands)
        return _Dealt(hands, tuple(names.get(tile, tile) for tile in self.stock))


def redealt(match: Match, seat: Seat, rng: random.Random, tries: int) -> Iterator[Match]:
    """``match`` with the tiles that ``seat`` has not seen dealt anew, wherever the record allows it."""
    deal = deal_of(match)
    started = deal.events[0]
    assert isinstance(started, DealStarted)
    hidden = _hidden(deal, seat)
    hands, stock = tuple(hand or () for hand in started.hands), started.stock_tiles or ()
    for _ in range(tries):
        anew = _Dealt(hands, stock).renamed(dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True)))
        other = replayed(match, replace(started, hands=anew.hands, stock_tiles=anew.stock))
        if other is not None and deal_of(other).turn == seat and deal_of(other).hands != deal.hands:
            yield other


def _hidden(deal: Deal, seat: Seat) -> list[Tile]:
    others = [tile for other, hand in enumerate(deal.hands) if other != seat for tile in hand]
    return [*others, *deal.stock]


def replayed(match: Match, started: DealStarted) -> Match | None:
    """The match in which the same actions followed ``started``; None if the rules would not have allowed them."""
    played = deal_of(match)
    before = _scores_before(played)
    deal = deals.opened(match.game, match.target, before, started)
    try:
        for event in played.events[1:]:
            assert isinstance(event, Played | Drew | Knocked)
            deal = reduce(deals.evolve, deals.decide(deal, event.seat, _action(event)), deal)
    except RuleViolation:
        return None
    return match._replace(deal=deal)


def _scores_before(deal: Deal) -> tuple[int, ...]:
    scores = [int(score) for score in deal.scores]
    for event in deal.events:
        if isinstance(event, Played):
            scores[event.seat % len(scores)] -= int(event.points)
    return tuple(scores)


def _action(event: Played | Drew | Knocked) -> Action:
    match event:
        case Played(tile=tile, end=end):
            return Play(tile, end)
        case Drew():
            return Draw()
        case Knocked():
            return Knock()
