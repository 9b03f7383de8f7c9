"""What can be changed in the record of a match, bit by bit and at large, so that verifiers must find it."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

from protocol.convert import Wire
from server.records.form import read
from server.records.verify import verify
from server.table.state import Actor
from tests.server.recorded import record_of
from tests.server.tables import ANN, BOB, Driver

Place = tuple[str | int, ...]


def faults(record: Wire, told: str | None = None) -> list[str]:
    """What is found to be wrong with ``record``, unreadable parts among it."""
    try:
        return list(verify(read(record), told).faults)
    except ValueError as problem:
        return [str(problem)]


def match_of_two_people() -> Wire:
    """A match for three: two people, who have both added entropy, and a bot. Some events are dropped by the target."""
    driver = Driver(game="fives-threes", seats=3, seed=0, target=20)
    driver.say(BOB, "join")
    driver.say(BOB, "next", entropy="b0" * 32)
    driver.say(ANN, "start", entropy="a0" * 32)
    rng = random.Random(4)
    return played_out(driver, rng, ANN, BOB)


def played_out(driver: Driver, rng: random.Random, *people: Actor) -> Wire:
    """The record of the match that runs at the table, played to its end."""
    while driver.table.match is None or not driver.table.match.over:
        if driver.table.turn is not None:
            driver.act(rng.randrange(5))
        else:
            for who in people:
                driver.say(who, "next")
    return record_of(driver).to_wire()


def match_with_a_take_back() -> Wire:
    """A match in which Ann, alone with a bot, has taken back one act of hers and what the bot played then."""
    driver = Driver(game="all-fives", seats=2, seed=0, target=60, lead=0)
    driver.say(ANN, "start")
    rng = random.Random(4)
    while driver.table.turn != 1 or len(driver.table.line) < 4:
        driver.act(rng.randrange(5))
    driver.act(rng.randrange(5))
    driver.say(ANN, "undo")
    return played_out(driver, rng, ANN)


def leaves(value: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value in ``value`` that has no parts, with the way to it."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if parts is None:
        yield path, value
        return
    for name, part in parts:
        yield from leaves(part, (*path, name))


def flipped(value: object) -> Iterator[object]:
    """``value`` with one bit flipped, for each of its bits; of a number the lowest."""
    if isinstance(value, str):
        for place, sign in enumerate(value):
            for bit in range(7):
                yield value[:place] + chr(ord(sign) ^ 1 << bit) + value[place + 1 :]
    elif isinstance(value, int):
        for bit in range(7):
            yield value ^ 1 << bit


def changed(record: Wire, path: Place, value: object) -> Wire:
    """``record`` with another value there. Nothing else is copied."""
    *way, last = path
    whole: Any = copy.copy(record)
    here = whole
    for name in way:
        here[name] = copy.copy(here[name])
        here = here[name]
    here[last] = value
    result: Wire = whole
    return result


def first(record: Wire, kind: str) -> Wire:
    """The first event of that kind."""
    found: Wire = next(event for step in record["steps"] for event in step["events"] if event["type"] == kind)
    return found


def swap_entropy(record: Wire) -> None:
    record["entropy"].reverse()
    first(record, "match_started")["entropy"].reverse()


def forget_entropy(record: Wire) -> None:
    del record["entropy"][0]
    del first(record, "match_started")["entropy"][0]


def invent_entropy(record: Wire) -> None:
    for entropy in (record["entropy"], first(record, "match_started")["entropy"]):
        entropy.append({"player": "zoe", "value": "00" * 32})


def leave_out_the_lot(record: Wire) -> None:
    del record["steps"][0]["events"][1]


def add_a_lot(record: Wire) -> None:
    *_, events = (step["events"] for step in record["steps"] if step["events"][-1]["type"] == "deal_started")
    events.insert(-1, {"type": "lot", "purpose": "lead", "seat": events[-1]["lead"]})


def draw_another_lot(record: Wire) -> None:
    lot, started = first(record, "lot"), first(record, "deal_started")
    lot["seat"] = started["lead"] = (lot["seat"] + 1) % 3


def swap_hands(record: Wire) -> None:
    first(record, "deal_started")["hands"].reverse()


def have_a_step_before_the_beginning(record: Wire) -> None:
    first = record["steps"][0]
    record["steps"].insert(0, {**first, "seq": first["seq"] - 1, "events": []})


def have_a_step_behind_the_end(record: Wire) -> None:
    last = record["steps"][-1]
    record["steps"].append({**last, "seq": last["seq"] + 1, "events": []})


def leave_out_a_step(record: Wire) -> None:
    del record["steps"][4]


def leave_out_a_step_and_count_on(record: Wire) -> None:
    leave_out_a_step(record)
    count_on(record)


def count_on(record: Wire) -> None:
    """Number the steps anew."""
    for seq, step in enumerate(record["steps"], record["steps"][0]["seq"]):
        step["seq"] = seq


def cut_off_the_end(record: Wire) -> None:
    del record["steps"][-1]


def have_no_steps(record: Wire) -> None:
    record["steps"] = []


def play_twice(record: Wire) -> None:
    step = next(step for step in record["steps"] if step["events"][0]["type"] == "played")
    step["events"] *= 2


def knock_instead(record: Wire) -> None:
    step = next(step for step in record["steps"] if step["events"][0]["type"] == "played")
    step["events"] = [{"type": "knocked", "seat": step["events"][0]["seat"]}]


def hide_a_drop(record: Wire) -> None:
    """F11."""
    dropped = next(e for step in record["steps"] for e in step["events"] if e["type"] == "played" and e["dropped"])
    dropped["dropped"] = 0


def say_nothing_of_the_end_of_a_deal(record: Wire) -> None:
    step = next(step for step in record["steps"] if len(step["events"]) > 1 and step is not record["steps"][0])
    del step["events"][1:]


def go_on_after_the_end(record: Wire) -> None:
    record["steps"][-1]["events"].append({"type": "knocked", "seat": 0})


def begin_twice(record: Wire) -> None:
    record["steps"][3]["events"].insert(0, record["steps"][0]["events"][0])


def break_off_earlier(record: Wire) -> None:
    del record["steps"][6:]
    ended = {"type": "match_ended", "winner": 0, "scores": [0, 0, 0], "seed": record["seed"], "record": record["id"]}
    record["steps"].append({"seq": record["steps"][-1]["seq"] + 1, "at": 9.0, "events": [ended]})


def add_what_is_unknown(record: Wire) -> None:
    record["steps"][3]["events"].insert(0, {"type": "peeked", "seat": 0})


def add_an_unknown_field(record: Wire) -> None:
    first(record, "played")["luck"] = 1


def add_an_unknown_field_beside_the_rules(record: Wire) -> None:
    first(record, "ready")["luck"] = 1


def have_one_player_more(record: Wire) -> None:
    record["players"].append({"player": None, "bot": "club", "name": "Zoe"})


def name_another_winner(record: Wire) -> None:
    record["winner"] = (record["winner"] + 1) % 3


def take_back_what_has_not_happened(record: Wire) -> None:
    record["steps"][3]["events"].insert(0, {"type": "undone", "to": record["steps"][5]["seq"]})


def commit_to_another_seed(record: Wire) -> None:
    record["commitment"] = first(record, "match_started")["commitment"] = "ab" * 32


def commit_to_nothing_for_the_next_match(record: Wire) -> None:
    first(record, "match_started")["next_commitment"] = "none"


def name_another_game(record: Wire) -> None:
    record["game"] = "block"


def talk_between_a_play_and_what_follows(record: Wire) -> None:
    step = next(step for step in record["steps"][1:] if step["events"][-1]["type"] == "deal_ended")
    step["events"].insert(-1, {"type": "reacted", "seat": 0, "key": "oops"})


def deal_in_the_middle_of_a_deal(record: Wire) -> None:
    record["steps"][3]["events"].append({**first(record, "deal_started"), "number": 2})


def say_a_truth_for_a_number(record: Wire) -> None:
    record["steps"][0]["events"][2]["number"] = True


def say_a_truth_for_a_seat(record: Wire) -> None:
    act = next(e for step in record["steps"] for e in step["events"] if e["type"] == "played" and e["seat"] == 1)
    act["seat"] = True


def say_a_fraction_for_a_seat(record: Wire) -> None:
    first(record, "played")["seat"] = float(first(record, "played")["seat"])


def break_off_before_the_first_deal(record: Wire) -> None:
    started = first(record, "match_started")
    record.update(winner=None, scores=[0, 0, 0])
    ended = {"type": "match_ended", "winner": None, "scores": [0, 0, 0], "seed": record["seed"], "record": record["id"]}
    record["steps"] = [{**record["steps"][0], "events": [started, ended]}]


def taken_back_in(record: Wire) -> int:
    """The place among the steps of the one in which something was taken back."""
    return next(n for n, step in enumerate(record["steps"]) if [e["type"] for e in step["events"]] == ["undone"])


def leave_out_a_take_back(record: Wire) -> None:
    """With all that was taken back."""
    steps, undone = record["steps"], taken_back_in(record)
    del steps[steps[undone]["events"][0]["to"] - steps[0]["seq"] + 1 : undone + 1]
    count_on(record)


def put_in_an_act_and_its_take_back(record: Wire) -> None:
    """The take-back that is there, with the acts that it took back, once more."""
    steps, undone = record["steps"], taken_back_in(record)
    again = copy.deepcopy(steps[steps[undone]["events"][0]["to"] - steps[0]["seq"] + 1 : undone + 1])
    again[-1]["events"][0]["to"] = steps[undone]["seq"]
    steps[undone + 1 : undone + 1] = again
    count_on(record)


def leave_out_the_last_that_was_taken_back(record: Wire) -> None:
    record["steps"][taken_back_in(record) - 1]["events"] = []


def leave_out_all_that_was_taken_back(record: Wire) -> None:
    undone = taken_back_in(record)
    for step in record["steps"][undone - 2 : undone]:
        step["events"] = []


def break_off_at_the_end(record: Wire) -> None:
    """The play that won is left out."""
    *before, last = record["steps"]
    scores = [event["scores"] for step in before for event in step["events"] if "scores" in event][-1]
    last["events"] = [{**last["events"][-1], "winner": None, "scores": scores}]
    record.update(winner=None, scores=scores)


def call_somebody_else(record: Wire) -> None:
    record["players"][1]["name"] = "Somebody else"


def win_more_than_was_needed(record: Wire) -> None:
    record["settings"]["target"] = int(max(record["scores"])) - 1


def say_what_no_setting_is(record: Wire) -> None:
    record["settings"]["undo"] = 7


def add_an_unknown_setting(record: Wire) -> None:
    record["settings"]["luck"] = [1]


def win_with_another_target(record: Wire) -> None:
    record["settings"]["target"] += 1


def speak_another_protocol(record: Wire) -> None:
    record["protocol"] = 99


def say_a_truth_for_the_protocol(record: Wire) -> None:
    record["protocol"] = True


def call_it_practice(record: Wire) -> None:
    record["practice"] = True


def say_what_makes_no_sense(record: Wire) -> None:
    first(record, "played")["tile"] = None
