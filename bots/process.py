"""A player in another process, in any language, that speaks JSON lines.

One object a line on its standard input, ``{"view": ..., "legal": [...], "budget_ms": n}``, and one line back,
``{"action": {...}}``. It has twice its budget for that. What it has written before it is asked is passed over; the
next line that it writes is its answer. So it writes one line a question, and anything else to standard error.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import IO, Any, Self

from bots.guarded import Fault, NoChoice
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView
from protocol.codecs import JsonCodec
from protocol.convert import action_from_wire, choices_to_wire, view_to_wire
from protocol.errors import ProtocolError, UndecodableError

MAX_LINE = 64 * 1024
"""Bytes of an answer; a longer one cannot be read."""
PATIENCE = 2
"""Budgets until an answer is late."""
TIME_TO_END = 1.0
"""Seconds that a process has to end by itself when its pipes are closed."""

_CODEC = JsonCodec()


class ProcessPlayer:
    """Asks the process started by ``command`` for each choice; ``budget`` in seconds. For one thread at a time.

    Raises:
        OSError: it cannot be started.
        ValueError: ``command`` names no program.
    """

    def __init__(self, command: Sequence[str], budget: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        if not command:
            raise ValueError("no program is named")
        self._budget = budget
        self._monotonic = monotonic
        self._pipes = _Pipes(command, monotonic)
        self._owes_answer = False

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`.

        Raises:
            NoChoice: the answer is late or cannot be read, or the process has ended.
        """
        deadline = self._monotonic() + PATIENCE * self._budget
        if self._owes_answer:  # to a question that is over
            self._pipes.pass_line(deadline)
        self._pipes.forget_unread()
        self._pipes.write(_CODEC.encode(self._question(view, legal)) + b"\n")
        self._owes_answer = True
        line = self._pipes.line(deadline)
        self._owes_answer = False
        return _action_of(line)

    def _question(self, view: SeatView, legal: Sequence[Choice]) -> dict[str, Any]:
        return {
            "view": view_to_wire(view),
            "legal": choices_to_wire(legal),
            "budget_ms": round(1000 * self._budget),
        }

    def close(self) -> None:
        """End the process: by closing its pipes, and if that does not help by force."""
        self._pipes.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _action_of(line: bytes) -> Action:
    if len(line) > MAX_LINE:
        raise NoChoice(Fault.UNREADABLE)
    try:
        return action_from_wire(_CODEC.decode(line.decode())["action"])
    except (ValueError, KeyError, UndecodableError, ProtocolError):
        raise NoChoice(Fault.UNREADABLE) from None


class _Pipes:
    """The process and its pipes. Never waits for it longer than it is told to, reading or writing."""

    def __init__(self, command: Sequence[str], monotonic: Callable[[], float]) -> None:
        # The command is what the user has asked to run; what it writes to standard error goes where ours goes.
        # In a session of its own Ctrl+C is for us alone, and it can be ended with all that it has started.
        self._process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        self._monotonic = monotonic
        self._unread = b""
        os.set_blocking(_opened(self._process.stdin).fileno(), False)

    def write(self, data: bytes) -> None:
        """NoChoice if it has ended, or has not even read what it was asked before."""
        try:
            written = _opened(self._process.stdin).write(data)
        except OSError:
            written = None
        if written != len(data):
            self._kill()
            raise NoChoice(Fault.DEAD)

    def line(self, deadline: float) -> bytes:
        """Its next line. NoChoice if it does not come before ``deadline``, is too long, or the process has ended."""
        while b"\n" not in self._unread:
            if len(self._unread) > MAX_LINE:
                raise NoChoice(Fault.UNREADABLE)
            self._await_more(deadline)
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def pass_line(self, deadline: float) -> None:
        """Pass over its next line, or what is left of one, however long. NoChoice as in `line`."""
        while b"\n" not in self._unread:
            self._unread = b""
            self._await_more(deadline)
        _, _, self._unread = self._unread.partition(b"\n")

    def _await_more(self, deadline: float) -> None:
        if not self._is_readable(deadline - self._monotonic()):
            raise NoChoice(Fault.LATE)
        self._read()

    def forget_unread(self) -> None:
        """Pass over what it has written so far."""
        if self._is_readable(0):
            self._read()
        self._unread = b""

    def _is_readable(self, seconds: float) -> bool:
        return bool(select.select([_opened(self._process.stdout)], [], [], max(seconds, 0))[0])

    def _read(self) -> None:
        data = _opened(self._process.stdout).read(MAX_LINE)
        if not data:
            raise NoChoice(Fault.DEAD)
        self._unread += data

    def close(self) -> None:
        _opened(self._process.stdin).close()
        _opened(self._process.stdout).close()
        try:
            self._process.wait(TIME_TO_END)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()

    def _kill(self) -> None:
        """It has not been waited for yet, so that its number is its own."""
        os.killpg(self._process.pid, signal.SIGKILL)


def _opened(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("a pipe was asked for, so there is one")
    return pipe
