"""The Chromium of this machine."""

from __future__ import annotations

import os
import shutil

from playwright.async_api import Browser, Playwright

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")


async def launch(playwright: Playwright) -> Browser:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert path is not None, "there is no chromium: make test installs it"
    return await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
