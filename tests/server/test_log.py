from __future__ import annotations

import pytest

from engine import events as rules
from engine.points import exact
from server.table.decide import Lost
from server.table.evolve import Step
from server.table.log import Cause, pack, unpack
from server.table.state import Phase
from tests.server.tables import ANN, BOB, CAT, EVE, Driver


def a_long_story(game: str, seats: int) -> list[Step]:
    """A log with an event of nearly every kind."""
    table = Driver(game=game, seats=seats, target=30, fill="wait")
    table.say(EVE, "watch")
    table.say(ANN, "swap", seats=[0, 1])
    table.say(ANN, "react", key="wow")
    table.say(ANN, "start", entropy="ab" * 32)
    table.say(BOB, "join")
    table.say(ANN, "start") if seats > 2 else None
    table.say(CAT, "join") if seats > 2 else None
    table.serve(Lost(ANN.player))
    table.wait(61)
    table.say(ANN, "sync")
    table.say(BOB, "leave")
    while table.table.phase is not Phase.MATCH_OVER:
        table.play_deal()
        if table.table.phase is Phase.DEAL_OVER:
            table.wait(20)
            for who in (ANN, CAT):
                if table.table.place_of(who.player) and table.table.phase is Phase.DEAL_OVER:
                    table.say(who, "next")
    table.wait(3600)
    return table.log


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_step_is_read_as_it_was_written(game: str, seats: int) -> None:
    for step in a_long_story(game, seats):
        again, cause = unpack(step.seq, step.epoch, pack(step, None))

        assert again == step
        assert cause is None


def test_halves_of_five_stay_exact_in_the_log() -> None:
    half = exact(7.5)
    ended = rules.DealEnded(rules.DealReason.BLOCKED, None, (half, half, 0), 0, ((), (), ()), (half, half, 0), "lot")
    step = Step(3, 7, 1000.0, (ended,))

    again, _ = unpack(3, 7, pack(step, None))

    assert again == step


def test_the_cause_of_a_step_is_kept_with_it() -> None:
    step = Driver().log[0]
    cause = Cause("ann", "x-1", "snapshot")

    assert unpack(1, 7, pack(step, cause)) == (step, cause)


def test_an_event_that_nobody_said_how_to_keep_is_an_error() -> None:
    with pytest.raises(TypeError):
        pack(Step(2, 7, 0.0, (rules.MatchEnded(None, (0, 0)),)), None)
