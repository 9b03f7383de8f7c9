from __future__ import annotations

import random

import pytest

from bots.levels import LEVELS
from tests.bots.positions import EVERY_TABLE, are_legal, question, some_turns


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_bot_chooses_what_is_legal_in_every_game(level: str, game: str, seats: int) -> None:
    player = LEVELS[level](random.Random(1))

    for match in some_turns(60, game, seats):
        view, legal = question(match)

        assert are_legal(player.choose(view, legal), legal)


@pytest.mark.parametrize("level", ["beginner", "club"])
@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_beginner_and_club_leave_nothing_to_chance(level: str, game: str, seats: int) -> None:
    one, other = LEVELS[level](random.Random(1)), LEVELS[level](random.Random(2))

    for match in some_turns(30, game, seats):
        asked = question(match)

        assert one.choose(*asked) == other.choose(*asked)


def test_a_novice_takes_every_legal_action_in_the_long_run() -> None:
    novice = LEVELS["novice"](random.Random(1))
    view, legal = question(some_turns(1, "block", 2)[0])

    chosen = {novice.choose(view, legal) for _ in range(200)}

    assert chosen == {choice.action for choice in legal}
