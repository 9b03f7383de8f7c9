"""Moving stores: real SQLite files, real Redis servers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from server.commands import migrate as migrate_command
from server.migrate import folder
from server.migrate import redis as in_redis
from server.migrate.base import Counts, Record
from server.migrate.folder import FolderTarget
from server.store.base import SEEN_WITHIN, Claimed, DatabaseRefused, Outcome, Store
from server.store.sqlite import FILE_NAME, SqliteStore
from tests.redis_cluster import RedisCluster
from tests.redis_servers import NEWEST, RedisServer, redis_server
from tests.store_contract import NOW, step
from tests.stores_to_move import LONG, PLAYERS, check_filled, do, end_lease, fill, move_and_die, moved, opened

Running: TypeAlias = RedisServer | RedisCluster
IN_NO_HURRY = ("--appendfsync", "no")
"""No power is cut here."""


@pytest.fixture(autouse=True)
def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few at once, so that a few are many."""
    for module in (folder, in_redis):
        monkeypatch.setattr(module, "AT_ONCE", 7)
        monkeypatch.setattr(module, "RECORDS_AT_ONCE", 3)


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One server, of which each test has two databases to itself."""
    with redis_server(tmp_path_factory.mktemp("redis"), NEWEST, *IN_NO_HURRY) as server:
        yield server


@pytest.fixture
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Where is moved from and to: two of "folder", "redis" and "cluster", as the parameter says."""
    kinds: tuple[str, str] = request.param
    servers: list[Running] = [request.getfixturevalue(kind) for kind in {*kinds} - {"folder"}]
    yield _place(kinds[0], servers, tmp_path / "from", 0), _place(kinds[1], servers, tmp_path / "to", 1)
    for server in servers:
        for client in server.clients():
            client.flushall()


def _place(kind: str, servers: Sequence[Running], folder: Path, database: int) -> str:
    if kind == "folder":
        return str(folder)
    (server,) = servers
    return server.url if kind == "cluster" else f"{server.url}?db={database}"


