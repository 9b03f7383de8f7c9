from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import match as matches
from engine.actions import Draw, Knock, Play
from engine.events import DealStarted, Drew, Event, Part, Played
from engine.games import GAMES
from engine.layout import End, OpenEnd
from engine.match import Match
from engine.notation import parse_tile, parse_tiles
from engine.outcome import Choice, Outcome
from engine.seats import Seat, seat_range
from engine.shuffle import Shuffle
from engine.view import SeatView, redact, view_for
from protocol.codecs import CODECS, text_of
from protocol.convert import (
    action_from_message,
    action_from_wire,
    action_to_wire,
    choice_to_wire,
    choices_from_wire,
    choices_to_wire,
    event_from_log,
    event_from_wire,
    event_to_log,
    event_to_wire,
    hint_to_wire,
    view_from_wire,
    view_to_wire,
)
from protocol.hints import Hint, HintReason
from protocol.messages import check_sent, parse
from protocol.messages.client import Act
from tests.protocol.examples import PLAY, ROOM

TABLES = [(game, seats) for game in GAMES for seats in (2, 3, 4)]
FEW = settings(max_examples=4)
"""A match holds events of every kind; what differs from match to match is the engine's matter."""
ACTIONS = [Play(parse_tile("1-4"), End.LEFT), Play(parse_tile("6-6"), None), Draw(), Knock()]


def played_match(game: str, seats: int, seed: int, steps: int = 60) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    """A match played by taking some legal action, with the events that led to each state."""
    shuffle = Shuffle(seed.to_bytes(32, "big"))
    match = matches.begin(GAMES[game], seats, target=20)
    for step in count():
        if match.over or step == steps:
            return
        events = _next_events(match, shuffle, seed + step)
        for event in events:
            match = matches.evolve(match, event)
        yield match, events


def _next_events(match: Match, shuffle: Shuffle, chance: int) -> tuple[Event, ...]:
    deal = match.deal
    if deal is None or deal.turn is None:
        return matches.next_deal(match, shuffle)
    legal = matches.choices(match)
    return matches.decide(match, deal.turn, legal[chance % len(legal)].action)


def receivers(seats: int) -> list[Seat | None]:
    return [*seat_range(seats), None]


def as_told(event: Event) -> dict[str, object]:
    wire = event_to_wire(event)
    if wire["type"] == "match_ended":
        wire |= {"seed": "0" * 64, "record": "r1"}
    return wire


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_comes_back_from_the_wire(action: Play | Draw | Knock) -> None:
    assert action_from_wire(action_to_wire(action)) == action


def test_the_action_of_a_message_is_one_of_the_engine() -> None:
    message = parse({"type": "act", "room": ROOM, "seq": 1, "action": PLAY})

    assert isinstance(message, Act)
    assert action_from_message(message.action) == Play(parse_tile("1-4"), End.LEFT)


@pytest.mark.parametrize("action", [None, "knock", {}, {"type": "play", "tile": "4-1", "end": None}, {"type": "pass"}])
def test_what_is_no_action_is_refused(action: object) -> None:
    with pytest.raises(ValueError, match="validation error"):
        action_from_wire(action)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@FEW
@given(seed=st.integers(0, 2**32))
def test_the_log_gives_back_every_event(game: str, seats: int, seed: int) -> None:
    for _, events in played_match(game, seats, seed):
        for event in events:
            logged = event_to_log(event)

            for codec in CODECS:
                packed = codec.encode(logged)
                assert event_from_log(codec.decode(packed if codec.binary else text_of(packed))) == event


@pytest.mark.parametrize(("game", "seats"), TABLES)
@FEW
@given(seed=st.integers(0, 2**32))
def test_a_receiver_reads_what_it_may_see(game: str, seats: int, seed: int) -> None:
    for _, events in played_match(game, seats, seed):
        for seat in receivers(seats):
            seen = [redact(event, seat) for event in events]

            told = [as_told(event) for event in seen]

            check_sent({"type": "update", "room": ROOM, "epoch": 1, "seq": 2, "events": told, "turn": None})
            assert [event_from_wire(event, seat) for event in told] == seen


@pytest.mark.parametrize(("game", "seats"), TABLES)
@FEW
@given(seed=st.integers(0, 2**32))
def test_a_view_comes_back_from_the_wire(game: str, seats: int, seed: int) -> None:
    for match, _ in played_match(game, seats, seed):
        for seat in receivers(seats):
            view = view_for(match, seat)

            assert _over_the_wire(view) == view


@pytest.mark.parametrize(("game", "seats"), TABLES)
@FEW
@given(seed=st.integers(0, 2**32))
def test_choices_come_back_from_the_wire(game: str, seats: int, seed: int) -> None:
    for match, _ in played_match(game, seats, seed):
        choices = matches.choices(match)

        assert choices_from_wire(choices_to_wire(choices)) == choices


