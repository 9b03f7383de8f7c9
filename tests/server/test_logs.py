from __future__ import annotations

import errno
import json
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog

from server import logs


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Other tests log as if nothing had been configured."""
    before = logging.getLogger().handlers[:]
    yield
    structlog.reset_defaults()
    logging.getLogger().handlers[:] = before


def deal_badly() -> None:
    hand = "6-6"
    raise ValueError(f"{hand} does not fit")


def test_an_exception_is_logged_by_type_and_place_and_never_with_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()

    try:
        deal_badly()
    except ValueError:
        structlog.get_logger().exception("room.telling", room="K7QM2X")

    written = capsys.readouterr().err
    entry = json.loads(written)
    assert entry["exception"] == "ValueError"
    assert entry["at"][-1].endswith("deal_badly")
    assert entry["room"] == "K7QM2X"
    assert "6-6" not in written


def test_of_a_group_of_exceptions_each_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()

    try:
        try:
            deal_badly()
        except ValueError as error:
            raise ExceptionGroup("6-6", [error, ExceptionGroup("6-6", [KeyError("6-6")])]) from None
    except ExceptionGroup as group:
        structlog.get_logger().error("server.task_ended", exc_info=group)

    written = capsys.readouterr().err
    entry = json.loads(written)
    assert entry["exception"] == "ExceptionGroup"
    assert entry["errors"][0]["exception"] == "ValueError"
    assert entry["errors"][0]["at"][-1].endswith("deal_badly")
    assert entry["errors"][1]["errors"] == [{"exception": "KeyError", "at": []}]
    assert "6-6" not in written


def test_what_a_library_logs_is_written_as_json_without_the_text_of_its_exception(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure()

    try:
        deal_badly()
    except ValueError:
        logging.getLogger("websockets.server").exception("handler failed")

    written = capsys.readouterr().err
    assert json.loads(written)["event"] == "handler failed"
    assert "6-6" not in written


class FullDisk:
    """What standard error is when its disk is full."""

    def write(self, *_text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    flush = write


def test_a_log_that_cannot_be_written_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", FullDisk())
    logs.configure()

    structlog.get_logger().warning("journal.failed")
    logging.getLogger("websockets.server").error("handler failed")
