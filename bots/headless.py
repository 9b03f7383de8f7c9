"""A player behind a WebSocket: one seat at one table, which it keeps over lost connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from bots.dialogue import Dialogue, Ending, TryLater
from bots.player import Player
from protocol.codecs import MsgpackCodec
from protocol.convert import Wire
from protocol.errors import CLOSE_TEXTS, FINAL, CloseCode, ProtocolError, UndecodableError

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds within which the bot comes back at first, and at last."""
FIRST_ATTEMPTS = 5
"""Attempts to reach a server that has not answered yet."""

Sleep: TypeAlias = Callable[[float], Awaitable[None]]

_CODEC = MsgpackCodec()


async def play(
    url: str,
    room: str,
    player: Player,
    *,
    rng: random.Random,
    seat: int | None = None,
    name: str = "Bot",
    sleep: Sleep = asyncio.sleep,
) -> Ending:
    """Let ``player`` play at table ``room`` of the server at ``url`` until the table closes or has no seat for it.

    It is asked in a thread, so that one that thinks or waits does not cost the connection; its action comes at the pace
    of the table's other bots. ``rng`` spreads the attempts to come back and makes ids that no other bot makes.
    Cancelled, the bot gives its seat up.
    """
    dialogue = Dialogue(room, seat, name, rng)
    failures = 0
    while dialogue.ending is None:
        try:
            dialogue.ending = await _converse(url, dialogue, player, sleep)
        except (OSError, InvalidURI, InvalidHandshake, ConnectionClosed, TryLater) as lost:
            failures = 0 if dialogue.is_welcome else failures + 1
            dialogue.ending = dialogue.ending or _final(lost, dialogue, failures)
            asked = lost.seconds if isinstance(lost, TryLater) else dialogue.retry_after
            if dialogue.ending is None:
                await sleep(asked + _wait(failures, rng))
    return dialogue.ending


def _wait(failures: int, rng: random.Random) -> float:
    """Seconds until the next attempt: full jitter, so that those who lost one server do not come back at once."""
    return rng.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2**failures))


def _final(lost: Exception, dialogue: Dialogue, failures: int) -> Ending | None:
    """Why there is no coming back from ``lost``; None if there is."""
    if isinstance(lost, ConnectionClosed):
        code = lost.rcvd.code if lost.rcvd else None
        return Ending(f"{CLOSE_TEXTS[CloseCode(code)]}.", is_failure=True) if code in FINAL else None
    if isinstance(lost, InvalidURI) or (isinstance(lost, InvalidStatus) and lost.response.status_code < 500):
        return Ending(f"This is not the address of a server: {lost}.", is_failure=True)
    if failures >= FIRST_ATTEMPTS and not dialogue.is_known:
        return Ending(f"The server cannot be reached: {lost}.", is_failure=True)
    return None


async def _converse(url: str, dialogue: Dialogue, player: Player, sleep: Sleep) -> Ending | None:
    """One connection, until there is nothing more to do. ConnectionClosed if it is lost before."""
    async with connect(url, subprotocols=[Subprotocol(_CODEC.subprotocol)], compression=None, proxy=None) as socket:
        try:
            await _send(socket, dialogue.hello())
            while dialogue.ending is None:
                await _hear(socket, dialogue, sleep)
                await _answer(socket, dialogue, player, sleep)
        except (UndecodableError, ProtocolError) as error:
            return Ending(f"The server speaks another language: {error}", is_failure=True)
        except asyncio.CancelledError:
            await _send(socket, dialogue.leave())
            raise
        return dialogue.ending


async def _hear(socket: ClientConnection, dialogue: Dialogue, sleep: Sleep) -> None:
    said = dialogue.hear(_CODEC.decode(await socket.recv()))
    if dialogue.pause:
        await sleep(dialogue.pause)
        dialogue.pause = 0.0
    for message in said:
        await _send(socket, message)


async def _answer(socket: ClientConnection, dialogue: Dialogue, player: Player, sleep: Sleep) -> None:
    question = dialogue.question()
    if question is None:
        return
    choosing = asyncio.to_thread(player.choose, question.view, question.legal)
    action, _ = await asyncio.gather(choosing, sleep(question.delay))
    await _send(socket, dialogue.act(question, action))


async def _send(socket: ClientConnection, message: Wire) -> None:
    await socket.send(_CODEC.encode(message))
