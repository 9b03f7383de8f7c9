"""Section C of docs/faults.md: double sends, stale actions and races."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from structlog.testing import capture_logs

from protocol.convert import Wire
from tests.fakes import FailingStore
from tests.faults.packets import send_together
from tests.server.rooms import Ear, House, open_house
from tests.server.tables import ANN, BOB
from tests.system.client import Client
from tests.system.party import Party, gather
from tests.system.scenes import in_turn
from tests.system.servers import Server, serving

LIMIT = 10.0
"""Seconds for one choice in the races."""
RACES = 1000
HANDS = 150
CROWD = 200


async def about_to_draw(server: Server) -> tuple[Party, Client]:
    """A table, and the player whose turn it is and who has to draw."""
    party = await gather(server, 2, game="draw", seats=2, target=1_000_000)
    await party.start()
    while True:
        seat = server.table(party.room).turn
        if seat is not None and legal(party.players[seat], party.room)[0]["action"] == {"type": "draw"}:
            return party, party.players[seat]
        await party.step()


def legal(player: Client, room: str) -> list[Wire]:
    """What the server says that ``player``, in turn, may do."""
    choices: list[Wire] = player.tables[room]["turn"]["legal"]
    return choices


def draws(client: Client, room: str, after: int) -> int:
    """Tiles drawn since step ``after``, as ``client`` was told."""
    return sum(e["type"] == "drew" for u in client.updates(room) if u["seq"] > after for e in u["events"])


async def test_a_double_click_on_draw_draws_one_tile(server: Server) -> None:
    """C1: the same message twice in one packet is answered twice and done once."""
    party, player = await about_to_draw(server)
    seq = party.seq
    draw = {"type": "act", "id": "click", "room": party.room, "seq": seq, "action": {"type": "draw"}}

    send_together(player, draw, draw)
    await player.hear(party.room, "drew")
    answers = [await player.receive(), await player.receive()]

    assert answers == [{"type": "ok", "re": "click", "seq": seq + 1}] * 2
    assert party.seq == seq + 1


async def test_five_quick_taps_on_draw_draw_one_tile(server: Server) -> None:
    """C2: each tap is a message of its own, chosen on the same state."""
    party, player = await about_to_draw(server)
    seq = party.seq
    draw = {"room": party.room, "seq": seq, "action": {"type": "draw"}}

    sent = [await player.send("act", **draw) for _ in range(5)]
    answers = [await player.answer(message_id) for message_id in sent]

    assert answers[0] == {"type": "ok", "re": sent[0], "seq": seq + 1}
    assert {answer["code"] for answer in answers[1:]} <= {"stale", "not_your_turn"}
    assert draws(player, party.room, seq) == 1


async def test_fifty_equal_plays_in_one_packet_lay_one_tile(server: Server) -> None:
    """C4."""
    scene = await in_turn(server)
    table = scene.sender.tables[scene.room]
    action = table["turn"]["legal"][0]["action"]
    play = {"type": "act", "id": "spam", "room": scene.room, "seq": table["seq"], "action": action}

    send_together(scene.sender, *[play] * 50)
    answers: list[Wire] = []
    while len(answers) < 50:
        message = await scene.sender.receive()
        answers += [message] if "re" in message else []

    assert answers == [{"type": "ok", "re": "spam", "seq": table["seq"] + 1}] * 50
    hand = (await scene.sender.look(scene.room))["deal"]["hands"]["0"]
    assert sorted([*hand, action["tile"]]) == sorted(table["deal"]["hands"]["0"])


async def test_nothing_follows_a_refusal_that_could_wipe_its_reason(server: Server) -> None:
    """C7: of two quick plays the second is refused, and its reason is the last that the player hears."""
    scene = await in_turn(server)
    table = scene.sender.tables[scene.room]
    first, second = (
        {"type": "act", "id": name, "room": scene.room, "seq": table["seq"], "action": choice["action"]}
        for name, choice in zip(("first", "second"), table["turn"]["legal"], strict=False)
    )

    send_together(scene.sender, first, second)
    heard = [await scene.sender.receive() for _ in range(3)]
    await scene.sender.say("ping")

    assert sorted(message["type"] for message in heard) == ["error", "ok", "update"]
    refusal = next(message for message in heard if message["type"] == "error")
    assert (refusal["re"], refusal["code"], refusal["reason"]) == ("second", "not_your_turn", "not_your_turn")
    assert scene.sender.heard[-1]["type"] == "pong"


async def timed_table(house: House) -> tuple[Ear, Ear, str]:
    """Two people who have `LIMIT` seconds for each choice."""
    ann, bob = house.ear(ANN), house.ear(BOB)
    settings = {"game": "draw", "seats": 2, "turn_timer": LIMIT, "target": 1_000_000, "next_deal_after": 0}
    room = (await ann.ask("create", settings=settings))["room"]
    await bob.ask("join", room=room)
    await ann.ask("start", room=room)
    return ann, bob, room


async def race(house: House, ears: tuple[Ear, Ear], room: str, offset: float) -> bool:
    """The seat in turn acts ``offset`` seconds from the end of its time. Whether the act was accepted."""
    table = house.registry.find(room).table
    assert table.turn is not None
    seat, seen = table.turn, ears[table.turn].updates()[-1]
    house.clock.advance(table.turn_since + LIMIT + offset - house.clock.time())
    act = ears[seat].say("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])
    house.clock.advance(0.001)
    await house.settle()
    new = [event for update in ears[seat].updates() if update["seq"] > seen["seq"] for event in update["events"]]
    answer = ears[seat].answer(act)
    acts = [(event["type"], event["seat"]) for event in new if event["type"] in ("played", "drew", "knocked")]
    was_late = ("timed_out", seat) in [(event["type"], event.get("seat")) for event in new]
    assert len(acts) == 1
    assert acts[0][1] == seat
    assert was_late == (answer["type"] == "error")
    return not was_late


async def test_an_act_at_the_very_end_of_the_time_is_taken_or_too_late_and_never_both() -> None:
    """C8: within a millisecond of the limit, before it and after it."""
    rng = random.Random(8)
    accepted: Counter[bool] = Counter()
    async with open_house() as house:
        ann, bob, room = await timed_table(house)
        for _ in range(RACES):
            while house.registry.find(room).table.turn is None:
                await house.pass_time(0)
            accepted[await race(house, (ann, bob), room, rng.choice((-1, 0, 1)) * rng.random() / 1000)] += 1
            for ear in (ann, bob):
                del ear.heard[:-3]

    assert min(accepted[True], accepted[False]) > RACES // 10


async def test_bots_without_delay_play_on_and_on() -> None:
    """C10: hand after hand, and a play after the end of one is refused."""
    async with open_house() as house:
        ann = house.ear(ANN)
        settings = {"game": "draw", "seats": 4, "bot_delay": 0, "bot": "beginner", "target": 1_000_000}
        room = (await ann.ask("create", settings=settings))["room"]
        await ann.ask("start", room=room)

        for number in range(1, HANDS + 1):
            await play_deal(house, ann, room)
            table = house.registry.find(room).table
            assert table.match is not None
            assert table.match.deal is not None
            assert table.match.deal.number == number
            late = await ann.ask("act", room=room, seq=table.seq, action={"type": "knock"})
            assert late["code"] == "not_your_turn"
            await ann.ask("next", room=room)
            del ann.heard[:-3]


async def play_deal(house: House, person: Ear, room: str) -> None:
    """The person takes the first choice each time, bots do what they like, until the deal is over."""
    table = house.registry.find(room).table
    for _ in range(200):
        if table.turn is None:
            return
        if table.turn == 0:
            update = person.updates()[-1]
            person.say("act", room=room, seq=update["seq"], action=update["turn"]["legal"][0]["action"])
        house.clock.advance(0)
        for _ in range(3):  # the journal writes, the room tells
            await asyncio.sleep(0)
        table = house.registry.find(room).table
    raise AssertionError(f"nobody acts any more: {table.turn} is in turn")


async def test_an_act_whose_answer_was_lost_is_done_already_when_it_is_sent_again() -> None:
    """C11: the line breaks between the act and its answer."""
    store = FailingStore()
    async with serving(store) as server:
        scene = await in_turn(server)
        ann, table = scene.sender, scene.sender.tables[scene.room]
        act = {"id": "lost", "room": scene.room, "seq": table["seq"], "action": table["turn"]["legal"][0]["action"]}
        store.gate.clear()
        await ann.send("act", **act)
        while len(store.appended[-1]) != 1 or server.table(scene.room).seq == table["seq"]:
            await scene.bystander.say("ping")
        await ann.drop()
        store.gate.set()

        with capture_logs() as logs:
            await ann.come_back()
            await ann.resume(scene.room)
            answer = await ann.say("act", **act)

    assert answer == {"type": "ok", "re": "lost", "seq": table["seq"] + 1}
    assert [entry for entry in logs if entry["log_level"] == "error"] == []


async def test_a_crowd_that_comes_and_goes_disturbs_no_broadcast() -> None:
    """C14: 200 watch at once, and every second one goes again, by a word or without one, while steps are told."""
    async with serving(limits={"spectators": 0}) as server:
        with capture_logs() as logs:
            ann = await server.client("Ann")
            room = await ann.create(game="draw", seats=2)
            crowd = [await server.client(f"Eve {number}") for number in range(CROWD)]
            await asyncio.gather(*(come_and_go(number, client, room) for number, client in enumerate(crowd)))
            leavers = [client for number, client in enumerate(crowd) if number % 4 == 1]
            while len(server.table(room).watchers) > CROWD // 2:
                await ann.say("ping")
            await ann.look(room)

    assert len(leavers) == CROWD // 4
    assert sorted(ann.tables[room]["watchers"]) == sorted(f"Eve {number}" for number in range(0, CROWD, 2))
    assert [entry for entry in logs if entry["log_level"] == "error"] == []


async def come_and_go(number: int, client: Client, room: str) -> None:
    """Watch; of four one leaves, one hangs up, and two stay."""
    await client.send("watch", room=room)
    if number % 4 == 1:
        await client.send("leave", room=room)
    elif number % 4 == 3:
        await client.drop()
