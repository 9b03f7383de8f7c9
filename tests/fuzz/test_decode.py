from __future__ import annotations

import json
from contextlib import suppress

import msgpack
from hypothesis import given
from hypothesis import strategies as st

from protocol.codecs import Codec, JsonCodec, MsgpackCodec
from protocol.errors import ErrorCode, ProtocolError, UndecodableError
from protocol.messages import parse
from tests.protocol.examples import EXAMPLES

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
messages = st.builds(
    lambda example, name, value: {**example.message, name: value},
    st.sampled_from(EXAMPLES),
    st.sampled_from(sorted({name for example in EXAMPLES for name in example.fields} | {"id", "type"})) | st.text(),
    values,
)


def read(codec: Codec, frame: str | bytes) -> None:
    """Decode and parse; nothing may be raised but what the protocol knows, and that can be sent back."""
    refusal: ProtocolError | None = None
    with suppress(UndecodableError):
        try:
            parse(codec.decode(frame))
        except ProtocolError as raised:
            refusal = raised
    if refusal is not None:
        assert refusal.code in {ErrorCode.BAD_MESSAGE, ErrorCode.TOO_LARGE}
        assert JsonCodec().encode(refusal.to_wire())
        assert MsgpackCodec().encode(refusal.to_wire())


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    read(JsonCodec(), text)


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    read(MsgpackCodec(), data)


@given(values | messages)
def test_any_value_written_as_json_is_read_or_refused(value: object) -> None:
    read(JsonCodec(), json.dumps(value))


@given(messages)
def test_any_change_of_a_message_written_as_messagepack_is_read_or_refused(message: object) -> None:
    try:
        packed = msgpack.packb(message, unicode_errors="surrogatepass")
    except OverflowError:  # there are no integers of more than 64 bits
        return
    read(MsgpackCodec(), packed)
