from __future__ import annotations

import pytest

from protocol.convert import Wire
from tests.system.scenes import SceneMaker, in_turn, lobby, unknown, visiting, watching
from tests.system.servers import Server, serving

OPENING = {"type": "play", "tile": "6-6", "end": None}
MESSAGES: dict[str, Wire] = {
    "act": {"seq": 0, "action": OPENING},
    "add_bot": {"seat": 2},
    "create": {"settings": {"game": "draw", "seats": 2}},
    "hello": {"name": "Ann"},
    "quick": {"game": "draw", "seats": 2},
    "react": {"key": "nice"},
    "remove": {"seat": 1},
    "swap": {"seats": [0, 1]},
    "leave": {},
    "next": {},
    "start": {},
    "sync": {},
    "join": {},
    "watch": {},
    "undo": {},
    "redo": {},
    "restart": {},
    "new_game": {},
    "cover": {"seat": 1},
    "consent": {"ask": 1, "yes": True},
    "pause": {},
    "continue": {},
    "show": {"seat": 1},
    "rooms": {},
    "hint": {},
}
"""A valid message of each type that is built, apart from the room."""

REFUSALS = [
    *((unknown, kind, {}, "unauthorized") for kind in MESSAGES if kind != "hello"),
    *(
        (scene_of, kind, {}, "not_seated")
        for scene_of in (visiting, watching)
        for kind in (
            "act",
            "add_bot",
            "next",
            "react",
            "remove",
            "start",
            "swap",
            "undo",
            "redo",
            "restart",
            "new_game",
            "cover",
            "consent",
            "pause",
            "continue",
            "show",
            "hint",
        )
    ),
    *((lobby, kind, {}, "not_started") for kind in ("undo", "redo", "restart", "new_game", "cover", "hint")),
    *((in_turn, kind, {}, "refused") for kind in ("undo", "redo", "cover", "consent")),
    (in_turn, "cover", {"seat": 3}, "bad_message"),
    (lobby, "show", {"seat": 0}, "not_seated"),
    (in_turn, "show", {"seat": 1}, "not_seated"),
    (visiting, "leave", {}, "not_seated"),
    (visiting, "sync", {}, "not_seated"),
    (visiting, "join", {"seat": 0}, "seat_taken"),
    (visiting, "join", {"seat": 3}, "bad_message"),
    (lobby, "hello", {}, "refused"),
    (lobby, "watch", {}, "refused"),
    (lobby, "act", {}, "not_started"),
    (lobby, "add_bot", {"seat": 1}, "seat_taken"),
    (lobby, "add_bot", {"seat": 3}, "bad_message"),
    (lobby, "remove", {"seat": 2}, "refused"),
    (lobby, "remove", {"seat": 3}, "bad_message"),
    (lobby, "swap", {"seats": [1, 1]}, "bad_message"),
    (lobby, "join", {"seat": 1}, "seat_taken"),
    (in_turn, "act", {"seat": 1}, "not_seated"),
    (in_turn, "hint", {"seat": 1}, "not_seated"),
    (in_turn, "act", {}, "stale"),
    (in_turn, "act", {"seq": 2**64 - 1}, "stale"),
    (in_turn, "add_bot", {}, "already_started"),
    (in_turn, "remove", {}, "already_started"),
    (in_turn, "start", {}, "already_started"),
    (in_turn, "swap", {}, "already_started"),
    (in_turn, "watch", {}, "refused"),
]


def message(kind: str, room: str, fields: Wire) -> Wire:
    """A valid message of that type, with ``fields`` changed."""
    in_room = {"room": room} if kind not in ("create", "hello", "quick", "rooms") else {}
    return {**in_room, **MESSAGES[kind], **fields}


@pytest.mark.parametrize(("scene_of", "kind", "fields", "code"), REFUSALS)
async def test_what_cannot_be_done_now_is_refused_and_changes_nothing(
    server: Server, scene_of: SceneMaker, kind: str, fields: Wire, code: str
) -> None:
    scene = await scene_of(server)

    refusal = await scene.sender.refused(kind, **message(kind, scene.room, fields))

    assert refusal["code"] == code
    await scene.assert_nothing_happened()


@pytest.mark.parametrize("kind", ["add_bot", "remove", "swap", "start"])
async def test_what_only_the_host_may_do_is_refused_to_others(server: Server, kind: str) -> None:
    scene = await lobby(server)

    refusal = await scene.bystander.refused(kind, **message(kind, scene.room, {}))

    assert refusal["code"] == "not_host"
    assert server.table(scene.room).seq == scene.before["seq"]


