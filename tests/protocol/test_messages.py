from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import CODE_SIGNS, ClientMessage, Settings, parse
from protocol.messages.client import Act, Create, Hello, Sync
from protocol.messages.parse import MAX_PATH
from tests.protocol.examples import ENTROPY, EXAMPLES, PLAY, ROOM, Example

WRONG = [5.5, -1, 2**70, True, "", "\x00", [], {}, [[]], {"type": 1}]
"""Values of many types; each field takes at most some of them."""


def refused(message: dict[str, Any]) -> ProtocolError:
    with pytest.raises(ProtocolError) as refusal:
        parse(message)
    assert refusal.value.code is ErrorCode.BAD_MESSAGE
    return refusal.value


def act(**fields: object) -> dict[str, Any]:
    return {"type": "act", "room": ROOM, "seq": 3, "action": PLAY, **fields}


def create(**settings: object) -> dict[str, Any]:
    return {"type": "create", "settings": {"game": "draw", "seats": 3, **settings}}


REQUIRED_FIELDS = [(example, field) for example in EXAMPLES for field in example.required]
WRONG_FIELDS = [
    ({**example.message, field: wrong}, field)
    for example in EXAMPLES
    for field, valid in example.fields.items()
    for wrong in WRONG
    if type(wrong) is not type(valid) or type(wrong) is int
]


def test_the_examples_cover_every_message() -> None:
    union = get_args(get_args(ClientMessage)[0])

    types = [get_args(model.model_fields["type"].annotation)[0] for model in union]

    assert sorted(types) == sorted(example.type for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.type)
def test_a_message_with_every_field_is_accepted(example: Example) -> None:
    parsed = parse(example.message)

    assert parsed.model_dump(exclude_none=True) == example.message


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.type)
def test_every_message_may_carry_an_id(example: Example) -> None:
    parsed = parse({**example.message, "id": "x" * 64})

    assert parsed.id == "x" * 64


@pytest.mark.parametrize(("example", "field"), REQUIRED_FIELDS)
def test_a_required_field_that_is_missing_is_named(example: Example, field: str) -> None:
    without = {name: value for name, value in example.message.items() if name != field}

    assert refused(without).path == field


@pytest.mark.parametrize(("example", "field"), REQUIRED_FIELDS)
def test_a_required_field_that_is_null_is_named(example: Example, field: str) -> None:
    assert str(refused({**example.message, field: None}).path).startswith(field)


@pytest.mark.parametrize("example", [example for example in EXAMPLES if example.type != "record"])
def test_an_optional_field_that_is_null_counts_as_left_out(example: Example) -> None:
    needed = {"type": example.type, **{name: example.fields[name] for name in example.required}}

    assert parse(needed | dict.fromkeys(example.optional)) == parse(needed)


@pytest.mark.parametrize(("message", "field"), WRONG_FIELDS)
def test_a_field_of_another_type_is_named(message: dict[str, Any], field: str) -> None:
    assert str(refused(message).path).split(".")[0] == field


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.type)
@pytest.mark.parametrize("extra", [1, None])
def test_an_unknown_field_is_named_even_if_it_is_null(example: Example, extra: object) -> None:
    assert refused({**example.message, "surprise": extra}).path == "surprise"


@pytest.mark.parametrize(("length", "told"), [(MAX_PATH, MAX_PATH), (MAX_PATH + 1, MAX_PATH), (10_000, MAX_PATH)])
def test_of_the_name_of_an_unknown_field_so_much_is_told(length: int, told: int) -> None:
    assert refused({"type": "ping", "x" * length: 1}).path == "x" * told


@pytest.mark.parametrize("kind", [None, {}, [], 1, True, "", "Act", "welcome", "x" * 10_000])
def test_an_unknown_type_is_refused(kind: object) -> None:
    refusal = refused({"type": kind, "id": "q7"})

    assert (refusal.path, refusal.re) == ("type", "q7")
    assert len(refusal.message) < 100


def test_a_map_without_a_type_is_refused() -> None:
    assert refused({}).path == "type"


