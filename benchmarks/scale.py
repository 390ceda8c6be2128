"""Measure how the work on a whole tournament grows with its games, and with the bots in the field.

`python -m benchmarks.scale [MOST_GAMES [MOST_BOTS]]` prints a line of JSON for each size when it is measured, and at
the end the exponents: the slope of the straight line through the logarithms of size and cost. With 1 a cost is linear;
less comes from what every command costs at its start. Ledgers grow from 1,000 to 100,000 games of 24 bots, and fields
from 10 to 1,000 bots over 10,000 games.

The games are not played: see `benchmarks.filled_ledgers`. Seconds are of the processor, as others may use the machine,
and memory is the peak of a process that does nothing else. Compare figures of one run only.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.drawing import round_figures
from benchmarks.resuming import MORE, resumed

GAMES: Final = (1_000, 10_000, 100_000)
BOTS: Final = (10, 100, 1_000)
FIELD: Final = 24
"""Bots of the ledgers that differ in games."""
GAMES_OF_FIELDS: Final = 10_000
"""Games of the ledgers that differ in bots."""
MOST_FILES: Final = 10_000
"""Games of the largest ledger that is exported with a file for each game."""
MOST_RESUMED: Final = 100
"""Bots of the largest field that goes on: building them is not measured here."""
LEAST_SECONDS: Final = 0.05
"""Less is no basis for an exponent."""

Figures = dict[str, float]


def scale_figures(most_games: int = GAMES[-1], most_bots: int = BOTS[-1]) -> None:
    """Print the figures of each size, and then the exponents."""
    by_games, by_bots = {}, {}
    for games in (each for each in GAMES if each <= most_games):
        by_games[games] = _ledger_figures(games, FIELD)
        _print({f"{games} games, {FIELD} bots": by_games[games]})
    of_fields = min(GAMES_OF_FIELDS, most_games)
    for bots in (each for each in BOTS if each <= most_bots):
        drawn = round_figures(bots)
        by_bots[bots] = {"s to draw a round": drawn["s a round"]} | _ledger_figures(of_fields, bots)
        _print({f"{bots} bots, {of_fields} games": by_bots[bots]})
    _print({"exponents in games": exponents(by_games)})
    _print({"exponents in bots": exponents(by_bots)})


def exponents(figures: Mapping[int, Figures]) -> Figures:
    """Return the exponent of each cost that was measured at two sizes at least."""
    found: Figures = {}
    for part in {part: None for of_size in figures.values() for part in of_size}:
        least = LEAST_SECONDS if part.startswith("s ") else 0
        points = [(size, costs[part]) for size, costs in figures.items() if costs.get(part, 0) > least]
        if len(points) > 1:
            found[part] = round(_slope(points), 2)
    return found


def _slope(points: Sequence[tuple[float, float]]) -> float:
    logarithms = [(math.log(size), math.log(cost)) for size, cost in points]
    middle, height = (sum(each) / len(points) for each in zip(*logarithms, strict=True))
    across = sum((x - middle) * (y - height) for x, y in logarithms)
    return across / sum((x - middle) ** 2 for x, _ in logarithms)


def _ledger_figures(games: int, bots: int) -> Figures:
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder = Path(temporary)
        found: Figures = json.loads(_command("benchmarks.filled_ledgers", folder, str(games), str(bots)).said)
        found["bytes a game"] = round((folder / "t" / "ledger.sqlite").stat().st_size / games)
        if bots <= MOST_RESUMED:
            again = resumed(folder, "t", sorted((folder / "bots").iterdir()), games + MORE)
            found |= {"s to go on": again["of the processor"], "MB to go on": again["peak MB"]}
        found |= json.loads(_command("benchmarks.scale", folder, "--read").said)
        board = _command("arena", folder, "leaderboard", "t", "--json")
        found |= {"s of arena leaderboard": board.seconds, "MB of arena leaderboard": board.peak}
        table = _command("arena", folder, "export", "t", "--to", "games.csv")
        found |= {"s to export the table": table.seconds, "MB to export the table": table.peak}
        if games <= MOST_FILES and bots == FIELD:
            files = _command("arena", folder, "export", "t", "--to", "export")
            found |= {"s to export all files": files.seconds, "MB to export all files": files.peak}
        return found


class _Ended:
    """A command that has ended: what it said, its seconds of the processor, and its peak in MB."""

    def __init__(self, said: str, seconds: float, peak: int) -> None:
        self.said, self.seconds, self.peak = said, round(seconds, 3), peak


def _command(module: str, folder: Path, *words: str) -> _Ended:
    command = [sys.executable, "-m", module, *words]
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "modules")}
    environment |= {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=2, text=True) as run:
        assert run.stdout is not None
        said = run.stdout.read()
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {run.returncode}")
    return _Ended(said, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)


def read_figures(folder: Path) -> Figures:
    """Return what it costs to read the results of a ledger, and to rate and count them."""
    from arena.ledger import Ledger
    from arena.rating import DEFAULT_SYSTEM, SYSTEMS, RatingInput, rated_table
    from arena.standings import leaderboard, rated_results
    from arena.standings.head_to_head import records

    found: Figures = {}
    with Ledger.open(folder) as ledger:
        last = time.process_time()

        def note(part: str) -> None:
            nonlocal last
            found[f"s {part}"] = round(time.process_time() - last, 3)
            last = time.process_time()

        results = rated_results(ledger)
        note("to read results")
        inputs = [RatingInput(each.bots, each.ranks, each.scores, (each.players, each.block)) for each in results]
        rated_table(inputs, ledger.field(), None, SYSTEMS[DEFAULT_SYSTEM])
        note("to rate once")
        leaderboard(ledger, results=results)
        note("for all standings")
        records(results)
        note("for head to head")
    return found


def _print(what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--read"]:
        _print(read_figures(Path("t")))
    else:
        scale_figures(*map(int, sys.argv[1:]))
