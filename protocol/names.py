"""Names of people: what may stand on everybody's screen."""

from __future__ import annotations

import unicodedata

MAX_NAME = 20
"""Characters of a name, after Unicode NFC."""
MAX_COMPOSED = 4
"""Characters of a text that NFC makes one of, at most."""
MAX_MARKS = 4
"""Combining marks in a row: enough for every living script, too few to climb over the neighbours."""

_JOINERS = frozenset("\u200c\u200d")
"""Zero width, but part of Persian, of Indic scripts and of many emoji."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs by category that show nothing."""
_UNSEEN = _JOINERS | _BLANK | frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors: which form of a sign is meant."""
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control, format (bidi overrides among them), surrogate, private and unassigned characters; line breaks."""


def clean_name(text: str, limit: int = MAX_NAME) -> str:
    """``text`` as a name of at most ``limit`` characters (0: any): NFC, no spaces around, single spaces inside.

    Raises:
        ValueError: what is wrong with it, as the end of a sentence that begins with the field's name.
    """
    if limit and len(text) > MAX_COMPOSED * limit:
        raise ValueError(f"has more than {limit} characters")
    name = " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)
    if any(_is_hidden(sign) for sign in name):
        raise ValueError("holds a character that cannot be seen")
    if not any(_shows(sign) for sign in name):
        raise ValueError("shows nothing")
    if limit and len(name) > limit:
        raise ValueError(f"has more than {limit} characters")
    if _longest_marks(name) > MAX_MARKS:
        raise ValueError(f"has more than {MAX_MARKS} combining marks in a row")
    return name


def as_seen(name: str) -> str:
    """What ``name`` has in common with every name that cannot be told from it: nothing unseen, plain single spaces."""
    seen = "".join(sign for sign in unicodedata.normalize("NFKC", name) if not _is_unseen(sign))
    return " ".join(seen.split())


def _is_unseen(sign: str) -> bool:
    return sign in _UNSEEN or any(ord(sign) in selectors for selectors in _SELECTORS)


def _is_hidden(sign: str) -> bool:
    return sign not in _JOINERS and unicodedata.category(sign) in _HIDDEN


def _shows(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNPS" and sign not in _BLANK


def _longest_marks(name: str) -> int:
    longest = current = 0
    for sign in name:
        current = current + 1 if unicodedata.category(sign)[0] == "M" else 0
        longest = max(longest, current)
    return longest
