"""Faults like those that the simulation is there to find, each put into the server by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine import match as matches
from engine.actions import Action
from engine.seats import Seat
from protocol.messages import client as messages
from server import alarm
from server.alarm import Alarm
from server.answers import Answers
from server.archive import Archive
from server.audience import Audience
from server.journal import Entry, Journal
from server.listener import Listener
from server.open_tables import OpenTables
from server.outgoing import Outgoing
from server.registry import Registry
from server.room import Room
from server.room_index import RoomIndex
from server.session import Session
from server.store.base import Outcome
from server.store.base import Step as StoredStep
from server.store.index import Index
from server.table import consent, evolve, play, timers
from server.table.decide import ServerRequest
from server.table.draft import Draft
from server.table.events import Asked
from server.table.evolve import Step
from server.table.state import Actor, Table
from server.thinking import Thinking, Turn
from server.world import World
from tests.simulation.planted_leaks import LEAKS

Plant = Callable[[pytest.MonkeyPatch], None]


def told_before_durable(patch: pytest.MonkeyPatch) -> None:
    """Everybody hears of a step while it is being written."""
    add = Journal.add

    def tell_and_add(journal: Journal, entry: Entry) -> None:
        entry.tell()
        add(journal, replace(entry, told=_nothing, held=[]))

    patch.setattr(Journal, "add", tell_and_add)


def id_looked_up_too_late(patch: pytest.MonkeyPatch) -> None:
    """An id is known once its step is durable: a copy that comes before that is decided anew."""
    remember, told = Room._remember, Room._told

    def remember_later(room: Room, cause: Any, seq: int | None) -> None:
        if seq is None or room.audience.told.seq >= seq:
            remember(room, cause, seq)
        else:
            _late(room)[seq] = cause

    def told_and_remember(room: Room, step: Step, *others: Any) -> None:
        cause = _late(room).pop(step.seq, None)
        if cause is not None:
            remember(room, cause, step.seq)
        told(room, step, *others)

    patch.setattr(Room, "_remember", remember_later)
    patch.setattr(Room, "_told", told_and_remember)


def ids_forgotten_at_restart(patch: pytest.MonkeyPatch) -> None:
    """Who resends after a restart is a stranger."""
    load = Room.load.__func__  # type: ignore[attr-defined]

    def load_and_forget(kind: type[Room], *args: Any) -> Room:
        room: Room = load(kind, *args)
        room._answers = Answers(0)
        return room

    patch.setattr(Room, "load", classmethod(load_and_forget))


def timer_not_cancelled(patch: pytest.MonkeyPatch) -> None:
    """An old timer of a room goes on beside the new one."""
    patch.setattr(Alarm, "_stop", _nothing)


def bot_acts_whenever_a_timer_fires(patch: pytest.MonkeyPatch) -> None:
    """As if every timer were the bot's: it acts twice, or before its time."""
    due_request = alarm.due_request

    def request(table: Table, now: float, thinking: Thinking) -> ServerRequest:
        seat = table.turn
        if seat is not None and table.places[seat].house_level is not None:
            now += table.settings.bot_delay
        return due_request(table, now, thinking)

    patch.setattr("server.room.due_request", request)


def what_was_thought_before_an_undo_is_done_after_it(patch: pytest.MonkeyPatch) -> None:
    """A position is known by how much was played, and what was thought about it is kept while a person is in turn."""
    begin, turn_at = Thinking.begin, Thinking._turn_at

    def turn_by_number(thinking: Thinking, table: Table) -> Turn | None:
        turn = turn_at(thinking, table)
        return None if turn is None else turn._replace(choice_seq=len(table.deal_events))

    def begin_unless_a_person_is_in_turn(thinking: Thinking, table: Table) -> None:
        if turn_at(thinking, table) is not None:
            begin(thinking, table)

    patch.setattr(Thinking, "_turn_at", turn_by_number)
    patch.setattr(Thinking, "begin", begin_unless_a_person_is_in_turn)


def a_bot_without_a_choice_acts_at_once(patch: pytest.MonkeyPatch) -> None:
    """When it acts tells that it holds one tile that fits."""
    bot_turn = timers.bot_turn

    def bot_turn_by_the_hand(table: Table) -> float | None:
        due = bot_turn(table)
        has_choice = due is None or table.match is None or len(matches.choices(table.match)) > 1
        return due if has_choice else table.turn_since

    patch.setattr(timers, "bot_turn", bot_turn_by_the_hand)