async def test_an_action_against_the_rules_is_answered_with_what_is_legal(server: Server) -> None:
    scene = await in_turn(server)
    table = scene.sender.tables[scene.room]
    foreign = scene.before["deal"]["hands"]["1"][0]

    refusal = await scene.sender.refused(
        "act", room=scene.room, seq=table["seq"], action={"type": "play", "tile": foreign, "end": None}
    )

    assert (refusal["code"], refusal["reason"]) == ("illegal_action", "not_in_hand")
    assert refusal["legal"] == table["turn"]["legal"]
    await scene.assert_nothing_happened()


async def test_out_of_turn_it_is_said_whatever_the_seq(server: Server) -> None:
    scene = await in_turn(server)

    codes = [
        (await scene.bystander.refused("act", room=scene.room, seq=seq, action=OPENING))["code"]
        for seq in (0, scene.before["seq"], 2**64 - 1)
    ]

    assert codes == ["not_your_turn"] * 3


@pytest.mark.parametrize("kind", sorted(MESSAGES.keys() - {"create", "hello", "quick", "rooms"}))
async def test_a_room_that_does_not_exist_is_named(server: Server, kind: str) -> None:
    ann = await server.client("Ann")

    refusal = await ann.refused(kind, **message(kind, "ZZZZZZ", {}))

    assert (refusal["code"], refusal["path"]) == ("no_such_room", "room")


async def test_codes_cannot_be_found_by_trying_but_the_own_room_is() -> None:
    async with serving(limits={"wrong_codes": 10}) as limited:
        ann = await limited.client("Ann")
        room = await ann.create(game="draw", seats=2)
        for _ in range(10):
            assert (await ann.refused("watch", room="ZZZZZZ"))["code"] == "no_such_room"

        refusal = await ann.refused("watch", room="ZZZZZZ")

        assert refusal["code"] == "rate_limited"
        assert refusal["retry_after"] == pytest.approx(60, abs=0.01)
        await ann.say("sync", room=room)


async def test_a_room_code_is_typed_case_blind(server: Server) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(game="draw", seats=2)

    snapshot = await bob.say("join", room=room.lower())

    assert snapshot["room"] == room


async def test_a_message_sent_again_gets_its_answer_again_and_happens_once(server: Server) -> None:
    scene = await in_turn(server)
    table = scene.sender.tables[scene.room]
    act = {"id": "once", "room": scene.room, "seq": table["seq"], "action": table["turn"]["legal"][0]["action"]}
    seq = table["seq"] + 1

    answers = [await scene.sender.say("act", **act) for _ in range(50)]

    assert answers == [{"type": "ok", "re": "once", "seq": seq}] * 50
    assert server.table(scene.room).seq == seq


async def test_two_actions_at_the_same_moment_are_one_action_and_one_refusal(server: Server) -> None:
    scene = await in_turn(server)
    players = (scene.sender, scene.bystander)
    seq = scene.before["seq"]
    opening = scene.sender.tables[scene.room]["turn"]["legal"][0]["action"]

    sent = [await player.send("act", room=scene.room, seq=seq, action=opening) for player in players]
    answers = [await player.answer(message_id) for player, message_id in zip(players, sent, strict=True)]

    assert answers[0]["type"] == "ok"
    assert answers[1]["code"] in {"not_your_turn", "stale"}
    assert server.table(scene.room).seq == seq + 1


async def test_quick_taps_are_one_action(server: Server) -> None:
    scene = await in_turn(server)
    table = scene.sender.tables[scene.room]
    act = {"room": scene.room, "seq": table["seq"], "action": table["turn"]["legal"][0]["action"]}

    sent = [await scene.sender.send("act", **act) for _ in range(5)]
    answers = [await scene.sender.answer(message_id) for message_id in sent]

    assert [answer.get("code", "ok") for answer in answers] == ["ok"] + ["not_your_turn"] * 4
    assert server.table(scene.room).seq == table["seq"] + 1


async def test_a_player_has_seats_in_so_many_rooms_and_no_more(server: Server) -> None:
    ann = await server.client("Ann")
    for _ in range(10):
        await ann.create(game="draw", seats=2)

    refusal = await ann.refused("create", settings={"game": "draw", "seats": 2})

    assert (refusal["code"], refusal["reason"]) == ("refused", "too_many_rooms")
    await ann.say("leave", room=next(iter(ann.tables)))
    await ann.create(game="draw", seats=2)
