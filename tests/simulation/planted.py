"""Faults like those that the simulation is there to find, each put into the server by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.seats import Seat
from server import alarm
from server.alarm import Alarm
from server.answers import Answers
from server.audience import Audience, Logged
from server.house_players import HousePlayers
from server.journal import Entry, Journal
from server.listener import Listener
from server.outgoing import Outgoing
from server.room import Room
from server.session import Session
from server.table import evolve
from server.table.decide import ServerRequest
from server.table.evolve import Step
from server.table.state import Table

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
    patch.setattr(Alarm, "cancel", _nothing)


def bot_acts_whenever_a_timer_fires(patch: pytest.MonkeyPatch) -> None:
    """As if every timer were the bot's: it acts twice, or before its time."""
    due_request = alarm.due_request

    def request(table: Table, now: float, house: HousePlayers) -> ServerRequest:
        seat = table.turn
        if seat is not None and table.places[seat].house_level is not None:
            now += table.settings.bot_delay
        return due_request(table, now, house)

    patch.setattr("server.room.due_request", request)


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


def hand_shown_to_a_watcher(patch: pytest.MonkeyPatch) -> None:
    """Who has no hand of this deal sees that of the first seat."""
    patch.setattr(Table, "eye", lambda table, player: table.eyes.get(player, (Seat(0),))[0])


def presence_lost_after_restart(patch: pytest.MonkeyPatch) -> None:
    """Who was there before the restart counts as there."""
    patch.setattr(Room, "restarted", Room.arm)


def lost_connection_not_noticed(patch: pytest.MonkeyPatch) -> None:
    """A room goes on telling a connection that is gone."""

    def end(session: Session) -> None:
        session.is_open = False

    patch.setattr(Session, "end", end)


def resumed_for_the_wrong_seat(patch: pytest.MonkeyPatch) -> None:
    """Steps that are sent again are shown as the next seat sees them."""
    note = Audience.note

    def note_wrongly(audience: Audience, step: Step, after: Table) -> Logged:
        logged = note(audience, step, after)
        eyes = {player: (Seat((seats[0] + 1) % len(after.places)),) for player, seats in after.eyes.items()}
        audience._tail[-1] = replace(logged, eyes=eyes)
        return logged

    patch.setattr(Audience, "note", note_wrongly)


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


def _nothing(*_: Any) -> None:
    """Instead of something that had to be done."""


def _late(room: Room) -> dict[int, Any]:
    late: dict[int, Any] = room.__dict__.setdefault("_late", {})
    return late


PLANTS: Mapping[str, Plant] = {
    plant.__name__: plant
    for plant in (
        told_before_durable, id_looked_up_too_late, ids_forgotten_at_restart, timer_not_cancelled,
        bot_acts_whenever_a_timer_fires, update_skipped_for_one_listener, hand_shown_to_a_watcher,
        presence_lost_after_restart, lost_connection_not_noticed, resumed_for_the_wrong_seat, resumed_one_step_late,
        refusal_forgotten, memory_runs_apart_from_the_log, failed_steps_count,
    )
}  # fmt: skip
