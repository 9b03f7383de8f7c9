"""A player that can be relied on, made of one that cannot."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from bots.player import Player
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView


class Fault(StrEnum):
    """Why a choice had to be replaced."""

    RAISED = "raised"
    ILLEGAL = "illegal"
    LATE = "late"
    DEAD = "dead"
    UNREADABLE = "unreadable"


class NoChoice(Exception):
    """A player that runs elsewhere has not chosen, for the reason ``fault``."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


Report: TypeAlias = Callable[[Fault, str | None], None]


class _FirstLegal:
    """Takes the first legal action."""

    def choose(self, _view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        return legal[0].action


class Guarded:
    """Lets ``player`` choose; where it fails or chooses what is not legal, ``spare`` does, which must not fail.

    ``report`` is told of each fault and, if something was raised, of its type and place. Never of its text: that may
    name hidden tiles (H1). Without a ``spare`` the first legal action is taken.
    """

    def __init__(
        self, player: Player, report: Report = lambda _fault, _raised: None, spare: Player | None = None
    ) -> None:
        self._player = player
        self._report = report
        self._spare = spare or _FirstLegal()
        self.faults: Counter[Fault] = Counter()
        """How many choices had to be replaced, and why."""

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`. Never raises, and always gives one of the actions in ``legal``."""
        try:
            action = self._player.choose(view, legal)
        except NoChoice as none:
            return self._instead(view, legal, none.fault)
        except Exception as error:  # noqa: BLE001 - whatever a strategy raises, the table goes on
            return self._instead(view, legal, Fault.RAISED, _what(error))
        if any(choice.action == action for choice in legal):
            return action
        return self._instead(view, legal, Fault.ILLEGAL)

    def _instead(self, view: SeatView, legal: Sequence[Choice], fault: Fault, raised: str | None = None) -> Action:
        self.faults[fault] += 1
        self._report(fault, raised)
        return self._spare.choose(view, legal)


def _what(error: Exception) -> str:
    """The type of ``error`` and the line that raised it."""
    raised = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {raised.name}, {Path(raised.filename).name}:{raised.lineno}"
