"""Every limit can be set, and switched off, when a server is started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from server import __main__ as command
from server.config import Config
from server.limits import Limits
from server.table.state import PlayerId
from tests.system.servers import server_process, serving

LIMITS = list(Limits.model_fields)


def configured(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> Config:
    """What `doublesix serve` with these arguments would run with."""
    given: list[Any] = []

    def keep(settings: Any) -> int:
        given.append(Config.model_validate(settings))
        return 0

    monkeypatch.setattr("server.commands.serve.run", keep)
    result = CliRunner().invoke(command.app, ["serve", *arguments])
    assert result.exit_code == 0, result.output
    config: Config = given[0]
    return config


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", ["0", "7000"])
def test_a_limit_is_set_on_the_command_line(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured("--limit", f"{name}={value}", monkeypatch=monkeypatch)

    assert config.limits == Limits.model_validate({name: float(value)})


def test_a_frame_must_have_room_for_the_messages() -> None:
    with pytest.raises(ValueError, match="1000 at least"):
        Limits(frame_bytes=999)

    assert Limits(frame_bytes=1000).frame_bytes == 1000


def test_several_limits_and_proxies_are_set_together(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("--limit=hello=1.5", "--limit=burst=3", "--proxy=10.0.0.0/8", "--proxy=2001:db8::1")

    config = configured(*arguments, monkeypatch=monkeypatch)

    assert (config.limits.hello, config.limits.burst) == (1.5, 3)
    assert [str(network) for network in config.proxies] == ["10.0.0.0/8", "2001:db8::1/128"]


@pytest.mark.parametrize(
    "argument",
    [
        "--limit=hello=-1", "--limit=hello=soon", "--limit=nonsense=1", "--limit=hello", "--limit=burst=1.5",
        "--proxy=proxy.example", "--proxy=10.0.0.1/8",
    ],
)  # fmt: skip
def test_what_is_no_limit_and_no_proxy_is_refused(
    argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.logs.configure", lambda: None)

    result = CliRunner().invoke(command.app, ["serve", "--data", str(tmp_path / "data"), argument])

    assert result.exit_code == 2
    assert not (tmp_path / "data").exists()


async def test_a_limit_set_on_the_command_line_is_kept(tmp_path: Path) -> None:
    async with server_process(tmp_path, "--limit", "rooms_per_player=1") as server:
        ann = await server.client("Ann")
        await ann.create(game="draw", seats=2)

        refusal = await ann.refused("create", settings={"game": "draw", "seats": 2})

    assert refusal["reason"] == "too_many_rooms"


async def test_a_server_without_any_limit_serves() -> None:
    async with serving(limits=dict.fromkeys(LIMITS, 0)) as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        room = await ann.create(game="draw", seats=2, bot_delay=60)
        await bob.say("join", room=room)
        await ann.say("start", room=room)
        server.let_pass(365 * 24 * 60 * 60)

        assert (await ann.say("react", room=room, key="wow"))["type"] == "ok"
        assert server.app.registry.rooms_of(PlayerId(bob.player)) == [room]


@pytest.mark.parametrize(("limit", "again"), [(2, "refused"), (3, "ok"), (0, "ok")])
async def test_so_many_answers_are_given_again(limit: int, again: str) -> None:
    async with serving(limits={"answered_ids": limit}) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="draw", seats=3)
        for seat in (1, 2):
            await ann.say("add_bot", id=f"add-{seat}", room=room, seat=seat)
        await ann.say("remove", id="remove", room=room, seat=1)

        answer = await ann.ask("add_bot", id="add-1", room=room, seat=2)

        assert answer["type"] == ("error" if again == "refused" else "ok")
