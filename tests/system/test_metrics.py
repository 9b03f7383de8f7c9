from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import pytest

from server.metrics import LAG_EVERY
from tests.documents import DOCS, first_names
from tests.fakes import FailingStore
from tests.system.servers import Server, serving
from tests.system.test_http import fetch

ELSEWHERE = "198.51.100.7"


async def read(server: Server) -> dict[str, float]:
    """The value of each series, by its name and labels."""
    text = (await fetch(server, "/metrics")).body.decode()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


async def test_what_happens_at_tables_is_counted(server: Server) -> None:
    ann = await server.client("Ann")
    before = await read(server)

    room = await ann.create(game="block", seats=2)
    await ann.refused("sync", room="ZZZZZZ")
    after = await read(server)

    def risen(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert risen('doublesix_messages_total{type="create"}') == 1
    assert risen('doublesix_errors_total{code="no_such_room"}') == 1
    assert risen("doublesix_steps_total") == risen("doublesix_batch_seconds_count") == server.table(room).seq
    assert (after["doublesix_rooms"], after["doublesix_players"]) == (1, 1)
    assert after["doublesix_connections"] == 2  # and the one that asks


async def test_a_batch_that_the_store_does_not_take_is_counted() -> None:
    store = FailingStore()
    async with serving(store) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="block", seats=2)
        store.is_failing = True
        await ann.refused("react", room=room, key="nice")

        assert (await read(server))["doublesix_store_failures_total"] > 0


async def test_how_late_the_loop_is_is_measured_again_and_again(server: Server) -> None:
    for _ in range(3):
        server.let_pass(LAG_EVERY)
        await read(server)

    assert (await read(server))["doublesix_loop_lag_seconds_count"] == 3


async def test_no_label_says_who_plays_or_where(server: Server) -> None:
    ann = await server.client("Annabel")
    room = await ann.create(game="block", seats=2)

    text = (await fetch(server, "/metrics")).body.decode()

    assert not {secret for secret in (room, "Annabel", ann.player, "127.0.0.1") if secret in text}


@pytest.mark.parametrize(
    ("config", "forwarded", "status"),
    [
        ({}, None, HTTPStatus.OK),
        ({}, "127.0.0.1", HTTPStatus.FORBIDDEN),
        ({"proxies": ("127.0.0.1",)}, ELSEWHERE, HTTPStatus.FORBIDDEN),
        ({"proxies": ("127.0.0.1",)}, "127.0.0.1", HTTPStatus.OK),
        ({"proxies": ("127.0.0.1",), "monitors": (ELSEWHERE,)}, ELSEWHERE, HTTPStatus.OK),
    ],
)
async def test_only_this_machine_and_who_is_named_may_read_them(
    config: dict[str, Any], forwarded: str | None, status: HTTPStatus
) -> None:
    headers = {} if forwarded is None else {"X_Forwarded_For": forwarded}
    async with serving(**config) as server:
        answer = await fetch(server, "/metrics", **headers)

    assert (answer.status, b"doublesix_rooms" in answer.body) == (status, status is HTTPStatus.OK)


async def test_the_operations_page_lists_every_metric_of_ours(server: Server) -> None:
    text = (await fetch(server, "/metrics")).body.decode()
    ours = re.findall(r"^# TYPE (doublesix_\w+) (?:counter|gauge|histogram)$", text, re.MULTILINE)

    assert set(first_names(DOCS / "operations.md", "Metrics")) == {
        name for name in ours if not name.endswith("_created")
    }
