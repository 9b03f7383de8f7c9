"""People, their connections, a server, a disk, and one seed that decides everything."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, deque
from collections.abc import MutableMapping
from typing import Any

from protocol.codecs import CODECS
from protocol.convert import Wire
from protocol.errors import CloseCode
from tests.simulation.cluster.nodes import Nodes
from tests.simulation.conduct import Conduct
from tests.simulation.history import Histories
from tests.simulation.network import Client, Closed, Link
from tests.simulation.person import Person
from tests.simulation.scenario import Scenario, bots_search, has_files, nodes_of
from tests.simulation.servers import Servers, Single
from tests.simulation.snapshots import has_part
from tests.simulation.witness import Witness

UNREADABLE = (CloseCode.NOT_DECODABLE, CloseCode.TOO_BIG)
"""With what nobody's connection is closed who has sent nothing but messages."""
TRACE = 60
"""Lines of the trace that are kept."""


class Broken(Exception):
    """A promise is broken: there is nothing more to learn from this run."""


class World:
    """Everything in one run, and what can happen in it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.scenario = Scenario(self.rng, nodes_of(seed), bots_search=bots_search(seed), has_files=has_files(seed))
        self.has_many_nodes = self.scenario.nodes > 1
        self.now = 0.0
        self.steps = 0
        self.violations: list[str] = []
        self.trace: deque[str] = deque(maxlen=TRACE)
        self.digest = hashlib.sha256()
        """Of the whole trace: two runs with the same one went the same way."""
        self._noted = 0
        self.logs: list[MutableMapping[str, Any]] = []
        """What the server has logged and nobody has looked at."""
        self.wild: set[str] = set()
        self.codes: dict[str, None] = {}
        self.links: list[Link] = []
        """Every connection of the run."""
        self.live_links: list[Link] = []
        """Those that at least one end takes for open."""
        self.limits = self.scenario.limits
        self.histories = Histories(self.complain, lambda: self.steps, self.limits)
        self.witness = Witness(self.histories, self, self.complain)
        size = self.scenario.nodes
        self.servers: Servers = Single(self) if size == 1 else Nodes(self, size)
        self.people = [
            Person(name, self.rng.choice(CODECS), self, headless=headless) for name, headless in self.scenario.people
        ]
        self._conduct = Conduct(self, self.scenario)

    # What clients need of it.

    def note(self, what: str) -> None:
        line = f"{self.now:10.3f} {what}"
        self.trace.append(line)
        self.digest.update(line.encode())
        self._noted += 1

    def complain(self, what: str) -> None:
        self.violations.append(what)

    def connect(self, client: Client) -> Link | None:
        link = Link(len(self.links), self.steps, client, self.rng, self.witness.hear)
        if not self.servers.accept(link):
            return None
        self.links.append(link)
        self.live_links.append(link)
        self.note(f"{client.name} connects as #{link.number}")
        return link

    def truth(self, room: str, seq: int, player: str) -> Wire:
        return self.histories.rooms[room].snapshot(seq, player)

    # What the witness can see of the server.

    def server_time(self) -> float:
        return self.servers.time()

    def told(self, room: str) -> int | None:
        return self.servers.told(room)

    def is_in_doubt(self, room: str) -> bool:
        return self.servers.is_in_doubt(room)

    # What the servers need of it.

    def wait(self, seconds: float) -> None:
        """So much time passes, in which nobody notices anything."""
        self.now += seconds

    # What can happen.

    def move_on(self) -> bool:
        """Whatever is under way goes on. False: nothing is."""
        return self.turn() or self.deliver() or self.take()

    def turn(self) -> bool:
        """One turn of a server's loop, if there is anything to do."""
        return self.servers.turn()

    def deliver(self) -> bool:
        """Something arrives at the server."""
        ready = self.servers.arriving()
        if ready:
            self.servers.deliver(self.rng.choice(ready))
        return bool(ready)

    def take(self) -> bool:
        """Something arrives at a client."""
        ready = [link for link in self.live_links if link.can_take and not self._is_asleep(link.client)]
        if ready:
            link = self.rng.choice(ready)
            self.note(f"{link.client.name}#{link.number} hears {_brief(link.first)}")
            link.take()
        return bool(ready)

    def somebody_acts(self) -> bool:
        """Somebody does something, if there is anything to do."""
        noted = self._noted
        self._conduct.act(self.rng.choice(self.people))
        return self._noted > noted

    def all_act_in_earnest(self) -> None:
        """Everybody does what brings the match on."""
        for person in self.people:
            self._conduct.act(person, earnest=True)

    def pass_time(self) -> bool:
        """Time passes until something is due, or less."""
        due = self.servers.next_due
        if due is None or self.rng.random() < 0.4:
            due = self.now + 0.3 * self.rng.random()
        self.pass_until(due)
        return True

    def pass_until(self, when: float) -> None:
        """It is ``when`` now, and whatever is due may be late."""
        self.now = max(self.now, when)
        self.servers.pass_until(self.now)

    @property
    def is_still(self) -> bool:
        """Nothing happens before time has passed."""
        return self.servers.is_idle and not any(link.can_deliver or link.can_take for link in self.live_links)

    def _is_asleep(self, client: Client) -> bool:
        return isinstance(client, Person) and client.asleep_until > self.now

    # Looking at it.

    def look(self) -> None:
        """Hold everything against what must hold after every step.

        Raises:
            Broken: something does not.
        """
        self.live_links = [link for link in self.live_links if not (link.is_left and link.is_lost)]
        self.servers.look(self.witness.heard)
        for entry in self.logs:
            self.witness.heard[f"log {entry['event']}"] += 1
            if entry["log_level"] in ("error", "critical") and not self.servers.explains(entry):
                self.complain(f"the server logged {entry}")
        self.logs.clear()
        self.judge()

    def look_closely(self) -> None:
        """Hold everything against what must hold while nothing is under way. Raises Broken as `look` does."""
        self.servers.look_closely(self.witness.listings)
        for person in self.people:
            for room, seen in person.tables.items():
                if seen.is_live and has_part(seen.snapshot):
                    if seen.snapshot["seq"] != self.histories.rooms[room].head:
                        self.complain(f"{person.name} was told {room} up to {seen.snapshot['seq']} only")
                    person.check(seen)
        self.judge()

    def look_back(self) -> None:
        """Hold what was answered in the whole run against what was asked. Raises Broken as `look` does."""
        delivered: Counter[tuple[str, str]] = Counter()
        for link in self.links:
            for message_id, times in link.delivered.items():
                delivered[link.player or "", message_id or ""] += times
            if link.closed_with in UNREADABLE and not link.is_garbled:
                self.complain(f"#{link.number} was closed with {link.closed_with}, but had sent nothing of the kind")
        self.witness.check_refusals(delivered)
        self.judge()

    def been_through(self) -> Counter[str]:
        """What has happened at all, by kind."""
        heard = self.witness.heard.copy()
        heard.update(f"closed {link.closed_with}" for link in self.links if link.closed_with)
        heard.update(self.histories.kinds())
        heard["cut"] = sum(link.was_cut for link in self.links)
        return heard

    def judge(self) -> None:
        """Raises Broken if a promise is broken."""
        if self.violations:
            raise Broken


def _brief(arrived: Wire | Closed) -> str:
    """What identifies a message, for the trace."""
    if isinstance(arrived, Closed):
        return f"the end ({arrived.code})"
    named = (f"{name}={arrived[name]}" for name in ("re", "code", "room", "seq") if name in arrived)
    return " ".join((arrived["type"], *named))
