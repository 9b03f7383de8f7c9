"""One connected player, and what each of their messages asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from protocol.codecs import Codec
from protocol.errors import CloseCode, ErrorCode, ProtocolError, RefusalReason
from protocol.messages import ClientMessage
from protocol.messages import client as messages
from server.archive import Archive
from server.clock import Clock
from server.dispatch import House
from server.listener import Subscription
from server.outgoing import Outgoing, answer_to
from server.questions import Questions
from server.rates import MinuteCount, told
from server.table.state import Actor


class Line(Protocol):
    """The connection under a session."""

    def send(self, outgoing: Outgoing) -> None:
        """Write a message; never waits."""
        ...

    def replace(self) -> None:
        """A newer connection of the same player has taken over: say so and close for good."""
        ...

    def close_now(self, code: CloseCode) -> None:
        """Close and wait for nothing; the client may come back."""
        ...

    @property
    def number(self) -> int:
        """By the order in which connections were opened."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether somebody may still be at the other end."""
        ...

    @property
    def codec(self) -> Codec:
        """How messages are written there."""
        ...

    @property
    def wrong_codes(self) -> tuple[MinuteCount, ...]:
        """Unknown room codes and ids of records of this connection, and of its address."""
        ...


class Session:
    """One connected player. Rooms know it as a listener."""

    def __init__(self, actor: Actor, line: Line, since: int, house: House, archive: Archive, clock: Clock) -> None:
        self.actor = actor
        self.since = since
        """See `Admission`."""
        self.is_open = True
        self._line = line
        self._house = house
        self._archive = archive
        self._clock = clock
        self._questions = Questions(self.send)
        self._rooms: dict[Subscription, None] = {}
        """In the order in which they were entered: a run under one seed does the same each time."""

    def send(self, outgoing: Outgoing) -> None:
        """Write a message to the player's connection; never waits."""
        if self.is_open:
            self._line.send(outgoing)

    def cut(self) -> None:
        """Close the connection, for a fault of ours; the client may come back."""
        self._line.close_now(CloseCode.INTERNAL)

    def entered(self, room: Subscription) -> None:
        """``room`` tells this session its steps."""
        self._rooms[room] = None

    def left(self, room: Subscription) -> None:
        """``room`` tells this session nothing more."""
        self._rooms.pop(room, None)

    def come_again(self) -> None:
        """Close the connection: by coming again the player learns where everything stands."""
        self._line.close_now(CloseCode.RESTART)

    def end(self) -> None:
        """The connection is lost: every room that had this listener hears of it."""
        if self.is_open:
            self.is_open = False
            self._house.ended(self, self._line.number)
            for room in list(self._rooms):
                room.lost(self)

    def replace(self) -> None:
        """A newer connection has taken over."""
        self._line.replace()
        self.end()

    def handle(self, message: ClientMessage) -> None:
        """Do what ``message`` asks for. The answer comes by `send`.

        Raises:
            ProtocolError: to be answered; nothing has changed.
        """
        match message:
            case messages.Hello():
                raise ProtocolError(
                    ErrorCode.REFUSED,
                    "this connection has said hello already",
                    reason=RefusalReason.ALREADY_GREETED,
                )
            case messages.Ping():
                self.send(pong(message))
            case messages.Record():
                self._show_record(message)
            case messages.Create() | messages.Quick() | messages.Rooms():
                self._house.handle(self, message)
            case _:
                self._enquire(message.room, message)

    def _enquire(self, room: str, message: ClientMessage) -> None:
        """Codes must not be found by trying: after too many wrong ones only known rooms are found."""
        self._require_guesses(room)
        with self._counting():
            self._house.handle(self, message)

    def _show_record(self, message: messages.Record) -> None:
        """Answer with the record of a finished match, as soon as it is found."""
        self._require_guesses(message.room)
        self._questions.ask(message.id, self._record(message))

    async def _record(self, message: messages.Record) -> Outgoing:
        if message.room is None:
            payload = await self._house.record(str(message.id))
        else:
            with self._counting():
                payload = await self._house.last_record(self, message.room)
        if payload is None:
            if message.room is None:
                self.count_guess()
            raise ProtocolError(
                ErrorCode.REFUSED, "there is no record of a finished match", reason=RefusalReason.NO_RECORD
            )
        codec = self._line.codec
        encoded = await self._archive.encode(payload, codec, message.id)
        return Outgoing.encoded({"type": "record"}, codec, encoded)

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """A code that is none counts as a wrong guess."""
        try:
            yield
        except ProtocolError as refusal:
            if refusal.code is ErrorCode.NO_SUCH_ROOM and refusal.path == "room":
                self.count_guess()
            raise

    def _require_guesses(self, code: str | None = None) -> None:
        now = self._clock.monotonic()
        wait = max(count.wait(now) for count in self._line.wrong_codes)
        if wait > 0 and (code is None or not self._knows(code)):
            raise ProtocolError(ErrorCode.RATE_LIMITED, "too many unknown room codes", retry_after=told(wait))

    def count_guess(self) -> None:
        """There was nothing under the code or id that was asked for."""
        for count in self._line.wrong_codes:
            count.add(self._clock.monotonic())

    def _knows(self, code: str) -> bool:
        return self._house.knows(self.actor.player, code) or any(room.code == code for room in self._rooms)


def pong(message: messages.Ping) -> Outgoing:
    """The answer to `ping`, before `hello` too."""
    return answer_to(message.id, {"type": "pong"})
