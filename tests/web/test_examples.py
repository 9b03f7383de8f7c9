"""The examples that the rules draw are what the engine makes of them."""

from __future__ import annotations

import json
import subprocess
from functools import cache, reduce
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.layout import End, Layout
from engine.notation import parse_tile
from engine.points import Points
from protocol.convert import Wire, scores_to_wire

EXAMPLES = Path(__file__).with_name("examples.mjs")


@cache
def examples() -> Wire:
    """What the browser draws: ``layouts`` and ``counts``, each by game."""
    run = subprocess.run(["node", EXAMPLES], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    written: Wire = json.loads(run.stdout)
    return written


def named(kind: str) -> list[tuple[str, Wire]]:
    return [(game, example) for game, drawn in examples()[kind].items() for example in drawn]


def laid_out(game: str, plays: list[Wire]) -> Layout:
    def lay(layout: Layout, play: Wire) -> Layout:
        return layout.place(parse_tile(play["tile"]), play["end"] and End(play["end"]))

    return reduce(lay, plays, Layout(GAMES[game].branches))


@pytest.mark.parametrize(("game", "example"), named("layouts"), ids=str)
def test_a_drawn_layout_has_the_ends_and_points_of_the_engine(game: str, example: Wire) -> None:
    layout = laid_out(game, example["plays"])
    goes_out = [part for part in example["parts"] if part["by"] == 1]

    parts = [{"by": part.by, "points": part.points} for part in GAMES[game].end_parts(layout.total)]

    assert example["ends"] == [{"end": end.end, "value": end.value, "counts": end.counts} for end in layout.ends]
    assert example["total"] == layout.total
    assert example["parts"] == parts + goes_out
    assert [part["points"] for part in goes_out] in ([], [GAMES[game].out_points])


def test_the_example_of_a_play_that_is_not_counted_would_pass_the_target() -> None:
    over = [(game, example) for game, example in named("layouts") if "before" in example]

    for game, example in over:
        event = sum(part["points"] for part in example["parts"])
        assert not GAMES[game].accepts(example["before"], event, GAMES[game].target(4))
    assert over


@pytest.mark.parametrize(("game", "example"), named("counts"), ids=str)
def test_a_drawn_count_gives_what_the_engine_gives(game: str, example: Wire) -> None:
    pips = [sum(parse_tile(tile).pips for tile in hand) for hand in example["hands"]]

    bonus: tuple[Points, ...] = GAMES[game].count_blocked(pips)

    assert example["bonus"] == list(scores_to_wire(bonus))
