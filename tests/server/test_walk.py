from __future__ import annotations

import pytest

from tests.server.walk import Walk


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_moves_a_match_back_and_forth_it_is_that_of_the_acts_that_count(seed: int) -> None:
    walk = Walk(f"test {seed}")

    assert await walk.run(500) >= 500

    assert walk.done["undo"] > 0
