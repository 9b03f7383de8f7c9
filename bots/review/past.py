"""Review: what each play of a deal that is over has cost, judged by what its seat saw then, and the luck of the deal.

Nothing that was hidden at the time goes into the judgement of a play. Par does look into all hands, which are shown now
(C10); where tiles stay hidden for longer, the stock of a drawing game, there is none.
"""

from __future__ import annotations

import time

from bots.kernel.bits import bit_of, bits_of
from bots.kernel.plays import rules_for
from bots.kernel.position import Position
from bots.kernel.rules import plain
from bots.review.moments import Moment, moments, scores_before
from bots.review.odds import WORK, odds
from bots.review.par import par
from bots.search.search import Clock, Work
from engine.events import DealEnded, Played
from engine.seats import side_of
from engine.view import SeatView
from protocol.hints import Review, Reviewed

BLUNDER = 0.04
"""A play that costs so much of the chance to win the match, beyond doubt, is a blunder."""


def review(view: SeatView, work: Work = WORK, clock: Clock = time.monotonic) -> Review:
    """The plays of the seat of ``view`` in its deal, which is over; the same each time.

    Raises:
        ValueError: the deal is not over, or the view is a spectator's.
    """
    ended = next((event for event in view.events if isinstance(event, DealEnded)), None)
    if ended is None or view.seat is None:
        raise ValueError("only a seat's deal that is over is reviewed")
    plays = tuple([_reviewed(moment, work, clock) for moment in moments(view)])
    side = side_of(view.seat, view.seats)
    made = [plain(after) - plain(before) for after, before in zip(ended.scores, scores_before(view), strict=True)]
    own = made.pop(side)
    return Review(plays, result=own - sum(made) / len(made), par=_par(view, ended))


def _reviewed(moment: Moment, work: Work, clock: Clock) -> Reviewed:
    judged = odds(moment.view, moment.legal, work, clock)
    if not judged:
        return Reviewed(moment.played, moment.played, regret=0.0, close=False, blunder=False, odds=None)
    mine = judged[moment.played]
    best = min(judged, key=lambda play: (judged[play].behind, play != moment.played))
    is_best = mine.behind <= 0 or best == moment.played
    return Reviewed(
        moment.played,
        moment.played if is_best else best,
        regret=mine.behind,
        close=mine.odds.close,
        blunder=mine.behind >= BLUNDER and not mine.odds.close,
        odds=mine.odds,
    )


def _par(view: SeatView, ended: DealEnded) -> float | None:
    """Points that the own side would have made more than the other; None in drawing games and with three sides."""
    rules = rules_for(view)
    if rules.draws or rules.sides != 2 or view.seat is None:
        return None
    hands = [bits_of(hand) for hand in ended.hands]
    for event in view.events:
        if isinstance(event, Played):
            hands[event.seat] |= bit_of(event.tile)
    scores = [plain(score) for score in scores_before(view)]
    value = par(Position(rules, hands, [], view.lead, scores))
    return value if value is None or side_of(view.seat, view.seats) == 0 else -value
