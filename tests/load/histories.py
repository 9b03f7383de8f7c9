"""Histories of a room as a server that keeps its promises would make them, to be damaged by tests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from bots.load.checker import check
from bots.load.history import (
    Accepted,
    Asked,
    ClientHistory,
    Connected,
    Entry,
    Refused,
    RoomHistory,
    Shown,
    Told,
    events_of,
    picture_of,
    shown,
    told,
)
from bots.load.violations import Fault
from server import views
from server.table.decide import Restarted, Returned
from server.table.draft import Moment
from server.table.evolve import Step
from server.table.state import Table
from tests.server.tables import ANN, BOB, CAT, CODE, Driver

ROOM = CODE
PLAYERS = (ANN, BOB, CAT)
NAMES = tuple(player.name for player in PLAYERS)
JOINED = 3
"""The step after which all sit in the room. The next one is the start, by Ann, who leads too."""
ACTS = 9
"""The first of them in step 5, by Ann, Bob and Cat in turn."""
RESTART = 9
"""From this step on another process has the room, under another epoch. Three steps more, and all are back."""
LAST = 17
BEFORE, AFTER = 1000, 2000
"""The epochs."""


@dataclass(frozen=True)
class Cut:
    """Client ``who`` loses its connection after step ``after`` and comes back after step ``back``."""

    who: int
    after: int
    back: int
    by_snapshot: bool = False


@dataclass(frozen=True)
class Scene:
    """One step: what is told of it, and what the room looks like then."""

    told: Told
    shown: Shown

    @property
    def asked_by(self) -> int | None:
        """The client whose request it is; None: the server's own."""
        for event in events_of(self.told):
            match event["type"]:
                case "match_started":
                    return 0
                case "ready" | "played" | "drew" | "knocked":
                    return int(event["seat"])
        return None


class Play(Driver):
    """A room of three whose steps are kept as ``scenes``."""

    def __init__(self, game: str = "fives-threes", seed: int = 0) -> None:
        self.scenes: list[Scene] = []
        self.epoch = BEFORE
        self._tables: list[Table] = []
        self._rng = random.Random(seed)
        super().__init__(ANN, seed=seed, game=game, seats=len(PLAYERS), lead=0)
        self._keep(self.log.pop(), self.table)
        for player in PLAYERS[1:]:
            self.say(player, "join")
        self.say(ANN, "start")

    def moment(self) -> Moment:
        return replace(super().moment(), epoch=self.epoch)

    def _keep(self, step: Step | None, after: Table) -> None:
        super()._keep(step, after)
        if step is not None:
            self._tables.append(after)
            events = views.events_for(step.events, None)
            self.scenes.append(Scene(told(step.epoch, step.seq, events), shown(self.snapshot(None))))

    def go_on(self, acts: int) -> None:
        """So many acts, and what must be said between deals."""
        for _ in range(acts):
            while self.table.turn is None:
                for player in PLAYERS:
                    self.say(player, "next")
            self.act(self._rng.randrange(9))

    def change_hands(self, lost: int = 0) -> None:
        """Another process takes the room, in which the last ``lost`` steps never were, and all come back."""
        self.table = self._tables[-1 - lost]
        self.epoch = AFTER
        self.serve(Restarted())
        for player in PLAYERS:
            self.serve(Returned(player))


