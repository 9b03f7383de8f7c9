"""One deal as the kernel sees it: every hand as a set, played in place, step by step as the engine does."""

from __future__ import annotations

from collections.abc import Sequence

from bots.kernel.bits import TileBit, TileSet, pips_in
from bots.kernel.machine import EMPTY, Placement, State
from bots.kernel.rules import Rules, Score
from engine.events import DealReason
from engine.seats import Seat, Side


class Position:
    """A deal that is being played. It is changed in place; `copy` first what is still needed.

    ``hands``: one set a seat. ``stock``: the *last* one is drawn first. ``turn`` means nothing once the deal is over.
    """

    __slots__ = ("ended", "hands", "laid", "out", "rules", "scores", "state", "stock", "turn", "winner")

    def __init__(
        self,
        rules: Rules,
        hands: list[TileSet],
        stock: list[TileBit],
        turn: Seat,
        scores: list[Score],
        state: State = EMPTY,
        laid: TileSet = 0,
    ) -> None:
        self.rules = rules
        self.hands = hands
        self.stock = stock
        self.turn = turn
        self.scores = scores
        self.state = state
        self.laid = laid
        """The tiles on the table."""
        self.ended: DealReason | None = None
        self.out: Seat | None = None
        """Who went out, which ended the deal."""
        self.winner: Side | None = None
        """Who has won the match with it."""

    def copy(self) -> Position:
        """The same position, to be played on apart."""
        twin = Position(self.rules, self.hands[:], self.stock[:], self.turn, self.scores[:], self.state, self.laid)
        twin.ended, twin.out, twin.winner = self.ended, self.out, self.winner
        return twin

    # What may be done.

    @property
    def playable(self) -> TileSet:
        """The tiles that the seat in turn can play (C6, C7)."""
        return self.hands[self.turn] & self.fitting

    @property
    def fitting(self) -> TileSet:
        """The tiles that fit on an end."""
        return self.rules.machine.fits[self.state]

    @property
    def can_draw(self) -> bool:
        """Whether there is anything to draw (C8)."""
        return self.rules.draws and bool(self.stock)

    def placements(self) -> Sequence[Placement]:
        """The different plays of the seat in turn; none where it must draw or knock."""
        return self.rules.machine.placements(self.state, self.playable)

    # What comes of it, in the order of C16.

    def play(self, placement: Placement) -> None:
        """The seat in turn plays."""
        seat, rules = self.turn, self.rules
        bit, self.state, points = placement
        self.hands[seat] ^= bit
        self.laid |= bit
        went_out = not self.hands[seat] and (rules.partner is None or not self.hands[rules.partner[seat]])
        event = points + rules.out_points if went_out else points
        if event:
            self._score(rules.side_of[seat], event)
        if self.winner is not None and not (went_out and rules.out_points):
            self.ended = DealReason.TARGET
        elif went_out:
            self.ended, self.out = DealReason.OUT, seat
            if rules.hands_count:
                self._add(rules.count_out(self._pips(), rules.side_of[seat]))
        else:
            self.close_if_blocked()
            if self.ended is None:
                self._pass_on()

    def draw(self) -> None:
        """The seat in turn draws; it stays its turn, unless that blocks the deal (C9)."""
        self.hands[self.turn] |= self.stock.pop()
        self.close_if_blocked()

    def knock(self) -> None:
        """The seat in turn passes."""
        self._pass_on()

    def _score(self, side: Side, event: int) -> None:
        score, target = self.scores[side] + event, self.rules.target
        if score <= target or not self.rules.exact:
            self.scores[side] = score
        if score >= target:
            self.winner = self.rules.winner(self.scores)

    def _pass_on(self) -> None:
        following, seat = self.rules.following, self.rules.following[self.turn]
        while not self.hands[seat]:
            seat = following[seat]
        self.turn = seat

    def close_if_blocked(self) -> None:
        """End the deal if every seat that holds tiles would have to knock (C9)."""
        if self.can_draw:
            return
        held = 0
        for hand in self.hands:
            held |= hand
        if not held & self.rules.machine.fits[self.state]:
            self.ended = DealReason.BLOCKED
            if self.rules.hands_count:
                self._add(self.rules.count_blocked(self._pips()))

    def _add(self, bonus: Sequence[Score]) -> None:
        self.scores[:] = [score + gained for score, gained in zip(self.scores, bonus, strict=True)]
        self.winner = self.rules.winner(self.scores)

    def _pips(self) -> tuple[int, ...]:
        """The pips left, one number a side; partners together (A8, A9)."""
        hands = self.hands
        if len(hands) == 4:
            return pips_in(hands[0] | hands[2]), pips_in(hands[1] | hands[3])
        return tuple([pips_in(hand) for hand in hands])
