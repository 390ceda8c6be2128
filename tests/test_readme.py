"""Follow README and the pages that go on from it word for word: run their commands in order, and check their tables.

The commands find no program besides Python, even if this machine has others. tests/starters tries the other languages.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.entrants import expand
from arena.features import Form
from arena.starters import starters
from benchmarks import first_hour
from tests.bots.conftest import of_function, play

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/first-tournament.md", "docs/write-a-bot.md", "docs/competitions.md", "docs/speed.md")
"""README and what goes on from it, in the order in which a beginner reads."""
README, *_ = TEXTS = [(ROOT / page).read_text("utf-8") for page in PAGES]
LANGUAGES = (ROOT / "docs" / "write-a-bot.md").read_text("utf-8").partition("## An existing program")[0]
OF_EVERY_SYSTEM = ("sh", "ps", "chmod", "rm")
GAMES = 4
"""Games played in each tournament, whatever README says, to save time; bots that search think less, too."""
STARTERS = starters()
BUILT = {each.name: each.build[0] for each in expand([ROOT / "bots" / "*"]).found if each.build is not None}
"""By bot, the program that builds it."""


def blocks(language: str, *texts: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", "\n".join(texts or TEXTS), re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line]
    return [line for line in lines if not re.match(r"(\w+=\S+ )?pip ", line)]


def environment_with_python_alone(folder: Path) -> dict[str, str]:
    """Return an environment whose PATH has only `arena`, with short tournaments, and a few basic programs."""
    programs = folder / "bin"
    programs.mkdir()
    arena = programs / "arena"
    run = f'exec {shlex.quote(sys.executable)} -m arena "$@"'
    arena.write_text(f'#!/bin/sh\n[ "$1" != tournament ] || {run} --games {GAMES} --move 0.01\n{run}\n')
    arena.chmod(0o755)
    for name in OF_EVERY_SYSTEM:
        (programs / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    return os.environ | {"PATH": str(programs), "ARENA_CACHE": str(folder / "cache")}


def save_a_policy(folder: Path) -> None:
    """Save what a reader has trained: a policy of one layer, which likes all actions equally."""
    folder.mkdir()
    form = Form.of("kosmos", "standard")
    form.save(folder / "form.json")
    count = form.actions.count or 0
    np.savez(folder / "policy.npz", W0=np.zeros((form.observation_width, count)), b0=np.zeros(count))


@pytest.mark.slow
@pytest.mark.process
def test_every_command_of_these_pages_runs_with_python_alone_and_bots_of_other_languages_are_named(tmp_path):
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    [bot] = blocks("python")
    (tmp_path / "mine.py").write_text(bot)
    save_a_policy(tmp_path / "run")
    environment = environment_with_python_alone(tmp_path)
    found = commands()
    assert len(found) >= 24

    def printed(command: str) -> str:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert done.stdout.strip(), command
        return done.stdout

    reasons = {}
    for command in found:
        printed(command)
        if command == "arena tournament bots/* --build-network":
            board = json.loads(printed("arena leaderboard --json"))
            reasons = {each["bot"]: each["reason"] for each in board["left_out"]}
    assert len(BUILT) >= 6
    for name, program in BUILT.items():
        assert program in reasons[name]


def wins(players: int, rival: str, games: int) -> int:
    """How often the bot of README wins a game alone, in all seats in turn, where the others are `rival`."""
    [source] = blocks("python")
    own: dict[str, Any] = {}
    exec(source.removesuffix("run(decide)\n"), own)
    won = 0
    for seed in range(games):
        seats = [rival] * players
        seats[seed % players] = "mine"
        ranks = play(seats, seed, mine=of_function(own["decide"])).ranks
        won += ranks[seed % players] == 1 and ranks.count(1) == 1
    return won


@pytest.mark.slow
def test_the_first_bot_is_as_strong_as_readme_says():
    """Its first game is one of two players against `random_bot`."""
    assert wins(2, "random_bot", 20) >= 19
    assert wins(4, "random_bot", 40) >= 30
    assert wins(2, "greedy", 40) > 20
    assert wins(2, "planner", 20) < 5


def test_the_first_command_needs_nothing_to_be_built():
    first = commands()[0].split()
    assert first[:2] == ["arena", "tournament"]
    found = expand([ROOT / word for word in first[2:]]).found
    assert len(found) >= 7
    assert [each.name for each in found if each.build is not None] == []


def test_times_are_stated_only_as_they_were_measured():
    """What stands between the marks is what a benchmark printed; the minute is what one of them fails beyond."""
    prose = re.sub(r"(?s)<!-- recorded: .*?<!-- end -->|```.*?```|`[^`]*`", "", "\n".join(TEXTS))
    assert re.findall(r"\S+\s(?:seconds|minutes?|hours?|ms|s)\b", prose) == ["a minute"]
    assert first_hour.LIMIT == 60
    assert commands()[0] == first_hour.FIRST
    assert set(first_hour.TYPED.values()) <= set(commands())


def test_every_language_is_there_with_what_it_needs():
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", LANGUAGES, re.MULTILINE)
    assert [key for key, _ in rows] == list(STARTERS)
    installed = (ROOT / ".ci" / "starters").read_text("utf-8").split()
    for key, needs in rows:
        for packages in re.findall(r"`apt install ([^`]+)`", needs):
            assert not set(packages.split()) - set(installed), key
            assert any(line.endswith(f"apt install {packages}") for line in STARTERS[key].about.install), key


def test_readme_is_one_screen_to_its_first_table_and_short_in_all():
    assert README.index("<!-- recorded: tournament -->") == README.index("<!-- recorded")
    before, _, _ = README.partition("<!-- recorded")
    assert len(before.splitlines()) <= 30
    assert len(README.splitlines()) <= 150


def test_its_pictures_are_there_and_small():
    found = re.findall(r"!\[[^\]]+\]\((docs/pictures/[^)]+)\)", README)
    assert sorted(found) == [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs/pictures").iterdir())]
    assert len(found) == 2
    assert all((ROOT / path).stat().st_size < 100_000 for path in found)


def test_the_check_begins_with_the_test_command_of_readme():
    first = blocks("sh", README)[-1].strip()
    isolation, environment, test, *_ = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert (isolation, environment) == (". .ci/isolation", ". .ci/environment")
    assert test.startswith(first)
    assert first == "pip install -e '.[dev]' && pytest"
