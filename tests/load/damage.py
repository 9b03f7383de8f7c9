"""A history with one thing wrong, at every place where that can be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

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
)

E = TypeVar("E", Told, Shown, Accepted, Asked)


class Damaged(NamedTuple):
    """A history, and where it is wrong."""

    room: RoomHistory
    where: str


Damage: TypeAlias = Callable[[RoomHistory], Iterator[Damaged]]


class Place(NamedTuple):
    """One entry of one client."""

    room: RoomHistory
    who: int
    at: int

    @property
    def before(self) -> Sequence[Entry]:
        return self.room.clients[self.who].entries[: self.at]

    @property
    def entry(self) -> Entry:
        return self.room.clients[self.who].entries[self.at]

    @property
    def after(self) -> Sequence[Entry]:
        return self.room.clients[self.who].entries[self.at + 1 :]

    def with_entries(self, *others: Entry, drop: int = 0) -> Damaged:
        """``others`` in place of the entry and the ``drop`` that follow it."""
        clients = list(self.room.clients)
        name = clients[self.who].name
        clients[self.who] = ClientHistory(name, [*self.before, *others, *self.after[drop:]])
        return Damaged(RoomHistory(self.room.room, clients), f"{name}, entry {self.at}: {self.entry} > {others}")


def places(room: RoomHistory, kind: type[E]) -> Iterator[tuple[Place, E]]:
    for who, client in enumerate(room.clients):
        for index, entry in enumerate(client.entries):
            if isinstance(entry, kind):
                yield Place(room, who, index), entry


# Updates.


def update_lost(room: RoomHistory) -> Iterator[Damaged]:
    """No fault where the next that is heard is a snapshot on another connection: it was lost with the one before."""
    for place, _ in places(room, Told):
        heard = [entry for entry in place.after if not isinstance(entry, Asked)]
        if not (isinstance(heard[0], Connected) and isinstance(heard[1], Shown)):
            yield place.with_entries()


def update_repeated(room: RoomHistory) -> Iterator[Damaged]:
    for place, told in places(room, Told):
        yield place.with_entries(told, told)


def updates_in_another_order(room: RoomHistory) -> Iterator[Damaged]:
    for place, told in places(room, Told):
        following = place.after[0]
        if isinstance(following, Told):
            yield place.with_entries(following, told, drop=1)


def updates_in_each_others_place(room: RoomHistory) -> Iterator[Damaged]:
    """Where one of them was told to nobody else, it is altered: see `lone_update_altered`."""
    for place, told in places(room, Told):
        following = place.after[0]
        if isinstance(following, Told) and not (_is_alone(room, told) or _is_alone(room, following)):
            first = following._replace(epoch=told.epoch, seq=told.seq)
            second = told._replace(epoch=following.epoch, seq=following.seq)
            yield place.with_entries(first, second, drop=1)


def update_altered(room: RoomHistory) -> Iterator[Damaged]:
    """Every value in turn, where others were told it too. Its deed stays: this is the harder case."""
    for place, told in places(room, Told):
        if not _is_alone(room, told):
            yield from _altered(place, told)


def lone_update_altered(room: RoomHistory) -> Iterator[Damaged]:
    """The same where nobody else was told it, so that only what comes after it can show that."""
    for place, told in places(room, Told):
        if _is_alone(room, told):
            yield from _altered(place, told)


def _altered(place: Place, told: Told) -> Iterator[Damaged]:
    return (
        place.with_entries(told._replace(content=json.dumps(other))) for other in variants(json.loads(told.content))
    )


def _is_alone(room: RoomHistory, told: Told) -> bool:
    return sum(other.seq == told.seq for _, other in places(room, Told)) == 1


def update_of_another_process(room: RoomHistory) -> Iterator[Damaged]:
    for place, told in places(room, Told):
        for epoch in (told.epoch - 1, told.epoch + 1):
            yield place.with_entries(told._replace(epoch=epoch))


# Answers.


def answer_lost(room: RoomHistory) -> Iterator[Damaged]:
    """No fault where it came twice, as what was asked again on another connection is answered again."""
    for place, ok in places(room, Accepted):
        if sum(other.id == ok.id for _, other in places(room, Accepted)) == 1:
            yield place.with_entries()


def answer_to_another_step(room: RoomHistory) -> Iterator[Damaged]:
    """No fault where the answer names no step: nothing was changed, says the server."""
    for place, ok in places(room, Accepted):
        if ok.seq is not None:
            for seq in (ok.seq - 1, ok.seq + 1, 1, 10_000):
                yield place.with_entries(ok._replace(seq=seq))


def answer_too_early(room: RoomHistory) -> Iterator[Damaged]:
    """Right after the question: no fault where that was asked again, and the step known before the answer came."""
    for place, asked in places(room, Asked):
        accepted = [i for i, entry in enumerate(place.after) if isinstance(entry, Accepted) and entry.id == asked.id]
        ok = place.after[accepted[0]]
        assert isinstance(ok, Accepted)
        if ok.seq is not None:
            yield place.with_entries(asked, ok)


def answer_denied(room: RoomHistory) -> Iterator[Damaged]:
    for place, ok in places(room, Accepted):
        yield place.with_entries(ok, Refused(ok.id))


def refused_and_done(room: RoomHistory) -> Iterator[Damaged]:
    """No fault where it changed nothing. That the start was refused cannot be seen: no event tells who asked for it."""
    deeds = {asked.id for _, asked in places(room, Asked) if asked.deed is not None}
    for place, ok in places(room, Accepted):
        if ok.id in deeds and ok.seq is not None:
            yield place.with_entries(Refused(ok.id))


def question_never_asked(room: RoomHistory) -> Iterator[Damaged]:
    for place, _ in places(room, Asked):
        yield place.with_entries()


def question_of_something_else(room: RoomHistory) -> Iterator[Damaged]:
    """No fault where it was answered without a step."""
    steps = {ok.id for _, ok in places(room, Accepted) if ok.seq is not None}
    for place, asked in places(room, Asked):
        if asked.id in steps:
            yield place.with_entries(asked._replace(deed="0 play 6-6 up"))


# Snapshots.


def snapshot_lost(room: RoomHistory) -> Iterator[Damaged]:
    """No fault where no step was missed before it: whoever asks to be shown the room does not note that."""
    for place, shown in places(room, Shown):
        known = [entry.seq for entry in place.before if isinstance(entry, Told | Shown)]
        if not known or max(known) < shown.seq or not place.after:
            yield place.with_entries()


def snapshot_altered(room: RoomHistory) -> Iterator[Damaged]:
    """Every value in turn. Nobody can tell what was said of a seat that the next step fills, before others looked."""
    for place, shown in places(room, Shown):
        picture = json.loads(shown.content)
        for other in variants(picture):
            if shown.seq > 1 or other["seats"][1:2] == picture["seats"][1:2]:
                yield place.with_entries(shown._replace(content=json.dumps(other)))


def snapshot_without_an_event(room: RoomHistory) -> Iterator[Damaged]:
    for place, shown in places(room, Shown):
        picture = json.loads(shown.content)
        events = picture["deal"]["events"] if picture["deal"] else []
        for gone in range(len(events)):
            left = {**picture["deal"], "events": events[:gone] + events[gone + 1 :]}
            yield place.with_entries(shown._replace(content=json.dumps({**picture, "deal": left})))


def snapshot_of_an_older_room(room: RoomHistory) -> Iterator[Damaged]:
    """What was shown before, under the number of now."""
    for place, shown in places(room, Shown):
        for older in place.before:
            if isinstance(older, Shown):
                yield place.with_entries(shown._replace(content=older.content))


def snapshot_of_a_reset(room: RoomHistory) -> Iterator[Damaged]:
    for place, shown in places(room, Shown):
        yield place.with_entries(shown._replace(is_reset=True))


def variants(value: Any) -> Iterator[Any]:
    """``value`` with one value in it changed, for each of them."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from ({**value, name: other} for other in variants(inner))
        case list():
            yield [*value, *(value[-1:] or [0])]
            for i, inner in enumerate(value):
                yield from ([*value[:i], other, *value[i + 1 :]] for other in variants(inner))
        case bool() | None:
            yield not value
        case str():
            yield f"{value}x"
        case _:
            yield value + 1
