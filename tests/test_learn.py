"""Follow docs/learn.md word for word, with few games: from a ledger to a bot in a tournament, for two games.

What needs torch is no command of a test, as it is no dependency, and too large to install for one; where it happens to
be there, `ppo.py` is tried.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.features import Form

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "learn.md").read_text("utf-8").partition("## Better than the teacher")[0]
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
    if not line.startswith("pip ")
]
KNOWN_TOO_LITTLE = 4
"""The exit code of `arena rate` after so few games."""


def short(command: str) -> str:
    """Return a command with fewer games, by this Python."""
    command = re.sub(r" --games \d+", "", command)
    if " tournament " in command:
        command += " --games 10" if "leduc" in command else " --games 12"
    if " rate " in command:
        command += " --games 2"
    python = sys.executable
    return re.sub(r"^(arena|python) ", lambda found: f"{python} {'-m arena ' if found[1] == 'arena' else ''}", command)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("is_leduc", [False, True], ids=["kosmos", "leduc"])
def test_every_command_leads_to_the_next_one_and_the_bot_plays(is_leduc: bool, tmp_path: Path) -> None:
    for name in ("bots", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    commands = [command for command in COMMANDS if ("leduc" in command) == is_leduc]
    assert len(commands) >= 8
    environment = os.environ | {"ARENA_CACHE": str(tmp_path / "cache")}
    for command in commands:
        done = subprocess.run(
            short(command), shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        allowed = {0, KNOWN_TOO_LITTLE} if " rate " in command else {0}
        assert done.returncode in allowed, f"{command}\n{done.stdout}\n{done.stderr}"
    assert "mine" in done.stdout  # in the last table or report


@pytest.mark.slow
@pytest.mark.process
def test_ppo_goes_on_from_a_policy_and_changes_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    form = Form.of("kosmos", edition="standard", players=2)
    form.save(tmp_path / "form.json")
    sizes = [form.observation_width, 8, 8, form.actions.count or 0]
    weights: dict[str, Any] = {f"W{place}": np.zeros(pair, np.float32) for place, pair in enumerate(pairwise(sizes))}
    weights |= {f"b{place}": np.full(size, 0.1, np.float32) for place, size in enumerate(sizes[1:])}
    weights |= {"value_W": np.zeros((8, 1), np.float32), "value_b": np.zeros(1, np.float32)}
    np.savez(tmp_path / "start.npz", **weights)
    command = [sys.executable, str(ROOT / "examples/learn/ppo.py"), "--start", "start.npz", "--hidden", "8"]
    command += ["--workers", "1", "--rows", "8", "--steps", "1500", "--updates", "2", "--checkpoints", "2"]
    environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for name in ("policy-01.npz", "policy-02.npz"):
        arrays = dict(np.load(tmp_path / "ppo" / name))
        assert arrays.keys() == weights.keys()
        assert all(np.isfinite(each).all() for each in arrays.values())
    assert (arrays["W2"] != 0).any()
