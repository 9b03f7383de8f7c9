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


@pytest.mark.parametrize("level", ["beginner", "club", "trained"])
@pytest.mark.parametrize("game", ["all-fives", "block", "draw"])
def test_only_novice_leaves_anything_to_chance_where_hands_count(level: str, game: str) -> None:
    one, other = LEVELS[level](random.Random(1)), LEVELS[level](random.Random(2))

    for match in some_turns(60, game, 4):
        asked = question(match)

        assert one.choose(*asked) == other.choose(*asked)


def test_a_novice_takes_every_legal_action_in_the_long_run() -> None:
    novice = LEVELS["novice"](random.Random(1))
    view, legal = question(some_turns(1, "block", 2)[0])

    chosen = {novice.choose(view, legal) for _ in range(200)}

    assert chosen == {choice.action for choice in legal}
