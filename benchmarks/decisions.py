"""What it takes to export decisions: time and memory, by the number of games.

python -m benchmarks.decisions 500 1000 2000
python -m benchmarks.decisions 1000 10000 100000 --game openspiel:leduc_poker
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.filled_ledgers import fill_ledger, write_bots

_EXPORT = """
import resource, sys
from arena.cli import main
sys.argv = ["arena", "export", "t", "--decisions", "data", "--quiet"]
try:
    main()
except SystemExit:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""


def measure(games: int, game: str | None) -> dict[str, float]:
    """Return what it takes to export so many games."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill_ledger(folder / "t", write_bots(folder / "bots", 8), games, own_courses=True, game=game)
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-c", _EXPORT], cwd=folder, check=True, capture_output=True, text=True)
        seconds = time.monotonic() - began
        lines = done.stdout.splitlines()
        size = sum(file.stat().st_size for file in (folder / "data").rglob("*.parquet"))
        return {
            "games": games,
            "decisions": int(lines[0].split()[0]),
            "seconds": round(seconds, 1),
            "MiB of the exporting process": int(lines[-1]),
            "MiB on disk": round(size / 2**20, 1),
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("games", type=int, nargs="+")
    parser.add_argument("--game", help="played by the fewest players; default: kosmos by all numbers of them")
    asked = parser.parse_args()
    for number in asked.games:
        print(json.dumps(measure(number, asked.game)), flush=True)
