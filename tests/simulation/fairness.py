"""That what is dealt follows from seeds that were fixed before: worked out from the log alone (L1-L3)."""

from __future__ import annotations

from collections.abc import Callable

from engine.events import DealStarted, LotDrawn
from engine.games import GAMES
from engine.shuffle import Shuffle, commitment
from protocol.messages import Settings
from server.table.events import Created, EntropyGiven, Event, MatchOver, MatchStarted


class Fairness:
    """Follows the seeds of one room."""

    def __init__(self, complain: Callable[[str], None]) -> None:
        self._complain = complain
        self._seed = b""
        """Of the running match; before the first one, of the one to come."""
        self._next_seed = b""
        self._shuffle: Shuffle | None = None
        """Of the running match."""
        self._has_begun = False
        self._lot: int | None = None
        """Who is to lead the deal that starts now."""
        self._given: dict[str, str] = {}
        """Entropy for the match to come."""

    def follow(self, event: Event, settings: Settings) -> None:
        """``event`` is the next in the log of a table with ``settings``."""
        match event:
            case Created(seed=seed, next_seed=next_seed):
                self._seed, self._next_seed = bytes.fromhex(seed), bytes.fromhex(next_seed)
            case EntropyGiven(player=player, value=value):
                self._given[player] = value
            case MatchStarted():
                self._begin(event)
            case LotDrawn(seat=seat):
                self._lot = seat
            case DealStarted():
                self._deal(event, settings)
            case MatchOver(seed=seed):
                if bytes.fromhex(seed) != self._seed:
                    self._complain("the seed that is shown is not that of the match")
            case _:
                pass

    def _begin(self, event: MatchStarted) -> None:
        if self._has_begun:
            self._seed, self._next_seed = self._next_seed, bytes.fromhex(event.next_seed)
        promised = (commitment(self._seed), commitment(self._next_seed), self._next_seed.hex())
        if (event.commitment, event.next_commitment, event.next_seed) != promised:
            self._complain("a match begins with another seed than the one that was promised")
        if any(self._given.get(player) != value for player, value in event.entropy):
            self._complain(f"a match begins with entropy {event.entropy}, given was {self._given}")
        self._given.clear()
        self._shuffle = Shuffle(self._seed, [bytes.fromhex(value) for _, value in event.entropy])
        self._has_begun = True

    def _deal(self, event: DealStarted, settings: Settings) -> None:
        size = GAMES[settings.game].hand_size(settings.seats)
        if self._shuffle is None:
            self._complain("a deal starts before any match")
        elif (event.hands, event.stock_tiles) != self._shuffle.deal(event.number, settings.seats, size):
            self._complain(f"deal {event.number} is not that of the seed")
        elif self._lot not in (None, self._shuffle.lot(event.number, settings.seats)):
            self._complain(f"the lot for the lead of deal {event.number} is not that of the seed")
        self._lot = None
