"""Hints and reviews that are searched for: when they come, to whom, and what of them may still be told."""

from __future__ import annotations

from typing import Any

import pytest

from engine.tiles import full_set
from protocol.convert import Wire
from server.advising import HINT_PATIENCE, REVIEW_PATIENCE
from server.house_players import HousePlayers
from tests.fakes import InlineSearchers
from tests.server.rooms import Ear, House, in_turn, open_house, two_at_a_table
from tests.server.tables import ANN, BOB, CAT, EVE


async def act(ear: Ear, room: str) -> Wire:
    """Take the first legal action."""
    seen = ear.updates()[-1]
    return await ear.ask("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])


async def play_deal(house: House, room: str, *ears: Ear) -> None:
    """Until the deal is over."""
    while house.registry.find(room).table.turn is not None:
        ear, _ = in_turn(*ears)
        await act(ear, room)


def has_odds(hint: Wire) -> bool:
    return all("chance" in entry for entry in hint["actions"])


# Hints


async def test_a_hint_has_odds_and_a_map_of_the_tiles_that_its_seat_has_not_seen() -> None:
    async with open_house(searchers=InlineSearchers()) as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)

        hint = await ear.ask("hint", room=room)

        own = {choice["action"]["tile"] for choice in seen["turn"]["legal"]}
        mapped = {
            str(tile) for tile, chance in zip(full_set(), hint["map"]["stock"], strict=True) if chance is not None
        }
        assert has_odds(hint)
        assert len(mapped) == 21
        assert not own & mapped


async def test_asked_for_again_a_choice_is_not_searched_again_and_another_is() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, bob, room = await two_at_a_table(house, game="block", lead=0)
        first = await ann.ask("hint", room=room)
        again = await ann.ask("hint", room=room)
        asked = searchers.asked
        await act(ann, room)

        await bob.ask("hint", room=room)

        assert again["actions"] == first["actions"]
        assert (asked, searchers.asked) == (1, 2)


async def test_where_nobody_searches_or_has_the_time_a_hint_has_reasons_and_no_odds() -> None:
    busy = InlineSearchers()
    busy.is_busy = True
    for searchers in (None, busy):
        async with open_house(searchers=searchers) as house:
            ann, _, room = await two_at_a_table(house, lead=0)

            hint = await ann.ask("hint", room=room)

            assert hint["type"] == "hint"
            assert not any("chance" in entry for entry in hint["actions"])
            assert any(hint["map"]["stock"])


async def test_a_hint_that_is_searched_for_too_long_comes_without_odds() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, _, room = await two_at_a_table(house, lead=0)
        searchers.hold()
        asked = ann.say("hint", room=room)
        await house.settle()
        heard = len(ann.heard)
        await house.pass_time(HINT_PATIENCE - 0.1)
        too_early = len(ann.heard)

        await house.pass_time(0.2)
        searchers.let_go()
        await house.settle()

        assert too_early == heard
        assert not has_odds(ann.answer(asked))
        assert has_odds(await ann.ask("hint", room=room))


async def test_one_search_of_a_player_is_made_at_a_time_over_all_rooms() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, _, room = await two_at_a_table(house, lead=0)
        _, _, other = await two_at_a_table(house, lead=0)
        searchers.hold()
        first = ann.say("hint", room=room)

        at_once = await ann.ask("hint", room=other)
        searchers.let_go()
        await house.settle()

        assert not has_odds(at_once)
        assert has_odds(ann.answer(first))
        assert has_odds(await ann.ask("hint", room=other))


async def test_a_hint_that_is_found_when_the_choice_is_over_is_not_told() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, bob, room = await two_at_a_table(house, game="block", lead=0, undo=True)
        searchers.hold()
        asked = ann.say("hint", room=room)
        await house.settle()
        await act(ann, room)

        searchers.let_go()
        await house.settle()

        assert ann.answer(asked)["code"] in ("stale", "not_your_turn")
        assert not [message for message in bob.heard if message["type"] == "hint"]


