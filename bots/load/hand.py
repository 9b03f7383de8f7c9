"""The tiles of one seat, as its player was told of them step by step: nobody else can say whether they are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class Hand:
    """Known from the first deal on that its player was told of, or shown."""

    def __init__(self) -> None:
        self._tiles: list[str] | None = None
        self._seq = 0

    def learn(self, seat: int | None, seq: int, events: Iterable[Mapping[str, Any]]) -> None:
        """``seat``, whose hand this is, was told of step ``seq``."""
        self._seq = seq
        for event in events:
            if event["type"] == "deal_started":
                self._tiles = list(event.get("hand", ()))
            elif event.get("seat") == seat and self._tiles is not None:
                self._follow(self._tiles, event)

    def _follow(self, tiles: list[str], event: Mapping[str, Any]) -> None:
        if event["type"] == "drew" and "tile" in event:
            tiles.append(event["tile"])
        elif event["type"] == "played" and event["tile"] in tiles:
            tiles.remove(event["tile"])

    def shown(self, seq: int, tiles: Sequence[str] | None) -> Sequence[str] | None:
        """A snapshot of step ``seq`` shows these; returns those that it should show, if it is wrong.

        What stands for steps that were not told is taken as it is.
        """
        known, was_told = self._tiles, seq == self._seq
        self._tiles, self._seq = (None if tiles is None else list(tiles)), seq
        if known is None or tiles is None or not was_told or sorted(known) == sorted(tiles):
            return None
        return known