@pytest.mark.parametrize(
    ("action", "path"),
    [
        ({"type": "play", "tile": "1-4"}, "action.end"),
        ({"type": "play", "tile": "1-4", "end": "middle"}, "action.end"),
        ({"type": "play", "end": None}, "action.tile"),
        ({"type": "play", "tile": "4-1", "end": None}, "action.tile"),
        ({"type": "play", "tile": "7-7", "end": None}, "action.tile"),
        ({"type": "play", "tile": "1-4\n", "end": None}, "action.tile"),
        ({"type": "draw", "tile": "1-4"}, "action.tile"),
        ({"type": "pass"}, "action.type"),
        ({}, "action.type"),
        ("knock", "action"),
    ],
)
def test_a_faulty_action_is_named_down_to_its_field(action: object, path: str) -> None:
    assert refused(act(action=action)).path == path


def test_an_opening_has_no_end() -> None:
    parsed = parse(act(action={"type": "play", "tile": "6-6", "end": None}))

    assert isinstance(parsed, Act)
    assert parsed.action.model_dump() == {"type": "play", "tile": "6-6", "end": None}


@pytest.mark.parametrize("seq", [True, 1.0, "1", -1, 2**64, None, [1]])
def test_a_sequence_number_is_a_whole_number_of_64_bits(seq: object) -> None:
    assert refused(act(seq=seq)).path == "seq"


def test_the_largest_sequence_number_is_one() -> None:
    parsed = parse(act(seq=2**64 - 1))

    assert isinstance(parsed, Act)
    assert parsed.seq == 2**64 - 1


@pytest.mark.parametrize("seat", [-1, 4, 2**32, 1.0, "1", True])
def test_a_seat_is_0_to_3(seat: object) -> None:
    assert refused(act(seat=seat)).path == "seat"


@pytest.mark.parametrize("identifier", ["", "x" * 65, 7, ["a"]])
def test_a_faulty_id_is_refused_and_not_repeated(identifier: object) -> None:
    refusal = refused({"type": "ping", "id": identifier})

    assert (refusal.path, refusal.re) == ("id", None)


def test_a_refusal_carries_the_id_of_the_message() -> None:
    assert refused(act(id="a-1", seq="x")).re == "a-1"


@given(st.text(alphabet=CODE_SIGNS + CODE_SIGNS.lower(), min_size=6, max_size=6))
def test_a_room_code_is_typed_case_blind(code: str) -> None:
    parsed = parse(act(room=code))

    assert isinstance(parsed, Act)
    assert parsed.room == code.upper()


@pytest.mark.parametrize("code", ["ABC23", "ABC2345", "ABC23O", "ABC231", "ABC 23", "ßBC23", "ABC23\n", 123456])
def test_what_cannot_be_a_room_code_is_refused(code: object) -> None:
    assert refused(act(room=code)).path == "room"


@pytest.mark.parametrize("token", ["", "x" * 10_000, "no hex at all"])
def test_any_text_is_a_token_to_be_judged_later(token: str) -> None:
    parsed = parse({"type": "hello", "name": "Ann", "token": token})

    assert isinstance(parsed, Hello)
    assert parsed.token == token


def test_a_name_is_kept_in_its_composed_form() -> None:
    parsed = parse({"type": "hello", "name": " A\u0301nn "})

    assert isinstance(parsed, Hello)
    assert parsed.name == "\u00c1nn"


def test_a_faulty_name_is_told_in_plain_words() -> None:
    refusal = refused({"type": "hello", "name": "x" * 21})

    assert (refusal.path, refusal.message) == ("name", "name has more than 20 characters")


@pytest.mark.parametrize("value", [ENTROPY.upper(), ENTROPY])
def test_entropy_is_kept_in_small_letters(value: str) -> None:
    parsed = parse({"type": "start", "room": ROOM, "entropy": value})

    assert parsed.model_dump()["entropy"] == ENTROPY


@pytest.mark.parametrize("value", [ENTROPY[:-1], ENTROPY + "0", "g" * 64, ENTROPY + "\n"])
def test_entropy_is_64_hexadecimal_digits(value: str) -> None:
    assert refused({"type": "start", "room": ROOM, "entropy": value}).path == "entropy"