@lru_cache
def scenes(acts: int = ACTS, game: str = "fives-threes", seed: int = 0) -> Sequence[Scene]:
    """A room from its creation on, with a change of hands in the middle."""
    play = Play(game, seed)
    play.go_on(acts // 2)
    play.change_hands()
    play.go_on(acts - acts // 2)
    return tuple(play.scenes)


def step(seq: int) -> Told:
    """What everybody is told of a step of the usual room."""
    return scenes()[seq - 1].told


def look(seq: int) -> Shown:
    """The usual room as it was after a step."""
    return scenes()[seq - 1].shown


def steps() -> list[Told]:
    """The whole log of the usual room."""
    return [scene.told for scene in scenes()]


def history(cuts: Iterable[Cut] = (), whole: Sequence[Scene] = ()) -> RoomHistory:
    """What the three see of ``whole``, or the usual room; ``cuts`` of one client lie one after the other."""
    seen = whole or scenes()
    return RoomHistory(ROOM, [client(who, seen, [cut for cut in cuts if cut.who == who]) for who in range(len(NAMES))])


def client(who: int, whole: Sequence[Scene], cuts: Sequence[Cut] = ()) -> ClientHistory:
    """What one of them sees."""
    entries: list[Entry] = [Connected(1), whole[who].shown]
    answers: list[Entry] = []
    for before, scene in pairwise(whole[who:]):
        seq = scene.told.seq
        cut = next((cut for cut in cuts if cut.after < seq <= cut.back), None)
        if scene.asked_by == who:
            entries.append(Asked(request_id(who, seq), scene.told.deed))
            answers.append(Accepted(request_id(who, seq), seq))
        if (cut is not None and seq == cut.after + 1) or scene.told.epoch > before.told.epoch:
            entries.append(Connected(2))
        if cut is None or not cut.by_snapshot:
            entries.append(scene.told)
        elif seq == cut.back:
            entries.append(scene.shown)
        if cut is None or not cut.by_snapshot or seq == cut.back:
            entries += answers
            answers.clear()
    entries.append(whole[-1].shown)
    return ClientHistory(NAMES[who], entries)


def request_id(who: int, seq: int) -> str:
    """Under what id client ``who`` asks for its step ``seq``."""
    return f"{NAMES[who]}-act-{seq}"


def faults(room: RoomHistory, stored: Sequence[Told] | None = None) -> set[Fault]:
    """The kinds of fault that the checker finds."""
    return {violation.fault for violation in check(room, stored)}


# Damage.


def entries(room: RoomHistory, who: int = 1) -> list[Entry]:
    """What one client noted; Bob, where nobody is named."""
    return room.clients[who].entries


def place_of(room: RoomHistory, seq: int, who: int = 1) -> int:
    """Where the update of ``seq`` stands among the entries of a client."""
    return next(i for i, entry in enumerate(entries(room, who)) if isinstance(entry, Told) and entry.seq == seq)


def replace_ok(room: RoomHistory, name: str, *others: Entry, who: int = 1) -> None:
    """Put ``others`` in the place of the `ok` to what was asked under ``name``."""
    own = entries(room, who)
    place = next(i for i, entry in enumerate(own) if isinstance(entry, Accepted) and entry.id == name)
    own[place : place + 1] = others


def altered(update: Told) -> Told:
    """The same step and deed with another content."""
    return update._replace(content=json.dumps([*events_of(update), {"type": "waiting"}]))


def showing(snapshot: Shown, change: Callable[[dict[str, Any]], object]) -> Shown:
    """``snapshot`` with another picture: ``change`` works on it in place."""
    picture = picture_of(snapshot)
    change(picture)
    return snapshot._replace(content=json.dumps(picture))


def without_step(room: RoomHistory, seq: int) -> RoomHistory:
    """``room`` as if nobody had asked for step ``seq`` or been told of it: the later ones move up."""
    gone = {
        entry.id for one in room.clients for entry in one.entries if isinstance(entry, Accepted) and entry.seq == seq
    }
    return RoomHistory(room.room, [ClientHistory(one.name, list(_without(one, seq, gone))) for one in room.clients])


def _without(one: ClientHistory, seq: int, gone: set[str]) -> Iterator[Entry]:
    for entry in one.entries:
        if isinstance(entry, Asked | Accepted | Refused) and entry.id in gone:
            continue
        if isinstance(entry, Told) and entry.seq == seq:
            continue
        if isinstance(entry, Told | Shown | Accepted) and entry.seq is not None and entry.seq >= seq:
            yield entry._replace(seq=entry.seq - 1)
        else:
            yield entry
