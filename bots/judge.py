"""What speaks for and against a play: a list of traits, each a number."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from bots.beliefs import Beliefs
from bots.gains import POINTS_BY_TOTAL, gain
from bots.replies import Reply, WorthOf, best_reply
from engine.actions import Play
from engine.events import Hand
from engine.games import GAMES
from engine.outcome import Outcome
from engine.points import Points
from engine.seats import Seat, Side, side_count, side_of
from engine.view import SeatView

_NO_REPLY = Reply(worth=0.0, stuck=0.0)


class Traits(NamedTuple):
    """Of one play; or the weight of each, to a player."""

    gain: float = 0.0
    """What its points are worth (see `bots.gains`)."""
    pips: float = 0.0
    """Of the tile, which leave the hand."""
    double: float = 0.0
    """1 for a double, which fits on one pip alone."""
    options: float = 0.0
    """Tiles kept that would fit on an end then."""
    variety: float = 0.0
    """Different pips among the tiles kept."""
    next_reply: float = 0.0
    """Worth of the best answer that the next seat is expected to have."""
    next_stuck: float = 0.0
    """How likely the next seat has none."""
    partner_reply: float = 0.0
    """The same two for the partner, at a table of two teams."""
    partner_stuck: float = 0.0
    last_reply: float = 0.0
    """The same two for a second opponent, who comes last before the own seat."""
    last_stuck: float = 0.0
    block: float = 0.0
    """What the count would give or take if nobody could play any more, times how likely that is."""

    def weighed(self, weights: Traits) -> float:
        """The sum over all traits, each times its weight."""
        return sum([trait * weight for trait, weight in zip(self, weights, strict=True)])

    def times(self, weights: Traits) -> Traits:
        """Each trait times its weight."""
        return Traits(*[trait * weight for trait, weight in zip(self, weights, strict=True)])


class Judge:
    """Tells the traits of the plays of one turn of ``seat``, all by the same beliefs."""

    def __init__(self, view: SeatView, seat: Seat) -> None:
        self._view = view
        self._seat = seat
        self._side = side_of(seat, view.seats)
        self._game = GAMES[view.game]
        self._points = POINTS_BY_TOTAL[view.game]
        self._hands_count = not self._game.out_points
        """Whether pips left in hand are counted at the end (A8, B4), not so in Fives and Threes (F7)."""
        self._rivals = [max((*view.scores[:side], *view.scores[side + 1 :])) for side in range(len(view.scores))]
        """By side, the best score of another."""
        self._beliefs = Beliefs(view)

    def traits(self, play: Play, outcome: Outcome) -> Traits:
        """What speaks for and against ``play``, which leads to ``outcome``; nothing comes after what ends the deal."""
        kept = tuple([tile for tile in self._view.hand if tile != play.tile])
        own = Traits(
            gain=self._gain(self._side, outcome.event),
            pips=play.tile.pips,
            double=float(play.tile.is_double),
        )
        return own if outcome.wins or self._ends_deal(kept, outcome) else self._with_prospects(own, kept, outcome)

    def spoils(self) -> float:
        """What the other hands will give the own side about if the seat goes out now."""
        return self._count(self._side, kept_pips=0)

    def _ends_deal(self, kept: Hand, outcome: Outcome) -> bool:
        return not kept and (self._hands_count or outcome.out_bonus > 0)

    def _with_prospects(self, own: Traits, kept: Hand, outcome: Outcome) -> Traits:
        """``own`` and what may come after the play."""
        open_pips = {end.value for end in outcome.ends}
        options = sum([tile.low in open_pips or tile.high in open_pips for tile in kept])
        pips = sum([tile.pips for tile in kept])
        replies = self._replies(outcome, pips)
        following, partner, last = self._by_part(replies)
        return own._replace(
            options=options,
            variety=len({pip for tile in kept for pip in (tile.low, tile.high)}),
            next_reply=following.worth,
            next_stuck=following.stuck,
            partner_reply=partner.worth,
            partner_stuck=partner.stuck,
            last_reply=last.worth,
            last_stuck=last.stuck,
            block=0.0 if options else self._block(replies, pips),
        )

    def _replies(self, outcome: Outcome, kept_pips: int) -> dict[Seat, Reply]:
        """How each other seat that holds tiles would answer, if it were the next."""
        return {
            other: best_reply(outcome, chances, self._worth_for(other, kept_pips))
            for other, chances in self._beliefs.chances.items()
        }

    def _by_part(self, replies: dict[Seat, Reply]) -> tuple[Reply, Reply, Reply]:
        """Those of the next seat, of the partner and of the last seat, as far as they are there and differ."""
        seats = self._view.seats
        around = [replies.get(Seat((self._seat + step) % seats), _NO_REPLY) for step in range(1, seats)]
        partner = around[1] if seats == 4 else _NO_REPLY
        last = around[-1] if seats > 2 else _NO_REPLY
        return around[0], partner, last

    def _worth_for(self, other: Seat, kept_pips: int) -> WorthOf:
        """What ``other`` would gain by a play, and by going out with it."""
        side, points = side_of(other, self._view.seats), self._points
        out = self._game.out_points if self._goes_out(other) else 0
        at_stake = self._at_stake(other, kept_pips)

        def worth(total: int) -> float:
            return at_stake + self._gain(side, points[total] + out)

        return worth

    def _goes_out(self, other: Seat) -> bool:
        """Whether a play of ``other`` would end the deal (F4, F5, A8)."""
        tiles, seats = self._view.tiles, self._view.seats
        if tiles[other] != 1:
            return False
        return not (self._game.teams_go_out and seats == 4 and tiles[(other + 2) % seats])

    def _at_stake(self, other: Seat, kept_pips: int) -> float:
        """What ``other`` would get from the hands by going out with its next play, about."""
        return self._count(side_of(other, self._view.seats), kept_pips) if self._goes_out(other) else 0.0

    def _count(self, winner: Side, kept_pips: int) -> float:
        """What the hands of the other sides will give ``winner`` about (A8, B4); nothing in Fives and Threes (F7)."""
        if not self._hands_count:
            return 0.0
        return sum([pips for side, pips in enumerate(self._pips_left(kept_pips)) if side != winner])

    def _block(self, replies: dict[Seat, Reply], kept_pips: int) -> float:
        """What a block would bring, times its chance, where the own hand cannot go on (A9, B5)."""
        if not self._hands_count or (self._game.draws and self._view.stock):
            return 0.0
        pips = self._pips_left(kept_pips)
        mine = pips.pop(self._side)
        return prod([reply.stuck for reply in replies.values()]) * (sum(pips) if mine < min(pips) else -mine)

    def _pips_left(self, kept_pips: int) -> list[float]:
        """By side, what the hands will count about: a hidden tile counts like the mean of them."""
        pips = [0.0] * side_count(self._view.seats)
        for other, tiles in enumerate(self._view.tiles):
            held = kept_pips if other == self._seat else tiles * self._beliefs.mean_pips
            pips[side_of(Seat(other), self._view.seats)] += held
        return pips

    def _gain(self, side: Side, event: Points) -> float:
        return gain(self._view.game, self._view.target, self._view.scores[side], event, self._rivals[side])