def a_search_is_waited_for(patch: pytest.MonkeyPatch) -> None:
    """A table stands still until a bot answers, whose process has died perhaps."""
    choice = Thinking.choice

    def choice_with_an_answer(thinking: Thinking, table: Table, now: float) -> Action | None:
        answer = thinking._answer
        return choice(thinking, table, now) if answer is None or answer.done() else None

    patch.setattr(Thinking, "choice", choice_with_an_answer)


def update_skipped_for_one_listener(patch: pytest.MonkeyPatch) -> None:
    """Every fifth step is told to all but the one who came last."""
    tell = Audience.tell

    def tell_but_the_last(audience: Audience, step: Step, after: Table) -> None:
        listeners = dict(audience.listeners)
        if step.seq % 5 == 0 and len(listeners) > 1:
            audience.listeners.popitem()
        tell(audience, step, after)
        audience.listeners = listeners

    patch.setattr(Audience, "tell", tell_but_the_last)


def presence_lost_after_restart(patch: pytest.MonkeyPatch) -> None:
    """Who was there before the restart counts as there."""
    patch.setattr(Room, "restarted", Room.arm)


def lost_connection_not_noticed(patch: pytest.MonkeyPatch) -> None:
    """A room goes on telling a connection that is gone."""

    def end(session: Session) -> None:
        session.is_open = False

    patch.setattr(Session, "end", end)


def resumed_one_step_late(patch: pytest.MonkeyPatch) -> None:
    """The first of the missed steps is left out."""
    tell_again = Audience.tell_again

    def tell_the_rest(audience: Audience, listener: Listener, missed: Any) -> None:
        tell_again(audience, listener, missed[1:])

    patch.setattr(Audience, "tell_again", tell_the_rest)


def refusal_forgotten(patch: pytest.MonkeyPatch) -> None:
    """One refusal in four is not said."""
    send = Session.send
    count = 0

    def send_most(session: Session, outgoing: Outgoing) -> None:
        nonlocal count
        count += outgoing.message["type"] == "error"
        if outgoing.message["type"] != "error" or count % 4:
            send(session, outgoing)

    patch.setattr(Session, "send", send_most)


def memory_runs_apart_from_the_log(patch: pytest.MonkeyPatch) -> None:
    """What is in memory is not what the log makes of it."""
    apply = evolve.apply

    def apply_and_count(table: Table, event: Any) -> Table:
        return replace(apply(table, event), choice_seq=table.seq)

    patch.setattr("server.table.draft.apply", apply_and_count)


def failed_steps_count(patch: pytest.MonkeyPatch) -> None:
    """A step that could not be written stays in memory."""
    patch.setattr(Entry, "fail", Entry.tell)


def later_steps_are_written_all_the_same(patch: pytest.MonkeyPatch) -> None:
    """What was decided on a step that failed goes to the store behind it."""

    def fail(_journal: Journal, entries: list[Entry]) -> None:
        for entry in entries:
            entry.fail()

    patch.setattr(Journal, "_fail", fail)


def every_number_that_is_there_is_the_same_step(patch: pytest.MonkeyPatch) -> None:
    """The store does not look what it is that stands in the log already."""
    sort_out = Index._sort_out

    def sort_out_by_number(index: Index[Any], step: StoredStep, *others: Any) -> Outcome:
        outcome = sort_out(index, step, *others)
        log = index.find(step.room)
        is_there = log is not None and log.first <= step.seq <= log.head
        return Outcome.ALREADY_THERE if is_there else outcome

    patch.setattr(Index, "_sort_out", sort_out_by_number)


def time_for_a_choice_runs_on_without_anybody(patch: pytest.MonkeyPatch) -> None:
    """What a pause or a restart has taken is not given back."""
    time_left = timers.time_left

    def time_left_of_all(table: Table, now: float) -> float | None:
        return time_left(replace(table, resumed_at=0.0), now)

    patch.setattr(timers, "time_left", time_left_of_all)
    patch.setattr("server.views.time_left", time_left_of_all)


def bots_do_not_wait_for_who_comes_back(patch: pytest.MonkeyPatch) -> None:
    """A bot acts at once when somebody comes back to a table at which nobody was."""
    bot_turn = timers.bot_turn
    patch.setattr(timers, "bot_turn", lambda table: bot_turn(replace(table, resumed_at=0.0)))


def absence_has_no_end(patch: pytest.MonkeyPatch) -> None:
    """Nobody plays for the absent, and nobody has the host's part for them."""
    patch.setattr(timers, "_absences", lambda *_: ())


