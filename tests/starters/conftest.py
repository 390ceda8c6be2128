"""The command line and one cache for all tests here, so that each bot is built once."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.starters import make, starters
from tests.shell import Shell

ROOT = Path(__file__).parents[2]
STARTERS = starters()
PATIENCE = 900
"""Seconds for one command: on a small machine compilers take their time."""


def named(key: str) -> str:
    """What a bot in a language is called here."""
    return f"fogg-{key}"


class Refusal(NamedTuple):
    """The one step of a check that failed."""

    step: str
    what: str
    section: str
    says: str
    advice: str


class Workshop(Shell):
    """A folder to make bots in."""

    def make(self, key: str, folder: str = ".") -> Path:
        """A bot in a language. Its source is the same in every test, so that it is built once."""
        made = self.folder / folder / named(key)
        make(STARTERS[key], made)
        return made

    def refusal(self, bot: object) -> Refusal:
        """Why a check fails: it must fail in one step, and skip no more than what needs that one."""
        found = json.loads(self.run("check", bot, "--build-network", "--json", code=1).stdout)
        [failed] = [step for step in found["steps"] if step["outcome"] == "failed"]
        problem = failed["problem"]
        requirement = problem["requirement"]
        return Refusal(
            failed["step"], problem["what"], requirement["section"], requirement["says"], requirement["advice"]
        )


@pytest.fixture(scope="session", autouse=True)
def _toolchains() -> None:
    """All of them: these tests are there to use them."""
    missing = {each.about.language: gone for each in STARTERS.values() if (gone := each.missing())}
    assert not missing, f"install what is missing: {missing}"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Where bots are built; the environment may name one that outlives the tests."""
    if chosen := os.environ.get("ARENA_CACHE"):
        return Path(chosen)
    base = tmp_path_factory.getbasetemp()
    return (base if worker_id == "master" else base.parent) / "built"


@pytest.fixture
def workshop(tmp_path: Path, cache: Path) -> Iterator[Workshop]:
    made = Workshop(tmp_path)
    made.seconds = PATIENCE
    made.environment["ARENA_CACHE"] = str(cache)
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    yield made
    made.assert_no_process()
    shutil.rmtree(made.temporary, ignore_errors=True)
