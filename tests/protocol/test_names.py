from __future__ import annotations

import pytest

from protocol.names import clean_name


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Ann (2)",
        "Bob 🐺",
        "👨\u200d👩\u200d👧",
        "❤\ufe0f",
        "محمد",
        "می\u200cروم",
        "नमस्ते",
        "ผู้เล่น",
        "שָׁלוֹם",
        "O'Neil-7",
        "x" * 20,
    ],
)
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("given", "kept"),
    [("  Ann  ", "Ann"), ("Ann   Lee", "Ann Lee"), ("A\u0301", "\u00c1"), ("e\u0301" * 20, "\u00e9" * 20)],
)
def test_a_name_is_composed_and_rid_of_needless_spaces(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize("name", ["x" * 21, "🐺" * 21, "x" * 10_000, "q\u0303" * 11])
def test_a_name_has_at_most_20_characters(name: str) -> None:
    with pytest.raises(ValueError, match="more than 20 characters"):
        clean_name(name)


@pytest.mark.parametrize("given", ["\u03b1\u0313\u0300\u0345" * 5, "Ann  " + 15 * " "])
def test_a_name_is_measured_as_it_will_stand_however_long_it_was_before(given: str) -> None:
    """Four characters are the most that one is composed of: a text of more than four times the limit is too long."""
    assert len(given) == 20
    assert len(clean_name(given, 5)) <= 5

    with pytest.raises(ValueError, match="more than 5 characters"):
        clean_name(given + " ", 5)


@pytest.mark.parametrize("name", ["", " ", "\u0301", "\u3164", "\u2800\u2800", "\u200d", "\ufe0f"])
def test_a_name_shows_something(name: str) -> None:
    with pytest.raises(ValueError, match="shows nothing"):
        clean_name(name)


@pytest.mark.parametrize(
    "sign",
    [
        "\x00",
        "\n",
        "\t",
        "\x7f",
        "\x85",
        "\u202e",
        "\u2066",
        "\u200f",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\ud800",
        "\ue000",
        "\uffff",
    ],
)
def test_a_name_hides_nothing(sign: str) -> None:
    with pytest.raises(ValueError, match="cannot be seen"):
        clean_name(f"An{sign}n")


def test_a_name_does_not_pile_up_marks() -> None:
    with pytest.raises(ValueError, match="combining marks"):
        clean_name("Z" + "\u0337" * 5)
