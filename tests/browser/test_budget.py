from __future__ import annotations

import pytest
from playwright.async_api import Browser

from tests.browser.budget import HARD, Measure, depth, steadiness
from tests.system.servers import Server


async def test_46_a_table_that_is_loaded_cold_keeps_its_budget(server: Server, chromium: Browser) -> None:
    """The times, which no busy machine measures twice alike, are shown by `make web-budget`."""
    measures = [measure for part in (*HARD, steadiness) for measure in await part(server, chromium)]

    assert [str(measure) for measure in measures if measure.is_hard and not measure.is_kept] == []
    assert len(measures) > 15


def test_the_depth_of_imports_is_that_of_the_shortest_ways() -> None:
    imports = {"/main.js": ["/a.js", "/b.js"], "/a.js": ["/b.js"], "/b.js": ["/c.js"], "/c.js": ["/main.js"]}

    assert depth(imports) == 2


@pytest.mark.parametrize(("value", "is_kept"), [(16, True), (17, False)])
def test_a_measure_is_kept_up_to_its_most(value: int, is_kept: bool) -> None:
    assert Measure("modules", value, 16).is_kept is is_kept
