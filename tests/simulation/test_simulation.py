from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from tests.simulation.cluster.planted import PLANTS as PLANTS_IN_CLUSTERS
from tests.simulation.planted import PLANTS
from tests.simulation.planted_files import PLANTS as PLANTS_IN_FILES
from tests.simulation.run import Report, simulate
from tests.simulation.scenario import has_files, nodes_of

SEEDS = 120
BATCH = 20
"""Seeds of one test."""
REVIEWED = 156
"""A seed in which somebody reads a review; few come to it."""
ENOUGH = 150
"""Seeds within which every planted fault must show; most do within ten."""
LATE = {
    "a_gap_between_batches_is_ignored": 348,
    "a_hint_that_is_found_late_is_told": 41,
    "a_seat_is_free_before_that_is_durable": 13,
    "a_table_is_listed_before_that_is_durable": 30,
    "absence_has_no_end": 34,
    "bots_do_not_wait_for_who_comes_back": 7,
    "computers_consent_for_the_absent": 226,
    "every_number_that_is_there_is_the_same_step": 5,
    "presence_lost_after_restart": 6,
    "resumed_for_the_wrong_seat": 13,
    "the_absent_are_waited_for": 24,
    "time_for_a_choice_runs_on_without_anybody": 4,
    "updates_are_passed_on_as_they_come": 153,
    "what_may_have_counted_is_refused": 88,
    "what_was_thought_before_an_undo_is_done_after_it": 261,
    "who_is_connected_elsewhere_stays": 78,
    "who_stays_at_the_list_hears_of_no_change": 4,
}
"""Faults that few seeds come across, each with one that does: it is tried first."""
SEEDS_OF_CLUSTERS = [seed for seed in range(250) if nodes_of(seed) > 1]
"""Those of many nodes within which faults of theirs must show."""

report_of = cache(simulate)
"""What became of a seed on the server as it is."""


@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_no_promise_is_broken(first: int) -> None:
    for seed in range(first, first + BATCH):
        report = report_of(seed)

        assert not report.violations, f"\n{report}"


def test_the_seeds_lead_to_all_that_they_are_for() -> None:
    heard: Counter[str] = Counter()
    for seed in (*range(SEEDS), REVIEWED):
        heard += report_of(seed).heard

    assert set(heard) >= {
        "match_ended", "deal_ended", "closed", "away", "back", "bot_in", "bot_out", "coming", "timed_out", "swapped",
        "hinted", "undone", "redone", "restarted", "asked", "answered", "paused", "continued", "hand", "record",
        "rooms", "rooms pushed", "answered: agreed", "answered: refused", "answered: lapsed", "rematch", "EntropyGiven",
        "review", "hint",
        "error unavailable", "error stale", "error not_your_turn", "error illegal_action", "error rate_limited",
        "error unauthorized", "error bad_message", "error not_seated", "error no_such_room", "error room_full",
        "reset", "resumed", "answered again", "closed 4003", "closed 1007", "closed 1008", "closed 1009",
        "closed 1012", "closed 4008",
        "cut", "log journal.failed", "stopped", "log node.gone", "log bot.replaced",
    }  # fmt: skip


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS[name](monkeypatch)

    assert any(simulate(seed).violations for seed in (LATE.get(name, 0), *range(1, ENOUGH)))


@pytest.mark.parametrize("name", PLANTS_IN_FILES)
def test_a_planted_fault_of_the_embedded_store_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS_IN_FILES[name](monkeypatch)

    assert any(simulate(seed).violations for seed in filter(has_files, range(ENOUGH)))


@pytest.mark.parametrize("name", PLANTS_IN_CLUSTERS)
def test_a_planted_fault_of_many_nodes_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS_IN_CLUSTERS[name](monkeypatch)

    seeds = (LATE.get(name, SEEDS_OF_CLUSTERS[0]), *SEEDS_OF_CLUSTERS)

    assert any(simulate(seed).violations for seed in seeds)


def test_a_seed_does_the_same_each_time_in_every_process() -> None:
    script = "from tests.simulation.run import simulate; print(simulate(7).digest, simulate(8).digest)"
    digests = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True
        ).stdout.strip()
        for seed in ("1", "2")
    }

    assert digests == {f"{report_of(7).digest} {report_of(8).digest}"}


def test_a_failing_run_says_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS["told_before_durable"](monkeypatch)
    report = next(report for report in map(simulate, range(ENOUGH)) if report.violations)

    assert "is durable" in report.violations[0]
    assert f"make simulate FIRST={report.seed} SEEDS=1" in str(report)
    assert isinstance(report, Report)
    assert simulate(report.seed) == report