def the_absent_are_waited_for(patch: pytest.MonkeyPatch) -> None:
    """The next deal begins only when those have said `next` who are not there, too."""

    def all_ready(table: Table) -> bool:
        return all(place.ready for place in table.humans())

    patch.setattr(play, "all_ready", all_ready)


def stale_acts_are_taken(patch: pytest.MonkeyPatch) -> None:
    """An act that was chosen before the last play is taken for one that was chosen now."""
    act = play.act

    def act_now(draft: Draft, actor: Actor, message: messages.Act) -> None:
        act(draft, actor, message.model_copy(update={"seq": draft.table.seq}))

    patch.setattr(play, "act", act_now)


def computers_consent_for_the_absent(patch: pytest.MonkeyPatch) -> None:
    """A bot that plays for somebody consents in that person's place."""
    needed = consent._needed

    def needed_of_those_who_play(table: Table, wanted: Asked) -> tuple[Seat, ...]:
        return tuple(seat for seat in needed(table, wanted) if table.places[seat].is_played_by_person)

    patch.setattr(consent, "_needed", needed_of_those_who_play)


def another_seed_is_shown(patch: pytest.MonkeyPatch) -> None:
    """The seed that a match ends with is not the one that it was promised to have."""
    match_over = play.match_over
    patch.setattr(play, "match_over", lambda draft, event: replace(match_over(draft, event), seed="0" * 64))


def a_seat_is_free_before_that_is_durable(patch: pytest.MonkeyPatch) -> None:
    """The registry takes a room from its players when leaving it is decided."""
    changed = RoomIndex.changed

    def change_and_free(index: RoomIndex, room: Room, _before: Table | None) -> None:
        index.forget_places(room.code)
        changed(index, room, None)

    patch.setattr(RoomIndex, "changed", change_and_free)
    patch.setattr(Registry, "_told", lambda registry, _before, after: registry.open_tables.note(after))


def a_match_leaves_no_record(patch: pytest.MonkeyPatch) -> None:
    """Nobody tells the archive that a match has ended."""
    patch.setattr(Archive, "ended", _nothing)


def a_table_is_listed_before_that_is_durable(patch: pytest.MonkeyPatch) -> None:
    """Who looks for a table finds it as it is decided."""
    begin = Registry.__init__

    def begin_and_list(registry: Registry, world: World) -> None:
        begin(registry, world)
        hooks = registry._hooks

        def change_and_list(room: Room, before: Table | None) -> None:
            hooks.changed(room, before)
            registry.open_tables.note(room.table)

        registry._hooks = replace(hooks, changed=change_and_list)

    patch.setattr(Registry, "__init__", begin_and_list)


def who_stays_at_the_list_hears_of_no_change(patch: pytest.MonkeyPatch) -> None:
    """What is gathered for those who look for a table is told to nobody."""

    def forget(tables: OpenTables) -> None:
        tables._timer = None
        tables._changed = {}

    patch.setattr(OpenTables, "_push", forget)


def _nothing(*_: Any) -> None:
    """Instead of something that had to be done."""


def _late(room: Room) -> dict[int, Any]:
    late: dict[int, Any] = room.__dict__.setdefault("_late", {})
    return late


PLANTS: Mapping[str, Plant] = {
    plant.__name__: plant
    for plant in (
        *LEAKS,
        told_before_durable, id_looked_up_too_late, ids_forgotten_at_restart, timer_not_cancelled,
        bot_acts_whenever_a_timer_fires, what_was_thought_before_an_undo_is_done_after_it, a_search_is_waited_for,
        a_bot_without_a_choice_acts_at_once,
        update_skipped_for_one_listener, presence_lost_after_restart,
        lost_connection_not_noticed, resumed_one_step_late, refusal_forgotten, memory_runs_apart_from_the_log,
        failed_steps_count, later_steps_are_written_all_the_same,
        every_number_that_is_there_is_the_same_step, time_for_a_choice_runs_on_without_anybody,
        bots_do_not_wait_for_who_comes_back, absence_has_no_end, the_absent_are_waited_for, stale_acts_are_taken,
        computers_consent_for_the_absent, another_seed_is_shown, a_seat_is_free_before_that_is_durable,
        a_match_leaves_no_record, a_table_is_listed_before_that_is_durable, who_stays_at_the_list_hears_of_no_change,
    )
}  # fmt: skip
