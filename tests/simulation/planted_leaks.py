"""Planted faults by which somebody is told what they may not know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import match as matches
from engine.events import DealStarted
from engine.seats import Seat
from protocol.convert import advice_to_wire, choice_to_wire
from protocol.errors import ErrorCode, ProtocolError
from protocol.hints import Advice
from protocol.messages import client as messages
from server import audience
from server.advising import Advising
from server.archive import Archive
from server.audience import Audience, Logged
from server.records import build, packed
from server.table import evolve, play
from server.table.draft import Draft
from server.table.events import MatchOver, MatchStarted
from server.table.evolve import Step
from server.table.state import Actor, PlayerId, Table

Act = Callable[[Draft, Actor, messages.Act], None]


def hand_shown_to_a_watcher(patch: pytest.MonkeyPatch) -> None:
    """Who has no hand of this deal sees that of the first seat."""
    patch.setattr(Table, "eye", lambda table, player: table.eyes.get(player, (Seat(0),))[0])


def resumed_for_the_wrong_seat(patch: pytest.MonkeyPatch) -> None:
    """Steps that are sent again are shown as the next seat sees them."""
    note = Audience.note

    def note_wrongly(audience: Audience, step: Step, after: Table) -> Logged:
        logged = note(audience, step, after)
        eyes = {player: (Seat((seats[0] + 1) % len(after.places)),) for player, seats in after.eyes.items()}
        audience._tail[-1] = replace(logged, eyes=eyes)
        return logged

    patch.setattr(Audience, "note", note_wrongly)


def a_hint_that_is_found_late_is_told(patch: pytest.MonkeyPatch) -> None:
    """What was searched for a hand is told though it is covered by now, or the turn is another's."""
    honest = Advising._hint_for

    def tell(advising: Advising, player: PlayerId, choice_seq: int, found: Advice | None) -> dict[str, Any]:
        try:
            return honest(advising, player, choice_seq, found)
        except ProtocolError:
            if found is None:
                raise
            table = advising._audience.told
            head = {"type": "hint", "room": table.room, "seat": table.turn or 0, "seq": table.seq}
            return {**head, **advice_to_wire(found)}

    patch.setattr(Advising, "_hint_for", tell)


def a_refusal_shows_the_hand_in_turn(patch: pytest.MonkeyPatch) -> None:
    """Who acts out of turn is told what would be legal for the seat whose turn it is."""

    def show(table: Table, refusal: ProtocolError) -> None:
        if refusal.code is ErrorCode.NOT_YOUR_TURN and table.match is not None and table.turn is not None:
            refusal.legal = [choice_to_wire(choice) for choice in matches.choices(table.match)]

    patch.setattr(play, "act", _with_refusals(play.act, show))


def a_refusal_hangs_on_the_stock(patch: pytest.MonkeyPatch) -> None:
    """A refusal is put in other words when the next tile of the stock is a double, and names no tile."""

    def put(table: Table, refusal: ProtocolError) -> None:
        deal = None if table.match is None else table.match.deal
        if refusal.code is ErrorCode.ILLEGAL_ACTION and deal is not None and any(t.is_double for t in deal.stock[:1]):
            refusal.path = "action.type"

    patch.setattr(play, "act", _with_refusals(play.act, put))


def a_hand_stays_uncovered_when_the_turn_moves(patch: pytest.MonkeyPatch) -> None:
    """Of a device with several seats the hand that was shown last is shown whenever its turn comes again."""

    def hides_all(step: Step, _after: Table, _shown: Seat) -> bool:
        return any(isinstance(event, DealStarted) for event in step.events)

    patch.setattr(audience, "hides_hands", hides_all)


def a_covered_hand_is_taken_for_one_that_is_shown(patch: pytest.MonkeyPatch) -> None:
    """Who acts against the rules with a hand that is covered is told what would be legal."""
    patch.setattr(Audience, "sees_turn", lambda *_: True)


def a_record_goes_on_after_the_match(patch: pytest.MonkeyPatch) -> None:
    """What follows the end of a match in the same step is in its record, the next deal with all hands too."""
    entry = build.entry

    def whole_entry(step: Step, match: build.Finished) -> dict[str, Any]:
        return entry(step, replace(match, last=replace(match.last, seq=-1)))

    patch.setattr(build, "entry", whole_entry)


def a_record_is_told_before_the_match_has_ended(patch: pytest.MonkeyPatch) -> None:
    """Who asks for the last record of a room is told all of the match that runs there."""
    last_of = Archive.last_of

    async def last_or_running(archive: Archive, room: str) -> bytes | None:
        steps = [build.unpacked(stored) for stored in await archive._store.history(room)]
        begun = [step for step in steps if any(isinstance(event, MatchStarted) for event in step.events)]
        if not begun or steps[0].seq != 1 or any(isinstance(event, MatchOver) for event in steps[-1].events):
            return await last_of(archive, room)
        over = MatchOver(None, (0,), "0" * 64, "0" * 16)
        last = replace(steps[-1], events=(*steps[-1].events, over))
        match = build.Finished(1, begun[-1], last, practice=False)
        packing = packed.Packing(build.header(evolve.replay(room, steps), match))
        for step in (*steps[begun[-1].seq - 1 : -1], last):
            packing.add(build.entry(step, match))
        return packing.payload()

    patch.setattr(Archive, "last_of", last_or_running)


def _with_refusals(act: Act, change: Callable[[Table, ProtocolError], None]) -> Act:
    """``act`` with a change to each of its refusals."""

    def changed(draft: Draft, actor: Actor, message: messages.Act) -> None:
        try:
            act(draft, actor, message)
        except ProtocolError as refusal:
            change(draft.table, refusal)
            raise

    return changed


LEAKS = (
    hand_shown_to_a_watcher,
    resumed_for_the_wrong_seat,
    a_hint_that_is_found_late_is_told,
    a_refusal_shows_the_hand_in_turn,
    a_refusal_hangs_on_the_stock,
    a_hand_stays_uncovered_when_the_turn_moves,
    a_covered_hand_is_taken_for_one_that_is_shown,
    a_record_goes_on_after_the_match,
    a_record_is_told_before_the_match_has_ended,
)
"""All of them."""
