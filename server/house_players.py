"""Bots in seats, and hints: where a room asks `bots` for a choice, or what they think of each."""

from __future__ import annotations

import random
from functools import partial

import structlog

from bots.guarded import Fault, Guarded
from bots.hints import hints
from bots.levels import LEVELS
from engine import match as matches
from engine.actions import Action
from engine.match import Match
from engine.seats import Seat
from engine.view import view_for
from protocol.hints import Hint

BUILT_LEVELS = frozenset(LEVELS)
"""Names of the levels that can be seated."""

logger = structlog.get_logger(__name__)


class HousePlayers:
    """One player a level, for all tables; each chooses from what its seat may know (H2).

    ``rng`` is the players' own chance. It must not come from the seed of any deal.
    """

    def __init__(self, rng: random.Random) -> None:
        self._players = {level: Guarded(make(rng), partial(_log, level)) for level, make in LEVELS.items()}

    @property
    def failures(self) -> int:
        """Choices that had to be replaced because a bot raised or chose what is not legal."""
        return sum(player.faults.total() for player in self._players.values())

    def choose(self, level: str, match: Match, seat: Seat) -> Action:
        """What the bot of ``level`` does at ``seat``, whose turn it is: always a legal action."""
        return self._players[level].choose(view_for(match, seat), matches.choices(match))

    def hints(self, match: Match, seat: Seat) -> tuple[Hint, ...]:
        """What can be said of each legal action of ``seat``, whose turn it is; best first."""
        return hints(view_for(match, seat), matches.choices(match))


def _log(level: str, fault: Fault, raised: str | None) -> None:
    """No text of an exception and no traceback: they may name hidden tiles (H1)."""
    logger.error("bot.failed", bot=level, fault=fault.value, raised=raised)
