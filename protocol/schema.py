"""The protocol as an AsyncAPI 3 document, made from the models: ``doublesix schema`` prints it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from inspect import getdoc
from typing import Any, Literal, TypeAlias, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from protocol.codecs import CODECS, MAX_NESTING
from protocol.errors import CLOSE_TEXTS, ERROR_TEXTS, FINAL, REASONS, CloseCode
from protocol.messages import ClientMessage, ServerMessage

ASYNCAPI = "3.0.0"
PROTOCOL_VERSION = 1

Document: TypeAlias = dict[str, Any]
_Models: TypeAlias = tuple[type[BaseModel], ...]

_CLIENT: _Models = get_args(get_args(ClientMessage)[0])
_SERVER: _Models = get_args(get_args(ServerMessage)[0])
_DESCRIPTION = f"""\
Dominoes for 2 to 4 seats over WebSocket. A message is one map with a `type`, at most {MAX_NESTING} levels deep, the
same in JSON (text frames) and MessagePack (binary frames); the subprotocol picks one, and a client that offers none
speaks JSON. `hello` comes first. Every client message may carry an `id`, which its answer repeats as `re`.

From a client an unknown field or a value of another type is an error; an optional field that is null counts as left
out. Clients ignore unknown fields and events from the server."""


@cache
def document() -> Document:
    """The whole document, ready for JSON. It is made once: not to be changed."""
    return {
        "asyncapi": ASYNCAPI,
        "info": {"title": "Doublesix", "version": f"{PROTOCOL_VERSION}.0.0", "description": _DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": {"table": _channel()},
        "operations": {
            "fromClient": _operation("receive", "What a client may say. Each message is answered.", _CLIENT),
            "toClient": _operation("send", "Answers, and what is pushed to those in a room.", _SERVER),
        },
        "components": {
            "messages": {_key(model): _message(model) for model in (*_CLIENT, *_SERVER)},
            "schemas": _schemas((*_CLIENT, *_SERVER)),
        },
        "x-subprotocols": {codec.subprotocol: "binary" if codec.binary else "text" for codec in CODECS},
        "x-error-codes": {code.value: text for code, text in ERROR_TEXTS.items()},
        "x-reasons": list(REASONS),
        "x-close-codes": {str(code.value): _close(code, text) for code, text in CLOSE_TEXTS.items()},
    }


def _channel() -> Document:
    return {
        "address": "/ws",
        "description": "One connection of one player. `/ws/CODE` is the same.",
        "messages": {_key(model): _ref("messages", _key(model)) for model in (*_CLIENT, *_SERVER)},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
    }


def _operation(action: Literal["receive", "send"], summary: str, models: _Models) -> Document:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/table"},
        "messages": [{"$ref": f"#/channels/table/messages/{_key(model)}"} for model in models],
    }


def _message(model: type[BaseModel]) -> Document:
    return {"name": _wire_type(model), "summary": getdoc(model), "payload": _ref("schemas", model.__name__)}


def _schemas(models: Iterable[type[BaseModel]]) -> Document:
    _, definitions = models_json_schema(
        [(model, "validation") for model in models], ref_template="#/components/schemas/{model}"
    )
    schemas: Document = definitions["$defs"]
    return schemas


def _close(code: CloseCode, text: str) -> Document:
    return {"description": text, "final": code in FINAL}


def _key(model: type[BaseModel]) -> str:
    """Types that go both ways (``rooms``, ``hint``, ``record``) are told apart by their direction."""
    return f"{_wire_type(model)}.{'client' if model in _CLIENT else 'server'}"


def _wire_type(model: type[BaseModel]) -> str:
    (name,) = get_args(model.model_fields["type"].annotation)
    return str(name)


def _ref(kind: str, name: str) -> Document:
    return {"$ref": f"#/components/{kind}/{name}"}
