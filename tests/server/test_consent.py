"""What needs everybody's consent where people sit at several devices (U3), and what becomes of a request."""

from __future__ import annotations

import pytest

from protocol.errors import RefusalReason
from server.table.consent import ASKS_A_DEAL
from server.table.decide import Lost, Returned
from server.table.state import Phase, Presence
from server.table.takeback import SILENT
from tests.server.asking import answers, ask, be_absent, three_people, two_people
from tests.server.tables import ANN, BOB, CAT, DAN, EVE, Driver, actor, kinds, refused

BOT = actor("Robo", headless=True)


def test_an_act_is_taken_back_when_all_others_have_said_yes() -> None:
    driver = three_people()
    before = driver.table.match
    driver.choose(ANN)
    acted = driver.table
    number = ask(driver)
    asked = driver.snapshot(EVE)["ask"]

    first = driver.say(CAT, "consent", ask=number, yes=True)
    open_still = driver.table
    second = driver.say(BOB, "consent", ask=number, yes=True)

    assert asked == {"ask": number, "what": "undo", "seat": 0, "to": acted.seq - 1, "need": [1, 2]}
    assert answers(first) == [(2, True, "open")]
    assert open_still.match == acted.match
    assert answers(second) == [(1, True, "agreed")]
    assert kinds(second)[-1] == "Undone"
    assert driver.table.match == before
    assert driver.snapshot(ANN)["ask"] is None


def test_one_no_ends_a_request_and_changes_nothing_else() -> None:
    driver = three_people()
    driver.choose(ANN)
    acted = driver.table.match
    number = ask(driver)

    step = driver.say(BOB, "consent", ask=number, yes=False)

    assert answers(step) == [(1, False, "refused")]
    assert driver.table.match == acted
    assert refused(driver, CAT, "consent", ask=number, yes=True).reason == RefusalReason.NO_SUCH_ASK


def test_the_asker_can_withdraw_and_cannot_consent() -> None:
    driver = three_people()
    driver.choose(ANN)
    number = ask(driver)

    assert driver.say(ANN, "consent", ask=number, yes=True) is None
    assert answers(driver.say(ANN, "consent", ask=number, yes=False)) == [(0, False, "lapsed")]
    assert driver.snapshot(ANN)["ask"] is None


def test_computers_consent_to_everything() -> None:
    driver = Driver(seats=3, game="block", lead=0)
    driver.say(BOT, "join")
    driver.say(ANN, "start")
    driver.choose(ANN)

    step = driver.say(ANN, "undo")

    assert kinds(step) == ["Undone"]


@pytest.mark.parametrize("kind", ["undo", "redo", "restart", "new_game"])
@pytest.mark.parametrize("absence", ["away", "bot_in", "covered"])
def test_who_is_away_or_covered_is_asked_like_anybody_else_and_answers_on_return(kind: str, absence: str) -> None:
    driver = two_people(grace=60)
    driver.choose(ANN)
    if kind == "redo":
        driver.say(BOB, "consent", ask=ask(driver), yes=True)
    before = driver.table.match
    be_absent(driver, BOB, absence)

    number = ask(driver, kind=kind)
    asked = driver.snapshot(BOB)["ask"]
    waits = driver.table.match
    driver.serve(Returned(BOB))
    step = driver.say(BOB, "consent", ask=number, yes=True)

    assert asked["need"] == [1]
    assert waits == before
    assert answers(step) == [(1, True, "agreed")]
    assert driver.table.match != before


def test_who_was_silent_and_is_covered_is_asked_and_need_not_take_the_seat_back_to_answer() -> None:
    driver = two_people()
    driver.choose(ANN)
    driver.now += SILENT
    driver.say(ANN, "cover", seat=1)

    number = ask(driver, kind="new_game")
    step = driver.say(BOB, "consent", ask=number, yes=False)

    assert answers(step) == [(1, False, "refused")]
    assert driver.place(1).presence is Presence.BOT_IN


def test_a_bot_that_comes_for_somebody_away_does_not_consent_for_the_holder() -> None:
    driver = three_people(grace=60)
    driver.choose(ANN)
    driver.serve(Lost(BOB.player))
    number = ask(driver)
    driver.say(CAT, "consent", ask=number, yes=True)

    step = driver.wait(60)

    assert kinds(step) == ["BotIn"]
    assert driver.snapshot(BOB)["ask"]["need"] == [1]


