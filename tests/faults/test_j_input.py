"""Section J of docs/faults.md: malformed and hostile input."""

from __future__ import annotations

import struct

import pytest

from protocol.convert import Wire
from protocol.messages import CODE_LENGTH, CODE_SIGNS
from tests.faults.packets import send_together
from tests.system.client import JSON, MSGPACK, Client
from tests.system.scenes import Scene, in_turn, lobby
from tests.system.servers import Server, serving

HUGE = 100 * 1024 * 1024
FLOOD = 10_000
GUESSERS = 100
GUESSES = 100
"""Of each guesser."""

NO_SEATS = ["-1", "1e309", "-1e309", "4294967296", "9223372036854775808", '"1"', "true", "1.0", "NaN", "[1]", "{}"]
"""JSON of values that are no seat."""


async def test_a_frame_of_a_hundred_megabytes_is_refused_before_it_has_come(server: Server) -> None:
    """J5: its header is enough to close the connection, and nothing is kept for it."""
    scene = await in_turn(server)

    scene.sender.socket.transport.write(b"\x81\xff" + struct.pack("!Q", HUGE) + b"\x00\x00\x00\x00" + b"x" * 1000)

    assert await scene.sender.close_code() == 1009
    await scene.bystander.hear(scene.room, "away")


async def test_a_flood_is_cut_off_and_the_others_at_the_table_are_served() -> None:
    """J5: ten thousand messages as fast as they can be sent."""
    limits = {"messages_per_second": 20, "burst": 40, "refusals_per_minute": 50}
    async with serving(limits=limits) as limited:
        scene = await in_turn(limited)
        for _ in range(FLOOD // 100):
            send_together(scene.sender, *[{"type": "ping"}] * 100)

        code = await scene.sender.close_code()

        assert code in (1006, 1008)
        kinds = [message["type"] for message in scene.sender.heard]
        assert kinds.count("pong") <= 40
        assert kinds.count("error") <= 50
        await scene.bystander.hear(scene.room, "away")
        assert (await scene.bystander.say("ping"))["type"] == "pong"


NAMES = ["Bob \U0001f43a", "👩\u200d🚀 Zoë", "क्षि", "ב\u05bcב"]


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_four_names_of_all_scripts_play_a_deal_together(server: Server, subprotocol: str) -> None:
    """J8: nobody's table breaks, and all are told the names as they were given."""
    players = [await server.client(name, subprotocol) for name in NAMES]
    room = await players[0].create(game="block", seats=4, lead=0)
    for player in players[1:]:
        await player.say("join", room=room)
    await players[0].say("start", room=room)

    for player in players:
        await player.reach(room, server.table(room).seq)
        assert [seat["name"] for seat in (await player.look(room))["seats"]] == NAMES
    table = players[0].tables[room]
    await players[0].say("act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])


def code_of(number: int) -> str:
    """The room code with that number."""
    return "".join(CODE_SIGNS[number // len(CODE_SIGNS) ** place % len(CODE_SIGNS)] for place in range(CODE_LENGTH))


async def guess(guesser: Client, first: int) -> list[str]:
    """Try `GUESSES` codes at once; returns what was said of each."""
    codes = [code_of(first + number) for number in range(GUESSES)]
    send_together(guesser, *({"type": "watch", "room": code} for code in codes))
    return [str((await guesser.receive())["code"]) for _ in codes]


async def test_of_ten_thousand_guesses_at_room_codes_few_are_looked_up() -> None:
    """J10: from many connections of one address, within a minute."""
    limits = {"wrong_codes": 10, "wrong_codes_per_address": 60}
    async with serving(limits=limits) as limited:
        answers: list[str] = []
        for guesser in range(GUESSERS):
            zoe = await limited.client(f"Zoe {guesser}")
            answers += await guess(zoe, guesser * GUESSES)
            await zoe.drop()

        assert len(answers) == GUESSERS * GUESSES
        assert answers.count("no_such_room") == 60
        assert set(answers) == {"no_such_room", "rate_limited"}


async def test_codes_of_rooms_have_six_signs_and_nothing_in_common() -> None:
    """J10: 31 to the power of 6 codes, each as likely."""
    async with serving(limits={"rooms_per_player": 0}) as unlimited:
        ann = await unlimited.client("Ann")

        codes = [await ann.create(game="draw", seats=2) for _ in range(300)]

        assert len(set(codes)) == 300
        assert {len(code) for code in codes} == {6}
        for place in range(6):
            assert len({code[place] for code in codes}) > 25


async def raw(scene: Scene, text: str) -> Wire:
    """Send ``text`` as it stands; returns what is answered."""
    await scene.sender.send_frame(text)
    message = await scene.sender.receive()
    while message["type"] == "update":
        message = await scene.sender.receive()
    return message


@pytest.mark.parametrize("value", NO_SEATS)
async def test_a_number_that_is_no_seat_is_refused_wherever_it_stands(server: Server, value: str) -> None:
    """J11."""
    scene = await lobby(server)
    room = scene.room

    for message in (
        f'{{"type":"join","room":"{room}","seat":{value}}}',
        f'{{"type":"remove","room":"{room}","seat":{value}}}',
        f'{{"type":"add_bot","room":"{room}","seat":{value}}}',
        f'{{"type":"swap","room":"{room}","seats":[0,{value}]}}',
        f'{{"type":"act","room":"{room}","seq":1,"seat":{value},"action":{{"type":"draw"}}}}',
    ):
        assert (await raw(scene, message))["code"] == "bad_message"

    await scene.assert_nothing_happened()


@pytest.mark.parametrize("value", ["-1", "1e309", "18446744073709551616", '"1"', "true", "1.5", "NaN", "null"])
async def test_a_number_that_is_no_step_is_refused(server: Server, value: str) -> None:
    """J11."""
    scene = await in_turn(server)

    refusal = await raw(
        scene, f'{{"type":"act","room":"{scene.room}","seq":{value},"action":{{"type":"play","tile":"1-4"}}}}'
    )

    assert refusal["code"] == "bad_message"
    await scene.assert_nothing_happened()
