"""What needs everybody's consent where people sit at several devices (U3), and what becomes of a request."""

from __future__ import annotations

from protocol.errors import RefusalReason
from server.table.consent import ASKS_A_DEAL
from server.table.decide import Lost, Returned
from server.table.state import Phase
from tests.server.asking import answers, ask, three_people
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


def test_a_seat_that_a_bot_plays_for_its_holder_consents_and_one_that_is_away_does_not() -> None:
    driver = three_people(grace=60)
    driver.choose(ANN)
    driver.serve(Lost(BOB.player))
    number = ask(driver)
    driver.say(CAT, "consent", ask=number, yes=True)
    waits = driver.table.ask

    step = driver.wait(60)

    assert waits is not None
    assert kinds(step) == ["BotIn", "Answered", "Undone"]
    assert answers(step) == [(1, True, "agreed")]


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
