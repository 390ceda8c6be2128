"""Measure how what is done with a whole ledger grows with its games and with the bots in the field.

`python -m benchmarks.scale [MOST_GAMES]` prints it as JSON. Times are of the processor, in one process for each ledger.
A ratio of 1 is linear growth in games, and none in bots; compare ratios of one run only. How drawing, resuming and
ratings grow is measured by `benchmarks.drawing`, `benchmarks.resuming` and `benchmarks.ratings`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arena.ledger import Ledger
from arena.standings import leaderboard, rated_results
from arena.standings.head_to_head import records
from benchmarks.resuming import write_bots, write_ledger

GAMES = (1_000, 10_000, 100_000)
BOTS = (10, 100, 1_000)
FIELD = 24
"""Bots of the ledgers that differ in games."""
RATED = 100
"""Bots of the largest field that is rated here: the time of the rating system itself would hide the rest."""


def scale_figures(most: int = GAMES[-1]) -> dict[str, object]:
    """Return what each ledger costs, and the largest one's cost a game beside the smallest one's."""
    sizes = [games for games in GAMES if games <= most]
    by_games = {games: _ledger_figures(games, FIELD) for games in sizes}
    by_bots = {bots: _ledger_figures(min(10_000, most), bots) for bots in BOTS}
    return {
        "by games": {f"{games} games, {FIELD} bots": found for games, found in by_games.items()},
        "a game of the most to one of the fewest": _ratios(by_games[sizes[0]], by_games[sizes[-1]]),
        "by bots": {f"{bots} bots": found for bots, found in by_bots.items()},
        "a game of the most bots to one of the fewest": _ratios(by_bots[BOTS[0]], by_bots[BOTS[-1]]),
    }


def _ratios(least: dict[str, float], most: dict[str, float]) -> dict[str, float]:
    both = [part for part in least if part in most and part.endswith("a game")]
    return {part: round(most[part] / least[part], 2) for part in both if least[part]}


def _ledger_figures(games: int, bots: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder = Path(temporary)
        began = time.process_time()
        write_ledger(folder / "t", write_bots(folder / "bots", bots), games)
        written = time.process_time() - began
        command = [sys.executable, "-m", "benchmarks.scale", "--read", str(folder / "t")]
        found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        size = (folder / "t" / "ledger.sqlite").stat().st_size
        return {
            "ms to draw and record, a game": round(1000 * written / games, 3),
            "bytes without steps, a game": round(size / games),
            **found,
        }


def read_figures(folder: Path) -> dict[str, float]:
    """Return what it costs to read a ledger and to make its tables, in ms a game, with the peak of memory in MB."""
    found: dict[str, float] = {}
    with Ledger.open(folder) as ledger:
        games, last = ledger.played(), time.process_time()

        def note(part: str) -> None:
            nonlocal last
            now = time.process_time()
            found[f"ms {part}, a game"] = round(1000 * (now - last) / games, 4)
            last = now

        ledger.outcomes()
        note("to read outcomes")
        results = rated_results(ledger)
        note("to read results")
        found["peak MB of results"] = _peak()
        records(results)
        note("for head to head")
        if len(ledger.field()) <= RATED:
            leaderboard(ledger, results=results)
            note("for the leaderboards")
            found["peak MB of leaderboards"] = _peak()
    return found


def _peak() -> int:
    """Return the peak of this program's memory in MB; `getrusage` would count what the one that started it had."""
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) // 1024


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        figures: object = read_figures(Path(sys.argv[2]))
    else:
        figures = scale_figures(*map(int, sys.argv[1:]))
    json.dump(figures, sys.stdout, indent=2)
    print()
