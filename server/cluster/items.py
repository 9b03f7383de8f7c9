"""What nodes tell each other, and its form on the way.

Nodes of two versions run side by side: fields are added with a default, and what is more than is known here is passed
over. Where an older node would misunderstand, an item gets a new ``kind``, or a higher ``v``, which it passes over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import structlog
from pydantic import Field, PlainValidator, TypeAdapter, ValidationError

from protocol.convert import Wire
from protocol.errors import ProtocolError
from protocol.messages import ClientMessage, parse
from server.outgoing import Outgoing
from server.table.state import Actor, PlayerId

logger = structlog.get_logger(__name__)


def _parsed(message: object) -> ClientMessage:
    if not isinstance(message, Mapping):
        raise ValueError("this is no message")  # noqa: TRY004 - of which pydantic makes a refusal
    return parse(message, 0)


def _outgoing(message: object) -> Outgoing:
    if not isinstance(message, dict):
        raise ValueError("this is no message")  # noqa: TRY004 - of which pydantic makes a refusal
    return Outgoing(message)


@dataclass(frozen=True, kw_only=True)
class Versioned:
    """Any item."""

    v: Literal[1] = 1


# Of a visit to a room of the node that hears it


@dataclass(frozen=True)
class Say(Versioned):
    """A visitor asks something of a room."""

    visit: int
    room: str
    player: PlayerId
    name: str
    headless: bool
    message: Annotated[ClientMessage, PlainValidator(_parsed)]
    since: int = 0
    """When the visitor's connection arrived, see `Arrival`."""
    kind: Literal["say"] = "say"

    @property
    def actor(self) -> Actor:
        """Who asks."""
        return Actor(self.player, self.name, self.headless)


@dataclass(frozen=True)
class Unknown:
    """A visitor asks what this version does not know. It never travels: `read` makes it."""

    visit: int
    re: str


@dataclass(frozen=True)
class End(Versioned):
    """A visit is over."""

    visit: int
    kind: Literal["end"] = "end"


@dataclass(frozen=True)
class Visits(Versioned):
    """There are these visits and no others."""

    numbers: Sequence[int]
    kind: Literal["visits"] = "visits"


# Of a room of the node that says it


@dataclass(frozen=True)
class Tell(Versioned):
    """A room says something to visits."""

    visits: list[int]
    message: Annotated[Outgoing, PlainValidator(_outgoing)]
    kind: Literal["tell"] = "tell"


@dataclass(frozen=True)
class Listens(Versioned):
    """A room tells a visit its steps from now on, or no more."""

    visit: int
    is_listening: bool
    kind: Literal["listens"] = "listens"


@dataclass(frozen=True)
class Cut(Versioned):
    """The connection of a visit is to be closed, for a fault of ours."""

    visit: int
    kind: Literal["cut"] = "cut"


@dataclass(frozen=True)
class Moved(Versioned):
    """The room is here no longer: whoever visits it has to look for it."""

    room: str
    kind: Literal["moved"] = "moved"


@dataclass(frozen=True)
class NoSuchRoom(Versioned):
    """There is no such room."""

    room: str
    kind: Literal["none"] = "none"


# Of a node as a whole, or of all


@dataclass(frozen=True)
class Here(Versioned):
    """The node lives: by the number of the batch it is seen what of it was lost."""

    kind: Literal["here"] = "here"


@dataclass(frozen=True)
class Missed(Versioned):
    """Something that the node which hears it has said was lost."""

    kind: Literal["missed"] = "missed"


@dataclass(frozen=True)
class Stopping(Versioned):
    """The node is about to go, so that nobody is called for it."""

    kind: Literal["stopping"] = "stopping"


@dataclass(frozen=True)
class Take(Versioned):
    """The node is about to stop and wants another to go on with a room."""

    room: str
    kind: Literal["take"] = "take"


@dataclass(frozen=True)
class Replaced(Versioned):
    """A player is connected elsewhere ``since`` then, see `Arrival`."""

    player: PlayerId
    since: int
    kind: Literal["replaced"] = "replaced"


@dataclass(frozen=True)
class Listed(Versioned):
    """A public table is listed in this way, or no more."""

    room: str
    shown: Wire | None
    kind: Literal["listed"] = "listed"


@dataclass(frozen=True)
class Listing(Versioned):
    """All tables that are listed, by their codes."""

    rooms: Mapping[str, Wire]
    kind: Literal["listing"] = "listing"


OfVisit: TypeAlias = Say | End | Visits
OfRoom: TypeAlias = Tell | Listens | Cut | Moved | NoSuchRoom
OfNode: TypeAlias = Here | Missed | Stopping | Take | Replaced | Listed | Listing
Item: TypeAlias = OfVisit | OfRoom | OfNode

_ITEMS: TypeAdapter[Item] = TypeAdapter(Annotated[Item, Field(discriminator="kind")])


def write(item: Item) -> Wire:
    """The form in which it travels, of what MessagePack can hold."""
    match item:
        case Say(message=message):
            return {**vars(item), "message": message.model_dump(mode="json", exclude_unset=True)}
        case Tell(message=outgoing):
            return {**vars(item), "message": outgoing.message}
        case _:
            return dict(vars(item))


def read(wire: Mapping[str, Any]) -> Item | Unknown | None:
    """What was written. None, and a line in the log: of a newer version, or nothing of ours; it is passed over."""
    try:
        return _ITEMS.validate_python(wire)
    except (ProtocolError, ValidationError):
        match wire:
            case {"kind": "say", "visit": int(visit), "message": {"id": str(message_id)}}:
                return Unknown(visit, message_id)
    logger.warning("items.unknown", kind=wire.get("kind"), v=wire.get("v"))
    return None
