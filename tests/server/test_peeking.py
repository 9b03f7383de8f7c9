"""H2 where bots sit at tables: what the house does for a bot hangs on nothing that the bot's seat may not see."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from bots.levels import LEVELS, SEARCHING
from engine import match as matches
from engine.actions import Action
from engine.match import Match
from engine.seats import Seat
from engine.view import view_for
from server.house_players import Answer, HousePlayers
from tests.bots.poison import PeekError, poisoned
from tests.bots.positions import EVERY_TABLE, in_turn, some_turns
from tests.bots.worlds import Chooser, changes, peeking
from tests.engine.playing import deal_of
from tests.server.searchers import Searchers

EVERY = pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)


class Peeking(HousePlayers):
    """Looks into the other hands for its bots."""

    def choose(self, _level: str, match: Match, _seat: Seat, _answer: Answer | None = None) -> Action:
        return peeking(match)


class Knowing(HousePlayers):
    """Lets hidden tiles decide what chance a search has."""

    def ask(self, level: str, match: Match, seat: Seat) -> Answer | None:
        assert self._searchers is not None
        deal = deal_of(match)
        seed = random.Random(str((deal.hands, deal.stock))).getrandbits(64)
        return self._searchers.ask(view_for(match, seat), matches.choices(match), level, seed)


def choosing(level: str, house: type[HousePlayers] = HousePlayers) -> Chooser:
    """What is played for a bot of ``level``, each time with the same chance."""
    return lambda match: house(random.Random(4)).choose(level, match, in_turn(match))


def asking(level: str, house: type[HousePlayers] = HousePlayers) -> Chooser:
    """All that a search for a bot of ``level`` is told, each time with the same chance."""

    def asked(match: Match) -> object:
        searchers = Searchers()
        house(random.Random(4), searchers).ask(level, match, in_turn(match))
        return [asked.question for asked in searchers.asked]

    return asked


@EVERY
@pytest.mark.parametrize("level", LEVELS)
def test_no_hidden_tile_sways_a_bot_in_a_seat(level: str, game: str, seats: int) -> None:
    swayed, tried = changes(choosing(level), game, seats)

    assert swayed == 0
    assert tried >= 15


@EVERY
def test_nor_what_plays_for_a_bot_whose_search_has_no_answer(game: str, seats: int) -> None:
    swayed, tried = changes(choosing("expert"), game, seats)

    assert swayed == 0
    assert tried >= 15


@EVERY
def test_nor_what_plays_for_a_person_whose_time_is_over(game: str, seats: int) -> None:
    swayed, tried = changes(
        lambda match: HousePlayers(random.Random(4)).choose_at_once("master", match, in_turn(match)), game, seats
    )

    assert swayed == 0
    assert tried >= 15


@EVERY
async def test_nor_what_a_search_is_asked_its_seed_included(game: str, seats: int) -> None:
    for level in SEARCHING:
        swayed, tried = changes(asking(level), game, seats)

        assert swayed == 0
        assert tried >= 15


@EVERY
async def test_a_house_that_peeks_is_caught_at_every_table(game: str, seats: int) -> None:
    for chooser in (choosing("club", Peeking), asking("expert", Knowing)):
        swayed, tried = changes(chooser, game, seats)

        assert swayed >= tried // 2


@EVERY
async def test_nobody_touches_a_hidden_tile_to_let_a_bot_choose(game: str, seats: int) -> None:
    for match in some_turns(8, game, seats):
        clean = poisoned(match, in_turn(match))

        for level in LEVELS:
            assert choosing(level)(clean) == choosing(level)(match)
        for level in SEARCHING:
            assert asking(level)(clean) == asking(level)(match) != []


@EVERY
def test_nobody_touches_a_hidden_tile_for_a_hint(game: str, seats: int) -> None:
    house = HousePlayers(random.Random(4))

    for match in some_turns(8, game, seats):
        assert house.hints(poisoned(match, in_turn(match)), in_turn(match)) == house.hints(match, in_turn(match))


@EVERY
async def test_who_touches_one_is_caught(game: str, seats: int) -> None:
    cheats: Sequence[Chooser] = (choosing("club", Peeking), asking("expert", Knowing))
    for match in some_turns(8, game, seats):
        for cheat in cheats:
            with pytest.raises(PeekError):
                cheat(poisoned(match, in_turn(match)))
