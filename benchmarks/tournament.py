"""Games a second of a whole tournament of trivial bots, by number of workers: start of the bots and ledger included."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOT = Path(__file__).parent / "trivial_bot.py"
GAMES = 200
REPEATS = 5
WORKERS = (1, 2, 4)


def tournament_figures(name: str) -> dict[str, object]:
    """Games a second, medians of five runs; workers beyond the machine's cores are left out."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jobs = [number for number in WORKERS if number <= cores]
    runs = [{number: _games_per_second(name, number) for number in jobs} for _ in range(REPEATS)]
    return {f"{number} workers": round(statistics.median(run[number] for run in runs), 1) for number in jobs}


def _games_per_second(name: str, jobs: int) -> float:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        command = [sys.executable, "-m", "arena", "tournament", *[str(BOT)] * 6, "--game", name, "--seed", "1"]
        command += ["--games", str(GAMES), "--jobs", str(jobs), "--out", f"{folder}/t", "--json"]
        began = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        seconds = time.monotonic() - began
        played = sum(
            row["games"] / int(count) for count, rows in json.loads(done.stdout)["players"].items() for row in rows
        )
    return played / seconds
