"""A record played again: the match after each of its events, take-backs included.

Only what is said to have happened is folded; whether it could is for `server.records.verify`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import match as matches
from engine.events import MatchEnded
from engine.games import GAMES
from engine.match import Match
from engine.seats import Seat
from protocol.convert import Wire, event_from_log, scores_from_wire
from server.records.form import Record
from server.records.line import OF_THE_RULES, TAKEN_BACK


class Course:
    """The match of a record, event by event. It remembers how the match stood after each step."""

    def __init__(self, record: Record) -> None:
        settings = record.settings
        lead = settings.lead if settings.lead == "lot" else Seat(settings.lead)
        self.match = matches.begin(GAMES[settings.game], settings.seats, settings.target, lead)
        self._after: dict[int, Match] = {}

    def take_in(self, event: Wire) -> None:
        """``event`` happens next. LookupError if it goes back to a step that is none of this match's."""
        kind = event["type"]
        if kind in OF_THE_RULES:
            self.match = matches.evolve(self.match, event_from_log(event))
        elif kind == "match_ended":
            self.match = matches.evolve(self.match, MatchEnded(event["winner"], scores_from_wire(event["scores"])))
        elif kind in TAKEN_BACK:
            self.match = self._after[event["to"]]

    def end_step(self, seq: int) -> None:
        """Step ``seq`` is over."""
        self._after[seq] = self.match


def replay(record: Record) -> Iterator[tuple[int, Wire, Match]]:
    """The number of the step, the event, and the match after it, for each event of ``record``."""
    course = Course(record)
    for step in record.steps:
        for event in step.events:
            course.take_in(event)
            yield step.seq, event, course.match
        course.end_step(step.seq)
