from __future__ import annotations

from typing import Any

import pytest

from engine.events import DealStarted, Drew
from engine.notation import parse_tile, parse_tiles
from engine.seats import Seat
from server import views
from server.audience import Logged
from server.table.evolve import Step
from server.table.state import PlayerId, Table
from tests.server.rooms import open_house
from tests.server.tables import ANN, BOB, CAT, DAN


def test_who_gets_a_seat_with_the_new_deal_is_not_told_what_it_drew_in_the_old_one() -> None:
    drew = Drew(Seat(0), stock=0, tile=parse_tile("4-6"))
    hands = (parse_tiles("0-1 2-3"), parse_tiles("1-1 5-6"))
    started = DealStarted(2, Seat(1), (2, 2), 24, hands, ())
    logged = Logged(
        Step(9, 7, 1000.0, (drew, started)),
        eyes_before={BOB.player: (Seat(0),)},
        eyes={ANN.player: (Seat(0),)},
        hides=True,
    )

    told = {who.name: logged.events_for(who.player) for who in (ANN, BOB)}

    assert ["tile" in told[name][0] for name in ("Ann", "Bob")] == [False, True]
    assert [told[name][1].get("hand") for name in ("Ann", "Bob")] == [["0-1", "2-3"], None]
    assert logged.is_private(ANN.player)
    assert logged.is_private(BOB.player)


async def test_the_table_after_a_take_back_is_made_once_for_all_who_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str | None] = []
    snapshot_for = views.snapshot_for

    def counted(table: Table, player: PlayerId | None, now: float, *, reset: bool = False) -> dict[str, Any]:
        made.append(player)
        return snapshot_for(table, player, now, reset=reset)

    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings={"game": "block", "seats": 2, "lead": 0}))["room"]
        watchers = [house.ear(who) for who in (BOB, CAT, DAN)]
        for ear in watchers:
            await ear.ask("watch", room=room)
        await ann.ask("start", room=room)
        turn = next(m["turn"] for m in reversed(ann.heard) if m.get("turn"))
        await ann.ask("act", room=room, seq=house.registry.find(room).table.seq, action=turn["legal"][0]["action"])
        monkeypatch.setattr(views, "snapshot_for", counted)

        await ann.ask("undo", room=room)

        assert made == [ANN.player, BOB.player]
        assert all(ear.heard[-1]["type"] == "snapshot" for ear in watchers)
        assert [ear.heard[-1]["you"]["watching"] for ear in watchers] == [True] * 3
