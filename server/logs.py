"""Structured logs, one JSON object a line. No hidden tile can get into them (H1).

Of an exception only its type and where it was raised are written: its text may name tiles.
"""

from __future__ import annotations

import logging
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, WrappedLogger


def configure() -> None:
    """Send the logs of this program and of its libraries to standard error as JSON."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            place_of_exception,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(_Unfailing(sys.stderr)),  # type: ignore[arg-type]
    )
    handler = _LibraryHandler(level=logging.WARNING)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


class _Unfailing:
    """A stream whose disk may be full: what cannot be written is lost, and whoever logs it goes on."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write ``text`` if that is possible."""
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        """Write what was held back, if that is possible."""
        with suppress(OSError):
            self._stream.flush()


def place_of_exception(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """In place of an exception: its type, and the lines that it came through; of a group also those of its parts."""
    raised = event.pop("exc_info", None)
    if raised:
        error = raised if isinstance(raised, BaseException) else sys.exc_info()[1]
        if error is not None:
            event.update(_described(error))
    return event


def _described(error: BaseException) -> dict[str, Any]:
    """``error`` without its text; with each of those that it holds, if it is a group."""
    described: dict[str, Any] = {"exception": type(error).__name__, "at": places(error)}
    if isinstance(error, BaseExceptionGroup):
        described["errors"] = [_described(one) for one in error.exceptions]
    return described


def places(error: BaseException) -> list[str]:
    """The lines that ``error`` came through, outermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]


class _LibraryHandler(logging.Handler):
    """Passes what libraries log on to the structured log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write ``record``, without the values that its message was made of if it comes with an exception."""
        logger = structlog.get_logger(record.name)
        details: dict[str, Any] = {"logger": record.name}
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            logger.log(record.levelno, record.getMessage(), **details)
        else:
            logger.log(record.levelno, str(record.msg), exc_info=error, **details)
