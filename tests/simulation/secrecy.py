"""Who may know which tiles, worked out from the log alone (H1, H4, L2): by rules of its own, not by the server's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.events import DealEnded, DealStarted, Drew, Played
from server.table.events import (
    Created,
    Event,
    Left,
    MatchOver,
    MatchStarted,
    PlayedAgain,
    Redone,
    Seated,
    Swapped,
    Undone,
)
from server.table.evolve import Step

TILE = re.compile(r"(?<!\w)[0-6]-[0-6](?!\w)")

Tiles = frozenset[str]
NONE: Tiles = frozenset()
Holder = TypeVar("Holder")


@dataclass(frozen=True, slots=True)
class Known:
    """What may be told. ``own``: what each player with one hand knows beside what is public."""

    public: Tiles = NONE
    own: Mapping[str, Tiles] = field(default_factory=dict)
    covered: Mapping[tuple[str, int], Tiles] = field(default_factory=dict)
    """By player and seat, the hands of who holds several (H3)."""
    secrets: frozenset[str] = frozenset()
    """Seeds that nobody may know yet."""

    def leaks(self, player: str | None, text: str, shown: int | None = None) -> list[str]:
        """What ``text`` holds and ``player`` may not know, who has uncovered the hand of the seat ``shown``."""
        mine = NONE if player is None else self.own.get(player, NONE)
        if player is not None and shown is not None:
            mine |= self.covered.get((player, shown), NONE)
        tiles = {tile for tile in TILE.findall(text) if tile not in self.public and tile not in mine}
        return sorted(tiles) + [seed for seed in self.secrets if seed in text]

    def joined(self, other: Known) -> Known:
        """What is known here or there; secret is what is secret there."""
        own, covered = _joined(self.own, other.own), _joined(self.covered, other.covered)
        return Known(self.public | other.public, own, covered, other.secrets)


def _joined(some: Mapping[Holder, Tiles], others: Mapping[Holder, Tiles]) -> dict[Holder, Tiles]:
    return {holder: some.get(holder, NONE) | others.get(holder, NONE) for holder in {**some, **others}}


class Knowledge:
    """Follows the log of one room."""

    def __init__(self) -> None:
        self._holders: dict[int, str] = {}
        """Who sits where."""
        self._dealt: dict[str, set[int]] = {}
        """The seats whose hands of this deal each player may see: one, or those of a device that came with several."""
        self._new: set[str] = set()
        """Who came to this deal in the step that is followed."""
        self._hands: dict[int, Tiles] = {}
        self._public: Tiles = NONE
        self._shown: dict[int, Tiles] = {}
        """What has been public of each deal of this match: it stays known when the deal is gone back to."""
        self._number = 0
        """Of the deal on the table."""
        self._line: list[tuple[int, Event]] = []
        """The events of this match that count, with the numbers of their steps."""
        self._gone: list[list[tuple[int, Event]]] = []
        """What was taken back, the last at the end."""
        self._secrets: frozenset[str] = frozenset()

    def follow(self, step: Step) -> tuple[Known, Known]:
        """What may be known during ``step``, for its update, and after it, for snapshots."""
        self._new.clear()
        during = self._now()
        is_dealt = False
        for event in step.events:
            self._apply(event, step.seq)
            is_dealt = is_dealt or isinstance(event, DealStarted)
            now = self._now()
            during = during.joined(replace(now, covered={}) if is_dealt else now)
        return during, self._now()

    def _now(self) -> Known:
        own: dict[str, Tiles] = {}
        covered: dict[tuple[str, int], Tiles] = {}
        for player, dealt in self._dealt.items():
            for seat in (seat for seat in dealt if self._holders.get(seat) == player):
                hand = self._hands.get(seat, NONE)
                if len(dealt) == 1:
                    own[player] = hand
                else:
                    covered[player, seat] = hand
        return Known(self._public, own, covered, self._secrets)

    def _apply(self, event: Event, seq: int) -> None:  # noqa: C901 - one flat case an event
        match event:
            case Seated(seat=seat, player=player):
                self._sit(seat, player)
            case Left(seat=seat):
                self._sit(seat, None)
            case Swapped(seats=(first, second)):
                one, other = self._holders.get(first), self._holders.get(second)
                self._sit(first, other)
                self._sit(second, one)
            case DealStarted() | Played() | Drew() | DealEnded():
                self._line.append((seq, event))
                self._gone.clear()
                self._deal(event)
            case Undone(to=to):
                kept = [(number, one) for number, one in self._line if number <= to]
                self._gone.append(self._line[len(kept) :])
                self._stand_at(kept)
            case Redone():
                again = self._gone.pop()
                self._stand_at([*self._line, *again])
            case PlayedAgain(to=to):
                self._gone.clear()
                self._stand_at([(number, one) for number, one in self._line if number <= to])
            case Created(seed=seed, next_seed=next_seed):
                self._secrets = frozenset({seed, next_seed})
            case MatchStarted(next_seed=next_seed):
                self._secrets |= {next_seed}
                self._shown, self._line, self._gone = {}, [], []
            case MatchOver(seed=seed):
                self._secrets -= {seed}
            case _:
                pass

    def _sit(self, seat: int, player: str | None) -> None:
        self._holders.pop(seat, None)
        if player is not None:
            self._holders[seat] = player
            if player not in self._dealt:
                self._new.add(player)
            if player in self._new:
                self._dealt.setdefault(player, set()).add(seat)

    def _stand_at(self, line: list[tuple[int, Event]]) -> None:
        """The match has gone back, or on, to where these events lead."""
        dealt, self._line = self._dealt, line
        starts = [place for place, (_, event) in enumerate(line) if isinstance(event, DealStarted)]
        for _, event in line[starts[-1] :]:
            if isinstance(event, DealStarted | Played | Drew | DealEnded):
                self._deal(event)
        self._dealt = dealt

    def _deal(self, event: DealStarted | Played | Drew | DealEnded) -> None:
        match event:
            case DealStarted(number=number, hands=hands):
                self._number = number
                self._hands = {seat: frozenset(map(str, hand or ())) for seat, hand in enumerate(hands)}
                self._dealt = {}
                for seat, player in self._holders.items():
                    self._dealt.setdefault(player, set()).add(seat)
                self._public = self._shown.get(number, NONE)
            case Played(tile=tile):
                self._public |= {str(tile)}
            case Drew(seat=seat, tile=tile):
                self._hands[seat] |= {str(tile)}
            case DealEnded(hands=hands):
                self._public |= {str(tile) for hand in hands for tile in hand}
        self._shown[self._number] = self._public
