"""Where levels that search are asked, in tests: an answer comes when the test gives it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass

from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView
from server.house_players import Answer


@dataclass
class Asked:
    """One question."""

    view: SeatView
    legal: Sequence[Choice]
    level: str
    seed: int
    answer: Answer

    @property
    def question(self) -> tuple[SeatView, Sequence[Choice], str, int]:
        """All that is sent."""
        return self.view, self.legal, self.level, self.seed

    def choose(self, number: int = -1) -> Action:
        """Answer with one of the legal actions: the last, which no cheap player takes just because it is there."""
        action = self.legal[number].action
        self.answer.set_result(action)
        return action

    def die(self) -> None:
        """The worker is killed over it."""
        self.answer.set_exception(BrokenExecutor())


class Searchers:
    """Remembers what it is asked. ``has_time``: whether it takes questions."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.has_time = True

    def ask(self, view: SeatView, legal: Sequence[Choice], level: str, seed: int) -> Answer | None:
        if not self.has_time:
            return None
        answer: Answer = asyncio.get_running_loop().create_future()
        self.asked.append(Asked(view, legal, level, seed, answer))
        return answer

    def advise(self, view: SeatView, legal: Sequence[Choice]) -> None:
        """Nobody has the time for hints."""

    def review(self, view: SeatView) -> None:
        """Nor for reviews."""

    def close(self) -> None: ...
