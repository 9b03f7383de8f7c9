"""One run under one seed: trouble, then calm in which every match must end, then the end of everything."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from structlog.testing import capture_logs

from tests.simulation.scenario import Scenario
from tests.simulation.trouble import Trouble
from tests.simulation.world import Broken, World

PATIENCE = 20_000
"""Steps within which things must come to their end once nothing goes wrong any more."""
GLANCE_EVERY = 8
"""Steps between looks at whether everything has come to its end."""


@dataclass(frozen=True)
class Report:
    """What became of a seed."""

    seed: int
    steps: int
    violations: tuple[str, ...]
    trace: tuple[str, ...]
    """The last that happened."""
    digest: str
    """Of all that happened."""
    heard: Counter[str]
    """What happened at all, by kind."""

    def __str__(self) -> str:
        return "\n".join(
            [
                *self.trace,
                "",
                *self.violations,
                f"after {self.steps} steps. Again: make simulate FIRST={self.seed} SEEDS=1",
            ]
        )


def simulate(seed: int) -> Report:
    """Run ``seed``. The same seed does the same each time."""
    world = World(seed)
    with capture_logs() as world.logs, _scaled(world.scenario):
        try:
            _Run(world).live()
        except Broken:
            pass
        except Exception:  # noqa: BLE001 - a fault of the server or of the simulation: either is to be seen
            world.complain(traceback.format_exc())
        finally:
            world.servers.end()
    return Report(
        seed, world.steps, tuple(world.violations), tuple(world.trace), world.digest.hexdigest(), world.been_through()
    )


@contextmanager
def _scaled(scenario: Scenario) -> Iterator[None]:
    """What a room takes hundreds of steps to reach comes earlier."""
    with (
        patch("server.store.index.TAIL", scenario.tail),
        patch("server.audience.TAIL", scenario.tail),
        patch("server.store.redis.rooms.TAIL", scenario.tail),
        patch("server.room.CHECKPOINT_EVERY", scenario.checkpoint_every),
    ):
        yield


class _Run:
    def __init__(self, world: World) -> None:
        self._world = world
        self._trouble = Trouble(world)

    def live(self) -> None:
        """Raises Broken at the first promise that is broken."""
        self._live_in_trouble()
        self._live_in_calm()
        self._go()

    def _live_in_trouble(self) -> None:
        scenario = self._world.scenario
        for number in range(1, scenario.length + 1):
            self._step(self._something(scenario))
            if number % scenario.rest == 0:
                self._settle()()

    def _something(self, scenario: Scenario) -> Callable[[], object]:
        chance = self._world.rng.random
        if chance() < scenario.trouble:
            return self._trouble.strike
        return self._play if chance() < scenario.zeal else self._anything

    def _live_in_calm(self) -> None:
        """Nothing goes wrong any more: what is under way comes to rest, and every match to its end."""
        self._world.note("calm")
        self._settle()
        self._until(self._no_match_runs, self._play, "matches do not come to an end")
        self._settle()
        self._read_records()
        self._world.look_back()

    def _read_records(self) -> None:
        """Everybody who is there asks for the record of a match whose end they have heard."""
        for person in self._world.people:
            if person.is_greeted and person.ended and not person.is_quiet:
                person.ask_for_record(self._world.rng.choice(list(person.ended)))
        self._settle()

    def _go(self) -> None:
        """Everybody goes, and nothing may be left."""
        self._world.note("everybody goes")
        for link in self._world.live_links:
            if not link.is_left:
                link.hang_up()
        for person in self._world.people:
            person.leave_link()
        self._until(self._is_deserted, self._wait, "rooms without anybody do not close")
        self._world.servers.check_nothing_is_left()
        self._world.judge()

    def _settle(self) -> Callable[[], None]:
        """Let come to rest what is under way, and look at everything. Gives what makes it as unruly as before."""
        back = self._world.servers.calm()
        for person in self._world.people:
            person.asleep_until = 0.0
        self._until(self._is_settled, self._wait, "nothing comes to rest")
        self._world.look_closely()
        return back

    # Steps.

    def _step(self, what: Callable[[], object]) -> None:
        self._world.steps += 1
        what()
        self._world.look()

    def _until(self, is_done: Callable[[], bool], what: Callable[[], object], otherwise: str) -> None:
        for _ in range(PATIENCE * self._world.scenario.nodes):
            self._step(what)
            if is_done():
                return
        self._world.complain(otherwise)
        self._world.judge()

    def _anything(self) -> None:
        """Of what can happen, one thing does."""
        world = self._world
        happens = world.rng.choices(
            (world.turn, world.deliver, world.take, world.somebody_acts, world.pass_time), (30, 20, 20, 22, 8)
        )
        if not happens[0]() and not world.somebody_acts():
            world.pass_time()

    def _play(self) -> None:
        if self._world.move_on():
            return
        self._world.all_act_in_earnest()
        if self._world.is_still:
            self._world.pass_time()

    def _wait(self) -> None:
        if not self._world.move_on():
            self._world.pass_time()

    # How far things are.

    def _is_settled(self) -> bool:
        return self._world.servers.is_settled and self._world.is_still

    def _no_match_runs(self) -> bool:
        """Only a glance now and then: people have to come back before they can play."""
        return self._world.steps % GLANCE_EVERY == 0 and self._world.servers.no_match_runs

    def _is_deserted(self) -> bool:
        return self._world.servers.is_deserted and not self._world.live_links
