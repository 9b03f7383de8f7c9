from __future__ import annotations

import asyncio

from server.inflow import MOST_UNREAD, SLICE, Inflow


class Source(asyncio.Transport):
    """Where bytes come from."""

    def __init__(self) -> None:
        super().__init__()
        self.is_paused = False

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        assert not self.is_paused
        self.is_paused = True

    def resume_reading(self) -> None:
        assert self.is_paused
        self.is_paused = False


class Line:
    """An inflow and what was read of it."""

    def __init__(self) -> None:
        self.read: list[bytes] = []
        self.source = Source()
        self.inflow = Inflow(self.read.append, asyncio.get_running_loop())
        self.inflow.attach(self.source)


async def test_what_is_small_is_read_at_once() -> None:
    line = Line()
    line.inflow.open()

    line.inflow.take(b"one")
    line.inflow.take(b"two")

    assert line.read == [b"one", b"two"]
    assert not line.source.is_paused


async def test_what_is_large_is_read_in_slices_a_turn_apart_and_nothing_is_taken_meanwhile() -> None:
    line = Line()
    line.inflow.open()

    line.inflow.take(bytes(2 * SLICE + 1))
    states = [([len(piece) for piece in line.read], line.source.is_paused)]
    for _ in range(2):
        await asyncio.sleep(0)
        states.append(([len(piece) for piece in line.read], line.source.is_paused))

    assert states == [([SLICE], True), ([SLICE, SLICE], True), ([SLICE, SLICE, 1], False)]


async def test_what_comes_while_something_waits_is_read_behind_it() -> None:
    line = Line()
    line.inflow.open()

    line.inflow.take(b"a" * SLICE + b"b")
    line.inflow.take(b"c")
    await asyncio.sleep(0)

    assert line.read == [b"a" * SLICE, b"bc"]


async def test_nothing_is_read_before_it_is_opened_and_only_so_much_is_taken() -> None:
    line = Line()

    line.inflow.take(bytes(MOST_UNREAD))
    before = line.source.is_paused
    line.inflow.take(b"x")

    assert (before, line.source.is_paused, line.read) == (False, True, [])


async def test_what_came_before_is_read_when_it_is_opened() -> None:
    line = Line()
    line.inflow.take(b"early")

    line.inflow.open()

    assert line.read == [b"early"]


async def test_nothing_is_read_after_a_stop_and_only_so_much_is_taken() -> None:
    line = Line()
    line.inflow.open()
    line.inflow.take(bytes(3 * SLICE))

    line.inflow.stop()
    line.inflow.take(bytes(MOST_UNREAD))
    before = line.source.is_paused
    line.inflow.take(b"x")
    await asyncio.sleep(0)

    assert (len(line.read), before, line.source.is_paused) == (1, False, True)


async def test_what_is_held_waits_until_it_is_opened_again() -> None:
    line = Line()
    line.inflow.open()
    line.inflow.take(b"a" * SLICE + b"b")

    line.inflow.hold()
    line.inflow.take(b"c")
    await asyncio.sleep(0)
    held = list(line.read)
    line.inflow.open()

    assert held == [b"a" * SLICE]
    assert line.read == [b"a" * SLICE, b"bc"]


async def test_lines_are_given_one_by_one_and_the_last_as_far_as_it_has_come() -> None:
    line = Line()
    line.inflow.take(b"one\r\ntwo\nthr")

    assert [line.inflow.next_line() for _ in range(4)] == [b"one\r\n", b"two\n", b"thr", b""]