async def test_a_hint_that_is_found_when_the_hand_is_covered_is_not_told() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann = house.ear(ANN)
        settings = {"game": "block", "seats": 3, "local": 2, "lead": 0}
        room = (await ann.ask("create", settings=settings))["room"]
        await ann.ask("start", room=room)
        await ann.ask("show", room=room, seat=0)
        searchers.hold()
        asked = ann.say("hint", room=room)
        await house.settle()
        await ann.ask("show", room=room, seat=1)

        searchers.let_go()
        await house.settle()

        assert ann.answer(asked)["reason"] == "not_shown"


async def test_a_hint_after_a_draw_was_taken_back_knows_nothing_of_the_tile() -> None:
    async with open_house(searchers=InlineSearchers()) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings={"game": "draw", "seats": 2, "lead": 0, "bot_delay": 0}))["room"]
        await ann.ask("start", room=room)
        await _until_a_draw(house, ann, room)
        before = await ann.ask("hint", room=room)
        await act(ann, room)
        await ann.ask("undo", room=room)

        after = await ann.ask("hint", room=room)

        assert (after["actions"], after["map"]) == (before["actions"], before["map"])


async def _until_a_draw(house: House, ear: Ear, room: str) -> None:
    while True:
        table = house.registry.find(room).table
        if table.turn == 0:
            if ear.updates()[-1]["turn"]["legal"][0]["action"]["type"] == "draw":
                return
            await act(ear, room)
        elif table.turn is None:
            await ear.ask("next", room=room)
        else:
            await house.pass_time(0.1)


async def test_a_search_that_fails_is_answered_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house(searchers=InlineSearchers()) as house:
        ann, _, room = await two_at_a_table(house, lead=0)
        advise = HousePlayers.advise

        def failing(*asked: Any) -> Any:
            found = advise(*asked)
            assert found is not None
            broken = found.get_loop().create_future()
            broken.set_exception(BrokenPipeError("a worker died"))
            return broken

        monkeypatch.setattr(HousePlayers, "advise", failing)

        hint = await ann.ask("hint", room=room)

        assert hint["type"] == "hint"
        assert not has_odds(hint)


async def test_who_has_hung_up_is_told_nothing_and_nobody_is_disturbed() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, bob, room = await two_at_a_table(house, lead=0)
        searchers.hold()
        ann.say("hint", room=room)
        await house.settle()
        ann.hang_up()

        searchers.let_go()
        await house.settle()

        back = house.ear(ANN)
        await back.ask("sync", room=room)
        assert has_odds(await back.ask("hint", room=room))
        assert not bob.was_cut


# Reviews


async def test_the_own_plays_are_reviewed_when_the_deal_is_over_and_nobody_is_told() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, bob, room = await two_at_a_table(house, game="block", lead=0)
        await play_deal(house, room, ann, bob)
        seq, heard = house.registry.find(room).table.seq, len(bob.heard)
        played = [
            event["tile"]
            for update in ann.updates()
            for event in update["events"]
            if event["type"] == "played" and event["seat"] == 0
        ]

        review = await ann.ask("review", room=room)
        again = await ann.ask("review", room=room, seat=0)

        assert (review["seat"], review["number"]) == (0, 1)
        assert [play["action"]["tile"] for play in review["plays"]] == played
        assert review["par"] is not None
        assert {**again, "re": review["re"]} == review
        assert searchers.asked == 1
        assert house.registry.find(room).table.seq == seq
        assert len(bob.heard) == heard


async def test_only_plays_from_hands_that_were_dealt_to_the_sender_are_reviewed() -> None:
    async with open_house(searchers=InlineSearchers()) as house:
        ann, bob, room = await two_at_a_table(house, game="block", lead=0)
        eve, cat = house.ear(EVE), house.ear(CAT)
        await eve.ask("watch", room=room)
        await play_deal(house, room, ann, bob)

        of_another = await ann.ask("review", room=room, seat=1)
        watching = await eve.ask("review", room=room)
        stranger = await cat.ask("review", room=room, seat=0)

        assert [answer["code"] for answer in (of_another, watching, stranger)] == ["not_seated"] * 3


