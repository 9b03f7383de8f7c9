"""Waiting for what the server does without telling anybody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.system.client import PATIENCE


async def until(is_so: Callable[[], bool]) -> None:
    """Let the event loop turn until ``is_so``. TimeoutError if it never is."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 - nobody sets an event for a test
            await asyncio.sleep(0)
