"""What a snapshot shows of a room, held against what the steps told have made of it. Pure functions on pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bots.load.history import name_of
from bots.load.violations import Fault
from protocol.convert import Wire


class Difference(NamedTuple):
    """What is wrong with a snapshot, in words too."""

    fault: Fault
    text: str


def difference(told: Wire, shown: Wire) -> Difference | None:
    """Why ``shown`` is not ``told``, the picture of the same step; None: it is."""
    if told == shown:
        return None
    return _older(told, shown) or _newer(told, shown) or _other_events(told, shown) or _other_fields(told, shown)


def break_between(before: Wire, shown: Wire, deeds: Iterable[str]) -> Difference | None:
    """Why ``shown`` cannot come after ``before`` and ``deeds``, which are known to lie between them; None: it can."""
    if _match(before) != _match(shown) or _number(before) != _number(shown):
        return _older(before, shown) or _forgotten_deal(before, shown)
    first, then = _events(before), _events(shown)
    if first != then[: len(first)]:
        return _missing(first, then) or _other_order(first, then[: len(first)])
    return _missing_names(deeds, map(name_of, then[len(first) :]))


# The picture as a whole.


def _match(picture: Wire) -> object:
    """The running match, or the one to come, by what was committed to."""
    return picture["commitment"]


def _number(picture: Wire) -> int:
    """The number of the running or last deal; 0 before the first."""
    return 0 if picture["deal"] is None else picture["deal"]["number"]


def _events(picture: Wire) -> list[Wire]:
    """What has happened in the running or last deal."""
    return [] if picture["deal"] is None else picture["deal"]["events"]


def _older(told: Wire, shown: Wire) -> Difference | None:
    """Whether the snapshot is from an earlier match or deal."""
    if shown["next_commitment"] == _match(told):
        return Difference(Fault.LOST, "the snapshot shows the match before")
    if _match(told) == _match(shown) and _number(shown) < _number(told):
        return Difference(Fault.LOST, f"the snapshot shows deal {_number(shown)}, after deal {_number(told)} was told")
    return None


def _newer(told: Wire, shown: Wire) -> Difference | None:
    """Whether the snapshot is from a later match or deal."""
    if _match(told) != _match(shown):
        return Difference(Fault.ALTERED, "the snapshot shows another match")
    if _number(told) != _number(shown):
        return Difference(Fault.ALTERED, f"the snapshot shows deal {_number(shown)}, where {_number(told)} was told")
    return None


def _forgotten_deal(before: Wire, shown: Wire) -> Difference | None:
    """Whether a snapshot of a later deal lists the deals before it otherwise than they were told."""
    if _match(before) != _match(shown):
        return None  # another match has begun: this one shows nothing of it any more
    listed = {deal["number"]: deal for deal in shown["deals"]}
    oldest = min(listed, default=1)  # the list may leave out the first ones
    wrong = [
        deal["number"] for deal in before["deals"] if deal["number"] >= oldest and listed.get(deal["number"]) != deal
    ]
    running = _number(before)
    if running >= oldest and not _lists_all_that_scored(listed.get(running), _events(before)):
        wrong.append(running)
    if not wrong:
        return None
    return Difference(Fault.LOST, f"the snapshot does not list deal {wrong[0]} as it was told")


def _lists_all_that_scored(summary: Wire | None, events: Sequence[Wire]) -> bool:
    """Whether the plays among ``events`` that scored or were dropped are the first ones in ``summary``."""
    plays = [event for event in events if event["type"] == "played" and (event["points"] or event["dropped"])]
    scored = [{name: event[name] for name in ("seat", "total", "points", "dropped")} for event in plays]
    return summary is not None and scored == summary["scored"][: len(scored)]


def _other_fields(told: Wire, shown: Wire) -> Difference:
    names = ", ".join(name for name in sorted(told.keys() | shown.keys()) if told.get(name) != shown.get(name))
    return Difference(Fault.ALTERED, f"the snapshot shows something else than the steps told: {names}")


# The events of one deal.


def _other_events(told: Wire, shown: Wire) -> Difference | None:
    first, then = _events(told), _events(shown)
    if first == then:
        return None
    if len(first) != len(then):
        return _missing(first, then) or _added(first, then)
    return _other_order(first, then)


def _missing(told: Sequence[Wire], shown: Sequence[Wire]) -> Difference | None:
    return _missing_names(map(name_of, told), map(name_of, shown))


def _missing_names(told: Iterable[str], shown: Iterable[str]) -> Difference | None:
    missing = Counter(told) - Counter(shown)
    return Difference(Fault.LOST, f"the snapshot does not show: {', '.join(missing)}") if missing else None


def _added(told: Sequence[Wire], shown: Sequence[Wire]) -> Difference:
    names = Counter(map(name_of, told))
    added = Counter(map(name_of, shown)) - names
    fault = Fault.REPEATED if added.keys() <= names.keys() else Fault.ALTERED
    return Difference(fault, f"the snapshot shows what was not told: {', '.join(added)}")


def _other_order(told: Sequence[Wire], shown: Sequence[Wire]) -> Difference:
    names = [name_of(event) for event in shown]
    if Counter(map(name_of, told)) == Counter(names) and names != list(map(name_of, told)):
        return Difference(Fault.SWAPPED, f"the snapshot shows another order: {', '.join(names)}")
    changed = next(name_of(event) for event, other in zip(told, shown, strict=False) if event != other)
    return Difference(Fault.ALTERED, f"the snapshot shows otherwise: {changed}")
