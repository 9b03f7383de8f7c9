"""Finished matches and their records: played at a table by bots, or written with take-backs by a scribe."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial, reduce
from typing import Any

from engine import match as matches
from engine.events import MatchEnded
from engine.games import GAMES
from engine.match import Match
from engine.shuffle import Shuffle, commitment
from protocol.convert import Wire, event_to_log
from protocol.errors import ProtocolError
from server.house_players import HousePlayers
from server.records import build
from server.records.form import Record, read
from server.store.base import Step as StoredStep
from server.table import log
from server.table.decide import HouseActs
from server.table.draft import Draft
from server.table.evolve import Step
from server.table.state import Phase
from server.table.timers import NEXT_DEAL_AFTER
from tests.server.tables import ANN, CODE, Driver

TAKES_BACK = 200
"""Steps within which a scribe's match is taken back."""
LEVELS = ("novice", "beginner", "club")
FIRST = 41
"""The first step of a scribe's match."""
KINDS = [(game, seats) for game in GAMES for seats in (2, 3, 4)]
"""Every game for every number of seats."""


def played(game: str, seats: int, seed: int, **settings: Any) -> Driver:
    """A table at which bots of all levels, one of them in Ann's place, have played a match to its end."""
    driver = Driver(game=game, seats=seats, seed=seed, bot_delay=0, **settings)
    entropy = random.Random(seed).randbytes(32).hex()
    driver.say(ANN, "start", entropy=entropy)
    play_on(driver, random.Random(seed))
    return driver


def play_on(driver: Driver, rng: random.Random) -> None:
    """Bots play what has begun to its end; Ann waits for nobody, and others only as long as they have."""
    house = HousePlayers(rng)
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.now += rng.random()
        seat, match = driver.table.turn, driver.table.match
        if seat is None or match is None:
            driver.say(ANN, "next")
            driver.wait(NEXT_DEAL_AFTER)
        else:
            driver.serve(HouseActs(seat, house.choose(rng.choice(LEVELS), match, seat)))


def played_with_take_backs(game: str, seats: int, seed: int) -> Driver:
    """A match in which Ann, alone with bots, takes back, brings again and begins anew what she likes."""
    driver = Driver(game=game, seats=seats, seed=seed, bot_delay=0)
    driver.say(ANN, "start", entropy=random.Random(seed).randbytes(32).hex())
    rng = random.Random(seed)
    while driver.table.phase is not Phase.MATCH_OVER:
        takes_back = len(driver.log) < TAKES_BACK
        kinds = rng.choice([["act"]] * 12 + [["undo"], ["undo", "redo"], ["restart"], ["react"]] * takes_back)
        driver.now += 20
        with suppress(ProtocolError):
            for kind in kinds:
                if kind == "react":
                    driver.say(ANN, "react", key="oops")
                elif kind != "act":
                    driver.say(ANN, kind)
                elif driver.table.turn is None:
                    driver.say(ANN, "next")
                else:
                    driver.act(rng.randrange(9))
    return driver


def stored(steps: Iterable[Step]) -> list[StoredStep]:
    """``steps`` as a room writes them into its log."""
    return [StoredStep(CODE, step.seq, step.epoch, log.pack(step, None)) for step in steps]


def records_of(driver: Driver) -> list[Wire]:
    """The record of each match that has ended at the table."""
    return list(build.records(stored(driver.log)))


def record_of(driver: Driver) -> Record:
    """The record of the one match that has ended at the table."""
    (record,) = records_of(driver)
    return read(record)


def step_of(driver: Driver, make: Any) -> Step:
    """Let ``make`` draft a step that no message asks for."""
    draft = Draft(driver.table, driver.moment())
    make(draft)
    step = draft.step()
    driver._keep(step, draft.after())
    return step


