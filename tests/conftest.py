from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: how long an example takes says nothing about the code.
settings.register_profile("doublesix", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("doublesix")

LONG = ("simulation", "cluster", "load", "browser", "system", "fuzz", "faults", "server", "bots", "limits")
"""Folders with files that take a minute or two."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with them, so that in the end no worker is left alone with a long one."""
    here = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(here).parts[0]
        return LONG.index(folder) if folder in LONG else len(LONG)

    items.sort(key=place)
