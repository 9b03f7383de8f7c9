from __future__ import annotations

import json
import math
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codecs import CODECS, MAX_NESTING, Codec, JsonCodec, MsgpackCodec, codec_for, select_codec, text_of
from protocol.errors import ErrorCode, ProtocolError, UndecodableError

JSON = JsonCodec()
MSGPACK = MsgpackCodec()
BOTH = pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.subprotocol)

texts = st.text(alphabet="aA2-é\u202e\n\x00🐺", max_size=8)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def frame(codec: Codec, value: object) -> str | bytes:
    """``value`` as a stranger might send it."""
    packed: bytes = msgpack.packb(value)
    return packed if codec.binary else json.dumps(value)


def nested(depth: int) -> dict[str, Any]:
    """A map with ``depth`` levels, itself included."""
    message: dict[str, Any] = {}
    for _ in range(depth - 1):
        message = {"id": "n1", "more": message}
    return message


def refused(codec: Codec, sent: str | bytes) -> ProtocolError:
    with pytest.raises(ProtocolError) as refusal:
        codec.decode(sent)
    return refusal.value


@BOTH
@given(message=st.dictionaries(texts, values, max_size=4))
def test_a_message_comes_back_as_it_was(codec: Codec, message: dict[str, Any]) -> None:
    packed = codec.encode(message)

    assert codec.decode(packed if codec.binary else text_of(packed)) == message


@BOTH
@pytest.mark.parametrize("count", [0, 1, 3, 20, 70_000])
def test_a_list_can_be_filled_an_item_at_a_time(codec: Codec, count: int) -> None:
    items = [{"seq": number, "events": []} for number in range(count)]
    message = {"type": "record", "id": "[]", "record": {"names": [], "steps": []}}

    filled = codec.fill(codec.encode(message), [codec.encode(item) for item in items])

    assert filled == codec.encode({**message, "record": {"names": [], "steps": items}})


def test_json_is_compact() -> None:
    assert JSON.encode({"type": "ok", "seq": 1, "points": 2.5, "name": "Zoë"}) == (
        b'{"type":"ok","seq":1,"points":2.5,"name":"Zo\xc3\xab"}'
    )


@pytest.mark.parametrize("sent", ["]", "", " ", "{", '{"a":1}x', "nul", "{'a':1}", "\ufeff{}", '{"a":\x01}', b"{}"])
def test_what_is_no_json_text_cannot_be_decoded(sent: str | bytes) -> None:
    with pytest.raises(UndecodableError):
        JSON.decode(sent)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\xc1",
        b"\x81\xa1a",
        b"\x80\x80",
        b"\x81\xa1a\xa2\xff\xfe",
        b"\xdf\xff\xff\xff\xff",
        b"\x81\xa1a\xd4\xff\x00",
        "{}",
    ],
)
def test_what_is_no_messagepack_cannot_be_decoded(sent: str | bytes) -> None:
    with pytest.raises(UndecodableError):
        MSGPACK.decode(sent)


@BOTH
@pytest.mark.parametrize("value", [None, [], True, 0, "", "text", [{}], 1.5])
def test_what_is_no_map_is_no_message(codec: Codec, value: object) -> None:
    assert refused(codec, frame(codec, value)).code is ErrorCode.BAD_MESSAGE


@BOTH
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_are_refused(codec: Codec, number: float) -> None:
    refusal = refused(codec, frame(codec, {"id": "n1", "seq": [number]}))

    assert (refusal.code, refusal.re) == (ErrorCode.BAD_MESSAGE, "n1")


@pytest.mark.parametrize("number", [str(2**64), str(-(2**63) - 1), "9" * 5_000, "1e309", "-1e400"])
def test_numbers_beyond_64_bits_are_refused(number: str) -> None:
    refusal = refused(JSON, f'{{"id":"n1","seq":{number}}}')

    assert (refusal.code, refusal.re) == (ErrorCode.BAD_MESSAGE, "n1")


@pytest.mark.parametrize("number", [2**64 - 1, -(2**63), 0, -0.0, 1e308])
@BOTH
def test_numbers_of_64_bits_are_taken(codec: Codec, number: float) -> None:
    assert codec.decode(frame(codec, {"seq": number})) == {"seq": number}


