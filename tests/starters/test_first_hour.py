"""What docs/write-a-bot.md tells an author to type, for every language; and the tests that come with their bots."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.check import STEPS
from tests.starters.conftest import PATIENCE, ROOT, STARTERS, Workshop, named

pytestmark = pytest.mark.toolchains

BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "write-a-bot.md").read_text("utf-8"), re.DOTALL)
[BEGIN] = [block for block in BLOCKS if "arena new fogg" in block]
COMMANDS = [shlex.split(line, comments=True) for line in BEGIN.splitlines()]
VECTORS = ("messages", "kosmos", "ravensburger")


@pytest.mark.parametrize("key", STARTERS)
def test_the_commands_of_the_page_lead_to_a_bot_that_passes_every_step_and_plays(workshop: Workshop, key: str) -> None:
    assert ["arena", "check", "fogg"] in COMMANDS
    for arena, *words in COMMANDS:
        assert arena == "arena"
        if words[0] == "tournament":
            continue  # test_tournament.py plays one of them all
        network = ["--build-network"] if words[0] == "check" and STARTERS[key].about.fetches else []
        typed = {"python": key, "fogg": named(key)}
        done = workshop.run(*[typed.get(word, word) for word in words], *network)
        if words[0] == "check":
            assert len(re.findall("^ *[0-9]+  passed ", done.stdout, re.MULTILINE)) >= len(STEPS) - 1
            assert set(re.findall("skipped  (.*) \\(2", done.stdout)) <= {"None of its files hides a Python module"}
            assert re.search(rf"hello \(3.1\): {named(key)}\b", done.stdout)


# Its own tests


def own_tests(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """The command that the README of a bot names, as typed there."""
    # What the libraries were compiled to is kept; the bot itself is compiled anew.
    environment = os.environ | {"CARGO_TARGET_DIR": str(ROOT / "bots" / "rust" / "target")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize("key", STARTERS)
def test_its_own_tests_pass_and_miss_no_wrong_vector(workshop: Workshop, key: str) -> None:
    about = STARTERS[key].about
    assert about.test is not None
    folder = workshop.make(key, "made")
    assert about.test in (folder / "README.md").read_text("utf-8")
    done = own_tests(folder, about.test)
    assert done.returncode == 0, done.stdout + done.stderr
    if not about.vectors:
        return  # its client is the arena's own, which is tested with the arena
    vectors = folder / "vectors"
    for name in VECTORS:
        if name == VECTORS[-1]:  # where they lie for a bot in bots/
            vectors = workshop.folder / "docs" / "vectors"
            vectors.parent.mkdir()
            (folder / "vectors").rename(vectors)
        file = vectors / f"{name}.json"
        sound = file.read_text("utf-8")
        wrong = json.loads(sound)
        assert any(spoil(vector["json"]) for vector in wrong)
        file.write_text(json.dumps(wrong), "utf-8")
        done = own_tests(folder, about.test.rpartition("&& ")[2])  # what is before that has been done
        assert done.returncode != 0, f"{name}.json says something else than its bytes:\n{done.stdout}{done.stderr}"
        file.write_text(sound, "utf-8")


def spoil(value: Any) -> bool:
    """Change the first number or text that is found."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, dict | list):
            if spoil(part):
                return True
        elif isinstance(part, int | str) and not isinstance(part, bool) and key != "type":
            value[key] = part + 1 if isinstance(part, int) else f"{part}x"
            return True
    return False
