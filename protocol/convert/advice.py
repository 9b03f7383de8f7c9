"""Hints, maps of unseen tiles and reviews to messages."""

from __future__ import annotations

from engine.tiles import full_set
from protocol.convert.values import Wire, action_to_wire, points_to_wire
from protocol.hints import Advice, Facts, Hint, Odds, Review, Reviewed, TileMap

_DECIMALS = 4
"""Of a chance."""
_POINTS_DECIMALS = 2


def advice_to_wire(advice: Advice) -> Wire:
    """The ``actions`` and the ``map`` of a ``hint``."""
    return {"actions": [hint_to_wire(hint) for hint in advice.hints], "map": map_to_wire(advice.map)}


def hint_to_wire(hint: Hint) -> Wire:
    """An entry of the ``actions`` of a ``hint``."""
    entry: Wire = {
        "action": action_to_wire(hint.action),
        "value": round(hint.value, _POINTS_DECIMALS),
        "reason": hint.reason.value,
    }
    if hint.odds is not None:
        entry |= _odds(hint.odds) | {"close": hint.odds.close}
    if hint.facts is not None:
        entry |= _facts(hint.facts)
    return entry


def map_to_wire(found: TileMap) -> Wire:
    """The ``map`` of a ``hint``. No tile is named: what has no names of tiles in it needs no second look for leaks."""
    by_tile = {entry.tile: entry for entry in found.tiles}
    entries = [by_tile.get(tile) for tile in full_set()]
    return {
        "seats": [
            [None if entry is None else round(entry.seats[seat], _DECIMALS) for entry in entries]
            for seat in range(len(found.none_of))
        ],
        "stock": [None if entry is None else round(entry.stock, _DECIMALS) for entry in entries],
        "none_of": [list(pips) for pips in found.none_of],
    }


def review_to_wire(review: Review) -> Wire:
    """The ``plays``, ``result`` and ``par`` of a ``review``."""
    return {
        "plays": [_reviewed(play) for play in review.plays],
        "result": round(review.result, _POINTS_DECIMALS),
        "par": review.par,
    }


def _reviewed(play: Reviewed) -> Wire:
    entry: Wire = {
        "action": action_to_wire(play.played),
        "best": action_to_wire(play.best),
        "regret": round(play.regret, _DECIMALS),
        "close": play.close,
        "blunder": play.blunder,
    }
    return entry if play.odds is None else entry | _odds(play.odds)


def _odds(odds: Odds) -> Wire:
    return {
        "points": round(odds.points, _POINTS_DECIMALS),
        "chance": round(odds.chance, _DECIMALS),
        "error": round(odds.error, _DECIMALS),
    }


def _facts(facts: Facts) -> Wire:
    said: Wire = {"answers": facts.answers, "shut": list(facts.shut)}
    if facts.reply is not None:
        said["reply"] = {"total": facts.reply.total, "points": points_to_wire(facts.reply.points)}
    return said
