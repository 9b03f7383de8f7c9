"""Whether the histories of a room's clients are such as the promises of the protocol allow. Pure functions.

`check` takes all together; each part looks for faults of its own and knows nothing of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from bots.load.agreement import agreement
from bots.load.answers import answers
from bots.load.continuity import continuity
from bots.load.delivery import delivery, end, own_hand
from bots.load.history import RoomHistory, Told
from bots.load.log import STORE, merged
from bots.load.violations import Fault, Violation


def check(history: RoomHistory, stored: Sequence[Told] | None = None) -> list[Violation]:
    """Everything that is wrong in ``history``; ``stored`` is the log of the server, where that is at hand.

    It may begin late: of a long one the server need not have kept the first steps.
    """
    log = merged(history, stored or ())
    violations: list[Violation] = []
    for client in history.clients:
        violations += delivery(history.room, client)
        violations += end(history.room, client)
        violations += own_hand(history.room, client)
    violations += agreement(history, log)
    violations += continuity(history, log)
    stored_from = None if stored is None else stored[0].seq if stored else 1
    violations += answers(history, log, stored_from)
    if stored_from is not None:
        violations += [
            Violation(Fault.LOST, history.room, seq, witness, "it is not in the log")
            for seq, (_, witness) in log.items()
            if witness != STORE and seq >= stored_from
        ]
    return violations
