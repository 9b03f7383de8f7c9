"""The event loop that commands run in: uvloop where it is installed, else asyncio's own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

try:
    import uvloop
except ImportError:
    uvloop = None  # type: ignore[assignment]

T = TypeVar("T")


def run_loop(main: Coroutine[Any, Any, T]) -> T:
    """Run ``main`` to its end and return what it returns."""
    return asyncio.run(main) if uvloop is None else uvloop.run(main)
