from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from protocol.errors import REASONS, CloseCode, ErrorCode
from protocol.schema import document
from tests.protocol.examples import EXAMPLES, ROOM, Example

SERVER_TYPES = {
    "welcome",
    "rooms",
    "snapshot",
    "update",
    "ok",
    "error",
    "hand",
    "hint",
    "review",
    "consent_asked",
    "record",
    "pong",
    "closing",
}


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def resolve(reference: str) -> Any:
    here: Any = document()
    for step in reference.removeprefix("#/").split("/"):
        here = here[step]
    return here


def validator(key: str) -> Draft202012Validator:
    """The schema of a message, as a client in another language would use it."""
    payload = resolve(f"#/components/messages/{key}/payload")
    return Draft202012Validator({**payload, "components": document()["components"]})


def test_the_document_is_json() -> None:
    assert json.loads(json.dumps(document())) == document()


def test_the_document_is_an_asyncapi_3_document() -> None:
    assert document()["asyncapi"] == "3.0.0"
    assert document()["info"].keys() >= {"title", "version"}
    assert document()["channels"]["table"]["address"] == "/ws"


def test_every_reference_leads_somewhere() -> None:
    found = set(references(document()))

    assert found
    assert all(resolve(reference) is not None for reference in found)


def test_every_schema_is_valid_json_schema() -> None:
    schemas = document()["components"]["schemas"]

    assert schemas
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)


def test_no_schema_holds_a_word_that_json_schema_does_not_know() -> None:
    known = {
        *("type", "const", "enum", "anyOf", "oneOf", "items", "properties", "required", "additionalProperties", "$ref"),
        *("title", "description", "default", "pattern", "minimum", "maximum", "minLength", "maxLength", "multipleOf"),
        *("minItems", "maxItems", "propertyNames", "discriminator"),
    }

    def words(schema: object) -> Iterator[str]:
        for word, value in schema.items() if isinstance(schema, dict) else ():
            yield word
            inner = value.values() if word == "properties" else value if isinstance(value, list) else [value]
            for item in () if word in {"default", "discriminator", "const", "enum", "required"} else inner:
                yield from words(item)

    assert {word for schema in document()["components"]["schemas"].values() for word in words(schema)} <= known


@pytest.mark.parametrize(
    ("operation", "action", "types"),
    [("fromClient", "receive", {example.type for example in EXAMPLES}), ("toClient", "send", SERVER_TYPES)],
)
def test_every_message_is_there_in_its_direction(operation: str, action: str, types: set[str]) -> None:
    described = document()["operations"][operation]

    assert described["action"] == action
    assert {resolve(resolve(message["$ref"])["$ref"])["name"] for message in described["messages"]} == types


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.type)
def test_the_schema_accepts_what_the_server_accepts(example: Example) -> None:
    validator(f"{example.type}.client").validate(example.message)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.type)
def test_the_schema_refuses_an_unknown_field_of_a_client(example: Example) -> None:
    with pytest.raises(ValidationError):
        validator(f"{example.type}.client").validate({**example.message, "surprise": 1})


def test_the_schema_of_an_update_tells_events_apart() -> None:
    update = {"type": "update", "room": ROOM, "epoch": 1, "seq": 2, "turn": None}

    validator("update.server").validate({**update, "events": [{"type": "knocked", "seat": 1}]})
    with pytest.raises(ValidationError):
        validator("update.server").validate({**update, "events": [{"type": "knocked"}]})


def test_clients_need_not_know_every_field_of_the_server() -> None:
    validator("pong.server").validate({"type": "pong", "later_version": 1})


def test_the_words_of_errors_and_closes_are_listed() -> None:
    assert set(document()["x-error-codes"]) == set(ErrorCode)
    assert document()["x-reasons"] == list(REASONS)
    assert set(document()["x-close-codes"]) == {str(code.value) for code in CloseCode}
    assert document()["x-close-codes"]["4003"]["final"]
    assert document()["x-subprotocols"] == {"doublesix.v1.msgpack": "binary", "doublesix.v1.json": "text"}
