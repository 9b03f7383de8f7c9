"""Who may know which tiles, worked out from the log alone (H1, H4, L2): by rules of its own, not by the server's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.events import DealEnded, DealStarted, Drew, Played
from server.table.events import Created, Event, Left, MatchOver, MatchStarted, Seated, Swapped
from server.table.evolve import Step

TILE = re.compile(r"(?<!\w)[0-6]-[0-6](?!\w)")

Tiles = frozenset[str]
NONE: Tiles = frozenset()


@dataclass(frozen=True, slots=True)
class Known:
    """What may be told. ``own``: what each player knows beside what is public."""

    public: Tiles = NONE
    own: Mapping[str, Tiles] = field(default_factory=dict)
    secrets: frozenset[str] = frozenset()
    """Seeds that nobody may know yet."""

    def leaks(self, player: str | None, text: str) -> list[str]:
        """What ``text`` holds and ``player`` may not know."""
        mine = NONE if player is None else self.own.get(player, NONE)
        tiles = {tile for tile in TILE.findall(text) if tile not in self.public and tile not in mine}
        return sorted(tiles) + [seed for seed in self.secrets if seed in text]

    def joined(self, other: Known) -> Known:
        """What is known here or there; secret is what is secret there."""
        players = {*self.own, *other.own}
        own = {player: self.own.get(player, NONE) | other.own.get(player, NONE) for player in players}
        return Known(self.public | other.public, own, other.secrets)


class Knowledge:
    """Follows the log of one room."""

    def __init__(self) -> None:
        self._holders: dict[int, str] = {}
        """Who sits where."""
        self._dealt: dict[str, int] = {}
        """The seat whose hand of this deal each player may see: nobody sees two hands of one deal."""
        self._hands: dict[int, Tiles] = {}
        self._public: Tiles = NONE
        self._secrets: frozenset[str] = frozenset()

    def follow(self, step: Step) -> tuple[Known, Known]:
        """What may be known during ``step``, for its update, and after it, for snapshots."""
        during = self._now()
        for event in step.events:
            self._apply(event)
            during = during.joined(self._now())
        return during, self._now()

    def _now(self) -> Known:
        own = {
            player: self._hands.get(seat, NONE)
            for seat, player in self._holders.items()
            if self._dealt.get(player) == seat
        }
        return Known(self._public, own, self._secrets)

    def _apply(self, event: Event) -> None:
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
                self._deal(event)
            case Created(seed=seed, next_seed=next_seed):
                self._secrets = frozenset({seed, next_seed})
            case MatchStarted(next_seed=next_seed):
                self._secrets |= {next_seed}
            case MatchOver(seed=seed):
                self._secrets -= {seed}
            case _:
                pass

    def _sit(self, seat: int, player: str | None) -> None:
        self._holders.pop(seat, None)
        if player is not None:
            self._holders[seat] = player
            self._dealt.setdefault(player, seat)

    def _deal(self, event: DealStarted | Played | Drew | DealEnded) -> None:
        match event:
            case DealStarted(hands=hands):
                self._hands = {seat: frozenset(map(str, hand or ())) for seat, hand in enumerate(hands)}
                self._dealt = {player: seat for seat, player in self._holders.items()}
                self._public = NONE
            case Played(tile=tile):
                self._public |= {str(tile)}
            case Drew(seat=seat, tile=tile):
                self._hands[seat] |= {str(tile)}
            case DealEnded(hands=hands):
                self._public |= {str(tile) for hand in hands for tile in hand}
