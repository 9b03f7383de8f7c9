"""Bots in seats, and hints: where a room asks `bots` for a choice, or what they think of each."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

import structlog

from bots.guarded import Fault, Guarded, NoChoice
from bots.levels import EVERY_LEVEL, LEVELS
from bots.review.advice import advise
from bots.search.workers import Workers
from bots.trained import Trained
from engine import match as matches
from engine.actions import Action
from engine.match import Match
from engine.outcome import Choice
from engine.seats import Seat
from engine.view import SeatView, view_for
from protocol.hints import Advice, Review
from server.rates import OnceAMinute

SPARE = "trained"
"""The level that chooses where one that searches has no answer, with no softness of its own."""

Answer: TypeAlias = asyncio.Future[Action]
"""What a level that searches will have chosen; an exception if its worker died. Cancelled, it is not waited for."""

T = TypeVar("T")
Found: TypeAlias = asyncio.Future[T]
"""What a search will have found; an exception if its worker died."""

_UNANSWERED = (Fault.LATE, Fault.DEAD)

logger = structlog.get_logger(__name__)


class Searchers(Protocol):
    """Where the levels that search are asked: not on the event loop."""

    def ask(self, view: SeatView, legal: Sequence[Choice], level: str, seed: int) -> Answer | None:
        """Begin to choose one of ``legal``. None: nobody has the time."""
        ...

    def advise(self, view: SeatView, legal: Sequence[Choice]) -> Found[Advice] | None:
        """Begin to find out what can be said of ``legal``. None as for `ask`."""
        ...

    def review(self, view: SeatView) -> Found[Review] | None:
        """Begin to judge the plays of the seat of ``view``, whose deal is over. None as for `ask`."""
        ...

    def close(self) -> None:
        """Answer nothing any more."""
        ...


def searchers(count: int) -> Searchers | None:
    """So many processes that search, once they are needed; None for 0."""
    return Workers(count) if count else None


class HousePlayers:
    """One player a level, for all tables; each chooses from what its seat may know (H2).

    ``rng`` is the players' own chance. It must not come from the seed of any deal. Without ``searchers`` no level that
    searches can be seated, and `SPARE` plays for those that sit somewhere already.
    """

    def __init__(
        self, rng: random.Random, searchers: Searchers | None = None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._rng = rng
        self._searchers = searchers
        self._askers: set[str] = set()
        """Players who wait for advice or a review: one thing each at a time."""
        self._players = {level: Guarded(make(rng), partial(self._note, level)) for level, make in LEVELS.items()}
        self._spare = Guarded(Trained(), partial(self._note, SPARE))
        self.faults: Counter[Fault] = Counter()
        """Choices that had to be replaced, and why."""
        self._unanswered = OnceAMinute(monotonic)

    @property
    def failures(self) -> int:
        """Of them, those for a bug: a bot raised or chose what is not legal."""
        return self.faults.total() - self.late

    @property
    def late(self) -> int:
        """And those for which there was no answer of a search."""
        return sum(self.faults[fault] for fault in _UNANSWERED)

    @property
    def levels(self) -> Sequence[str]:
        """Names of the levels that can be seated, weakest first."""
        return tuple(LEVELS if self._searchers is None else EVERY_LEVEL)

    def ask(self, level: str, match: Match, seat: Seat) -> Answer | None:
        """Let a bot of ``level`` think about the turn of ``seat``. None: `choose` has nothing to wait for."""
        if self._searchers is None or level in self._players:
            return None
        legal = matches.choices(match)
        if len(legal) == 1:
            return None
        return self._searchers.ask(view_for(match, seat), legal, level, self._rng.getrandbits(64))

    def choose(self, level: str, match: Match, seat: Seat, answer: Answer | None = None) -> Action:
        """What the bot of ``level`` does at ``seat``, whose turn it is: always a legal action.

        ``answer``: that to the same question, for a level that searches.
        """
        view, legal = view_for(match, seat), matches.choices(match)
        if level in self._players:
            return self._players[level].choose(view, legal)
        if len(legal) == 1:
            return legal[0].action
        return Guarded(_Answered(answer), partial(self._note, level), self._spare).choose(view, legal)

    def choose_at_once(self, level: str, match: Match, seat: Seat) -> Action:
        """The same without a search: for a seat whose holder has let the time pass."""
        player = self._players.get(level, self._spare)
        return player.choose(view_for(match, seat), matches.choices(match))

    @property
    def searches(self) -> bool:
        """Whether anybody searches here."""
        return self._searchers is not None

    def hints(self, match: Match, seat: Seat) -> Advice:
        """What can be said at once to ``seat``, whose turn it is."""
        return advise(view_for(match, seat), matches.choices(match), work=None)

    def advise(self, match: Match, seat: Seat, asker: str) -> Found[Advice] | None:
        """Search for more than `hints` says. None: nobody has the time, or ``asker`` waits for something else."""
        legal = matches.choices(match)
        if self._searchers is None or asker in self._askers or len(legal) == 1:
            return None
        return self._waited_for(asker, self._searchers.advise(view_for(match, seat), legal))

    def review(self, match: Match, seat: Seat, asker: str) -> Found[Review] | None:
        """Judge the plays of ``seat`` in the deal that is over. None as for `advise`."""
        if self._searchers is None or asker in self._askers:
            return None
        return self._waited_for(asker, self._searchers.review(view_for(match, seat)))

    def _waited_for(self, asker: str, found: Found[T] | None) -> Found[T] | None:
        if found is not None and not found.done():
            self._askers.add(asker)
            found.add_done_callback(lambda _: self._askers.discard(asker))
        return found

    def close(self) -> None:
        """Search no more: this process is about to stop."""
        if self._searchers is not None:
            self._searchers.close()

    def _note(self, level: str, fault: Fault, raised: str | None) -> None:
        """No text of an exception and no traceback: they may name hidden tiles (H1)."""
        self.faults[fault] += 1
        if fault in _UNANSWERED:
            self._log_unanswered(level, fault)
        else:
            logger.error("bot.failed", bot=level, fault=fault.value, raised=raised)

    def _log_unanswered(self, level: str, fault: Fault) -> None:
        if choices := self._unanswered.count(fault):
            logger.warning("bot.replaced", bot=level, fault=fault.value, choices=choices)


class _Answered:
    """A player that has chosen elsewhere, if it has."""

    def __init__(self, answer: Answer | None) -> None:
        self._answer = answer

    def choose(self, _view: SeatView, _legal: Sequence[Choice]) -> Action:
        if self._answer is None or not self._answer.done() or self._answer.cancelled():
            raise NoChoice(Fault.LATE)
        try:
            return self._answer.result()
        except BrokenExecutor:
            raise NoChoice(Fault.DEAD) from None
