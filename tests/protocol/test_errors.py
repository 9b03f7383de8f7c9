from __future__ import annotations

import pytest

from engine.errors import Reason
from protocol.errors import CLOSE_TEXTS, ERROR_TEXTS, FINAL, REASONS, CloseCode, ErrorCode, ProtocolError, RefusalReason
from protocol.messages import check_sent


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_is_told_in_plain_english(code: ErrorCode) -> None:
    wire = ProtocolError(code).to_wire()

    assert wire == {"type": "error", "code": code.value, "message": ERROR_TEXTS[code]}
    check_sent(wire)


def test_an_error_tells_what_is_known_about_it() -> None:
    error = ProtocolError(
        ErrorCode.RATE_LIMITED, "Slowly.", path="room", reason="hints_off", legal=[], retry_after=1.5, re="a-1"
    )

    wire = error.to_wire()

    assert wire == {
        "type": "error",
        "re": "a-1",
        "code": "rate_limited",
        "message": "Slowly.",
        "reason": "hints_off",
        "path": "room",
        "legal": [],
        "retry_after": 1.5,
    }
    check_sent(wire)


def test_an_error_that_was_told_is_the_same_but_for_what_it_answers() -> None:
    error = ProtocolError(ErrorCode.REFUSED, "No.", path="room", reason="hints_off", legal=[], retry_after=1.5)

    told = ProtocolError.of_wire({**error.to_wire(), "re": "a-1"})

    assert told.to_wire() == error.to_wire()


def test_an_error_can_be_read_in_a_log() -> None:
    assert str(ProtocolError(ErrorCode.STALE)) == "stale: The table has changed since; look again."


def test_reasons_of_rules_and_of_refusals_share_one_list() -> None:
    assert set(REASONS) == set(Reason) | set(RefusalReason)
    assert len(REASONS) == len(set(REASONS))


def test_every_close_code_has_a_reason_that_fits_a_close_frame() -> None:
    assert set(CLOSE_TEXTS) == set(CloseCode)
    assert all(len(text.encode()) <= 123 for text in CLOSE_TEXTS.values())


def test_two_closes_are_final() -> None:
    assert {4001, 4003} == FINAL
