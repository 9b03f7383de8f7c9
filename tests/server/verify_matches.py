"""``python -m tests.server.verify_matches MATCHES [FIRST]``: play so many matches, and verify the record of each.

Of each three one is played by bots alone, in one acts are taken back, and at the table of one everything happens
that may. Both verifiers look at them; exit status 1 if one finds a fault.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from engine.games import GAMES
from protocol.convert import Wire
from server.records.form import read
from server.records.packed import pack, unpack
from server.records.replay import replay
from server.records.verify import verify
from tests.server.happenings import anything
from tests.server.recorded import KINDS, play_on, played, played_with_take_backs, records_of
from tests.server.tables import ANN, BOB, CAT, EVE, Driver
from tests.web.verifying import verified_by_the_browser

AT_ONCE = 50
"""Records that the browser's verifier is given together."""
STEPS = 150
"""In which anything happens at a table, before bots play what has begun to its end."""


def matches_of(number: int) -> list[Wire]:
    """The records of the matches that were played under ``number``."""
    game, seats = KINDS[number % len(KINDS)]
    match number % 3:
        case 0:
            return records_of(played(game, seats, number))
        case 1:
            return records_of(played_with_take_backs(game, seats, number))
        case _:
            return records_of(anything_happens(game, seats, number))


def anything_happens(game: str, seats: int, number: int) -> Driver:
    """People come and go, matches are broken off and others begun; at last bots end what is on the table."""
    rng = random.Random(number)
    driver = Driver(game=game, seats=seats, seed=number, target=GAMES[game].target(seats) // 2)
    driver.say(ANN, "start", entropy=rng.randbytes(32).hex())
    for _ in range(STEPS):
        anything(driver, rng, [BOB, CAT, EVE])
    if driver.table.match is not None and not driver.table.match.over:
        play_on(driver, rng)
    return driver


def records(first: int) -> Iterator[Wire]:
    """Record after record."""
    number = first
    while True:
        yield from matches_of(number)
        number += 1


def faults_of(batch: Sequence[Wire]) -> Iterator[str]:
    """What is wrong with these records, by either verifier."""
    for written, found in zip(batch, verified_by_the_browser(batch), strict=True):
        record = read(unpack(pack(written)))
        *_, (_, _, match) = replay(record)
        faults = [*verify(record).faults, *found["faults"]]
        if not match.over or record.to_wire() != written:
            faults.append("it is not the same after it was kept")
        yield from (f"{record.id} ({record.game} for {record.seats}): {fault}" for fault in faults)


def main(matches: int, first: int) -> int:
    """Verify so many matches and say what was found."""
    began, faults, kinds, steps = time.monotonic(), 0, Counter[str](), 0
    left = islice(records(first), matches)
    while batch := list(islice(left, AT_ONCE)):
        for fault in faults_of(batch):
            faults += 1
            sys.stdout.write(f"{fault}\n")
        steps += sum(len(record["steps"]) for record in batch)
        kinds.update(event["type"] for record in batch for step in record["steps"] for event in step["events"])
        kinds["broken off"] += sum(record["winner"] is None for record in batch)
    counted = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    sys.stdout.write(
        f"{counted}\n{matches} matches, {steps} steps, {faults} faults, {time.monotonic() - began:.0f} s\n"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
