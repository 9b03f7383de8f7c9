"""Section H of docs/faults.md: those who watch. What their page lets them do is in browser/test_faults.py."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.convert import Wire
from tests.system.scenes import watching
from tests.system.servers import Server


async def test_who_watches_can_act_for_no_seat(server: Server) -> None:
    """H1: not for the one in turn either, whatever the action is."""
    scene = await watching(server)
    opening: Wire = {"type": "play", "tile": "1-4", "end": None}
    actions: tuple[Wire, ...] = (opening, {**opening, "end": "left"}, {"type": "draw"}, {"type": "knock"})

    for seat in (None, 0, 1, 2):
        for action in actions:
            act = {"room": scene.room, "seat": seat, "seq": scene.before["seq"], "action": action}
            refusal = await scene.sender.refused("act", **act)
            assert refusal["code"] == "not_seated"
            assert "legal" not in refusal

    await scene.assert_nothing_happened()


@pytest.mark.parametrize("kind", ["add_bot", "remove", "swap", "start", "next", "react"])
async def test_who_watches_can_do_nothing_else_that_players_do(server: Server, kind: str) -> None:
    """H1."""
    scene = await watching(server)
    of_seat: dict[str, Callable[[int], Wire]] = {
        "add_bot": lambda seat: {"seat": seat},
        "remove": lambda seat: {"seat": seat},
        "swap": lambda seat: {"seats": [seat, (seat + 1) % 3]},
        "react": lambda _: {"key": "nice"},
    }

    for seat in range(3):
        fields = of_seat[kind](seat) if kind in of_seat else {}
        assert (await scene.sender.refused(kind, room=scene.room, **fields))["code"] == "not_seated"

    await scene.assert_nothing_happened()


async def test_who_watches_one_table_and_then_another_and_the_first_again_is_listed_where_it_is(
    server: Server,
) -> None:
    """H4."""
    ann, bob, eve = await server.client("Ann"), await server.client("Bob"), await server.client("Eve")
    first = await ann.create(game="draw", seats=2)
    second = await bob.create(game="block", seats=2)
    lists = []

    for room, other in ((first, None), (second, first), (first, second)):
        if other is not None:
            await eve.say("leave", room=other)
        await eve.say("watch", room=room)
        lists.append([(await host.look(code))["watchers"] for host, code in ((ann, first), (bob, second))])

    assert lists == [[["Eve"], []], [[], ["Eve"]], [["Eve"], []]]


async def test_who_watches_two_tables_at_once_is_listed_at_both_until_the_line_breaks(server: Server) -> None:
    """H4."""
    ann, eve = await server.client("Ann"), await server.client("Eve")
    rooms = [await ann.create(game="draw", seats=2) for _ in range(2)]
    for room in rooms:
        await eve.say("watch", room=room)
    both = [(await ann.look(room))["watchers"] for room in rooms]

    await eve.drop()
    for room in rooms:
        while ann.tables[room]["watchers"]:
            await ann.receive()

    assert both == [["Eve"], ["Eve"]]
    assert [(await ann.look(room))["watchers"] for room in rooms] == [[], []]
