"""Hints: what speaks for and against each action of a turn, from what the seat may know and from nothing else (H2).

The reasons are those of club, which looks one turn ahead by the chances of the unseen tiles. How good an action is
hangs on its odds where they are given, and else on what club thinks of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType

from bots.gains import WIN
from bots.judge import Judge, Traits
from bots.review.facts import Sight, facts
from bots.review.odds import NO_ODDS, Judged
from bots.weights import CLUB
from engine.actions import Action, Draw, Play
from engine.outcome import Choice, Outcome
from engine.view import SeatView
from protocol.hints import Facts, Hint, HintReason

_DECIMALS = 2
"""Of a value: more would say nothing."""
_NOTHING = 1e-9
"""Smaller differences come from adding floats."""

_ASPECTS: Mapping[HintReason, Callable[[Traits], float]] = MappingProxyType(
    {
        HintReason.SCORES_NOW: lambda worth: worth.gain,
        HintReason.GIVES_LITTLE: lambda worth: worth.next_reply + worth.last_reply,
        HintReason.HELPS_PARTNER: lambda worth: worth.partner_reply + worth.partner_stuck,
        HintReason.BLOCKS_OPPONENT: lambda worth: worth.next_stuck + worth.last_stuck,
        HintReason.WINS_BLOCK: lambda worth: worth.block,
        HintReason.SHEDS_PIPS: lambda worth: worth.pips,
        HintReason.SHEDS_DOUBLE: lambda worth: worth.double,
        HintReason.KEEPS_OPTIONS: lambda worth: worth.options + worth.variety,
    }
)
"""What can speak for a play, by what its traits are worth."""


@dataclass(frozen=True, slots=True)
class _Merit:
    """A play and what club thinks of it."""

    play: Play
    outcome: Outcome
    traits: Traits
    weight: float
    worth: Traits
    """Each trait times its weight; what club dislikes of variety is passed over, as no reason says it."""


def hints(view: SeatView, legal: Sequence[Choice], odds: Mapping[Play, Judged] = NO_ODDS) -> tuple[Hint, ...]:
    """Every action in ``legal`` for the seat of ``view``, whose turn it is: best first, equal ones as they stand.

    A value is in points for the own side: what the play brings, less what others can be expected to answer, with what
    winning the match and better prospects than after the other plays are worth. A draw and a knock have 0. ``odds`` are
    those of `bots.review.odds`, of all plays or of none.

    Raises:
        ValueError: the view is a spectator's.
    """
    if view.seat is None:
        raise ValueError("who watches is given no hints")
    judge, weights = Judge(view, view.seat), CLUB[view.game][view.seats - 2]
    merits = [
        _merit(judge, weights, choice.action, choice.outcome)
        for choice in legal
        if isinstance(choice.action, Play) and choice.outcome is not None
    ]
    if not merits:
        return tuple([Hint(choice.action, 0.0, _forced(choice.action)) for choice in legal])
    is_last_tile = len(view.hand) == 1
    turn = _Turn(merits, odds, is_last_tile=is_last_tile, spoils=judge.spoils() if is_last_tile else 0.0)
    sight = Sight.of(view)
    return tuple([turn.hint(merit, facts(sight, merit.play, merit.outcome)) for merit in turn.ranked])


def _merit(judge: Judge, weights: Traits, play: Play, outcome: Outcome) -> _Merit:
    traits = judge.traits(play, outcome)
    worth = traits.times(weights)
    return _Merit(play, outcome, traits, sum(worth), worth._replace(variety=max(0.0, worth.variety)))


def _forced(action: Action) -> HintReason:
    return HintReason.MUST_DRAW if isinstance(action, Draw) else HintReason.MUST_KNOCK


class _Turn:
    """The plays of one turn, each seen beside the average of all. ``spoils``: what going out brings from the hands."""

    def __init__(
        self, merits: Sequence[_Merit], odds: Mapping[Play, Judged], *, is_last_tile: bool, spoils: float
    ) -> None:
        self._odds = odds
        self._is_last_tile = is_last_tile
        self._usual = Traits(*map(fmean, zip(*[merit.worth for merit in merits], strict=True)))
        self._usual_weight = fmean([merit.weight for merit in merits])
        self._usual_points = _points(self._usual) + spoils
        self.ranked = sorted(merits, key=self._rank, reverse=True)

    def hint(self, merit: _Merit, seen: Facts | None) -> Hint:
        """What is said of one of the plays."""
        judged = self._odds.get(merit.play)
        odds = None if judged is None else judged.odds
        return Hint(merit.play, round(self._value(merit), _DECIMALS), self._reason(merit), odds, seen)

    def _rank(self, merit: _Merit) -> tuple[float, float]:
        judged = self._odds.get(merit.play)
        return self._value(merit), 0.0 if judged is None else judged.odds.points

    def _value(self, merit: _Merit) -> float:
        if self._odds:
            return self._odds[merit.play].value
        if merit.outcome.wins:
            return merit.outcome.event + WIN
        return self._usual_points + merit.weight - self._usual_weight

    def _reason(self, merit: _Merit) -> HintReason:
        if merit.outcome.wins:
            return HintReason.WINS
        if self._is_last_tile:
            return HintReason.GOES_OUT
        if len(self.ranked) == 1:
            return HintReason.ONLY_CHOICE
        ahead = {aspect: worth_of(merit.worth) - worth_of(self._usual) for aspect, worth_of in _ASPECTS.items()}
        is_ahead = self._is_ahead(merit)
        most = max(ahead, key=ahead.__getitem__) if is_ahead else min(ahead, key=ahead.__getitem__)
        if (ahead[most] if is_ahead else -ahead[most]) < _NOTHING:
            return HintReason.EVEN
        return _for(merit, most) if is_ahead else _against(merit, most)

    def _is_ahead(self, merit: _Merit) -> bool:
        if self._odds:
            return self._odds[merit.play].is_ahead
        return merit.weight >= self._usual_weight - _NOTHING


def _points(worth: Traits) -> float:
    """Points won or lost. The other traits count only as far as the plays of a turn differ in them."""
    return worth.gain + worth.next_reply + worth.partner_reply + worth.last_reply + worth.block


def _for(merit: _Merit, most: HintReason) -> HintReason:
    """How to say that ``most`` is what the play has ahead of the others."""
    if most is HintReason.SCORES_NOW and not (merit.outcome.event and merit.outcome.accepted):
        return HintReason.KEEPS_TARGET
    if most is HintReason.WINS_BLOCK and merit.traits.block <= 0:
        return HintReason.AVOIDS_BLOCK
    if most is HintReason.SHEDS_PIPS and merit.worth.pips <= 0:
        return HintReason.KEEPS_HEAVY
    return most


def _against(merit: _Merit, most: HintReason) -> HintReason:
    """How to say that ``most`` is what the play has less of than the others."""
    if most is HintReason.SCORES_NOW and not merit.outcome.accepted:
        return HintReason.WOULD_BE_DROPPED
    return HintReason.GIVES_POINTS if most is HintReason.GIVES_LITTLE else HintReason.WEAKER
