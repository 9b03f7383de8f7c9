"""What can be proved of a finished match from its record alone: the deals, the lots, and every result (L2, L3)."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from engine import match as matches
from engine.errors import RuleViolation
from engine.events import Event, MatchEnded
from engine.seats import Seat
from engine.shuffle import Shuffle, commitment
from protocol.convert import Wire, action_from_wire, event_to_log
from protocol.messages import NAME_CHARACTERS
from protocol.messages.events import EventShown
from server.records.form import Record, RecordStep
from server.records.line import OF_THE_RULES, TAKEN_BACK, Line
from server.records.replay import Course

_ACTIONS = {"played": "play", "drew": "draw", "knocked": "knock"}
_AT_THE_TABLE: TypeAdapter[Any] = TypeAdapter(EventShown)
_MAX_SHOWN = 60
"""Characters of a value in a fault."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was proved, what cannot be, and what is wrong, each in a plain line. Where anything is wrong, only that."""

    proved: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def verify(record: Record, told: str | None = None) -> Verdict:
    """Hold ``record`` against its own seed, against the rules, and against the commitment that was ``told`` before."""
    faults = list(_faults_of_header(record))
    if told is not None and told != record.commitment:
        faults.append(f"commitment: {record.commitment}, but {told} was told before the match")
    referee = _Referee(record)
    try:
        for step in record.steps:
            referee.judge(step)
        referee.require_end()
        faults += _faults_of_result(record, referee.counted)
    except _Fault as fault:
        faults.append(str(fault))
    if faults:
        return Verdict(faults=tuple(faults))
    return Verdict(tuple(_proved(record, referee.counted)), tuple(_unproved(record, told)))


class _Fault(Exception):
    """Something in the steps is wrong: what follows makes no sense any more."""


def _faults_of_header(record: Record) -> Iterator[str]:
    settings = record.settings
    if commitment(bytes.fromhex(record.seed)) != record.commitment:
        yield "seed: it does not have the commitment"
    if (settings.game, settings.seats) != (record.game, record.seats):
        yield "settings: another game, or another number of seats, than the match"
    if len(record.players) != record.seats:
        yield f"players: {len(record.players)} for {record.seats} seats"
    seated = iter([player.player for player in record.players])
    if not all(given.player in seated for given in record.entropy):  # each is sought behind the one before
        yield "entropy: not in the order of the seats, or of somebody who has none"


def _faults_of_result(record: Record, counted: Mapping[str, int]) -> Iterator[str]:
    """The steps were found to be right: the head of the record must say the same."""
    is_practice = counted["restarted"] > 0
    if "practice" in record.model_fields_set and record.practice != is_practice:
        yield f"practice: {str(record.practice).lower()}, but the match was begun again {counted['restarted']} times"
    ended, head = record.steps[-1].events[-1], record.to_wire()
    for name in ("winner", "scores"):
        if _text(ended, name) != _text(head, name):
            yield f"{name}: {_text(head, name)}, but {_text(ended, name)} in match_ended"


