from __future__ import annotations

import tomllib
from importlib.metadata import entry_points, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "protocol", "bots", "server")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_is_the_one_of_this_checkout(package: str) -> None:
    spec = find_spec(package)

    assert spec is not None
    assert spec.origin == str(ROOT / package / "__init__.py")


@pytest.mark.parametrize("package", PACKAGES)
def test_no_stranger_brings_a_package_of_the_same_name(package: str) -> None:
    owners = set(packages_distributions().get(package, []))

    assert owners <= {"doublesix"}


def test_the_wheel_takes_every_package_of_the_checkout() -> None:
    folders = {init.parent.name for init in ROOT.glob("*/__init__.py")} - {"tests"}

    listed = project()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    assert set(listed) == folders == set(PACKAGES)


def test_the_installed_distribution_is_up_to_date() -> None:
    (script,) = entry_points(group="console_scripts", name="doublesix")

    assert version("doublesix") == project()["project"]["version"]
    assert callable(script.load())


def test_every_folder_of_tests_is_a_package() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}

    bare = [folder for folder in folders if not (folder / "__init__.py").exists()]

    assert not bare