def between(*kinds: tuple[str, str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("places", kinds, indirect=True, ids=["-to-".join(pair) for pair in kinds])


EVERYWHERE = between(
    ("folder", "redis"), ("redis", "folder"), ("folder", "folder"), ("redis", "redis"), ("folder", "cluster")
)
TO_EACH = between(("folder", "folder"), ("folder", "redis"))
FROM_EACH = between(("folder", "folder"), ("redis", "folder"))


@EVERYWHERE
async def test_all_that_is_kept_is_there_afterwards_and_still_here(places: tuple[str, str]) -> None:
    source, target = places
    await do(source, fill)

    counts = await moved(source, target)

    assert counts == Counts(2, PLAYERS, 4)
    await do(target, check_filled)
    await do(source, check_filled)


@EVERYWHERE
async def test_rooms_go_on_where_they_were_moved_to(places: tuple[str, str]) -> None:
    source, target = places
    await do(source, fill)
    await moved(source, target)
    store = await opened(target)

    claimed = await store.claim("LONGER", NOW)

    assert claimed == Claimed(int(NOW), LONG)
    outcomes = await store.append([step("LONGER", LONG, epoch=5), step("LONGER", LONG + 1, epoch=claimed.epoch)])
    assert outcomes[1] is not Outcome.WRITTEN  # not the same step LONG: what follows it is refused too
    assert list(await store.append([step("LONGER", LONG + 1, epoch=claimed.epoch)])) == [Outcome.WRITTEN]
    await store.close()


@EVERYWHERE
async def test_players_and_records_are_as_old_as_they_were(places: tuple[str, str]) -> None:
    source, target = places
    await do(source, fill)
    await moved(source, target)
    store = await opened(target)

    assert await store.forget_players(NOW + 10.125, 100) == 10
    assert await store.forget_players(NOW + 10.126, 100) == 1
    assert await store.forget_records(NOW + 2, 10) == 1
    assert await store.record("r1") is None
    assert await store.find_player(b"token11", NOW + SEEN_WITHIN) == "p11"
    await store.close()


async def open_a_room(store: Store) -> None:
    await store.append([step("OTHERS", 1)])


async def know_a_player(store: Store) -> None:
    await store.add_player(b"other", "other", NOW)


async def keep_a_record(store: Store) -> None:
    await store.add_record("other", "OTHERS", b"other", NOW)


@TO_EACH
@pytest.mark.parametrize("hold", [open_a_room, know_a_player, keep_a_record])
async def test_a_target_that_holds_something_is_refused_and_keeps_it(
    places: tuple[str, str], hold: Callable[[Store], Awaitable[None]]
) -> None:
    source, target = places
    await do(source, fill)
    await do(target, hold)

    with pytest.raises(DatabaseRefused, match="holds something already"):
        await moved(source, target)

    store = await opened(target)
    assert (await store.open_rooms() != []) == (hold is open_a_room)
    assert (await store.find_player(b"other", NOW) is not None) == (hold is know_a_player)
    assert (await store.record("other") is not None) == (hold is keep_a_record)
    assert await store.record("r1") is None
    await store.close()


@TO_EACH
async def test_a_target_on_which_a_server_ran_that_kept_nothing_is_empty(places: tuple[str, str]) -> None:
    source, target = places
    await do(source, fill)
    await (await opened(target)).close()

    await moved(source, target)

    await do(target, check_filled)


@FROM_EACH
async def test_nothing_is_moved_from_under_a_running_server(places: tuple[str, str]) -> None:
    source, target = places
    await do(source, fill)
    server = await opened(source)

    with pytest.raises(DatabaseRefused, match=r"in use by another server|a server runs on this Redis"):
        await moved(source, target)

    await server.close()
    await moved(source, target)


@TO_EACH
async def test_nothing_is_moved_to_where_a_server_runs(places: tuple[str, str]) -> None:
    source, target = places
    await do(source, fill)
    server = await opened(target)

    with pytest.raises(DatabaseRefused, match=r"in use by another server|a server runs on this Redis"):
        await moved(source, target)

    await server.close()


@between(("redis", "folder"))
async def test_a_server_that_is_started_meanwhile_spoils_it(
    places: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = places
    await do(source, fill)
    servers: list[Store] = []
    add_records = FolderTarget.add_records

    async def start_one_too(self: FolderTarget, records: Sequence[Record]) -> None:
        if not servers:
            servers.append(await opened(source))
        await add_records(self, records)

    monkeypatch.setattr(FolderTarget, "add_records", start_one_too)

    with pytest.raises(DatabaseRefused, match="a server runs on this Redis"):
        await moved(source, target)

    await servers[0].close()
    with pytest.raises(DatabaseRefused, match="a part of another store"):
        await opened(target)


@TO_EACH
@pytest.mark.parametrize("pieces", [0, 2, 4])
async def test_killed_at_any_point_it_is_said_again_and_no_server_starts_before(
    places: tuple[str, str], pieces: int
) -> None:
    source, target = places
    await do(source, fill)

    await move_and_die(source, target, pieces)

    with pytest.raises(DatabaseRefused, match="a part of another store"):
        await opened(target)
    await do(source, check_filled)
    end_lease(target)
    await moved(source, target)
    await do(target, check_filled)


@TO_EACH
async def test_what_an_attempt_before_has_left_is_not_mixed_with_the_next(places: tuple[str, str]) -> None:
    source, target = places
    await do(source, fill)
    await move_and_die(source, target, 4)
    await do(source, lambda store: store.append([step("AAAAAA", 4, closes=True)]))
    await do(source, lambda store: store.forget_players(NOW + 10, 1000))
    end_lease(target)

    counts = await moved(source, target)

    assert (counts.rooms, counts.players) == (1, PLAYERS - 10)
    store = await opened(target)
    assert [kept[0].room for kept in await store.open_rooms()] == ["LONGER"]
    assert await store.find_player(b"token0", NOW) is None
    await store.close()


def test_it_says_what_was_moved_and_from_where_to_where(
    tmp_path: Path, redis: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    SqliteStore(tmp_path / "data")._folder.release()

    status = migrate_command.run(str(tmp_path / "data"), f"{redis.url}?db=7")

    assert status == 0
    said = capsys.readouterr()
    assert said.out == f"Moved 0 rooms, 0 players and 0 records from {tmp_path / 'data'} to {redis.url}?db=7\n"


@pytest.mark.parametrize(
    ("source", "target", "status", "says"),
    [
        ("nowhere", "redis://127.0.0.1:1", 1, "there is no database in"),
        ("redis://user:secret@127.0.0.1:1", "new", 1, "Nothing is lost: redis://127.0.0.1:1 is as it was"),
        (
            "nowhere",
            "http://user:secret@host",
            2,
            "FROM and TO are data folders or addresses of Redis servers: redis://",
        ),
        ("redis://:a/secret@host", "new", 2, "/ ? # and @ are written as %2F"),
        ("redis://host:port", "new", 2, "the port is a number"),
        ("rediss://u:secret@127.0.0.1:1/3?ssl_password=secret", "new", 1, "lost: rediss://127.0.0.1:1/3 is as it was"),
        ("nowhere", "./nowhere", 2, "FROM and TO are the same"),
    ],
)
def test_what_cannot_be_moved_is_said_and_nothing_is_made(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    source: str,
    target: str,
    status: int,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert migrate_command.run(source, target) == status

    said = capsys.readouterr().err
    assert says in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == []


@between(("redis", "folder"))
async def test_a_redis_without_anything_of_ours_is_no_source(places: tuple[str, str]) -> None:
    source, target = places

    with pytest.raises(DatabaseRefused, match="nothing of ours"):
        await moved(source, target)

    assert not (Path(target) / FILE_NAME).exists()
