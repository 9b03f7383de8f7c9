"""Named seeds in seeds/deals: what each must deal, and how the match goes if everybody takes the first legal action."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.events import DealStarted, Drew, Event, Knocked, Played
from engine.games import GAMES
from engine.match import Match, begin
from engine.notation import format_tiles
from engine.shuffle import Shuffle, commitment
from engine.transcript.form import write_result
from tests.engine.playing import deal_of, matches
from tests.engine.positions import end_of

FILES = sorted((Path(__file__).parents[2] / "seeds" / "deals").glob("*.json"))


def described(given: dict[str, Any]) -> dict[str, Any]:
    """The whole file that belongs to the settings in ``given``."""
    game, seats = GAMES[given["game"]], given["seats"]
    seed, entropy = bytes.fromhex(given["seed"]), [bytes.fromhex(value) for value in given["entropy"]]
    played = list(matches(begin(game, seats), Shuffle(seed, entropy)))
    return {
        "about": given["about"],
        "game": game.name,
        "seats": seats,
        "target": game.target(seats),
        "seed": seed.hex(),
        "entropy": [value.hex() for value in entropy],
        "commitment": commitment(seed),
        "deals": [described_deal(match) for match in played],
        "winner": played[-1].winner,
    }


def described_deal(match: Match) -> dict[str, Any]:
    """What was dealt, every action in short, and the result as a transcript writes it."""
    deal = deal_of(match)
    started = deal.events[0]
    assert isinstance(started, DealStarted)
    return {
        "lead": started.lead,
        "hands": [format_tiles(hand or ()) for hand in started.hands],
        "stock": format_tiles(started.stock_tiles or ()),
        "actions": ", ".join(filter(None, map(in_words, deal.events))),
        "result": write_result(end_of(deal), match.winner),
    }


def in_words(event: Event) -> str | None:
    match event:
        case Played(seat, tile, end):
            return f"{seat} plays {tile} {end or 'first'}"
        case Drew(seat, _, tile):
            return f"{seat} draws {tile}"
        case Knocked(seat):
            return f"{seat} knocks"
        case _:
            return None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_named_seed_gives_its_deals_and_its_outcome(file: Path) -> None:
    """L1: the same seed and the same actions give the same match on every machine."""
    expected = json.loads(file.read_text(encoding="ascii"))

    assert described(expected) == expected


def test_there_is_a_named_seed_for_every_game_and_number_of_seats() -> None:
    """The deals of `seeds/deals` have to grow with the games."""
    named = [json.loads(file.read_text(encoding="ascii")) for file in FILES]

    assert {game["game"] for game in named} == set(GAMES)
    assert {game["seats"] for game in named} == {2, 3, 4}
    assert any(game["entropy"] for game in named)
