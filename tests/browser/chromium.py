"""The Chromium of this machine."""

from __future__ import annotations

import os
import shutil

from playwright.async_api import Browser, Playwright

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")


NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""By what name it may be there, the quickest first: the one without a window to draw takes a third of the time."""


async def launch(playwright: Playwright) -> Browser:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path is not None, "there is no chromium: make test installs it"
    return await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
