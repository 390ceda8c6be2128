"""What it costs to go on with a tournament of 100,000 games: seconds until the first game is issued, and memory.

`python -m benchmarks.resuming [GAMES [BOTS]]` prints it as JSON. The ledger is filled by `benchmarks.filled_ledgers`.
The command goes on as it is typed, with real bots, until a worker has its first game; then it is killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from benchmarks.filled_ledgers import fill_ledger, write_bots

GAMES = 100_000
BOTS = 24
MORE = 1000
"""Games that are asked for beyond those that were played."""
FAILING = 0.9
"""The share of bots that fail, where many are suspended."""


def resuming_figures(games: int = GAMES, bots: int = BOTS) -> dict[str, object]:
    """Return what it costs to go on as before, with a changed bot, and with many that are suspended."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder = Path(temporary)
        paths = write_bots(folder / "some", bots)
        fill_ledger(folder / "t", paths, games)
        found = {"games": games, "bots": bots, "as before": resumed(folder, "t", paths, games + MORE)}
        paths[0].write_text(paths[0].read_text() + "\n# changed\n")
        found["a bot changed"] = resumed(folder, "t", paths, MORE)
        many = write_bots(folder / "many", 10 * bots)
        fill_ledger(folder / "u", many, games, FAILING)
        found[f"{round(FAILING * len(many))} of {len(many)} suspended"] = resumed(folder, "u", many, games + MORE)
    return found


def resumed(folder: Path, out: str, bots: Sequence[Path], games: int) -> dict[str, float]:
    """Return the figures of the second time, when every bot has been built and Python has compiled its modules."""
    _until_issued(folder, out, bots, games)
    return _until_issued(folder, out, bots, games)


def _until_issued(folder: Path, out: str, bots: Sequence[Path], games: int) -> dict[str, float]:
    command = [sys.executable, "-m", "arena", "tournament", *map(str, bots), "--games", str(games), "--out", out]
    environment = os.environ | {"ARENA_LOG": "debug", "ARENA_CACHE": str(folder / "cache")}
    # Elsewhere a module is compiled once, and not at each start.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "modules")
    began = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        said = []
        for line in run.stderr:
            said.append(line)
            if "issued to a worker" in line:
                break
        seconds = time.monotonic() - began
        if run.poll() is not None:
            raise RuntimeError("".join(said[-20:]))
        process = psutil.Process(run.pid)
        times = process.cpu_times()
        status = Path(f"/proc/{run.pid}/status").read_text("ascii")
        run.kill()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
    return {
        "seconds": round(seconds, 2),
        "of the processor": round(times.user + times.system, 2),
        "peak MB": round(peak / 1024),
    }


if __name__ == "__main__":
    json.dump(resuming_figures(*map(int, sys.argv[1:])), sys.stdout, indent=2)
    print()
