"""Where bots search: anywhere else, and not for sure."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from bots.review.advice import advise
from engine.actions import Action
from engine.match import Match
from engine.outcome import Choice
from engine.seats import Seat
from engine.view import SeatView, view_for
from protocol.hints import Advice, Review
from server.house_players import Answer, Found, HousePlayers
from tests.simulation.loop import VirtualLoop

T = TypeVar("T")

LEVEL = "expert"
"""The level that searches where bots do."""


class SimulatedSearchers:
    """Answer at random after some time: at once, soon, too late or never; or die over it, or do not begin."""

    def __init__(self, loop: VirtualLoop, rng: random.Random) -> None:
        self.questions: WeakKeyDictionary[Answer, SeatView] = WeakKeyDictionary()
        """What was asked, by the answers that are still about."""
        self._advice: WeakSet[Found[Any]] = WeakSet()
        """The answers to people that are still about."""
        self._loop = loop
        self._rng = rng

    @property
    def is_advising(self) -> bool:
        """Whether anybody may still wait for advice, be it from a room that was read from its log since."""
        return not all(found.done() for found in self._advice)

    def ask(self, view: SeatView, legal: Sequence[Choice], _level: str, seed: int) -> Answer | None:
        answer = self._answered(legal[seed % len(legal)].action)
        if answer is not None:
            self.questions[answer] = view
        return answer

    def advise(self, view: SeatView, legal: Sequence[Choice]) -> Found[Advice] | None:
        return self._advised(advise(view, legal, work=None))

    def review(self, view: SeatView) -> Found[Review] | None:
        return self._advised(Review((), result=0.0, par=None))

    def close(self) -> None: ...

    def _advised(self, what: T) -> Found[T] | None:
        found = self._answered(what)
        if found is not None:
            self._advice.add(found)
        return found

    def _answered(self, what: T) -> Found[T] | None:
        answer: Found[T] = self._loop.create_future()
        match self._rng.choices(("answers", "is late", "dies", "never answers", "refuses"), (70, 10, 10, 5, 5))[0]:
            case "answers":
                self._later(self._rng.choice((0.0, 0.3, 1.5)), answer, what)
            case "is late":
                self._later(self._rng.choice((4.0, 9.0)), answer, what)
            case "dies":
                self._later(self._rng.choice((0.0, 0.5)), answer, BrokenExecutor("a worker died"))
            case "refuses":
                return None
        return answer

    def _later(self, seconds: float, answer: Found[T], what: T | BrokenExecutor) -> None:
        def settle() -> None:
            if answer.done():
                return
            if isinstance(what, BrokenExecutor):
                answer.set_exception(what)
            else:
                answer.set_result(what)

        self._loop.call_later(seconds, settle)


class SimulatedHouse(HousePlayers):
    """Bots who notice when they act on an answer to another question."""

    def __init__(
        self, rng: random.Random, searchers: SimulatedSearchers | None, monotonic: Callable[[], float]
    ) -> None:
        super().__init__(rng, searchers, monotonic)
        self._questions = {} if searchers is None else searchers.questions

    def choose(self, level: str, match: Match, seat: Seat, answer: Answer | None = None) -> Action:
        if answer is not None and self._questions[answer] != view_for(match, seat):
            raise AssertionError(f"seat {seat} acts on what it thought about another position")
        return super().choose(level, match, seat, answer)