def test_the_act_of_a_bot_that_plays_for_who_was_asked_lets_a_request_lapse() -> None:
    driver = two_people()
    driver.choose(ANN)
    be_absent(driver, BOB, "bot_in")
    ask(driver)

    step = driver.act()

    assert answers(step) == [(0, False, "lapsed")]


def test_what_is_asked_of_the_absent_counts_and_ends_with_the_third() -> None:
    driver = two_people()
    driver.choose(ANN)
    be_absent(driver, BOB, "bot_in")
    for _ in range(ASKS_A_DEAL):
        driver.say(ANN, "consent", ask=ask(driver), yes=False)

    assert refused(driver, ANN, "undo").reason == RefusalReason.TOO_MANY_ASKS


def test_with_others_at_the_table_nothing_is_granted_past_the_third_request() -> None:
    driver = two_people()
    driver.choose(ANN)
    for _ in range(ASKS_A_DEAL):
        driver.say(BOB, "consent", ask=ask(driver, kind="restart"), yes=False)
    driver.serve(Lost(BOB.player))

    assert refused(driver, ANN, "cover", seat=1).reason == RefusalReason.TOO_MANY_ASKS


def test_the_last_who_is_needed_may_leave_while_away_and_what_was_asked_for_is_done() -> None:
    driver = two_people()
    driver.choose(ANN)
    be_absent(driver, BOB, "bot_in")
    ask(driver, kind="restart")

    step = driver.say(BOB, "leave")

    assert kinds(step)[-2:] == ["Answered", "PlayedAgain"]


def test_who_was_asked_is_not_moved_out_of_the_request() -> None:
    driver = three_people(target=1)
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.play_deal()
        driver.wait(20)
    number = ask(driver, ANN, "new_game")

    step = driver.say(ANN, "swap", seats=[1, 3])

    assert answers(step) == [(0, False, "lapsed")]
    assert refused(driver, CAT, "consent", ask=number, yes=True).reason == RefusalReason.NO_SUCH_ASK


def test_a_seat_that_is_left_to_a_bot_consents() -> None:
    driver = three_people()
    driver.choose(ANN)
    number = ask(driver, kind="restart")
    driver.say(BOB, "consent", ask=number, yes=True)

    step = driver.say(CAT, "leave")

    assert kinds(step)[-2:] == ["Answered", "PlayedAgain"]


def test_a_request_lapses_when_its_asker_leaves() -> None:
    driver = three_people()
    driver.choose(ANN)
    ask(driver)

    step = driver.say(ANN, "leave")

    assert answers(step) == [(0, False, "lapsed")]
    assert driver.table.ask is None


def test_a_request_lapses_when_anybody_acts() -> None:
    driver = three_people()
    driver.choose(ANN)
    ask(driver)

    step = driver.choose(BOB)

    assert answers(step) == [(0, False, "lapsed")]
    assert driver.table.turn == 2


def test_a_request_stays_open_while_people_come_and_go_and_react() -> None:
    driver = three_people()
    driver.choose(ANN)
    ask(driver)

    driver.say(EVE, "watch")
    driver.say(CAT, "react", key="wow")
    driver.serve(Lost(BOB.player))
    driver.serve(Returned(BOB))

    assert driver.table.ask is not None


def test_one_request_is_open_at_a_time() -> None:
    driver = three_people()
    driver.choose(ANN)
    ask(driver)

    assert refused(driver, BOB, "restart").reason == RefusalReason.ASK_OPEN


def test_three_requests_a_seat_may_be_made_in_one_deal() -> None:
    driver = three_people()
    driver.choose(ANN)
    for _ in range(ASKS_A_DEAL):
        driver.say(BOB, "consent", ask=ask(driver, kind="restart"), yes=False)

    assert refused(driver, ANN, "restart").reason == RefusalReason.TOO_MANY_ASKS
    driver.say(BOB, "consent", ask=ask(driver, CAT, "restart"), yes=False)
    driver.play_deal()
    for who in (ANN, BOB, CAT):
        driver.say(who, "next")
    ask(driver, kind="restart")


def test_who_is_not_asked_has_no_voice() -> None:
    driver = three_people()
    driver.say(EVE, "watch")
    driver.choose(ANN)
    number = ask(driver)

    assert refused(driver, EVE, "consent", ask=number, yes=False).code == "not_seated"
    assert refused(driver, BOB, "consent", ask=number - 1, yes=False).reason == RefusalReason.NO_SUCH_ASK


