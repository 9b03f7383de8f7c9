"""Whatever becomes of a question that cannot be answered at once: it gets its answer."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.errors import ErrorCode, ProtocolError
from server.outgoing import Outgoing
from server.questions import MAX_OPEN, Questions
from server.store.base import StoreError


async def answering(outcome: Outgoing | Exception, gate: asyncio.Event | None = None) -> Outgoing:
    """Answers with ``outcome``, or fails with it, when the gate is open."""
    if gate is not None:
        await gate.wait()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_an_answer_is_sent_as_it_is() -> None:
    heard: list[Outgoing] = []
    answer = Outgoing({"type": "record", "re": "q-1"})

    Questions(heard.append).ask("q-1", answering(answer))
    await settle()

    assert heard == [answer]


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (ProtocolError(ErrorCode.REFUSED, reason="no_record"), "refused"),
        (StoreError("out of reach"), "unavailable"),
        (ZeroDivisionError("6-6"), "internal"),
    ],
)
async def test_a_question_that_fails_is_answered_too(outcome: Exception, code: str) -> None:
    heard: list[dict[str, Any]] = []

    with capture_logs() as logged:
        Questions(lambda outgoing: heard.append(outgoing.message)).ask("q-1", answering(outcome))
        await settle()

    assert [(answer["type"], answer["re"], answer["code"]) for answer in heard] == [("error", "q-1", code)]
    assert [entry["event"] for entry in logged] == (["question.bug"] if code == "internal" else [])


async def test_so_many_questions_may_be_open_and_no_more() -> None:
    heard: list[Outgoing] = []
    questions, gate = Questions(heard.append), asyncio.Event()
    for number in range(MAX_OPEN):
        questions.ask(f"q-{number}", answering(Outgoing({"type": "record"}), gate))
    await settle()

    with pytest.raises(ProtocolError) as refused:
        questions.ask("q-more", answering(Outgoing({"type": "record"})))
    gate.set()
    await settle()
    questions.ask("q-later", answering(Outgoing({"type": "record"})))
    await settle()

    assert (refused.value.code, refused.value.retry_after) == (ErrorCode.RATE_LIMITED, 1.0)
    assert len(heard) == MAX_OPEN + 1


async def test_a_question_that_has_not_begun_when_the_process_stops_leaves_nothing() -> None:
    question = answering(Outgoing({"type": "record"}))
    questions = Questions(lambda _: None)
    questions.ask("q-1", question)
    (task,) = questions._open._tasks

    task.cancel()
    await settle()

    assert inspect.getcoroutinestate(question) == inspect.CORO_CLOSED