class Scribe:
    """A match, written down step by step, in which acts are taken back and brought again.

    Knows nothing of tables: how the match stands after each step is its own account.
    """

    def __init__(self, game: str, seats: int, seed: int) -> None:
        self._rng = random.Random(seed)
        self._seed, self._entropy = self._rng.randbytes(32), self._rng.randbytes(32)
        self._shuffle = Shuffle(self._seed, [self._entropy])
        self._match = matches.begin(GAMES[game], seats)
        self._stands: dict[int, Match] = {}
        self._steps: list[Wire] = []
        self._line: list[tuple[int, bool]] = []
        """The steps that took the match to where it stands, and whether Ann acted in them."""
        self._start()

    def _start(self) -> None:
        value = {"player": "ann", "value": self._entropy.hex()}
        start = {
            "type": "match_started",
            "commitment": commitment(self._seed),
            "next_commitment": "0" * 64,
            "entropy": [value],
        }
        self._write([start, *self._told(matches.next_deal(self._match, self._shuffle))])
        self._line.append((FIRST, False))

    def _write(self, events: Sequence[Wire]) -> None:
        seq = FIRST + len(self._steps)
        self._steps.append({"seq": seq, "at": 0.5 * len(self._steps), "events": list(events)})
        self._stands[seq] = self._match

    def _told(self, events: Sequence[Any]) -> list[Wire]:
        self._match = reduce(matches.evolve, events, self._match)
        return [self._ended(event) if isinstance(event, MatchEnded) else event_to_log(event) for event in events]

    def _ended(self, event: MatchEnded) -> Wire:
        return {**event_to_log(event), "seed": self._seed.hex(), "record": "0123456789abcdef"}

    def write(self) -> tuple[Record, dict[int, Match]]:
        """The record of the match, and how it stood after each step."""
        while not self._match.over:
            takes_back = len(self._steps) < TAKES_BACK
            self._rng.choice([self._go_on] * 6 + [self._say_something] + [self._take_back] * takes_back)()
        return read(self._record()), self._stands

    def _go_on(self) -> None:
        match, deal = self._match, self._match.deal
        self._line.append((FIRST + len(self._steps), deal is not None and deal.turn == 0))
        if match.next_lead is not None:
            self._write(self._told(matches.next_deal(match, self._shuffle)))
        elif deal is not None and deal.turn is not None:
            action = self._rng.choice(matches.choices(match)).action
            self._write(self._told(matches.decide(match, deal.turn, action)))

    def _say_something(self) -> None:
        self._write([{"type": "reacted", "seat": 0, "key": "oops"}, {"type": "away", "seat": 1}])

    def _take_back(self) -> None:
        """Ann's last act with all that followed, or all but the first deal; sometimes it is brought again at once."""
        before, own = self._match, [number for number, (_, is_anns) in enumerate(self._line) if is_anns]
        if not own or self._rng.random() < 0.25:
            self._line = self._line[:1]
            self._go_back("restarted", self._line[0][0])
            return
        gone = self._line[own[-1] :]
        del self._line[own[-1] :]
        self._go_back("undone", gone[0][0] - 1)
        if self._rng.random() < 0.5:
            self._line += gone
            self._go_back("redone", gone[-1][0])
            assert self._match is before

    def _go_back(self, kind: str, to: int) -> None:
        self._match = self._stands[to]
        self._write([{"type": kind, "to": to}])

    def _record(self) -> Wire:
        match = self._match
        ended = self._steps[-1]["events"][-1]
        return {
            "format": 1,
            "id": ended["record"],
            "game": match.game.name,
            "seats": match.seats,
            "settings": {"game": match.game.name, "seats": match.seats, "target": match.target, "lead": "lot"},
            "players": [
                {"player": None if seat else "ann", "bot": "club" if seat else None, "name": f"P{seat}"}
                for seat in range(match.seats)
            ],
            "server": "doublesix",
            "protocol": 1,
            "began": 1_790_000_000.0,
            "ended": 1_790_000_000.0 + self._steps[-1]["at"],
            "commitment": commitment(self._seed),
            "seed": self._seed.hex(),
            "entropy": [{"player": "ann", "value": self._entropy.hex()}],
            "winner": ended["winner"],
            "scores": ended["scores"],
            "steps": self._steps,
        }


played_short = partial(played, target=1)
"""A match of few deals: whoever scores wins."""
