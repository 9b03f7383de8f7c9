"""Points, tiles, actions, ends, layouts and choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, assert_never

from pydantic import TypeAdapter

from engine.actions import Action, Draw, Knock, Play
from engine.events import Part
from engine.layout import End, Layout, OpenEnd
from engine.notation import parse_tile
from engine.outcome import Choice, Outcome
from engine.points import Points, exact
from engine.tiles import Tile
from protocol.messages import parts as messages

Wire: TypeAlias = dict[str, Any]
"""A map as both codecs carry it."""

_ACTIONS: TypeAdapter[messages.Action] = TypeAdapter(messages.Action)


def points_to_wire(points: Points) -> int | float:
    """A whole number, or one with a half, which is exact in binary (A15)."""
    return points if isinstance(points, int) else float(points)


def scores_to_wire(scores: Iterable[Points]) -> list[int | float]:
    """One number a side."""
    return [points_to_wire(score) for score in scores]


def scores_from_wire(scores: Iterable[int | float]) -> tuple[Points, ...]:
    """Exact again."""
    return tuple([exact(score) for score in scores])


def tiles_to_wire(tiles: Iterable[Tile]) -> list[str]:
    """Tiles in the order given."""
    return [str(tile) for tile in tiles]


def tiles_from_wire(tiles: Iterable[str]) -> tuple[Tile, ...]:
    """ValueError names a text that is no tile."""
    return tuple([parse_tile(text) for text in tiles])


def action_to_wire(action: Action) -> Wire:
    """What an ``act`` carries."""
    match action:
        case Play(tile, end):
            return {"type": "play", "tile": str(tile), "end": None if end is None else end.value}
        case Draw():
            return {"type": "draw"}
        case Knock():
            return {"type": "knock"}
        case _:
            assert_never(action)


def action_from_message(action: messages.Action) -> Action:
    """The action of a checked ``act``."""
    match action:
        case messages.Play(tile=tile, end=end):
            return Play(parse_tile(tile), None if end is None else End(end))
        case messages.Draw():
            return Draw()
        case messages.Knock():
            return Knock()
        case _:
            assert_never(action)


def action_from_wire(action: object) -> Action:
    """The action of an unchecked map. ValueError if it is none."""
    return action_from_message(_ACTIONS.validate_python(action))


def ends_to_wire(ends: Iterable[OpenEnd]) -> list[Wire]:
    """In the order left, right, up, down."""
    return [{"end": end.end.value, "value": end.value, "counts": end.counts} for end in ends]


def ends_from_wire(ends: Iterable[Mapping[str, Any]]) -> tuple[OpenEnd, ...]:
    """The inverse of ``ends_to_wire``."""
    return tuple([OpenEnd(End(end["end"]), end["value"], end["counts"]) for end in ends])


def parts_to_wire(parts: Iterable[Part]) -> list[Wire]:
    """How points arise."""
    return [{"by": part.by, "points": part.points} for part in parts]


def parts_from_wire(parts: Iterable[Mapping[str, Any]]) -> tuple[Part, ...]:
    """The inverse of ``parts_to_wire``."""
    return tuple([Part(part["by"], part["points"]) for part in parts])


def layout_to_wire(layout: Layout) -> Wire:
    """What lies open; the tiles themselves stand in the events."""
    return {
        "ends": ends_to_wire(layout.ends),
        "total": layout.total,
        "spinner": None if layout.spinner is None else str(layout.spinner),
    }


def choice_to_wire(choice: Choice) -> Wire:
    """An entry of ``turn.legal``: the action, and for a play what it would do."""
    entry: Wire = {"action": action_to_wire(choice.action)}
    outcome = choice.outcome
    if outcome is not None:
        entry |= {
            "total": outcome.total,
            "parts": parts_to_wire(outcome.parts),
            "points": outcome.points,
            "out_bonus": outcome.out_bonus,
            "accepted": outcome.accepted,
            "after": points_to_wire(outcome.after),
            "wins": outcome.wins,
            "ends": ends_to_wire(outcome.ends),
        }
    return entry


def choices_to_wire(choices: Iterable[Choice]) -> list[Wire]:
    """``turn.legal``."""
    return [choice_to_wire(choice) for choice in choices]


def choice_from_wire(entry: Mapping[str, Any]) -> Choice:
    """The inverse of ``choice_to_wire``."""
    return Choice(action_from_wire(entry["action"]), _outcome(entry) if "total" in entry else None)


def choices_from_wire(legal: Sequence[Mapping[str, Any]]) -> tuple[Choice, ...]:
    """The inverse of ``choices_to_wire``."""
    return tuple([choice_from_wire(entry) for entry in legal])


def _outcome(entry: Mapping[str, Any]) -> Outcome:
    return Outcome(
        total=entry["total"],
        parts=parts_from_wire(entry["parts"]),
        points=entry["points"],
        out_bonus=entry["out_bonus"],
        accepted=entry["accepted"],
        after=exact(entry["after"]),
        wins=entry["wins"],
        ends=ends_from_wire(entry["ends"]),
    )