class _Referee:
    """Deals again and plays again what the steps say, and compares."""

    def __init__(self, record: Record) -> None:
        self.counted: Counter[str] = Counter()
        self._record = record
        self._course = Course(record)
        self._line = Line(record)
        self._shuffle = Shuffle(bytes.fromhex(record.seed), [bytes.fromhex(e.value) for e in record.entropy])
        self._due: deque[Wire] = deque()
        """What must come next, since it follows from what has come."""
        self._seq = record.steps[0].seq if record.steps else 0

    def judge(self, step: RecordStep) -> None:
        """The next step. Raises _Fault."""
        if step.seq != self._seq:
            raise _Fault(f"step {step.seq}: where step {self._seq} is next")
        if not (self.counted or step.events):
            raise _Fault(f"step {step.seq}: the match does not begin")
        if self._course.match.over:
            raise _Fault(f"step {step.seq}: after the end of the match")
        for number, event in enumerate(step.events, 1):
            where = f"step {step.seq}, event {number}"
            try:
                self._judge_event(event)
            except _Fault as fault:
                raise _Fault(f"{where}, {fault}") from None
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise _Fault(f"{where}: it makes no sense ({type(error).__name__})") from None
        if self._due:
            raise _Fault(f"step {step.seq}: {self._due[0]['type']} is missing")
        self._course.end_step(step.seq)
        self._line.end_step(step.seq)
        self._seq += 1

    def require_end(self) -> None:
        """The last step was judged. Raises _Fault if the match goes on."""
        if not self._course.match.over:
            raise _Fault("steps: the match does not end")

    def _judge_event(self, event: Wire) -> None:
        kind = str(event.get("type"))
        if self._course.match.over:
            raise _Fault(f"{kind}: after the end of the match")
        if not self.counted:
            self._compare_start(event)
        elif kind in OF_THE_RULES or kind == "match_ended":
            if not self._due:
                self._due.extend(map(self._as_told, self._what_follows(kind, event)))
            _compare(event, self._due.popleft())
        else:
            self._check_beside_the_rules(kind, event)
        self._course.take_in(event)
        self._line.take_in(event)
        self.counted[kind] += 1

    def _compare_start(self, event: Wire) -> None:
        """`match_started`: the first deal must follow. Of the commitment to the next seed only the form is known."""
        entropy = [given.model_dump() for given in self._record.entropy]
        right = {"type": "match_started", "commitment": self._record.commitment, "entropy": entropy}
        _compare({name: value for name, value in event.items() if name != "next_commitment"}, right)
        _check_form(event)
        self._due.extend(map(self._as_told, matches.next_deal(self._course.match, self._shuffle)))

    def _what_follows(self, kind: str, event: Wire) -> tuple[Event, ...]:
        """All that the rules make of ``event``, itself included."""
        match = self._course.match
        if kind in {"lot", "deal_started"} and match.next_lead is not None:
            return matches.next_deal(match, self._shuffle)
        if kind in _ACTIONS:
            if type(event["seat"]) is not int:
                raise _Fault(f"{kind}.seat: {_text(event, 'seat')} is no seat")
            named = {name: event[name] for name in ("tile", "end") if kind == "played"}
            try:
                return matches.decide(match, Seat(event["seat"]), action_from_wire({"type": _ACTIONS[kind], **named}))
            except RuleViolation as violation:
                raise _Fault(f"{kind}: against the rules: {violation.reason.value.replace('_', ' ')}") from None
        if kind == "match_ended" and self._record.winner is None:
            return (MatchEnded(None, match.scores),)
        raise _Fault(f"{kind}: nothing leads to it")

    def _as_told(self, event: Event) -> Wire:
        if isinstance(event, MatchEnded):
            return {**event_to_log(event), "seed": self._record.seed, "record": self._record.id}
        return event_to_log(event)

    def _check_beside_the_rules(self, kind: str, event: Wire) -> None:
        """What happens beside the rules cannot be proved, but it must be what it is said to be."""
        if self._due:
            raise _Fault(f"{kind}: {self._due[0]['type']} must come here")
        if kind == "match_started":
            raise _Fault(f"{kind}: in the middle of the match")
        _check_form(event)
        if kind == "asked" or kind in TAKEN_BACK:
            self._require_place(kind, event)

    def _require_place(self, kind: str, event: Wire) -> None:
        """A take-back leads to one step, and who asks for one names it."""
        places = self._line.leads_to(event)
        if event.get("to") not in places:
            right = ", ".join(map(str, sorted(places, key=str))) or "nothing"
            raise _Fault(f"{kind}.to: {event.get('to')} in the record, {right} by what happened before")


def _check_form(event: Wire) -> None:
    try:
        _AT_THE_TABLE.validate_python(event, extra="forbid", context={NAME_CHARACTERS: 0})
    except ValidationError as invalid:
        fault = invalid.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, fault["loc"])) or event.get("type")
        raise _Fault(f"{where}: {fault['msg']}") from None


def _compare(found: Wire, right: Wire) -> None:
    """Raises _Fault at the first field of ``found`` that is not as it must be."""
    if found.get("type") != right["type"]:
        raise _Fault(f"{found.get('type')}: {right['type']} must come here")
    for name in {**right, **found}:
        in_record, by_rules = _text(found, name), _text(right, name)
        if in_record != by_rules:
            where = f"{right['type']}.{name}"
            raise _Fault(f"{where}: {_short(in_record)} in the record, {_short(by_rules)} by seed and rules")


def _text(event: Mapping[str, Any], name: str) -> str:
    """A field as JSON: numbers, truth values and texts that Python takes for equal are not."""
    return json.dumps(event[name], sort_keys=True) if name in event else "nothing"


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "..."


def _proved(record: Record, counted: Mapping[str, int]) -> Iterator[str]:
    actions = sum(counted[kind] for kind in _ACTIONS)
    back = sum(counted[kind] for kind in TAKEN_BACK)
    givers = len(record.entropy)
    yield f"the seed has the commitment {record.commitment}"
    yield f"the entropy of {givers} of {record.seats} seats is mixed into it, in their order"
    yield f"deals and lots are those of seed and entropy, dealt again: {counted['deal_started']} and {counted['lot']}"
    yield f"all actions were legal, and every point, score, end and lead follows from them: {actions}"
    if back:
        yield f"after each time that something was taken back or brought again the match went on from there: {back}"
    if record.winner is None:
        yield "the match was broken off without a winner"
    else:
        scores = ", ".join(f"{score:g}" for score in record.scores)
        yield f"by these acts side {record.winner} has won; the scores are {scores}"


def _unproved(record: Record, told: str | None) -> Iterator[str]:
    """What a record alone does not show: it could say something else, and nothing above would find it."""
    if told is None:
        yield "that the commitment was published before the match: compare it with what your client was told"
    yield "that these acts were made: each is legal, but others may have been legal too; and so who has won by them"
    yield "who played, whether a person or a bot, under which name, when, on which server and under which id"
    yield "that nothing was taken back beside what is told, and that of what was taken back all acts are told"
    if record.winner is None:
        yield "that the match was broken off where it ends here: what came after, a result too, may be left out"
    yield "settings other than game, seats and lead; the target only as far as the scores show it"
    yield "what was said and done at the table beside the rules, and which commitment the next match had"
