"""README can be followed word for word: its commands run in the order in which they stand."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line]
    return [line for line in lines if not line.startswith("pip ")]


def test_every_command_of_readme_runs(tmp_path):
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    [bot] = blocks("python")
    (tmp_path / "mine.py").write_text(bot)
    (tmp_path / "bin").mkdir()
    arena = tmp_path / "bin" / "arena"
    arena.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m arena "$@"\n')
    arena.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{arena.parent}{os.pathsep}{os.environ['PATH']}",
        "ARENA_CACHE": str(tmp_path / "cache"),
    }
    found = commands()
    assert len(found) >= 9
    for command in found:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert done.stdout.strip(), command


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_lead_somewhere(link):
    assert link.startswith("https://") or (ROOT / link).exists()


def test_the_check_begins_with_the_test_command_of_readme():
    first = blocks("sh")[-1].strip()
    assert (ROOT / ".ci" / "run").read_text("utf-8").startswith(first)
    assert first == "pip install -e '.[dev]' && pytest"
