from __future__ import annotations

from pathlib import Path

import pytest

from bots.arena.ladder import EVERY_SETTING, LEVELS, Ladder, Rung, Setting
from bots.arena.tables import doubtful, ratings_table, rungs_table

TWO, THREE = Setting("block", 2), Setting("block", 3)
QUICK = ("novice", "beginner", "club")


def ladder(folder: Path, samples: int = 2, gain: float = 0.02, far: int = 0) -> Ladder:
    """Of the levels that are soon played."""
    return Ladder(folder, samples, gain, levels=QUICK, settings=(TWO, THREE), far=far)


def unwatched(_rung: Rung) -> None:
    """What is told while it is played."""


def test_all_seven_levels_are_played_at_every_table() -> None:
    assert LEVELS == ("novice", "beginner", "club", "trained", "strong", "expert", "master")
    assert len(set(EVERY_SETTING)) == 12


def test_each_level_meets_the_one_below_in_every_setting(tmp_path: Path) -> None:
    rungs = [*ladder(tmp_path).play(unwatched)]

    assert [(rung.setting, rung.above, rung.below) for rung in rungs] == [
        (TWO, "beginner", "novice"),
        (TWO, "club", "beginner"),
        (THREE, "beginner", "novice"),
        (THREE, "club", "beginner"),
    ]
    assert {len(rung.won) for rung in rungs} == {2}


def test_a_ladder_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = [*ladder(tmp_path / "whole").play(unwatched)]
    stopped = ladder(tmp_path / "stopped").play(unwatched)
    next(stopped)
    watched: list[Rung] = []

    resumed = [*ladder(tmp_path / "stopped").play(watched.append)]

    assert resumed == whole
    assert len(watched) == 2 * 3


def test_a_ladder_can_be_played_on_with_more_samples(tmp_path: Path) -> None:
    few = [*ladder(tmp_path, samples=1).play(unwatched)]

    more = [*ladder(tmp_path, samples=3).play(unwatched)]

    assert [rung.won[:1] for rung in more] == [rung.won for rung in few]
    assert {len(rung.won) for rung in more} == {3}
    assert [*ladder(tmp_path, samples=1).play(unwatched)] == more


def test_a_rung_ends_as_soon_as_it_is_known_who_is_stronger(tmp_path: Path) -> None:
    clear = next(ladder(tmp_path, samples=100, gain=0.2).play(unwatched))

    assert len(clear.won) < 100


def test_in_a_round_robin_everybody_meets_and_levels_further_apart_play_what_is_asked_of_them(tmp_path: Path) -> None:
    rungs = [*ladder(tmp_path, far=3).play(unwatched)]

    assert [(rung.above, rung.below, rung.steps, len(rung.won)) for rung in rungs if rung.setting == TWO] == [
        ("beginner", "novice", 1, 2),
        ("club", "beginner", 1, 2),
        ("club", "novice", 2, 3),
    ]


def test_what_a_ladder_has_played_counts_in_a_round_robin(tmp_path: Path) -> None:
    steps = [*ladder(tmp_path, samples=4).play(unwatched)]

    rungs = [*ladder(tmp_path, samples=2, far=1).play(unwatched)]

    assert [rung for rung in rungs if rung.steps == 1] == steps


def test_levels_further_apart_count_for_ratings_and_are_no_rungs() -> None:
    steps = [Rung(TWO, "beginner", "novice", [0.5, 0.75]), Rung(TWO, "club", "beginner", [0.75, 0.5])]
    far = Rung(TWO, "club", "novice", [0.0, 0.5], steps=2)

    assert rungs_table([*steps, far]) == rungs_table(steps)
    assert doubtful([*steps, far]) == doubtful(steps)
    heads, _, row = ratings_table([*steps, far]).splitlines()
    assert heads == "| game | seats | novice | beginner | club |"
    assert row.startswith("| block | 2 | +")


def test_tables_have_a_row_for_each_setting() -> None:
    rungs = [
        Rung(setting, above, below, [1.0, 0.5, 0.75])
        for setting in (TWO, THREE)
        for below, above in (("beginner", "club"), ("club", "trained"))
    ]

    won, rated = rungs_table(rungs).splitlines(), ratings_table(rungs).splitlines()

    assert won[0] == "| game | seats | club / beginner | trained / club |"
    assert won[2] == "| block | 2 | 0.750 ± 0.621 (3) | 0.750 ± 0.621 (3) |"
    assert rated[0] == "| game | seats | beginner | club | trained |"
    assert rated[3].startswith("| block | 3 | -")
    assert len(won) == len(rated) == 4


def test_a_level_that_may_be_no_better_is_named() -> None:
    clear, even = (Rung(TWO, "club", "beginner", won) for won in ([1.0, 0.9, 1.0], [1.0, 0.0, 0.5]))

    assert doubtful([clear, even]) == [even]


def test_the_lowest_level_is_rated_nothing_where_club_has_not_played() -> None:
    rated = ratings_table([Rung(TWO, "expert", "strong", [0.75, 0.5])]).splitlines()

    assert rated[0] == "| game | seats | strong | expert |"
    assert rated[2].startswith("| block | 2 | 0 | +")


@pytest.mark.parametrize("zero", QUICK)
def test_the_level_that_all_are_measured_by_is_rated_nothing(zero: str) -> None:
    rungs = [Rung(TWO, "beginner", "novice", [1.0, 0.5]), Rung(TWO, "club", "beginner", [0.75, 0.5])]

    cells = ratings_table(rungs, zero).splitlines()[2].split(" | ")

    assert cells[2 + QUICK.index(zero)].strip("| ") == "0"
