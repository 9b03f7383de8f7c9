from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bots.arena.contest import Outcome, Terms
from bots.arena.log import Log, OtherRun, RunGoesOn, kept
from bots.arena.makeup import makeup
from bots.arena.report import Report, elo
from bots.arena.run import Run
from bots.arena.verdict import FEWEST, Verdict

TERMS = Terms(game="block", seats=2, a="beginner", b="novice", seed=1, single=False, budget_ms=1000)


def played(run: Run) -> list[tuple[float, float]]:
    """What the samples of ``run`` came to, when it has been played to its end."""
    for _ in run.play():
        pass
    return results(run.outcomes)


def kept_run(path: Path) -> list[tuple[float, float]]:
    """What three samples came to that were kept in ``path``."""
    with kept(path, TERMS) as log:
        return played(Run(TERMS, 3, log=log))


def results(outcomes: list[Outcome]) -> list[tuple[float, float]]:
    return [(outcome.points, outcome.won) for outcome in outcomes]


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    with kept(tmp_path / "run", TERMS) as log:
        stopped = Run(TERMS, 5, log=log).play()
        for _ in range(2):
            next(stopped)

    with kept(tmp_path / "run", TERMS) as log:
        resumed = Run(TERMS, 5, log=log)

        assert len(resumed.outcomes) == 2
        assert played(resumed) == played(Run(TERMS, 5))


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole = kept_run(path)
    path.write_text(path.read_text()[:-5])

    with kept(path, TERMS) as log:
        resumed = Run(TERMS, 3, log=log)

        assert results(resumed.outcomes) == whole[:2]
        assert played(resumed) == whole
        assert results(log.outcomes()) == whole


@pytest.mark.parametrize("left", [0, 1, 20])
def test_a_run_that_was_stopped_inside_its_first_line_begins_anew(tmp_path: Path, left: int) -> None:
    path = tmp_path / "run"
    whole = kept_run(path)
    text = path.read_text()
    path.write_text(text[:left])

    assert kept_run(path) == whole
    assert path.read_text().splitlines()[0] == text.splitlines()[0]


def test_a_whole_run_is_taken_up_without_a_write(tmp_path: Path) -> None:
    path = tmp_path / "run"
    kept_run(path)
    before = path.read_bytes()

    with path.open("rb") as unwritable:
        log = Log(path, unwritable, TERMS)

        assert len(log.outcomes()) == 3
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", ["notes", "no JSON\n", "two\nlines, the last without an end", '{"game": "block"}\n', "[1, 2]\n", "\n"]
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes"
    path.write_text(content)

    with pytest.raises(OtherRun):
        kept_run(path)

    assert path.read_text() == content


@pytest.mark.parametrize("line", ["[1, 2]", "5", "[1, 2, 3, 4]", "null", "{"])
def test_a_line_that_is_no_outcome_is_not_taken_for_one(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run"
    kept_run(path)
    path.write_text(f"{path.read_text()}{line}\n")

    with pytest.raises(OtherRun):
        kept_run(path)


def test_a_file_of_a_run_on_other_terms_is_refused(tmp_path: Path) -> None:
    kept_run(tmp_path / "run")

    with pytest.raises(OtherRun), kept(tmp_path / "run", replace(TERMS, seed=2)) as log:
        log.outcomes()


def test_a_run_of_players_that_have_changed_is_not_played_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_run(tmp_path / "run")
    monkeypatch.setattr("bots.arena.log.makeup", lambda *_levels: "others")

    with pytest.raises(OtherRun, match="have changed"):
        kept_run(tmp_path / "run")


def test_a_run_that_does_not_say_of_what_players_is_played_on_when_it_has_been_told(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole = kept_run(path)
    told = f'"players": "{makeup(TERMS.a, TERMS.b)}"'
    path.write_text(path.read_text().replace(f"{told}, ", ""))

    with pytest.raises(OtherRun, match=told):
        kept_run(path)

    path.write_text(path.read_text().replace("{", "{" + told + ", ", 1))
    assert kept_run(path) == whole


def test_a_run_is_played_by_one_at_a_time(tmp_path: Path) -> None:
    with kept(tmp_path / "run", TERMS), pytest.raises(RunGoesOn, match="another arena"):
        kept_run(tmp_path / "run")

    assert len(kept_run(tmp_path / "run")) == 3


def test_a_run_stops_when_it_is_known_who_is_stronger() -> None:
    run = Run(TERMS, 200, gain=0.1)

    played(run)

    assert FEWEST <= len(run.outcomes) < 200
    assert run.verdict is Verdict.STRONGER


def test_a_report_has_the_mean_of_the_samples_and_their_interval() -> None:
    run = Run(TERMS, 10)
    played(run)

    report = Report(TERMS, run.outcomes)

    said = report.to_json()
    assert said["won"]["mean"] == pytest.approx(sum(outcome.won for outcome in run.outcomes) / 10, abs=1e-4)
    assert said["settings"]["a"] == "beginner"
    assert said["elo"][0] < said["elo"][1]
    assert said["verdict"] is None


def test_single_deals_are_not_called_matches_won() -> None:
    run = Run(replace(TERMS, single=True), 3)
    played(run)

    said = Report(replace(TERMS, single=True), run.outcomes).to_json()

    assert (said["won"], said["elo"]) == (None, None)


def test_a_third_of_the_matches_won_alone_is_no_rating() -> None:
    alone = replace(TERMS, seats=3, alone=True)
    run = Run(alone, 3)
    played(run)

    said = Report(alone, run.outcomes).to_json()

    assert (said["elo"], said["settings"]["alone"]) == (None, True)


def test_a_rating_stands_for_a_share_of_matches() -> None:
    assert [elo(share) for share in (0.5, 0.64, 1.0)] == [0, 100, None]
