"""Follows a transcript step by step and tells where the rules say something else.

Nothing in a transcript is trusted: what cannot be read is a difference too.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce

from engine import match as matches
from engine.actions import Action
from engine.deal import Deal, decide, legal_actions
from engine.errors import RuleViolation
from engine.events import DealStarted, Event
from engine.games import GAMES, Game
from engine.match import Match
from engine.seats import Seat, seat_range
from engine.tiles import full_set
from engine.transcript.form import ALL_ACTIONS, Plain, read_action, write_action, write_result, write_step
from engine.transcript.notes import LostError, Notes, Record

FORMAT = "domino-transcript/1"
"""The one form that is read."""

_KEYS = ("format", "id", "variant", "seats", "target", "start_scores", "rules", "tags", "deals", "match_won")
_DEAL_KEYS = ("lead", "hands", "stock", "steps", "result")


@dataclass(frozen=True, slots=True)
class Replay:
    """How many steps were followed, and each difference as text: place, key, expected, got."""

    steps: int
    differences: tuple[str, ...]


def replay(transcript: object) -> Replay:
    """Play ``transcript``, as JSON reads it, compare every value in it and try every action that it does not take."""
    reader = _Reader()
    with suppress(LostError):
        reader.follow(transcript)
    return Replay(reader.steps, tuple(reader.notes.differences))


@dataclass(slots=True)
class _Reader:
    """Follows one transcript and counts its ``steps``."""

    steps: int = 0
    notes: Notes = field(default_factory=Notes)

    def follow(self, transcript: object) -> None:
        record = self.notes.record_of("transcript", transcript, _KEYS, optional=("note",))
        self._check_labels(record)
        match = self._begin(record)
        for number, deal in enumerate(self.notes.filled("deals", record["deals"]), 1):
            self.notes.place = f"deal {number}"
            match = self._follow_deal(match, self.notes.record_of("deal", deal, _DEAL_KEYS))
        self.notes.place = ""
        self.notes.compare("match_won", match.winner, record["match_won"])

    def _check_labels(self, record: Record) -> None:
        """Check what only says what the transcript is about."""
        self.notes.compare("format", FORMAT, record["format"])
        for key in ("id", "note"):
            if not isinstance(record.get(key, ""), str):
                self.notes.note(key, "a text", record[key])
        for key in ("rules", "tags"):
            if not all(isinstance(name, str) for name in self.notes.items(key, record[key])):
                self.notes.note(key, "texts", record[key])

    def _begin(self, record: Record) -> Match:
        game = self._game(record["variant"])
        seats = self.notes.whole("seats", record["seats"], range(2, 5))
        self.notes.compare("target", game.target(seats), record["target"])
        written = self.notes.items("start_scores", record["start_scores"])
        scores = [self.notes.points("start_scores", score) for score in written]
        try:
            return matches.begin(game, seats, scores=scores)
        except ValueError:
            self.notes.lose("start_scores", "scores of an open match, one a side", written)

    def _game(self, name: object) -> Game:
        if not isinstance(name, str) or name not in GAMES:
            self.notes.lose("variant", f"one of {list(GAMES)}", name)
        return GAMES[name]

    def _follow_deal(self, match: Match, record: Record) -> Match:
        here = self.notes.place
        match = matches.evolve(match, self._started(match, record))
        for number, step in enumerate(self.notes.filled("steps", record["steps"]), 1):
            self.notes.place = f"{here}, step {number}"
            match = self._follow_step(match, self.notes.record("step", step))
        self.notes.place = f"{here}, result"
        self._check_end(match, record["result"])
        return match

    def _started(self, match: Match, record: Record) -> DealStarted:
        lead = self._lead(match, record["lead"])
        hands = tuple([self.notes.tiles("hands", hand) for hand in self.notes.items("hands", record["hands"])])
        stock = self.notes.tiles("stock", record["stock"])
        sizes = (match.game.hand_size(match.seats),) * match.seats
        if tuple(map(len, hands)) != sizes:
            self.notes.lose("hands", f"hands of {sizes}", record["hands"])
        if sorted([*sum(hands, ()), *stock]) != list(full_set()):
            self.notes.lose("hands and stock", "each tile once", [record["hands"], record["stock"]])
        number = 1 if match.deal is None else match.deal.number + 1
        return DealStarted(number, lead, sizes, len(stock), hands, stock)

    def _lead(self, match: Match, written: object) -> Seat:
        """The seat that leads: what the lot happened to be, where it was by lot."""
        if match.next_lead is None:
            self.notes.lose("lead", "no further deal", written)
        lead = Seat(self.notes.whole("lead", written, seat_range(match.seats)))
        if match.next_lead not in ("lot", lead):
            self.notes.lose("lead", str(match.next_lead), lead)
        return lead

    def _follow_step(self, match: Match, record: Record) -> Match:
        before = _deal(match)
        if before.turn is None:
            self.notes.lose("step", "none after the end of the deal", record)
        action = self._action(record.get("action"))
        events = self._decided(before, before.turn, action)
        after = reduce(matches.evolve, events, match)
        self.steps += 1
        self.notes.compare_each(write_step(before, action, events[0], _deal(after)), record)
        return after

    def _action(self, written: object) -> Action:
        action = read_action(written)
        if action is None:
            self.notes.lose("action", "an action", written)
        return action

    def _decided(self, deal: Deal, turn: Seat, action: Action) -> tuple[Event, ...]:
        """What ``action`` leads to, once all others have been tried: the legal ones are accepted, the rest refused."""
        legal = [write_action(choice) for choice in legal_actions(deal)]
        self.notes.compare("accepted", legal, _accepted(deal, turn, ALL_ACTIONS))
        for seat in seat_range(deal.seats):
            if seat != turn:
                self.notes.compare(f"accepted from seat {seat}", [], _accepted(deal, seat, [action]))
        try:
            return decide(deal, turn, action)
        except RuleViolation as refusal:
            self.notes.lose("action", f"a legal one, not {refusal}", write_action(action))

    def _check_end(self, match: Match, result: object) -> None:
        """Compare ``result``; it is null where the record stops before the end of the deal."""
        deal = _deal(match)
        if deal.ended is None:
            self.notes.compare("result", None, result)
            return
        self.notes.compare_each(write_result(deal.ended, match.winner), self.notes.record("result", result))
        for seat in seat_range(deal.seats):
            self.notes.compare("accepted", [], _accepted(deal, seat, ALL_ACTIONS))


def _deal(match: Match) -> Deal:
    if match.deal is None:
        raise ValueError("no deal yet")
    return match.deal


def _accepted(deal: Deal, seat: Seat, actions: Iterable[Action]) -> list[Plain]:
    """Those of ``actions`` that are accepted from ``seat``, as written."""
    return [write_action(action) for action in actions if _accepts(deal, seat, action)]


def _accepts(deal: Deal, seat: Seat, action: Action) -> bool:
    try:
        decide(deal, seat, action)
    except RuleViolation:
        return False
    return True
