"""Which processes there are, by what the system says."""

from __future__ import annotations

from pathlib import Path


def children(parent: int) -> list[int]:
    """The processes that ``parent`` has started and that have not ended."""
    return [pid for pid in _every() if _parent(pid) == parent]


def is_alive(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    return _parent(pid) is not None


def command(pid: int) -> str:
    """With what it was started; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").replace("\0", " ")
    except OSError:
        return ""


def _every() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return None
    state, parent = stat.rpartition(")")[2].split()[:2]
    return None if state == "Z" else int(parent)
