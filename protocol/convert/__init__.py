"""Engine values to and from what crosses the wire and stands in the log. The one place that knows both."""

from __future__ import annotations

from protocol.convert.advice import advice_to_wire, hint_to_wire, review_to_wire
from protocol.convert.events import event_from_log, event_from_wire, event_to_log, event_to_wire
from protocol.convert.values import (
    Wire,
    action_from_message,
    action_from_wire,
    action_to_wire,
    choice_from_wire,
    choice_to_wire,
    choices_from_wire,
    choices_to_wire,
    layout_to_wire,
    points_to_wire,
    scores_from_wire,
    scores_to_wire,
    tiles_from_wire,
    tiles_to_wire,
)
from protocol.convert.views import deal_to_wire, view_from_wire, view_to_wire

__all__ = [
    "Wire",
    "action_from_message",
    "action_from_wire",
    "action_to_wire",
    "advice_to_wire",
    "choice_from_wire",
    "choice_to_wire",
    "choices_from_wire",
    "choices_to_wire",
    "deal_to_wire",
    "event_from_log",
    "event_from_wire",
    "event_to_log",
    "event_to_wire",
    "hint_to_wire",
    "layout_to_wire",
    "points_to_wire",
    "review_to_wire",
    "scores_from_wire",
    "scores_to_wire",
    "tiles_from_wire",
    "tiles_to_wire",
    "view_from_wire",
    "view_to_wire",
]