def test_over_the_network_ones_own_act_is_taken_back_with_what_others_did_after_it() -> None:
    driver = three_people()
    before = driver.table.match
    driver.choose(ANN)
    driver.choose(BOB)
    number = ask(driver, ANN)
    for who in (BOB, CAT):
        driver.say(who, "consent", ask=number, yes=True)

    assert driver.table.match == before
    assert driver.snapshot(BOB)["redo"] == 2


def test_what_was_taken_back_is_brought_again_by_consent() -> None:
    driver = three_people()
    driver.choose(ANN)
    acted = driver.table.match
    for kind in ("undo", "redo"):
        number = ask(driver, kind=kind)
        for who in (BOB, CAT):
            driver.say(who, "consent", ask=number, yes=True)

    assert driver.table.match == acted


def test_over_the_network_nothing_is_taken_back_past_a_draw_or_the_end_of_a_deal() -> None:
    driver = Driver(game="draw", seats=2, lead=0, target=100_000)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    while driver.table.match.deal.stock == driver.table.match.deal.events[0].stock_tiles:  # type: ignore[union-attr]
        driver.choose((ANN, BOB)[driver.table.turn or 0])

    for who in (ANN, BOB):
        assert refused(driver, who, "undo").reason == RefusalReason.NOTHING_TO_UNDO
    driver.play_deal()
    assert driver.table.phase is Phase.DEAL_OVER
    for who in (ANN, BOB):
        assert refused(driver, who, "undo").reason == RefusalReason.NOTHING_TO_UNDO


def test_a_table_may_forbid_taking_back() -> None:
    driver = three_people(undo=False)
    driver.choose(ANN)

    assert refused(driver, ANN, "undo").reason == RefusalReason.UNDO_OFF
    ask(driver, kind="restart")


def test_a_new_game_needs_consent_while_people_sit_at_several_devices() -> None:
    driver = three_people()
    number = ask(driver, BOB, "new_game")
    driver.say(ANN, "consent", ask=number, yes=True)

    step = driver.say(CAT, "consent", ask=number, yes=True)

    assert kinds(step) == ["Answered", "MatchOver", "MatchStarted", "DealStarted"]


def test_who_sat_down_since_is_dealt_a_hand_when_the_match_begins_again() -> None:
    driver = Driver(seats=2, game="block", lead=1, target=100_000)
    driver.say(ANN, "start")
    driver.say(BOB, "join")
    driver.play_deal()
    number = ask(driver, ANN, "restart")

    driver.say(BOB, "consent", ask=number, yes=True)

    assert list(driver.snapshot(BOB)["deal"]["hands"]) == ["1"]
    assert "legal" in driver.snapshot(BOB)["turn"]


def test_an_undo_lapses_when_somebody_leaves_before_it_is_granted() -> None:
    driver = three_people()
    driver.choose(ANN)
    number = ask(driver)

    step = driver.say(CAT, "leave")

    assert answers(step) == [(0, False, "lapsed")]
    assert refused(driver, BOB, "consent", ask=number, yes=True).reason == RefusalReason.NO_SUCH_ASK


def test_a_request_lapses_when_somebody_sits_down_who_was_not_asked() -> None:
    driver = three_people()
    driver.play_deal()
    ask(driver, kind="new_game")

    step = driver.say(DAN, "join")

    assert answers(step) == [(0, False, "lapsed")]


def test_a_no_ends_a_request_after_a_yes_too() -> None:
    driver = three_people()
    driver.choose(ANN)
    number = ask(driver)
    driver.say(BOB, "consent", ask=number, yes=True)

    step = driver.say(BOB, "consent", ask=number, yes=False)

    assert answers(step) == [(1, False, "refused")]
    assert driver.table.ask is None


def test_a_request_lapses_when_the_next_deal_begins() -> None:
    driver = three_people()
    driver.play_deal()
    ask(driver, kind="restart")
    driver.say(ANN, "next")
    driver.say(BOB, "next")

    step = driver.say(CAT, "next")

    assert answers(step) == [(0, False, "lapsed")]


def test_bringing_again_is_forbidden_where_taking_back_is() -> None:
    driver = three_people(undo=False)
    driver.choose(ANN)

    assert refused(driver, ANN, "redo").reason == RefusalReason.UNDO_OFF


def test_what_a_bot_played_for_somebody_absent_is_not_that_persons_act() -> None:
    driver = three_people(grace=1, lead=1)
    driver.serve(Lost(BOB.player))
    driver.wait(1)
    driver.act()
    driver.serve(Returned(BOB))

    assert refused(driver, BOB, "undo").reason == RefusalReason.NOTHING_TO_UNDO
