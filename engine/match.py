"""A match: deals until one side has won (C4, F9, F10, A12-A14, B6). The fold of its events, like a deal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from engine import deal as deals
from engine.actions import Action
from engine.deal import Deal
from engine.errors import Reason, RuleViolation
from engine.events import DealEnded, DealStarted, Event, LotDrawn, MatchEnded
from engine.games.base import Game, NextLead, winner
from engine.outcome import Choice
from engine.points import Points
from engine.seats import Seat, Side, side_count
from engine.shuffle import Shuffle


class Match(NamedTuple):
    """A match, its running deal with every hand included.

    ``scores``: one a side. ``deal``: the running or last one, None before the first. ``next_lead``: who leads the next
    deal, None while one is running and when the match is over. ``winner``: None too for a match that was broken off.
    """

    game: Game
    seats: int
    target: int
    scores: tuple[Points, ...]
    deal: Deal | None = None
    next_lead: NextLead | None = "lot"
    winner: Side | None = None
    over: bool = False


def begin(
    game: Game,
    seats: int,
    target: int | None = None,
    lead: NextLead = "lot",
    scores: Sequence[Points] | None = None,
) -> Match:
    """A match before its first deal, by default to the game's target, from 0, led by lot (C4).

    Raises:
        ValueError: not 2 to 4 seats, a lead that is no seat, or scores that do not leave the match open.
    """
    if seats not in (2, 3, 4):
        raise ValueError(f"not 2 to 4 seats: {seats}")
    if lead != "lot" and lead not in range(seats):
        raise ValueError(f"no such lead: {lead}")
    target = game.target(seats) if target is None else target
    scores = (0,) * side_count(seats) if scores is None else tuple(scores)
    if len(scores) != side_count(seats) or min(scores) < 0 or winner(scores, target) is not None:
        raise ValueError(f"not the scores of an open match: {scores}")
    return Match(game, seats, target, scores, next_lead=lead)


def next_deal(match: Match, shuffle: Shuffle) -> tuple[Event, ...]:
    """What starts the next deal: the lot for its lead, if it is by lot, and the tiles. ValueError if none is due."""
    if match.next_lead is None:
        raise ValueError("no deal is due")
    number = 1 if match.deal is None else match.deal.number + 1
    if match.next_lead == "lot":
        lead = shuffle.lot(number, match.seats)
        return LotDrawn("lead", lead), _started(match, number, lead, shuffle)
    return (_started(match, number, match.next_lead, shuffle),)


def _started(match: Match, number: int, lead: Seat, shuffle: Shuffle) -> DealStarted:
    hands, stock = shuffle.deal(number, match.seats, match.game.hand_size(match.seats))
    return DealStarted(number, lead, tuple(map(len, hands)), len(stock), hands, stock)


def act(match: Match, seat: Seat, action: Action) -> tuple[tuple[Event, ...], Match]:
    """What happens if ``seat`` takes ``action``, and the match then: the fold of these events.

    Raises:
        RuleViolation: as `engine.deal.act`, and before any deal.
    """
    if match.deal is None:
        raise RuleViolation(Reason.DEAL_OVER)
    events, deal = deals.act(match.deal, seat, action)
    if deal.ended is None:
        return events, Match(match.game, match.seats, match.target, deal.scores, deal, next_lead=None)
    return events, reduce(evolve, events, match)


def decide(match: Match, seat: Seat, action: Action) -> tuple[Event, ...]:
    """What happens if ``seat`` takes ``action``, as `act` says."""
    events, _ = act(match, seat, action)
    return events


def choices(match: Match) -> tuple[Choice, ...]:
    """The legal actions of the seat in turn with their outcomes; none between deals."""
    return () if match.deal is None else match.deal.choices


def evolve(match: Match, event: Event) -> Match:
    """The match after ``event``."""
    match event:
        case LotDrawn(seat=seat):
            return match._replace(next_lead=seat)
        case DealStarted():
            deal = deals.opened(match.game, match.target, match.scores, event)
            return match._replace(deal=deal, next_lead=None)
        case DealEnded(next_lead=lead):
            return _in_deal(match, event)._replace(next_lead=lead)
        case MatchEnded(winner=won):
            ended = match if match.deal is None else _in_deal(match, event)
            return ended._replace(winner=won, over=True, next_lead=None)
        case _:
            return _in_deal(match, event)


def _in_deal(match: Match, event: Event) -> Match:
    """The match with its deal evolved. ValueError if there is none."""
    if match.deal is None:
        raise ValueError(f"no deal for {type(event).__name__}")
    deal = deals.evolve(match.deal, event)
    return match._replace(deal=deal, scores=deal.scores)
