"""Real processes that search."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

import pytest

from bots.review.advice import advise
from bots.review.past import review
from bots.search.levels import choose
from bots.search.workers import NICE, QUEUE, REST, STUCK, TRIES, Workers, _Staff
from engine.actions import Action
from tests.bots.positions import question, some_turns
from tests.bots.review.finished import finished_deals
from tests.engine.positions import NORTH
from tests.faults.waiting import until
from tests.processes import is_alive

T = TypeVar("T")

VIEW, LEGAL = question(some_turns(4, "all-fives", 4)[-1])
ACTIONS = [choice.action for choice in LEGAL]
PATIENCE = 60.0


class Ticking:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def workers(clock: Ticking) -> Iterator[Workers]:
    one = Workers(1, clock)
    yield one
    one.close()


async def soon(answer: Awaitable[T] | None) -> T:
    assert answer is not None
    async with asyncio.timeout(PATIENCE):
        return await answer


def ask(workers: Workers, level: str = "strong", seed: int = 7) -> asyncio.Future[Action] | None:
    return workers.ask(VIEW, LEGAL, level, seed)


async def test_a_worker_chooses_what_would_be_chosen_in_this_process(workers: Workers) -> None:
    for seed in range(3):
        assert await soon(ask(workers, seed=seed)) == choose(VIEW, LEGAL, "strong", seed)


async def test_advice_and_reviews_from_a_worker_are_those_of_this_process_to_the_last_digit(workers: Workers) -> None:
    over = next(finished_deals("block", 2, seed=8)).view(NORTH)

    assert await soon(workers.advise(VIEW, LEGAL)) == advise(VIEW, LEGAL)
    assert await soon(workers.review(over)) == review(over)


async def test_advice_waits_behind_no_bot_and_lets_none_wait_long(workers: Workers) -> None:
    choice = ask(workers)

    assert workers.advise(VIEW, LEGAL) is None
    assert await soon(choice) in ACTIONS
    assert await soon(workers.advise(VIEW, LEGAL)) is not None


async def test_no_process_is_started_before_somebody_asks_and_no_more_than_are_asked(clock: Ticking) -> None:
    workers = Workers(4, clock)
    before = workers.pids

    await soon(ask(workers))

    assert (len(before), len(workers.pids)) == (0, 1)
    workers.close()


async def test_as_many_choose_at_a_time_as_are_allowed(clock: Ticking) -> None:
    workers = Workers(2, clock)

    await asyncio.gather(*(soon(ask(workers)) for _ in range(5)))

    assert len(workers.pids) == 2
    workers.close()


async def test_who_asks_when_too_many_wait_already_is_told_so_at_once(workers: Workers) -> None:
    answers = [ask(workers) for _ in range(1 + QUEUE)]

    assert ask(workers) is None
    await asyncio.gather(*(soon(answer) for answer in answers))
    assert await soon(ask(workers)) in ACTIONS


async def test_what_is_not_waited_for_any_more_makes_room(workers: Workers) -> None:
    answers = [ask(workers, "master") for _ in range(1 + QUEUE)]
    for answer in answers:
        assert answer is not None
        answer.cancel()
    await asyncio.sleep(0)

    assert await soon(ask(workers)) in ACTIONS


async def test_when_a_worker_dies_those_who_wait_hear_of_it_and_the_next_question_has_another(workers: Workers) -> None:
    await soon(ask(workers))
    [pid] = workers.pids
    answer = ask(workers, "master")

    os.kill(pid, signal.SIGKILL)

    with pytest.raises(BrokenProcessPool):
        await soon(answer)
    assert await soon(ask(workers)) in ACTIONS
    assert pid not in workers.pids


async def test_a_worker_that_died_unasked_is_replaced_after_the_question_that_found_it_dead(workers: Workers) -> None:
    await soon(ask(workers))
    os.kill(workers.pids[0], signal.SIGKILL)
    await until(lambda: not workers.pids)

    found = ask(workers)
    if found is not None:  # that it is dead was not noticed yet
        with pytest.raises(BrokenProcessPool):
            await soon(found)

    assert await soon(ask(workers)) in ACTIONS


async def test_workers_that_die_again_and_again_are_left_alone_for_a_while(workers: Workers, clock: Ticking) -> None:
    for _ in range(TRIES):
        answer = ask(workers, "master")
        await until(lambda: bool(workers.pids))
        os.kill(workers.pids[0], signal.SIGKILL)
        with pytest.raises(BrokenProcessPool):
            await soon(answer)

    assert ask(workers) is None
    clock.now += REST
    assert await soon(ask(workers)) in ACTIONS


async def test_a_worker_that_hangs_is_replaced(workers: Workers, clock: Ticking) -> None:
    await soon(ask(workers))
    [pid] = workers.pids
    os.kill(pid, signal.SIGSTOP)
    hanging = ask(workers)
    assert hanging is not None

    clock.now += STUCK + 1
    answer = await soon(ask(workers))

    assert answer in ACTIONS
    await until(lambda: not is_alive(pid))
    await until(hanging.done)
    assert hanging.cancelled() or isinstance(hanging.exception(), BrokenProcessPool)


async def test_closing_ends_the_workers_at_once_and_cancels_what_is_waited_for(workers: Workers) -> None:
    await soon(ask(workers))
    [pid] = workers.pids
    answers = [ask(workers, "master") for _ in range(3)]

    workers.close()

    await until(lambda: not is_alive(pid))
    assert all(answer is not None and answer.cancelled() for answer in answers)
    assert ask(workers) is None


def in_a_worker(staff: _Staff, expression: str) -> object:
    return staff.executor.submit(eval, expression).result(PATIENCE)


@pytest.fixture
def staff() -> Iterator[_Staff]:
    one = _Staff(1)
    yield one
    one.dismiss()


def test_a_worker_steps_back_behind_the_server(staff: _Staff) -> None:
    assert in_a_worker(staff, "__import__('os').nice(0)") == min(19, os.nice(0) + NICE)


def test_a_worker_does_not_care_for_ctrl_c(staff: _Staff) -> None:
    in_a_worker(staff, "0")
    os.kill(staff.pids[0], signal.SIGINT)

    assert in_a_worker(staff, "1") == 1


def test_a_worker_has_no_part_of_the_server_whatever_program_starts_it(tmp_path: Path) -> None:
    """H2: it knows of no table."""
    program = tmp_path / "program.py"
    program.write_text(
        "import server.app\n"
        "from bots.search.workers import _Staff\n"
        "from bots.search.levels import choose\n"
        "if __name__ == '__main__':\n"
        "    staff = _Staff(1)\n"
        "    staff.executor.submit(choose, None, [], 'strong', 1).exception()\n"
        "    print(*staff.executor.submit(eval, 'list(__import__(\"sys\").modules)').result())\n"
        "    staff.dismiss()\n"
    )

    ran = subprocess.run([sys.executable, str(program)], check=True, capture_output=True, text=True, timeout=PATIENCE)

    loaded = ran.stdout.split()
    assert "bots.search.search" in loaded
    assert not [name for name in loaded if name.startswith(("server", "protocol.")) and name != "protocol.hints"]


def test_a_worker_does_not_outlive_a_program_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import time\n"
        "from bots.search.workers import _Staff\n"
        "if __name__ == '__main__':\n"
        "    staff = _Staff(2)\n"
        "    busy = [staff.executor.submit(eval, 'any(iter(lambda: 0, 1))') for _ in range(2)]\n"
        "    while not all(job.running() for job in busy): time.sleep(0.01)\n"
        "    print(*staff.pids, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        pids = [int(pid) for pid in running.stdout.readline().split()]
        before = [is_alive(pid) for pid in pids]
        running.kill()

    deadline = time.monotonic() + PATIENCE
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert before == [True, True]
    assert not any(map(is_alive, pids))
