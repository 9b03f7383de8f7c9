"""`dataclasses.replace` for frozen dataclasses with slots, several times as fast.

A play replaces the table of some forty fields several times: the library's own function goes through `__init__` and
asks every field what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

__all__ = ["replace"]


class _Plan(NamedTuple):
    """How to copy the fields of a class, in their order."""

    read: Callable[[Any], tuple[Any, ...]]
    places: Mapping[str, int]
    writers: tuple[Callable[[Any, Any], None], ...]


@cache
def _plan(kind: type) -> _Plan:
    names = [field.name for field in fields(kind)]
    if len(names) < 2 or hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} has fewer than two fields, or checks them")
    writers = tuple(kind.__dict__[name].__set__ for name in names)
    return _Plan(attrgetter(*names), {name: place for place, name in enumerate(names)}, writers)


if TYPE_CHECKING:
    from dataclasses import replace  # so that the names and types of the fields are checked
else:

    def replace(value: object, /, **changes: object) -> object:
        """A copy of ``value`` with other values for the fields in ``changes``.

        Raises:
            TypeError: it has no such field, or is no frozen dataclass with slots whose fields need no check.
        """
        plan = _plan(type(value))
        values = list(plan.read(value))
        for name, changed in changes.items():
            if name not in plan.places:
                raise TypeError(f"{type(value).__name__} has no field {name}")
            values[plan.places[name]] = changed
        copy = object.__new__(type(value))
        for write, one in zip(plan.writers, values, strict=True):
            write(copy, one)
        return copy
