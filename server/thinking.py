"""What the bot in turn at a table thinks about, from the moment in which its turn begins."""

from __future__ import annotations

from typing import NamedTuple

from engine.actions import Action
from engine.match import Match
from engine.seats import Seat
from server.house_players import Answer, HousePlayers
from server.table import timers
from server.table.state import Table


class Turn(NamedTuple):
    """One choice of one bot in one life of a room: what is thought about it counts for no other."""

    epoch: int
    choice_seq: int
    seat: Seat
    level: str


class Thinking:
    """The one question that a room has asked, if any. The bot acts when it is its time, with an answer or without."""

    def __init__(self, house: HousePlayers, epoch: int) -> None:
        self._house = house
        self._epoch = epoch
        self._turn: Turn | None = None
        self._answer: Answer | None = None

    def begin(self, table: Table) -> None:
        """Let the bot in turn at ``table`` think, unless it does. What was thought about another turn is forgotten."""
        turn = self._turn_at(table)
        if turn == self._turn:
            return
        self.forget()
        if turn is not None:
            self._turn = turn
            self._answer = self._house.ask(turn.level, _match_of(table), turn.seat)

    def forget(self) -> None:
        """Whatever is thought is for nothing, and is not begun if it was not yet."""
        answer, self._turn, self._answer = self._answer, None, None
        if answer is not None:
            answer.cancel()

    def choice(self, table: Table, now: float) -> Action | None:
        """What the bot in turn at ``table`` does now. None: it is not its time, or it is about to begin to think."""
        due = timers.bot_turn(table)
        if due is None or now < due or self._turn_at(table) != self._turn:
            return None
        return self.choice_at_once(table)

    def choice_at_once(self, table: Table) -> Action:
        """What a bot chooses for the seat in turn at ``table``, from what that seat may know (H2), thought or not."""
        seat, match = table.turn, _match_of(table)
        if seat is None:
            raise ValueError(f"nobody is to act in room {table.room}")
        level = table.places[seat].house_level
        if level is None:
            return self._house.choose_at_once(table.settings.bot, match, seat)
        answer = self._answer if self._turn_at(table) == self._turn else None
        return self._house.choose(level, match, seat, answer)

    def _turn_at(self, table: Table) -> Turn | None:
        seat = table.turn
        if seat is None or timers.bot_turn(table) is None:
            return None
        level = table.places[seat].house_level
        return None if level is None else Turn(self._epoch, table.choice_seq, seat, level)


def _match_of(table: Table) -> Match:
    if table.match is None:
        raise ValueError(f"no match runs in room {table.room}")
    return table.match
