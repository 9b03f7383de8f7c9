"""Bots in seats: the one place where the server asks `bots`."""

from __future__ import annotations

import random

import structlog

from bots.levels import LEVELS
from engine import match as matches
from engine.actions import Action
from engine.match import Match
from engine.seats import Seat
from engine.view import view_for

BUILT_LEVELS = frozenset(LEVELS)
"""Names of the levels that can be seated."""

logger = structlog.get_logger(__name__)


class HousePlayers:
    """One player a level; each chooses from what its seat may know (H2)."""

    def __init__(self, rng: random.Random) -> None:
        self._players = {level: make(rng) for level, make in LEVELS.items()}
        self.failures = 0
        """Choices that had to be replaced because a bot raised or chose what is not legal."""

    def choose(self, level: str, match: Match, seat: Seat) -> Action:
        """What the bot of ``level`` does at ``seat``, whose turn it is: always a legal action."""
        legal = matches.choices(match)
        try:
            action = self._players[level].choose(view_for(match, seat), legal)
            if any(choice.action == action for choice in legal):
                return action
            logger.error("bot.illegal", level=level)
        except Exception:
            logger.exception("bot.failed", level=level)
        self.failures += 1
        return legal[0].action