def _over_the_wire(view: SeatView) -> SeatView:
    codec = CODECS[0]
    return view_from_wire(codec.decode(codec.encode(view_to_wire(view))), view.turn)


def test_a_play_is_told_with_what_it_would_do() -> None:
    ends = (OpenEnd(End.LEFT, 1, 1), OpenEnd(End.RIGHT, 4, 4))
    outcome = Outcome(5, (Part(5, 1),), 1, 0, accepted=True, after=Fraction(15, 2), wins=False, ends=ends)

    wire = choice_to_wire(Choice(Play(parse_tile("1-4"), None), outcome))

    assert wire == {
        "action": {"type": "play", "tile": "1-4", "end": None},
        "total": 5,
        "parts": [{"by": 5, "points": 1}],
        "points": 1,
        "out_bonus": 0,
        "accepted": True,
        "after": 7.5,
        "wins": False,
        "ends": [{"end": "left", "value": 1, "counts": 1}, {"end": "right", "value": 4, "counts": 4}],
    }


@pytest.mark.parametrize("action", [Draw(), Knock()])
def test_a_draw_and_a_knock_are_told_alone(action: Draw | Knock) -> None:
    assert choice_to_wire(Choice(action, None)) == {"action": action_to_wire(action)}


def test_a_deal_is_told_with_the_receivers_own_hand() -> None:
    hands = (parse_tiles("6-6 1-2"), None)

    wire = event_to_wire(DealStarted(1, Seat(0), (2, 2), 24, hands, None))

    assert wire == {
        "type": "deal_started",
        "number": 1,
        "lead": 0,
        "tiles": [2, 2],
        "stock": 24,
        "hand": ["6-6", "1-2"],
    }


def test_a_deal_is_told_to_a_spectator_without_a_hand() -> None:
    assert "hand" not in event_to_wire(DealStarted(1, Seat(0), (2, 2), 24, (None, None), None))


@pytest.mark.parametrize(
    ("hands", "stock"),
    [((parse_tiles("6-6"), parse_tiles("1-2")), None), ((parse_tiles("6-6"), None), parse_tiles("0-0"))],
)
def test_a_deal_that_was_not_redacted_cannot_be_told(
    hands: tuple[tuple[object, ...] | None, ...], stock: tuple[object, ...] | None
) -> None:
    event = DealStarted(1, Seat(0), (1, 1), 1, hands, stock)  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="not redacted"):
        event_to_wire(event)


def test_a_draw_hides_its_tile_from_others() -> None:
    assert event_to_wire(Drew(Seat(1), 7, None)) == {"type": "drew", "seat": 1, "stock": 7}


def test_a_play_is_told_with_all_that_followed() -> None:
    ends = (OpenEnd(End.LEFT, 5, 10), OpenEnd(End.RIGHT, 5, 0))
    scores = (Fraction(25, 2), 0, 0)

    wire = event_to_wire(
        Played(Seat(0), parse_tile("5-5"), None, ends, 10, parse_tile("5-5"), (Part(5, 10),), 10, 0, scores)
    )

    assert wire == {
        "type": "played",
        "seat": 0,
        "tile": "5-5",
        "end": None,
        "ends": [{"end": "left", "value": 5, "counts": 10}, {"end": "right", "value": 5, "counts": 0}],
        "total": 10,
        "spinner": "5-5",
        "parts": [{"by": 5, "points": 10}],
        "points": 10,
        "dropped": 0,
        "scores": [12.5, 0, 0],
    }


@pytest.mark.parametrize("logged", [{"type": "exploded"}, {"type": "knocked"}, {}])
def test_what_is_no_logged_event_is_refused(logged: dict[str, object]) -> None:
    with pytest.raises(KeyError):
        event_from_log(logged)


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_every_action_can_be_hinted_at_for_every_reason(action: Play | Draw | Knock) -> None:
    entries = [hint_to_wire(Hint(action, -0.25, reason)) for reason in HintReason]

    check_sent({"type": "hint", "room": ROOM, "seat": 0, "seq": 5, "actions": entries})

    assert [action_from_wire(entry["action"]) for entry in entries] == [action] * len(HintReason)


def test_a_hint_for_a_reason_that_nobody_knows_is_no_message() -> None:
    entry = {**hint_to_wire(Hint(Draw(), 0.0, HintReason.MUST_DRAW)), "reason": "it_is_in_their_hands"}

    with pytest.raises(ValueError, match="reason"):
        check_sent({"type": "hint", "room": ROOM, "seat": 0, "seq": 5, "actions": [entry]})
