"""Measure what fast bots are charged when more games are played at a time than there are cores.

`python -m benchmarks.crowding` prints it as JSON; the machine should be idle.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from arena.ledger import Ledger

BOT = Path(__file__).parent / "trivial_bot.py"
GAME = "kosmos"
GAMES = 100
JOBS = (1, 2, 8, 32)
LONG_MS = 50


def crowding_figures() -> dict[str, dict[str, float]]:
    """Return, by number of jobs, the milliseconds charged for a decision and the percentage above 50 ms."""
    return {f"{jobs} jobs": _charged(jobs) for jobs in JOBS}


def _charged(jobs: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        command = [sys.executable, "-m", "arena", "tournament", *[str(BOT)] * 6, "--game", GAME, "--seed", "1"]
        command += ["--games", str(GAMES), "--jobs", str(jobs), "--out", f"{folder}/t", "--json"]
        subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        with Ledger.open(Path(folder) / "t") as ledger:
            results = ledger.results()
    charged = sorted(time / 1000 for result in results for times in result.times for time in times)
    return {
        "decisions": len(charged),
        "median_ms": round(statistics.median(charged), 3),
        "p99_ms": round(charged[len(charged) * 99 // 100], 3),
        "most_ms": round(charged[-1], 3),
        f"above {LONG_MS} ms, %": round(100 * sum(time > LONG_MS for time in charged) / len(charged), 3),
        "load": round(os.getloadavg()[0], 1),
    }


if __name__ == "__main__":
    json.dump(crowding_figures(), sys.stdout, indent=2)
    print()
