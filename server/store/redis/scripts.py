"""The Lua scripts: the only way to change a room, and whatever else must be one step of one Redis server."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Script:
    """A script, and the name under which a server keeps it."""

    source: str = field(repr=False)
    sha: str

    @classmethod
    def of(cls, source: str) -> Script:
        """The script with that ``source``."""
        return cls(source, sha1(source.encode(), usedforsecurity=False).hexdigest())

    def call(self, keys: tuple[str, ...], *arguments: str | bytes | int) -> tuple[str | bytes | int, ...]:
        """The command that runs it on ``keys``, which are all that it touches and lie in one slot."""
        return ("EVALSHA", self.sha, len(keys), *keys, *arguments)


def _script(name: str) -> Script:
    return Script.of(Path(__file__).with_name(f"{name}.lua").read_text(encoding="utf-8"))


APPEND = _script("append")
CLAIM = _script("claim")
RELEASE = _script("release")
LOAD = _script("load")
TRIM = _script("trim")
NOTE_LAST = _script("note_last")
ARRIVE = _script("arrive")
DEPART = _script("depart")
KEEP = _script("keep")
MEET = _script("meet")
DROP = _script("drop")
SWAP = _script("swap")

ALL = (APPEND, CLAIM, RELEASE, LOAD, TRIM, NOTE_LAST, ARRIVE, DEPART, KEEP, MEET, DROP, SWAP)
