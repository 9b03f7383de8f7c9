from __future__ import annotations

import pytest

from bots.student import reach


@pytest.mark.parametrize(
    ("freedom", "told"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (6, 2.447),
        (9, 2.262),
        (19, 2.093),
        (40, 2.021),
        (120, 1.980),
    ],
)
def test_an_interval_of_few_samples_is_as_wide_as_the_books_say(freedom: int, told: float) -> None:
    assert reach(freedom) == pytest.approx(told, abs=0.002)


def test_an_interval_of_many_samples_is_that_of_the_normal_distribution() -> None:
    assert reach(10**6) == pytest.approx(1.95996, abs=1e-4)
