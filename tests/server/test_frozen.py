from __future__ import annotations

import dataclasses

import pytest

from engine.seats import Seat
from engine.shuffle import Shuffle
from server.table.frozen import replace
from server.table.state import Place


def test_a_copy_has_the_other_values_and_the_first_keeps_its_own() -> None:
    place = Place(Seat(1), name="Ann", since=3.0)

    other = replace(place, name="Bob")

    assert other == dataclasses.replace(place, name="Bob")
    assert place == Place(Seat(1), name="Ann", since=3.0)


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="Place has no field colour"):
        replace(Place(Seat(1)), colour="red")  # type: ignore[call-arg]  # what is to be refused


def test_what_checks_its_fields_is_not_copied_past_the_check() -> None:
    with pytest.raises(TypeError, match="checks them"):
        replace(Shuffle(bytes(32)), seed=b"")
