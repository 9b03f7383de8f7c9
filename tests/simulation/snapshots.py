"""What two snapshots of one table have in common, and what only one of them can know."""

from __future__ import annotations

from protocol.convert import Wire


def has_part(snapshot: Wire) -> bool:
    """Whether the receiver sits or watches."""
    return bool(snapshot["you"]["seats"]) or bool(snapshot["you"]["watching"])


def covered(snapshot: Wire) -> Wire:
    """``snapshot`` with the hands of a device with several seats covered, as they are when it listens anew (H3)."""
    if len(snapshot["you"]["seats"]) < 2:
        return snapshot
    kept = {**snapshot, "you": {**snapshot["you"], "shown": []}}
    if kept["turn"] is not None:
        kept["turn"] = {name: value for name, value in kept["turn"].items() if name != "legal"}
    if kept["deal"] is not None:
        drawn = [_without_tile(event) for event in kept["deal"]["events"]]
        kept["deal"] = {**kept["deal"], "hands": {}, "events": drawn}
    return kept


def _without_tile(event: Wire) -> Wire:
    return {name: value for name, value in event.items() if event["type"] != "drew" or name != "tile"}


def lasting(snapshot: Wire) -> Wire:
    """``snapshot`` without what no fold can know.

    That is durations, which message it answers, and whether one still watches who has just gone or was lost: the event
    tells only the names of those who do. Which of several hands is uncovered no snapshot knows.
    """
    kept = {name: value for name, value in covered(snapshot).items() if name not in ("re", "reset")}
    kept["you"] = {name: value for name, value in kept["you"].items() if name != "watching"}
    if kept["turn"] is not None:
        kept["turn"] = {name: value for name, value in kept["turn"].items() if name != "left"}
    return kept
