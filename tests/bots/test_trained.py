from __future__ import annotations

from itertools import islice
from statistics import fmean

import pytest

from bots.beginner import Beginner
from bots.club import Club
from bots.duel import Duel, Sample
from bots.trained import Trained
from engine.games import GAMES
from tests.bots.positions import asked_at
from tests.bots.test_duel import shuffles
from tests.engine.positions import action, dealt


def samples(other: Club | Beginner, game: str, seats: int, count: int, deals: int | None = None) -> list[Sample]:
    """Of trained against ``other``."""
    duel = Duel(GAMES[game], seats, Trained(), other, deals)
    return [duel.sample(shuffle) for shuffle in islice(shuffles(11), count)]


@pytest.mark.parametrize("game", GAMES)
def test_trained_gains_points_on_beginner_in_every_game(game: str) -> None:
    played = samples(Beginner(), game, seats=4, count=50, deals=1)

    assert fmean([sample.points for sample in played]) > 0


def test_trained_lands_on_the_target_where_more_points_would_be_lost() -> None:
    asked = asked_at(dealt("fives-threes", "6-6 1-5 1-1", "0-1 0-2", scores=(59, 0)))

    assert Trained().choose(*asked) == action("1-5")
