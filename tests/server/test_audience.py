from __future__ import annotations

from engine.events import DealStarted, Drew
from engine.notation import parse_tile, parse_tiles
from engine.seats import Seat
from server.audience import Logged
from server.table.evolve import Step
from tests.server.tables import ANN, BOB


def test_who_gets_a_seat_with_the_new_deal_is_not_told_what_it_drew_in_the_old_one() -> None:
    drew = Drew(Seat(0), stock=0, tile=parse_tile("4-6"))
    hands = (parse_tiles("0-1 2-3"), parse_tiles("1-1 5-6"))
    started = DealStarted(2, Seat(1), (2, 2), 24, hands, ())
    logged = Logged(
        Step(9, 7, 1000.0, (drew, started)), eyes_before={BOB.player: (Seat(0),)}, eyes={ANN.player: (Seat(0),)}
    )

    told = {who.name: logged.events_for(who.player) for who in (ANN, BOB)}

    assert ["tile" in told[name][0] for name in ("Ann", "Bob")] == [False, True]
    assert [told[name][1].get("hand") for name in ("Ann", "Bob")] == [["0-1", "2-3"], None]
    assert logged.is_private(ANN.player)
    assert logged.is_private(BOB.player)
