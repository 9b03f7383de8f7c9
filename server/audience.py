"""Who listens to a room, and what they are told: updates as they become durable, snapshots, and what was missed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import structlog

from engine.events import DealStarted, Drew
from engine.seats import Seat
from protocol.convert import Wire
from server import views
from server.clock import Clock
from server.listener import Listener, Subscription
from server.outgoing import Outgoing, answer_to
from server.store.base import TAIL
from server.table.events import Event, PlayedAgain, Redone, Seated, Undone
from server.table.evolve import Step
from server.table.state import PlayerId, Table, only_eye

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Logged:
    """A durable step, as it is sent again to who has missed it."""

    step: Step
    eyes_before: Mapping[PlayerId, tuple[Seat, ...]]
    eyes: Mapping[PlayerId, tuple[Seat, ...]]
    """Whose hands each player was dealt, after the step."""
    hides: bool
    """Something in it is not for everybody."""

    @classmethod
    def of(cls, step: Step, before: Table, after: Table) -> Logged:
        """``step``, which led from one table to the other."""
        hides = any(isinstance(event, DealStarted | Drew) for event in step.events)
        return cls(step, before.eyes, after.eyes, hides)

    def events_for(self, player: PlayerId | None, shown: Seat | None = None) -> list[Wire]:
        """The events as ``player`` may see them; None is a stranger who watches.

        ``shown``: the hand that is uncovered, of a player with several seats.
        """
        return views.events_seen(self._seen_by(player, shown))

    def is_private(self, player: PlayerId, shown: Seat | None = None) -> bool:
        """Whether ``player`` sees more of it than everybody."""
        if not self.hides:
            return False
        return any(eye is not None and views.is_private(event, eye) for event, eye in self._seen_by(player, shown))

    def _seen_by(self, player: PlayerId | None, shown: Seat | None) -> Iterator[tuple[Event, Seat | None]]:
        """Each event, with the seat whose hand ``player`` sees then: that of a new deal from its start on."""
        events = self.step.events
        eyes = self.eyes_before if any(isinstance(event, DealStarted) for event in events) else self.eyes
        for event in events:
            if isinstance(event, DealStarted):
                eyes, shown = self.eyes, None
            yield event, shown if player is None or shown is not None else only_eye(eyes, player)


class Audience:
    """The listeners of one room. Knows only what is durable: nobody is told anything else."""

    def __init__(self, room: Subscription, told: Table, clock: Clock) -> None:
        self._room = room
        self._clock = clock
        self.told = told
        """The table after the newest durable step."""
        self.listeners: dict[PlayerId, Listener] = {}
        self._shown: dict[PlayerId, Seat] = {}
        """The seat whose hand each listener with several of them has uncovered (H3)."""
        self._tail: deque[Logged] = deque(maxlen=TAIL)
        """Steps for those who come back; who has missed more gets a snapshot."""

    def note(self, step: Step, after: Table) -> Logged:
        """``step`` is durable and has led to ``after``."""
        logged = Logged.of(step, self.told, after)
        self.told = after
        self._tail.append(logged)
        return logged

    def tell(self, step: Step, after: Table) -> None:
        """One update to each listener. What all may see is encoded once, a receiver's own part for it alone.

        Whom a fault of ours keeps from being told is cut, and comes back; the others do not notice.
        """
        logged = self.note(step, after)
        now = self._clock.time()
        public = logged.events_for(None)
        is_elsewhere = goes_elsewhere(step)
        shared: Outgoing | None = None
        anew: Outgoing | None = None
        for player, listener in self.listeners.items():
            try:
                update = self._own_update(player, logged, public, now)
                if update is None:
                    turn = views.turn_for(after, None, now)
                    update = shared = shared or _update(after.room, public, step, turn)
                listener.send(update)
                if is_elsewhere:
                    anew = self._show_anew(listener, anew)
            except Exception:
                logger.exception("room.telling", room=after.room, seq=step.seq)
                listener.cut()

    def _own_update(self, player: PlayerId, logged: Logged, public: list[Wire], now: float) -> Outgoing | None:
        """The newest step as ``player`` alone sees it; None: as everybody does, its events being ``public``."""
        step, after = logged.step, self.told
        shown = self._shown.get(player)
        if shown is not None and hides_hands(step, after, shown):
            self.hide(player)
        eye = self._eye(player)
        is_private = logged.is_private(player, shown)
        if not is_private and (eye is None or after.turn != eye):
            return None
        events = logged.events_for(player, shown) if is_private else public
        return _update(after.room, events, step, views.turn_for(after, eye, now))

    def take_over(self, broken: Audience) -> None:
        """Go on for ``broken``: its listeners are told what they have missed, and stay if they have a part in this.

        Where the store has lost what they were told, they are shown the table anew. Whom a fault of ours keeps from
        being told is cut.
        """
        seen = broken.told
        missed = None if self.is_reset(seen.seq, seen.epoch) else self.since(seen.seq)
        if missed is None:
            logger.error("room.reset", room=self.told.room, told=seen.seq, seq=self.told.seq)
        for listener in broken.dissolve():
            try:
                self._go_on(listener, missed)
            except Exception:
                logger.exception("room.telling", room=self.told.room, seq=self.told.seq)
                listener.cut()

    def _go_on(self, listener: Listener, missed: Sequence[Logged] | None) -> None:
        """Tell ``listener`` what it has ``missed``; None: the store has lost what it was told."""
        player = listener.actor.player
        if missed is not None:
            self.tell_again(listener, missed)
        if has_part(self.told, player):
            self.add(listener)
            if missed is None or len(self.told.places_of(player)) > 1:
                self.snapshot(listener, None, reset=missed is None)  # what was uncovered is covered now

    def _show_anew(self, listener: Listener, shared: Outgoing | None) -> Outgoing | None:
        """The match stands elsewhere: send all of it, but not to who has left in the very same step.

        ``shared``: the snapshot of those who only watch, once it is made; returned for the next of them.
        """
        player = listener.actor.player
        if self.told.place_of(player) is not None:
            self.snapshot(listener, None)
        elif has_part(self.told, player):
            shared = shared or Outgoing(views.snapshot_for(self.told, player, self._clock.time()))
            listener.send(shared)
        return shared

    def _eye(self, player: PlayerId) -> Seat | None:
        """The seat whose hand ``player`` sees now."""
        shown = self._shown.get(player)
        return shown if shown in self.told.eyes.get(player, ()) else self.told.eye(player)

    def show(self, listener: Listener, seat: Seat) -> Wire | None:
        """Uncover the hand of one of the listener's seats, and cover the others (H3). None: it has no such hand."""
        player = listener.actor.player
        if seat not in self.told.eyes.get(player, ()):
            return None
        if self.listeners.get(player) is listener:
            self._shown[player] = seat
        return views.hand_for(self.told, seat)

    def sees_turn(self, player: PlayerId, table: Table) -> bool:
        """Whether ``player`` sees the hand that is to act at ``table``: the only own one, or one uncovered (H1, H3)."""
        eye = table.eye(player)
        return table.turn == (self._eye(player) if eye is None else eye)

    def hide(self, player: PlayerId) -> None:
        """``player`` sees none of the hands of several seats until it is uncovered again."""
        self._shown.pop(player, None)

    def add(self, listener: Listener) -> None:
        """``listener`` is told every step from now on."""
        self.hide(listener.actor.player)
        self.listeners[listener.actor.player] = listener
        listener.entered(self._room)

    def remove(self, listener: Listener) -> bool:
        """``listener`` is told nothing more. False if it was not here, or a newer connection has taken its place."""
        player = listener.actor.player
        if self.listeners.get(player) is not listener:
            return False
        del self.listeners[player]
        self.hide(player)
        listener.left(self._room)
        return True

    def remove_strangers(self) -> None:
        """Who has no part in the table any more, because the host took the seat, hears no more of it."""
        strangers = [listener for player, listener in self.listeners.items() if not has_part(self.told, player)]
        for listener in strangers:
            self.remove(listener)

    def dissolve(self) -> list[Listener]:
        """Let all listeners go; returns them."""
        listeners = list(self.listeners.values())
        for listener in listeners:
            self.remove(listener)
        return listeners

    def snapshot(self, listener: Listener, message_id: str | None, *, reset: bool = False) -> None:
        """Send all that the listener may know; the hands of several seats are covered then."""
        self.hide(listener.actor.player)
        snapshot = views.snapshot_for(self.told, listener.actor.player, self._clock.time(), reset=reset)
        listener.send(answer_to(message_id, snapshot))

    def resume(self, listener: Listener, after: int | None, epoch: int | None) -> bool:
        """Send the steps after the cursor (``epoch``, ``after``). False: they cannot be told, a snapshot is due."""
        if not after or self.is_reset(after, epoch):  # nobody has seen the table before its first step
            return False
        if self._has_hand_back(listener.actor.player):
            return False
        # The step of the cursor too: the connection may have been lost before the snapshot that followed it.
        seen_and_missed = self.since(after - 1)
        if len(seen_and_missed) <= self.told.seq - after or any(goes_elsewhere(one.step) for one in seen_and_missed):
            return False
        self.tell_again(listener, seen_and_missed[1:])
        return True

    def is_reset(self, after: int, epoch: int | None) -> bool:
        """Whether the log does not hold what a client has seen as step ``after``: a store has lost its last steps.

        Others may have taken the number since under whatever epoch: a later one, or an earlier one by another clock.
        """
        if after > self.told.seq:
            return True
        written = self.told.epoch_of(after)
        return epoch is not None and written is not None and written != epoch

    def _has_hand_back(self, player: PlayerId) -> bool:
        """Whether ``player`` has taken a seat again in the middle of this deal: no update tells the hand."""
        for event in (event for logged in reversed(self._tail) for event in reversed(logged.step.events)):
            if isinstance(event, DealStarted):
                return False
            if isinstance(event, Seated) and event.player == player:
                return self.told.eye(player) is not None
        return False

    def since(self, seq: int) -> Sequence[Logged]:
        """The durable steps after ``seq``, as far as they are in memory."""
        return [logged for logged in self._tail if logged.step.seq > seq]

    def tell_again(self, listener: Listener, missed: Sequence[Logged]) -> None:
        """Send ``missed`` steps as they were told when they happened; only the last has the turn.

        Where the match went elsewhere, the snapshot that follows at once is that of now, and tells the rest.
        """
        player = listener.actor.player
        for logged in missed:
            is_last = logged is missed[-1]
            turn = views.turn_for(self.told, self.told.eye(player), self._clock.time()) if is_last else None
            listener.send(_update(self.told.room, logged.events_for(player), logged.step, turn))
            if goes_elsewhere(logged.step) and has_part(self.told, player):
                self.snapshot(listener, None)
                return


def goes_elsewhere(step: Step) -> bool:
    """Whether the match stands elsewhere after ``step``: no update tells all of that, so a snapshot follows."""
    return any(isinstance(event, Undone | Redone | PlayedAgain) for event in step.events)


def hides_hands(step: Step, after: Table, shown: Seat) -> bool:
    """Whether a hand that is uncovered is not any more after ``step``: another person is to act, or all is new (H3)."""
    if goes_elsewhere(step) or any(isinstance(event, DealStarted) for event in step.events):
        return True
    if after.turn is None or after.turn == shown:
        return False
    return after.places[after.turn].is_played_by_person


def has_part(table: Table, player: PlayerId) -> bool:
    """Whether ``player`` sits, waits for a seat or watches at ``table``."""
    return player in table.watchers or table.place_of(player) is not None or table.coming_of(player) is not None


def _update(room: str, events: list[Wire], step: Step, turn: Wire | None) -> Outgoing:
    return Outgoing(
        {
            "type": "update",
            "room": room,
            "epoch": step.epoch,
            "seq": step.seq,
            "events": events,
            "turn": turn,
        }
    )
