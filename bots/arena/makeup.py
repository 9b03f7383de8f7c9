"""What levels are made of besides their code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256

from bots.equity import table
from bots.policy import weights
from bots.search.levels import WORK
from bots.weights import CLUB


def makeup(*names: str) -> str:
    """A digest of the weights, the tables of chances, and the work of those of ``names`` that are levels that search.

    Where it is another one, players of the same names may choose otherwise.
    """
    digest = sha256()
    for part in _parts(names):
        digest.update(sha256(part).digest())
    return digest.hexdigest()[:16]


def _parts(names: tuple[str, ...]) -> Iterator[bytes]:
    yield json.dumps(dict(CLUB)).encode()
    yield weights.FILE.read_bytes()
    for path in sorted(table.FOLDER.glob("*.json")):
        yield path.read_bytes()
    for name in names:
        yield json.dumps(WORK.get(name)).encode()
