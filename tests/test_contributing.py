"""Check CONTRIBUTING.md: what it names exists, and it names every package, folder of tests and marker."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.marking import without_processes

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
NAMED = set(re.findall(r"`(tests/[\w./<>*]*)`", PAGE))


def test_every_test_that_it_names_exists() -> None:
    assert len(NAMED) >= 30
    assert [path for path in sorted(NAMED) if "<" not in path and not list(ROOT.glob(path.rstrip("/")))] == []


def test_every_folder_of_tests_is_named() -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() + "/" for path in (ROOT / "tests").rglob("test_*.py")}
    games = {f"tests/engine/{path.parent.name}/" for path in (ROOT / "engine").glob("*/rules.md")}
    assert len(games) >= 2
    assert "tests/engine/<game>/" in NAMED
    assert sorted(folders - games - NAMED - {"tests/"}) == []


def test_every_package_stands_among_where_things_are() -> None:
    where = PAGE.partition("## Where things are")[2].partition("\n## ")[0]
    packages = {f"arena/{path.parent.name}/" for path in (ROOT / "arena").glob("*/__init__.py")}
    assert len(packages) >= 16
    assert sorted(packages - set(re.findall(r"`(arena/[\w/]*)`", where))) == []


def test_every_marker_is_explained() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        markers = tomllib.load(file)["tool"]["pytest"]["ini_options"]["markers"]
    names = {marker.partition(":")[0] for marker in markers}
    assert names == {"browser", "process", "slow", "toolchains"}
    assert [name for name in sorted(names) if f"`{name}`" not in PAGE] == []


@pytest.mark.process
def test_a_process_that_a_test_does_not_speak_of_is_noticed() -> None:
    with without_processes("this one"):
        pass
    with pytest.raises(AssertionError, match="that one starts a process: mark it"), without_processes("that one"):
        subprocess.run([sys.executable, "-c", ""], check=True)
