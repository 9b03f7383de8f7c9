"""From a decoded map to a client message, or to the refusal that names the faulty field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages.client import CLIENT_MESSAGES, ClientMessage
from protocol.messages.parts import MAX_ID, NAME_CHARACTERS
from protocol.names import MAX_NAME

MAX_PATH = 100
"""Characters of a path in an answer: a client chooses the names of its unknown fields."""

_validate = CLIENT_MESSAGES.validator.validate_python
"""Past the adapter, which takes half as long again: every message comes this way."""


def message_id(message: object) -> str | None:
    """The ``id`` of what was decoded, if it is a valid one: every answer carries it as ``re``."""
    found = message.get("id") if isinstance(message, Mapping) else None
    return found if isinstance(found, str) and 1 <= len(found) <= MAX_ID and sendable(found) else None


def sendable(text: str) -> bool:
    """Whether UTF-8 can carry ``text``. JSON can escape half of a surrogate pair, which nothing can send back."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def parse(message: Mapping[str, Any], name_characters: int = MAX_NAME) -> ClientMessage:
    """The client message that ``message`` holds; names have ``name_characters`` at most (0: any number).

    Raises:
        ProtocolError: ``bad_message`` with the path of the first faulty field, and ``re`` where the id is valid.
    """
    try:
        parsed: ClientMessage = _validate(message, context={NAME_CHARACTERS: name_characters})
    except ValidationError as invalid:
        raise _refusal(invalid.errors(include_url=False, include_input=False), message) from None
    return parsed


def _refusal(errors: Sequence[ErrorDetails], message: Mapping[str, Any]) -> ProtocolError:
    path = _path(errors[0], message)
    # Where a field takes several kinds (the lot or a seat), each has an error; the last kind is the widest.
    text = _text([error for error in errors if _path(error, message) == path][-1], path)
    return ProtocolError(ErrorCode.BAD_MESSAGE, text, path=path, re=message_id(message))


def _path(error: ErrorDetails, message: Mapping[str, Any]) -> str:
    """Names and list positions down to the faulty field, without the tags of unions that pydantic puts among them."""
    names: list[str] = []
    here: Any = message
    # The first step is the tag of the message itself; it has none if that is what is wrong.
    steps = error["loc"][1:]
    for step in steps:
        if _holds(here, step):
            here = here[step]
            names.append(str(step))
    if error["type"].startswith("union_tag"):
        names.append("type")
    elif error["type"] == "missing" or not names:
        names.append(str(steps[-1]))
    return ".".join(names)[:MAX_PATH]


def _holds(value: object, step: str | int) -> bool:
    if isinstance(value, Mapping):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def _text(error: ErrorDetails, path: str) -> str:
    match error["type"]:
        case "missing":
            return f"{path} is missing"
        case "extra_forbidden":
            return f"{path} is no field of this message"
        case "union_tag_invalid" | "union_tag_not_found":
            return f"{path} is none of the known types"
        case "value_error":
            return f"{path} {error['ctx']['error']}"
        case _:
            _, _, wanted = error["msg"].partition(" should ")
            return f"{path} should {wanted}" if wanted else f"{path} is not valid"
