"""What the server says by keys, the browser has words for."""

from __future__ import annotations

import json

from protocol.hints import HintReason
from tests.documents import ROOT

WORDS = json.loads((ROOT / "server/web/i18n/en.json").read_text())


def test_each_reason_of_a_hint_has_its_words() -> None:
    assert {key.removeprefix("hint.") for key in WORDS if key.startswith("hint.")} == {str(key) for key in HintReason}
