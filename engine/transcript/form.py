"""How a transcript writes actions, steps and results: plain values, as JSON reads them.

The form is described in seeds/transcripts/README.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.actions import Action, Draw, Knock, Play
from engine.deal import Deal, legal_actions
from engine.events import DealEnded, Drew, Event, Played
from engine.layout import End
from engine.points import Points
from engine.seats import Side
from engine.tiles import full_set

Plain: TypeAlias = "bool | int | float | str | Sequence[Plain] | Mapping[str, Plain] | None"
"""A value of JSON."""

ALL_ACTIONS: tuple[Action, ...] = (
    *(Play(tile, end) for tile in full_set() for end in (None, *End)),
    Draw(),
    Knock(),
)
"""Every action that can be written down, legal or not."""


def same(expected: object, got: object) -> bool:
    """Whether both are the same value of the same type: 1 is neither True nor 1.0, and lists keep their order."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(same(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(same, expected, got))
    return type(expected) is type(got) and expected == got


def write_number(points: Points) -> int | float:
    """A score: whole where it is whole, else with its half, which is exact in binary (A15)."""
    return points if isinstance(points, int) else float(points)


def write_numbers(scores: Sequence[Points]) -> list[Plain]:
    """Scores or bonuses, one a side."""
    return [write_number(points) for points in scores]


def write_action(action: Action) -> dict[str, Plain]:
    """An action, a play with tile and end."""
    match action:
        case Play(tile, end):
            return {"type": "play", "tile": str(tile), "end": None if end is None else end.value}
        case Draw():
            return {"type": "draw"}
        case Knock():
            return {"type": "knock"}


def read_action(written: object) -> Action | None:
    """The action that is exactly ``written`` so, or None."""
    return _ACTIONS.get(_key(written))


def as_set(actions: object) -> object:
    """A list of written actions in an order that does not depend on how they were listed."""
    return sorted(actions, key=_key) if isinstance(actions, list) else actions


def _key(written: object) -> str:
    """A text that two written actions share only if they are the same value."""
    return repr(sorted(written.items())) if isinstance(written, dict) else repr(written)


_ACTIONS = {_key(write_action(action)): action for action in ALL_ACTIONS}


def write_step(before: Deal, action: Action, fact: Event, after: Deal) -> dict[str, Plain]:
    """The step from ``before`` to ``after``, where ``action`` led to ``fact``."""
    played = fact if isinstance(fact, Played) else None
    step: dict[str, Plain] = {
        "seat": before.turn,
        "legal": [write_action(legal) for legal in legal_actions(before)],
        "action": write_action(action),
        "ends": [{"end": end.end.value, "value": end.value, "counts": end.counts} for end in after.layout.ends],
        "total": after.layout.total,
        "end_points": sum(part.points for part in played.parts if part.by != 1) if played else 0,
        "points": write_number(played.points) if played else 0,
        "dropped": write_number(played.dropped) if played else 0,
        "scores": write_numbers(played.scores if played else before.scores),
        "hand_sizes": [len(hand) for hand in after.hands],
        "stock_size": len(after.stock),
        "next": after.turn,
    }
    if isinstance(fact, Drew):
        step["drawn"] = str(fact.tile)
    if before.game.branches:
        step["spinner"] = None if after.layout.spinner is None else str(after.layout.spinner)
    return step


def write_result(ended: DealEnded, winner: Side | None) -> dict[str, Plain]:
    """The result of a deal that ``winner`` has won the match with, if anyone."""
    return {
        "reason": ended.reason.value,
        "seat": ended.seat,
        "pips": [sum(tile.pips for tile in hand) for hand in ended.hands],
        "bonus": write_numbers(ended.bonus),
        "dropped": write_number(ended.dropped),
        "scores": write_numbers(ended.scores),
        "match_won": winner,
        "next_lead": ended.next_lead,
    }
