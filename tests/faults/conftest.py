from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.system.servers import Server, serving


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A server without limits on what one machine may do."""
    async with serving() as running:
        yield running
