from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, count, repeat
from pathlib import Path

import pytest

from bots.guarded import Fault, Guarded, NoChoice
from bots.process import MAX_LINE, ProcessPlayer
from tests.bots.positions import asked_at
from tests.engine.positions import action, dealt

ASKED = asked_at(dealt("block", "1-2 3-4", "5-5"))

READ = "import json, sys, os\nread = lambda: json.loads(sys.stdin.readline())\n"
LAST_LEGAL = "print(json.dumps({'action': read()['legal'][-1]['action']}), flush=True)\n"

BUDGET = 30.0
"""Seconds: more than the slowest machine needs."""

Start = Callable[..., ProcessPlayer]


def hurried() -> float:
    """A clock that runs so fast that every answer is late that is not there yet."""
    return next(_hours)


_hours = count(step=3600.0)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a bot that is a Python program."""
    started: list[ProcessPlayer] = []

    def start(program: str, *arguments: str, clock: Callable[[], float] = time.monotonic) -> ProcessPlayer:
        player = ProcessPlayer([sys.executable, "-c", READ + program, *arguments], BUDGET, clock)
        started.append(player)
        return player

    yield start
    for player in started:
        player.close()


def fault_of(player: ProcessPlayer) -> Fault:
    with pytest.raises(NoChoice) as none:
        player.choose(*ASKED)
    return none.value.fault


def test_a_process_is_asked_one_line_and_answers_one(start: Start) -> None:
    player = start("while True: " + LAST_LEGAL)

    assert [player.choose(*ASKED) for _ in range(3)] == [action("3-4")] * 3


def test_a_process_is_told_its_view_the_legal_actions_and_its_budget(start: Start, tmp_path: Path) -> None:
    player = start(
        "asked = read()\nopen(sys.argv[1], 'w').write(' '.join([*asked, *asked['view']]))", str(tmp_path / "asked")
    )

    assert fault_of(player) is Fault.DEAD
    told = (tmp_path / "asked").read_text()
    assert told == "view legal budget_ms seat seats game target scores tiles deal"


def test_an_answer_that_does_not_come_is_late(start: Start) -> None:
    player = start("read(); read()", clock=hurried)

    assert fault_of(player) is Fault.LATE


def test_a_late_answer_is_not_taken_for_that_to_the_next_question(start: Start, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    first_legal = "print(json.dumps({'action': question['legal'][0]['action']}), flush=True)\n"
    slow_at_first = f"question = read(); open(sys.argv[1]).read(); {first_legal}while True: {LAST_LEGAL}"
    clock = chain([0.0], repeat(3600.0))
    player = start(slow_at_first, str(gate), clock=lambda: next(clock))
    late = fault_of(player)
    gate.write_text("go on")

    choice = player.choose(*ASKED)

    assert late is Fault.LATE
    assert choice == action("3-4")


def test_while_an_answer_is_owed_nothing_more_is_asked(start: Start, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    player = start("read()\nopen(sys.argv[1], 'a').write('x')\nos.read(0, 1)", str(asked), clock=hurried)

    faults = [fault_of(player) for _ in range(3)]
    player.close()

    assert faults == [Fault.LATE] * 3
    assert asked.read_text() == "x"


@pytest.mark.parametrize("answer", ["", "play 3-4", '{"action": {"type": "fly"}}', '{"move": 1}', "[" * 1000, "\\xff"])
def test_an_answer_that_is_no_action_cannot_be_read(start: Start, answer: str) -> None:
    player = start(
        f"while True: read(); sys.stdout.buffer.write({answer!r}.encode('latin-1') + b'\\n'); sys.stdout.flush()"
    )

    assert fault_of(player) is Fault.UNREADABLE


def test_an_answer_may_be_so_long(start: Start) -> None:
    player = start(f"print(json.dumps({{'action': read()['legal'][-1]['action']}}).ljust({MAX_LINE}), flush=True)")

    assert player.choose(*ASKED) == action("3-4")


def test_an_answer_without_end_is_given_up(start: Start) -> None:
    player = start("read()\nwhile True: sys.stdout.write('x' * 4096)")

    assert fault_of(player) is Fault.UNREADABLE


@pytest.mark.parametrize("length", [MAX_LINE + 1, 2 * MAX_LINE, 20 * MAX_LINE])
def test_after_an_answer_that_is_too_long_it_is_asked_again(start: Start, length: int) -> None:
    player = start(f"read(); print('x' * {length}, flush=True)\nwhile True: {LAST_LEGAL}")

    fault = fault_of(player)

    assert fault is Fault.UNREADABLE
    assert [player.choose(*ASKED) for _ in range(2)] == [action("3-4")] * 2


def test_what_is_written_unasked_is_passed_over(start: Start, tmp_path: Path) -> None:
    greeted = tmp_path / "greeted"
    os.mkfifo(greeted)
    player = start(
        "print('hello', flush=True); open(sys.argv[1], 'w').close()\nwhile True: " + LAST_LEGAL, str(greeted)
    )
    greeted.read_text()

    assert player.choose(*ASKED) == action("3-4")


def test_a_process_that_has_ended_is_dead_at_every_question(start: Start) -> None:
    player = start("")

    assert [fault_of(player), fault_of(player)] == [Fault.DEAD, Fault.DEAD]


def test_a_process_that_does_not_listen_cannot_hold_up_the_table(start: Start) -> None:
    player = start("while True: print('{}', flush=True)")

    faults = {fault_of(player) for _ in range(100)}

    assert Fault.DEAD in faults


def test_its_failures_are_replaced_and_counted(start: Start) -> None:
    player = Guarded(start("print(json.dumps({'action': {'type': 'knock'}}), flush=True) if read() else 0"))

    choices = [player.choose(*ASKED), player.choose(*ASKED)]

    assert choices == [action("1-2")] * 2
    assert player.faults == {Fault.ILLEGAL: 1, Fault.DEAD: 1}


def test_a_command_that_cannot_be_started_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        ProcessPlayer(["/no/such/program"], BUDGET)


def test_a_process_that_does_not_end_is_ended(start: Start, tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    player = start(
        "import signal\nopen(sys.argv[1], 'w').write(str(os.getpid()))\nwhile True: signal.pause()", str(started)
    )
    number = int(started.read_text())

    player.close()

    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_ctrl_c_at_our_terminal_is_not_for_the_process(start: Start, tmp_path: Path) -> None:
    session = tmp_path / "session"
    os.mkfifo(session)
    start("open(sys.argv[1], 'w').write(str(os.getsid(0)))\nread()", str(session))

    assert int(session.read_text()) != os.getsid(0)


def test_what_a_process_has_started_is_ended_with_it(start: Start, tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    os.mkfifo(alive)
    player = start(
        "import signal, subprocess\n"
        "alive = os.open(sys.argv[1], os.O_WRONLY)\n"
        "subprocess.Popen(['sleep', '60'], pass_fds=[alive])\n"
        "os.write(alive, b'x')\n"
        "while True: signal.pause()",
        str(alive),
    )
    with alive.open("rb", buffering=0) as reader:
        reader.read(1)

        player.close()

        assert select.select([reader], [], [], BUDGET)[0]
        assert reader.read() == b""
