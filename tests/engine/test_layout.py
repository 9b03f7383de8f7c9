from __future__ import annotations

import pytest

from engine.layout import End, Layout
from engine.notation import parse_tile
from tests.engine.positions import line, open_ends


def test_nothing_is_open_before_the_opening() -> None:
    layout = Layout()

    assert layout.is_empty
    assert layout.ends == ()
    assert layout.ends_for(parse_tile("6-6")) == ()
    assert layout.takes_any([parse_tile("6-6")])


def test_an_opening_tile_lies_with_its_low_half_to_the_left() -> None:
    """C13."""
    assert open_ends(line("2-5")) == {"left": (2, 2), "right": (5, 5)}


def test_a_joined_tile_leaves_its_other_half_open() -> None:
    """C6."""
    layout = line("2-5", "5-6 right", "0-2 left")

    assert open_ends(layout) == {"left": (0, 0), "right": (6, 6)}


def test_a_tile_that_fits_both_ends_is_listed_at_both() -> None:
    """C13."""
    layout = line("2-5")

    assert layout.ends_for(parse_tile("2-5")) == (End.LEFT, End.RIGHT)
    assert layout.ends_for(parse_tile("2-2")) == (End.LEFT,)
    assert layout.ends_for(parse_tile("3-4")) == ()


def test_a_lone_double_counts_once_and_lies_at_both_ends() -> None:
    """C14: [2|2] alone is 4, not 8."""
    layout = line("2-2")

    assert layout.total == 4
    assert layout.ends_for(parse_tile("2-6")) == (End.LEFT, End.RIGHT)


@pytest.mark.parametrize(("end", "other"), [("left", "right"), ("right", "left")])
def test_a_double_with_one_side_used_counts_both_halves_at_the_other(end: str, other: str) -> None:
    """C14: [2|2] + [2|5] is 4 + 5 = 9."""
    layout = line("2-2", f"2-5 {end}")

    assert open_ends(layout) == {end: (5, 5), other: (2, 4)}
    assert layout.total == 9


def test_a_double_with_both_sides_used_counts_nothing() -> None:
    """C14."""
    layout = line("2-2", "2-5 left", "2-3 right")

    assert layout.total == 8


def test_blank_ends_count_nothing_and_are_ends() -> None:
    """C1, C14."""
    layout = line("0-0", "0-3 left")

    assert open_ends(layout) == {"left": (3, 3), "right": (0, 0)}
    assert layout.ends_for(parse_tile("0-6")) == (End.RIGHT,)


def test_no_double_branches_in_a_plain_line() -> None:
    """F2, B1."""
    layout = line("2-2", "2-5 left", "2-3 right", "3-3 right", "3-4 right")

    assert open_ends(layout).keys() == {"left", "right"}
    assert layout.spinner is None


def test_the_first_double_is_the_spinner_wherever_it_lies() -> None:
    """A3."""
    opening = line("4-4", branches=True)
    later = line("2-5", "5-5 right", "2-2 left", branches=True)

    assert opening.spinner == parse_tile("4-4")
    assert later.spinner == parse_tile("5-5")


def test_the_arms_of_an_opening_spinner_open_when_both_its_sides_are_used() -> None:
    """A4, A7: open but empty arms count nothing."""
    one_side = line("4-4", "4-6 right", branches=True)
    both_sides = line("4-4", "4-6 right", "1-4 left", branches=True)

    assert open_ends(one_side) == {"left": (4, 8), "right": (6, 6)}
    assert open_ends(both_sides) == {"left": (1, 1), "right": (6, 6), "up": (4, 0), "down": (4, 0)}


def test_the_side_by_which_a_later_spinner_was_joined_is_used() -> None:
    """A4: one more tile opens the arms."""
    joined = line("2-5", "5-5 right", branches=True)
    beyond = line("2-5", "5-5 right", "3-5 right", branches=True)

    assert open_ends(joined) == {"left": (2, 2), "right": (5, 10)}
    assert open_ends(beyond) == {"left": (2, 2), "right": (3, 3), "up": (5, 0), "down": (5, 0)}


def test_tiles_at_the_far_end_do_not_open_the_arms() -> None:
    """A4."""
    layout = line("2-5", "5-5 right", "1-2 left", "1-6 left", branches=True)

    assert open_ends(layout) == {"left": (6, 6), "right": (5, 10)}


def test_a_blank_spinner_is_told_from_another_blank_end() -> None:
    """A4: both ends show a blank and count nothing, only the right one is the spinner's side."""
    layout = line("0-2", "2-6 right", "0-0 left", "0-6 right", branches=True)

    far_end_used = layout.place(parse_tile("0-5"), End.RIGHT)
    side_used = layout.place(parse_tile("0-5"), End.LEFT)

    assert open_ends(far_end_used).keys() == {"left", "right"}
    assert open_ends(side_used).keys() == {"left", "right", "up", "down"}


def test_a_later_double_counts_both_halves_at_the_end_of_any_arm_and_does_not_branch() -> None:
    """A3, A6."""
    layout = line("4-4", "4-6 right", "1-4 left", "3-4 down", "3-3 down", "4-5 up", "6-6 right", branches=True)

    assert open_ends(layout) == {"left": (1, 1), "right": (6, 12), "up": (5, 5), "down": (3, 6)}
    assert layout.total == 24


def test_ends_keep_their_order_whichever_arm_is_used_first() -> None:
    """C13."""
    layout = line("4-4", "4-6 right", "1-4 left", "3-4 down", "4-5 up", branches=True)

    assert [open_end.end for open_end in layout.ends] == [End.LEFT, End.RIGHT, End.UP, End.DOWN]


def test_a_tile_cannot_be_placed_where_no_end_is_open() -> None:
    with pytest.raises(ValueError, match="no open end up"):
        line("4-4", "4-6 up")


def test_a_tile_cannot_be_placed_on_an_end_of_another_pip() -> None:
    with pytest.raises(ValueError, match="1-2 shows no 4"):
        line("4-4", "1-2 left")


def test_only_the_first_tile_opens() -> None:
    with pytest.raises(ValueError, match="no open end None"):
        line("4-4", "4-5")
