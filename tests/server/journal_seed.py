"""Makes a file for seeds/journal: the log of a room in which every kind of event happens, and a checkpoint in it.

`python -m tests.server.journal_seed FILE` writes one as the server of today does. Those that are there are kept.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

from engine import events as rules
from protocol.convert import Wire, event_to_log
from server import views
from server.table import checkpoint, log
from server.table.events import Event
from server.table.log import Cause
from server.table.state import Actor, Phase, Table
from tests.server.tables import ANN, BOB, CAT, CODE, DAN, EVE, Driver

SEED = 9
"""A story with all that a deal may hold in one deal."""
UNCHANGED = Cause("bob", "bob-1", "ok")
"""A message that was accepted before the second step and changed nothing."""
ANSWERS = [["bob", "bob-2", "ok", 9], ["eve", "eve-1", "snapshot", 2]]
"""What lies beside the table in the checkpoint."""


class Story:
    """A room from its creation to its end: a match of Draw for three."""

    def __init__(self) -> None:
        self.driver = Driver(game="draw", seats=3, target=100, fill="wait", seed=SEED)
        self.causes: dict[int, Cause] = {}
        self.noted: Table | None = None
        """The table of the checkpoint."""
        self._gather()
        self._begin_again()
        self._come_and_go()
        self._play()
        self.driver.wait(3600)

    def _say(self, who: Actor, kind: str, answer: str = "ok", **fields: Any) -> None:
        step = self.driver.say(who, kind, **fields)
        assert step is not None
        self.causes[step.seq] = Cause(who.player, f"{who.player}-{step.seq}", answer)

    def _agree(self, who: Actor, kind: str) -> None:
        """``who`` asks for what all others consent to."""
        self._say(who, kind, "consent_asked")
        while (ask := self.driver.table.ask) is not None:
            self._say(self._holder(ask.need[0]), "consent", ask=ask.event.ask, yes=True)

    def _holder(self, seat: int) -> Actor:
        return next(who for who in (ANN, BOB, CAT, DAN) if who.player == self.driver.place(seat).player)

    def _gather(self) -> None:
        self._say(EVE, "watch", "snapshot")
        self._say(ANN, "swap", seats=[0, 1])
        self._say(ANN, "react", key="wow")
        self._say(ANN, "start", entropy="ab" * 32)
        self._say(BOB, "join", "snapshot")
        self._say(CAT, "join", "snapshot")

    def _begin_again(self) -> None:
        self.driver.act()
        self._agree(BOB, "restart")

    def _come_and_go(self) -> None:
        """The host is away until another has its part and a bot plays; one leaves, and another comes for the seat."""
        self.driver.lose(ANN)
        self.driver.wait(61)
        self.driver.wait(0)
        self._say(ANN, "sync")
        self._say(CAT, "leave")
        self._say(DAN, "join", "snapshot")
        self.driver.time_out()

    def _play(self) -> None:
        while self.driver.table.phase is not Phase.MATCH_OVER:
            self._go_on()
            if self.noted is None and self._has_all_of_a_deal():
                self._take_back()

    def _go_on(self) -> None:
        if self.driver.table.phase is Phase.DEAL_OVER:
            for who in (ANN, BOB, DAN):
                self._say(who, "next")
        else:
            self.driver.act()

    def _has_all_of_a_deal(self) -> bool:
        """Of a deal that is not the first, and whose newest play may be taken back."""
        table = self.driver.table
        happened = {type(event) for event in table.deal_events}
        is_later = table.phase is Phase.PLAYING and bool(table.deals)
        return is_later and bool(table.line) and {rules.Played, rules.Drew, rules.Knocked} <= happened

    def _take_back(self) -> None:
        """A play, twice, with the checkpoint while somebody reads and one asks to have it back."""
        played = self.driver.table.line[-1].by
        who = next(actor for actor in (ANN, BOB, DAN) if actor.player == played)
        other = next(actor for actor in (ANN, BOB, DAN) if actor.player != played)
        self._agree(who, "undo")
        self._agree(other, "redo")
        self._agree(who, "undo")
        self._say(who, "hint", "hint")
        self._say(who, "pause")
        self._say(other, "redo", "consent_asked")
        self.noted, ask = self.driver.table, self.driver.table.ask
        assert ask is not None
        self._say(who, "consent", ask=ask.event.ask, yes=False)
        self._say(who, "continue")


def said(event: Event) -> Wire | None:
    """What ``event`` tells when nothing is a secret any more."""
    return event_to_log(event) if isinstance(event, rules.Event) else event.public()


def shown(table: Table) -> Wire:
    """What Ann may know of ``table``, and its seeds."""
    snapshot = views.snapshot_for(table, ANN.player, table.at)
    return {"snapshot": snapshot, "seeds": [table.seed.hex(), table.next_seed.hex()]}


def lines(story: Story) -> Iterator[Wire]:
    """The checkpoint and the end, then the steps, each with what it says beside its bytes."""
    assert story.noted is not None
    yield {
        "room": CODE,
        "checkpoint": {
            "seq": story.noted.seq,
            "bytes": _text(checkpoint.pack(story.noted, ANSWERS)),
            "answers": ANSWERS,
            **shown(story.noted),
        },
        "end": shown(story.driver.table),
    }
    for step in story.driver.log:
        cause, also = story.causes.get(step.seq), [UNCHANGED] if step.seq == 2 else []
        yield {
            "seq": step.seq,
            "epoch": step.epoch,
            "bytes": _text(log.pack(step, cause, also)),
            "at": step.at,
            "says": [said(event) for event in step.events],
            "cause": cause and astuple(cause),
            "also": [astuple(other) for other in also],
        }


def _text(packed: bytes) -> str:
    return base64.b64encode(packed).decode()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("".join(f"{json.dumps(line)}\n" for line in lines(Story())), encoding="ascii")
