"""Histories of a room as a server that keeps its promises would make them, to be damaged by tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bots.load.checker import check
from bots.load.history import (
    Accepted,
    Asked,
    ClientHistory,
    Connected,
    Entry,
    RoomHistory,
    Shown,
    Told,
    told,
)
from bots.load.violations import Fault

ROOM = "ABC234"
NAMES = ("Ann", "Bob", "Cat")
JOINED = 3
"""The step after which all sit in the room."""
RESTART = 8
"""From this step on another process has the room, under another epoch."""
ALL_IN_TURN = (0, 1, 2) * 3


@dataclass(frozen=True)
class Cut:
    """Client ``who`` loses its connection after step ``after`` and comes back after step ``back``."""

    who: int
    after: int
    back: int
    by_snapshot: bool = False


def action(seq: int) -> dict[str, Any]:
    """What is done in step ``seq``: by turns a play, a draw and a knock."""
    kinds: tuple[dict[str, Any], ...] = (
        {"type": "play", "tile": "1-4", "end": "left"},
        {"type": "draw"},
        {"type": "knock"},
    )
    return kinds[seq % 3]


def events(seq: int, actor: int) -> list[dict[str, Any]]:
    """What is told of step ``seq``."""
    said = action(seq)
    name = {"play": "played", "draw": "drew", "knock": "knocked"}[said["type"]]
    return [{**said, "type": name, "seat": actor, "total": seq}]


def step(seq: int, actor: int | None) -> Told:
    """Step ``seq``, in which ``actor`` acts, or somebody sits down."""
    what = [{"type": "seated", "seat": seq - 1}] if actor is None else events(seq, actor)
    return told(1000 if seq < RESTART else 2000, seq, what)


def steps(actors: Sequence[int] = ALL_IN_TURN) -> list[Told]:
    """The whole log: three sit down, then ``actors`` act one after the other."""
    return [
        step(seq, None if seq <= JOINED else actors[seq - JOINED - 1]) for seq in range(1, JOINED + len(actors) + 1)
    ]


def history(actors: Sequence[int] = ALL_IN_TURN, cuts: Iterable[Cut] = ()) -> RoomHistory:
    """What the three see; ``cuts`` of one client lie one after the other."""
    clients = [_client(who, steps(actors), [cut for cut in cuts if cut.who == who]) for who in range(len(NAMES))]
    return RoomHistory(ROOM, clients)


def _client(who: int, log: Sequence[Told], cuts: Sequence[Cut]) -> ClientHistory:
    entries: list[Entry] = [Connected(1), Shown(log[who].epoch, who + 1)]
    answers: list[Entry] = []
    for told_now in log[who + 1 :]:
        seq = told_now.seq
        cut = next((cut for cut in cuts if cut.after < seq <= cut.back), None)
        if told_now.deed is not None and told_now.deed.startswith(f"{who} "):
            entries.append(Asked(act_id(who, seq), told_now.deed))
            answers.append(Accepted(act_id(who, seq), seq))
        if cut is None:
            entries.append(told_now)
        elif cut.by_snapshot:
            entries += [Connected(2), Shown(told_now.epoch, seq)] if seq == cut.back else []
        else:
            entries += [Connected(2), told_now] if seq == cut.after + 1 else [told_now]
        if cut is None or not cut.by_snapshot or seq == cut.back:
            entries += answers
            answers.clear()
    entries.append(Shown(log[-1].epoch, len(log)))
    return ClientHistory(NAMES[who], entries)


def act_id(who: int, seq: int) -> str:
    """Under what id client ``who`` asks for its step ``seq``."""
    return f"{NAMES[who]}-act-{seq}"


def faults(room: RoomHistory, stored: Sequence[Told] | None = None) -> set[Fault]:
    """The kinds of fault that the checker finds."""
    return {violation.fault for violation in check(room, stored)}
