from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from bots.guarded import Fault
from bots.levels import EVERY_LEVEL, LEVELS
from engine import match as matches
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView
from server.house_players import HousePlayers
from server.rates import MINUTE
from tests.bots.positions import EVERY_TABLE, are_legal, in_turn, some_turns
from tests.fakes import FakeClock
from tests.server.searchers import Searchers


class Broken:
    """A bot that tells what it holds when it fails."""

    def __init__(self, _rng: random.Random) -> None: ...

    def choose(self, view: SeatView, _legal: Sequence[Choice]) -> Action:
        raise ValueError(f"I hold {view.hand}")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_every_level_plays_every_game_by_the_rules(level: str, game: str, seats: int) -> None:
    house = HousePlayers(random.Random(1))

    for match in some_turns(20, game, seats):
        assert are_legal(house.choose(level, match, in_turn(match)), matches.choices(match))
    assert not house.faults


def test_the_levels_that_search_can_be_seated_where_there_is_a_place_to_search() -> None:
    assert HousePlayers(random.Random(1)).levels == tuple(LEVELS)
    assert HousePlayers(random.Random(1), Searchers()).levels == tuple(EVERY_LEVEL)


def test_answers_that_do_not_come_are_logged_now_and_then_with_their_number() -> None:
    clock = FakeClock()
    house = HousePlayers(random.Random(1), Searchers(), clock.monotonic)
    [match] = some_turns(1, "block", 2)

    with capture_logs() as logs:
        for seconds in (0, 1, 1, MINUTE):
            clock.advance(seconds)
            house.choose("expert", match, in_turn(match), None)

    assert [entry["choices"] for entry in logs] == [1, 3]
    assert (house.late, house.failures) == (4, 0)


def test_a_bot_that_fails_is_replaced_counted_and_logged_without_its_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.house_players.LEVELS", {"club": Broken})
    house = HousePlayers(random.Random(1))
    [match] = some_turns(1, "block", 2)

    with capture_logs() as logs:
        action = house.choose("club", match, in_turn(match))

    assert action == matches.choices(match)[0].action
    assert house.faults == {Fault.RAISED: 1}
    [entry] = logs
    assert (entry["event"], entry["bot"], entry["fault"]) == ("bot.failed", "club", "raised")
    assert "Tile" not in str(entry)
