"""The event loop that commands run in: uvloop where it is installed, else asyncio's own."""

from __future__ import annotations

__all__ = ["run_loop"]

try:
    from uvloop import run as run_loop
except ImportError:
    from asyncio import run as run_loop  # type: ignore[assignment]  # the same for a coroutine alone
