"""What speaks for and against a play, as numbers: all that the learned policy sees of it."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from bots.kernel.bits import DOUBLES, SUITS, TileSet, pips_in
from bots.kernel.machine import Placement, Scoring
from bots.policy.sight import LAST, NEXT, PARTNER, Other, Sight
from bots.policy.worths import Worth

TWO_SIDES = 2
"""At two sides the pips of a whole team are counted together."""


class Traits(NamedTuple):
    """Of one play; or the weight of each, to a policy."""

    gain: float = 0.0
    """What its points are worth (see `bots.gains`)."""
    pips: float = 0.0
    """Of the tile."""
    double: float = 0.0
    """1 for a double."""
    urgent_pips: float = 0.0
    """The same two times the urgency (see `bots.policy.sight.Sight`)."""
    urgent_double: float = 0.0
    options: float = 0.0
    """Tiles kept that fit then."""
    urgent_options: float = 0.0
    stuck: float = 0.0
    """1 if none does."""
    variety: float = 0.0
    """Suits among the tiles kept."""
    control: float = 0.0
    """What part of the tiles that fit then the own hand has."""
    closed: float = 0.0
    """Ends that nobody else can play at, and the own hand can."""
    hidden: float = 0.0
    """Unseen tiles that fit then."""
    follow: float = 0.0
    """Worth of the best play of the own hand then."""
    next_stuck: float = 0.0
    """How likely the next seat has no answer."""
    next_reply: float = 0.0
    """What its best answer is worth, on average."""
    partner_stuck: float = 0.0
    partner_reply: float = 0.0
    last_stuck: float = 0.0
    last_reply: float = 0.0
    run: float = 0.0
    """How likely nobody else has an answer, where the own hand has one."""
    block: float = 0.0
    """What a block would bring or take, times how likely it is, where the own hand has no answer either."""
    next_draws: float = 0.0
    """Tiles that the next seat is expected to draw."""
    own_draws: float = 0.0
    """Tiles to draw for the own next play."""
    next_shut: float = 0.0
    """How likely the next seat can neither play nor draw, in a game with a stock."""

    def weighed(self, weights: Traits) -> float:
        """The sum over all traits, each times its weight."""
        return sum([trait * weight for trait, weight in zip(self, weights, strict=True)])


class Answer(NamedTuple):
    """What one other seat may have to answer."""

    stuck: float = 0.0
    """How likely it has nothing."""
    reply: float = 0.0
    """What its best answer is worth, on average."""


def traits(sight: Sight, placement: Placement) -> Traits:
    """Those of ``placement``, which the seat of ``sight`` can play."""
    bit, after, points = placement
    rules, kept = sight.rules, sight.hand ^ bit
    goes_out = not kept and sight.ends_deal
    pips, double = pips_in(bit), 1.0 if bit & DOUBLES else 0.0
    gained = Traits(
        gain=sight.worth[points + rules.out_points if goes_out else points],
        pips=pips,
        double=double,
        urgent_pips=pips * sight.urgency,
        urgent_double=double * sight.urgency,
    )
    return gained if goes_out else _with_prospects(gained, sight, kept, after)


def _with_prospects(gained: Traits, sight: Sight, kept: TileSet, after: int) -> Traits:
    """``gained`` and what may come after a play that leads to the state ``after``."""
    machine = sight.rules.machine
    fit, scoring = machine.fits[after], machine.scoring(after)
    own, hidden = (kept & fit).bit_count(), (sight.unseen & fit).bit_count()
    answers = [Answer(), Answer(), Answer()]
    for other in sight.others:
        answers[other.part] = _answer(other, fit, scoring)
    following, partner, last = answers[NEXT], answers[PARTNER], answers[LAST]
    nobody = prod([answers[other.part].stuck for other in sight.others])
    until_own = (sight.stock + 1) / _found(sight, hidden) if sight.stock else 0.0
    return Traits(
        *gained[:5],
        options=own,
        urgent_options=own * sight.urgency,
        stuck=1.0 if kept and not own else 0.0,
        variety=sum([1 for suit in SUITS if kept & suit]),
        control=own / (own + hidden + 1),
        closed=sum([1 for suit in machine.suits[after] if kept & suit and not sight.unseen & suit]),
        hidden=hidden,
        follow=_best(sight.worth, kept, scoring) if own else 0.0,
        next_stuck=following.stuck,
        next_reply=following.reply,
        partner_stuck=partner.stuck,
        partner_reply=partner.reply,
        last_stuck=last.stuck,
        last_reply=last.reply,
        run=nobody if own else 0.0,
        block=0.0 if own or sight.stock else nobody * _count(sight, kept),
        next_draws=following.stuck * until_own,
        own_draws=0.0 if own else until_own,
        next_shut=following.stuck if sight.rules.draws and not sight.stock else 0.0,
    )


def _answer(other: Other, fit: TileSet, scoring: Scoring) -> Answer:
    """What ``other`` may have where ``fit`` can be played and some of it scores."""
    possible, none_of, worth = other.possible, other.none_of, other.worth
    reply, seen, nothing_better = 0.0, 0, 1.0
    for points, tiles in scoring:
        if tiles & possible:
            seen |= tiles & possible
            nothing = none_of[seen.bit_count()]
            reply += worth[points] * (nothing_better - nothing)
            nothing_better = nothing
    return Answer(none_of[(possible & fit).bit_count()], reply)


def _best(worth: Worth, tiles: TileSet, scoring: Scoring) -> float:
    """What the best of ``tiles`` would bring."""
    return next((worth[points] for points, scored in scoring if scored & tiles), 0.0)


def _found(sight: Sight, fitting: int) -> float:
    """Of ``fitting`` unseen tiles, those that the stock is expected to have, and one."""
    return fitting * sight.stock / sight.unseen.bit_count() + 1


def _count(sight: Sight, kept: TileSet) -> float:
    """What a block would bring or take, about: a hidden tile counts like the mean of them (A9, B5)."""
    if not sight.rules.hands_count:
        return 0.0
    others = [other.tiles * sight.mean_pips for other in sight.others if other.part != PARTNER]
    mine = pips_in(kept) + sum([other.tiles * sight.mean_pips for other in sight.others if other.part == PARTNER])
    if sight.rules.sides == TWO_SIDES:
        others = [sum(others)]
    least = min(others)
    return sum(others) if mine < least else -max(mine, least)