async def test_who_has_the_seat_since_the_deal_is_over_is_not_told_what_its_hand_saw() -> None:
    async with open_house(searchers=InlineSearchers()) as house:
        ann, bob, room = await two_at_a_table(house, game="draw", lead=0)
        await play_deal(house, room, ann, bob)
        await bob.ask("leave", room=room)
        cat = house.ear(CAT)
        await cat.ask("join", room=room, seat=1)

        answer = await cat.ask("review", room=room, seat=1)

        assert house.registry.find(room).table.places[1].player == CAT.player
        assert answer["code"] == "not_seated"


async def test_a_deal_that_runs_is_not_reviewed_after_it_was_taken_back_either() -> None:
    async with open_house(searchers=InlineSearchers()) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings={"game": "block", "seats": 2, "lead": 0, "bot_delay": 0}))["room"]
        before_any = await ann.ask("review", room=room)
        await ann.ask("start", room=room)
        running = await ann.ask("review", room=room)
        while house.registry.find(room).table.turn is not None:
            if house.registry.find(room).table.turn == 0:
                await act(ann, room)
            else:
                await house.pass_time(0.1)
        over = await ann.ask("review", room=room)
        await ann.ask("undo", room=room)

        taken_back = await ann.ask("review", room=room)

        assert before_any["code"] in ("not_started", "not_seated")
        assert over["type"] == "review"
        assert [answer["reason"] for answer in (running, taken_back)] == ["deal_running"] * 2


async def test_a_review_is_for_later_where_nobody_has_the_time_and_for_never_where_nobody_searches() -> None:
    busy = InlineSearchers()
    for searchers, code in ((busy, "rate_limited"), (None, "unsupported")):
        async with open_house(searchers=searchers) as house:
            ann, bob, room = await two_at_a_table(house, game="block", lead=0)
            await play_deal(house, room, ann, bob)
            busy.is_busy = True

            assert (await ann.ask("review", room=room))["code"] == code


async def ask_while_held(house: House, searchers: InlineSearchers, ear: Ear, room: str) -> str:
    """Let ``ear`` ask for a review that is not found until the searchers let go; returns the message's id."""
    searchers.hold()
    asked = ear.say("review", room=room)
    await house.settle()
    return asked


async def test_a_review_that_is_found_when_another_deal_is_over_is_not_told() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, bob, room = await two_at_a_table(house, game="block", lead=0)
        await play_deal(house, room, ann, bob)
        asked = await ask_while_held(house, searchers, ann, room)
        for ear in (ann, bob):
            await ear.ask("next", room=room)
        await play_deal(house, room, ann, bob)

        searchers.let_go()
        await house.settle()

        assert ann.answer(asked)["code"] == "stale"
        assert (await ann.ask("review", room=room))["number"] == 2


async def test_a_review_that_never_comes_is_refused_and_may_be_asked_for_again() -> None:
    searchers = InlineSearchers()
    async with open_house(searchers=searchers) as house:
        ann, bob, room = await two_at_a_table(house, game="block", lead=0)
        await play_deal(house, room, ann, bob)
        asked = await ask_while_held(house, searchers, ann, room)

        await house.pass_time(REVIEW_PATIENCE)
        searchers.let_go()

        assert ann.answer(asked)["code"] == "rate_limited"
        assert (await ann.ask("review", room=room))["type"] == "review"


async def test_each_seat_of_a_device_is_reviewed() -> None:
    async with open_house(searchers=InlineSearchers()) as house:
        ann = house.ear(ANN)
        settings = {"game": "block", "seats": 2, "local": 2, "lead": 0}
        room = (await ann.ask("create", settings=settings))["room"]
        await ann.ask("start", room=room)
        while (turn := house.registry.find(room).table.turn) is not None:
            legal = (await ann.ask("show", room=room, seat=turn))["legal"]
            seq = house.registry.find(room).table.seq
            await ann.ask("act", room=room, seq=seq, action=legal[0]["action"])

        reviews = [await ann.ask("review", room=room, seat=seat) for seat in (0, 1)]

        assert [review["seat"] for review in reviews] == [0, 1]
        assert reviews[0]["par"] == -reviews[1]["par"]
        assert BOB.player not in str(reviews)