@pytest.mark.parametrize(
    "sent", ['{"id":"n1","name":"\\ud800"}', '{"id":"n1","\\udfff":1}', '{"id":"n1","a":["\\udc00x"]}']
)
def test_half_a_surrogate_pair_is_refused(sent: str) -> None:
    refusal = refused(JSON, sent)

    assert (refusal.code, refusal.re) == (ErrorCode.BAD_MESSAGE, "n1")


def test_an_id_that_cannot_be_sent_back_is_not() -> None:
    assert refused(JSON, '{"id":"\\ud800"}').re is None


def test_an_escaped_pair_of_surrogates_is_one_character() -> None:
    assert JSON.decode('{"name":"\\ud83d\\udc3a"}') == {"name": "🐺"}


@pytest.mark.parametrize(
    "sent",
    [
        b"\x81\x01\x02",
        b"\x81\xc0\x02",
        b"\x81\x90\x02",
        b"\x81\x80\x02",
        b"\x81\xc4\x01a\x02",
        b"\x81\xa1a\xc4\x01a",
        b"\x81\xa1a\xd4\x05\x00",
        b"\x81\xa1a\xd6\xff\x00\x00\x00\x00",
    ],
    ids=["int key", "null key", "list key", "map key", "binary key", "binary", "extension", "timestamp"],
)
def test_what_json_cannot_say_is_refused_in_messagepack_too(sent: bytes) -> None:
    assert refused(MSGPACK, sent).code is ErrorCode.BAD_MESSAGE


@BOTH
def test_messages_nest_up_to_the_limit(codec: Codec) -> None:
    message = nested(MAX_NESTING)

    assert codec.decode(frame(codec, message)) == message


@BOTH
@pytest.mark.parametrize("depth", [MAX_NESTING + 1, 100, 400])
def test_messages_nested_deeper_are_too_large(codec: Codec, depth: int) -> None:
    refusal = refused(codec, frame(codec, nested(depth)))

    assert (refusal.code, refusal.re) == (ErrorCode.TOO_LARGE, "n1")


@pytest.mark.parametrize(
    ("codec", "sent"),
    [
        (JSON, "[" * 10_000 + "]" * 10_000),
        (JSON, '{"a":' * 10_000 + "1" + "}" * 10_000),
        (MSGPACK, b"\x91" * 10_000 + b"\xc0"),
        (MSGPACK, b"\x81\xa1a" * 10_000 + b"\xc0"),
        (MSGPACK, b"\x91" * 700 + b"\xc0"),
    ],
)
def test_no_nesting_is_too_deep_to_be_answered(codec: Codec, sent: str | bytes) -> None:
    assert refused(codec, sent).code is ErrorCode.TOO_LARGE


def test_the_last_of_two_equal_keys_counts() -> None:
    assert JSON.decode('{"a":1,"a":2}') == MSGPACK.decode(b"\x82\xa1a\x01\xa1a\x02") == {"a": 2}


def test_a_message_that_cannot_be_packed_spoils_no_other() -> None:
    with pytest.raises(TypeError):
        MSGPACK.encode({"type": "ok", "hand": object()})

    assert MSGPACK.encode({"seq": 1}) == b"\x81\xa3seq\x01"


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([], "doublesix.v1.json"),
        (["doublesix.v1.json"], "doublesix.v1.json"),
        (["doublesix.v2.json", "doublesix.v1.json", "doublesix.v1.msgpack"], "doublesix.v1.msgpack"),
    ],
)
def test_the_codec_is_picked_by_subprotocol(offered: list[str], chosen: str) -> None:
    assert select_codec(offered) is codec_for(chosen)


def test_a_client_that_offers_only_unknown_subprotocols_has_no_codec() -> None:
    assert select_codec(["doublesix.v2.json", "chat"]) is None


def test_a_text_frame_is_utf8() -> None:
    assert text_of("Zoë".encode()) == "Zoë"
    with pytest.raises(UndecodableError):
        text_of(b"\xff\xfe")