def test_settings_have_the_defaults_of_the_protocol() -> None:
    parsed = parse(create())

    assert isinstance(parsed, Create)
    assert parsed.settings.model_dump() == {
        "game": "draw",
        "seats": 3,
        "target": None,
        "lead": "lot",
        "public": False,
        "spectators": True,
        "fill": "bots",
        "fill_after": None,
        "bot": "club",
        "bot_delay": 0.7,
        "turn_timer": None,
        "grace": 60,
        "absence": "bot",
        "hints": True,
        "undo": True,
        "next_deal_after": None,
        "local": 1,
        "names": [],
    }


@pytest.mark.parametrize("name", [name for name in Settings.model_fields if name not in {"game", "seats"}])
def test_a_setting_that_is_null_has_its_default(name: str) -> None:
    assert parse(create(**{name: None})) == parse(create())


@pytest.mark.parametrize("name", ["game", "seats"])
def test_a_table_needs_a_game_and_seats(name: str) -> None:
    assert refused(create(**{name: None})).path == f"settings.{name}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", "chess"),
        ("seats", 1),
        ("seats", 5),
        ("seats", "3"),
        ("target", 0),
        ("target", 1_000_001),
        ("target", 61.0),
        ("target", True),
        ("lead", 3),
        ("lead", "dice"),
        ("lead", -1),
        ("public", 1),
        ("fill", "people"),
        ("fill_after", -0.1),
        ("fill_after", 3601),
        ("bot", "genius"),
        ("bot_delay", True),
        ("bot_delay", 61),
        ("bot_delay", "0.7"),
        ("turn_timer", 0),
        ("grace", float("nan")),
        ("grace", float("inf")),
        ("absence", "none"),
        ("hints", "yes"),
        ("next_deal_after", -1),
        ("local", 0),
        ("local", 4),
        ("names", ["Bo"]),
        ("names", "Bo"),
        ("surprise", None),
    ],
)
def test_a_faulty_setting_is_named(name: str, value: object) -> None:
    assert refused(create(**{name: value})).path == f"settings.{name}"


def test_a_faulty_name_of_a_local_seat_is_named_by_its_place() -> None:
    assert refused(create(local=3, names=["Bo", ""])).path == "settings.names.1"


def test_whole_and_broken_seconds_are_both_durations() -> None:
    parsed = parse(create(grace=5, bot_delay=0.25))

    assert isinstance(parsed, Create)
    assert (parsed.settings.grace, parsed.settings.bot_delay) == (5, 0.25)


def test_the_creator_sits_on_a_seat_of_the_table() -> None:
    assert refused(create() | {"seat": 3}).path == "seat"


@pytest.mark.parametrize("seats", [[0], [0, 1, 2], [0, 4], "01", {"0": 1}])
def test_a_swap_names_two_seats(seats: object) -> None:
    assert str(refused({"type": "swap", "room": ROOM, "seats": seats}).path).startswith("seats")


def test_a_record_is_asked_for_by_room_or_by_id() -> None:
    assert refused({"type": "record"}).path == "room"
    assert parse({"type": "record", "room": ROOM}).id is None
    assert parse({"type": "record", "id": "r1"}).id == "r1"


def test_a_sync_without_a_cursor_asks_for_a_snapshot() -> None:
    parsed = parse({"type": "sync", "room": ROOM})

    assert isinstance(parsed, Sync)
    assert (parsed.epoch, parsed.after) == (None, None)


def test_messages_cannot_be_changed() -> None:
    parsed = parse({"type": "ping"})

    with pytest.raises(ValueError, match="frozen"):
        setattr(parsed, "id", "other")  # noqa: B010 - the type checker knows already


texts = st.text(alphabet="aA2-é\u0301\u202e\n\x00🐺", max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(EXAMPLES), st.dictionaries(st.sampled_from(["room", "seat", "action", "id", "x"]), json_values))
def test_whatever_a_client_says_is_a_message_or_a_refusal(example: Example, changes: dict[str, Any]) -> None:
    message = example.message | changes

    try:
        answer: object = parse(message)
    except ProtocolError as refusal:
        answer = refusal

    if isinstance(answer, ProtocolError):
        assert answer.path
        assert answer.path in answer.message
    else:
        assert not changes.keys() - example.fields.keys() - {"id"}
