"""Measure what a decision costs with this checkout, and how that compares with another one.

    python -m benchmarks.decision ../other [rounds]

The CPU time of referee, bots and all threads together is measured, on one core. The two checkouts play the same games
by turns, some seconds each, with trivial bots in Python and, where a C compiler and libzmq are, in C. Printed are the
medians in microseconds, the median of the ratios of neighbouring runs with the middle half of them, and whether all
games were the same.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PLAYERS = 4
GAMES = 6
WARM_UP = 2
ROUNDS = 9


def measure(bot: str, folder: Path) -> dict[str, Any]:
    """Play games with whatever `arena` is imported, and return microseconds a decision and a digest over all games."""
    import hashlib

    import psutil

    from arena.entrants import build, expand
    from arena.match.clock import TimeControl
    from arena.match.spec import MatchSpec
    from arena.referee.config import RefereeConfig
    from arena.referee.referee import Referee
    from arena.tournament.workers import collect_seldom
    from engine.catalog import game

    def spent() -> float:
        """Return the seconds of CPU of this process and all below it."""
        times = [each.cpu_times() for each in (psutil.Process(), *psutil.Process().children(recursive=True))]
        return sum(each.user + each.system for each in times)

    def specs(first: int, number: int) -> list[MatchSpec]:
        return [MatchSpec(f"g{n}", n, PLAYERS, n, 0, f"{n:032x}", names) for n in range(first, first + number)]

    found = expand([bot] * PLAYERS).found
    rules = game("kosmos")
    built = {entrant.name: build(entrant, folder / "cache") for entrant in found}
    names = list(built)
    config = RefereeConfig("kosmos", rules.edition("standard"), TimeControl(start=60.0, move=30.0, bank=60.0), built)
    with Referee(config) as referee:
        collect_seldom()
        referee.play(specs(0, WARM_UP))
        began, spent_before = time.perf_counter(), spent()
        records = referee.play(specs(WARM_UP, GAMES))
        cpu, wall = spent() - spent_before, time.perf_counter() - began
    assert not any(record.faults for record in records)
    decisions = sum(len(record.steps) for record in records)
    digest = hashlib.sha256("".join(record.digest for record in records).encode()).hexdigest()
    return {"us": cpu / decisions * 1e6, "wall_us": wall / decisions * 1e6, "decisions": decisions, "digest": digest}


def compare(other: Path, rounds: int) -> dict[str, Any]:
    """Let both checkouts play by turns with each kind of bot."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder = Path(temporary)
        return {kind: _by_turns(bot, other, rounds, folder) for kind, bot in _bots(folder).items()}


def _by_turns(bot: str, other: Path, rounds: int, folder: Path) -> dict[str, Any]:
    runs = []
    for number in range(rounds):
        pair = [("this", HERE.parent), ("other", other)]
        runs.append({name: _run(checkout, bot, folder) for name, checkout in (pair if number % 2 else pair[::-1])})
    ratios = [run["this"]["us"] / run["other"]["us"] for run in runs]
    low, _, high = statistics.quantiles(ratios, n=4)
    return {
        **{f"{name}_us": round(statistics.median(run[name]["us"] for run in runs), 1) for name in ("this", "other")},
        "ratio": round(statistics.median(ratios), 3),
        "middle_half": [round(low, 3), round(high, 3)],
        "rounds": rounds,
        "same_games": len({run[name]["digest"] for run in runs for name in run}) == 1,
    }


def _run(checkout: Path, bot: str, folder: Path) -> dict[str, Any]:
    """Measure in a process of its own, with the `arena` of that checkout."""
    command = [sys.executable, "-P", str(HERE / "decision.py"), "--measure", bot, str(folder)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(checkout)}, cwd=checkout, check=True, stdout=subprocess.PIPE
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _bots(folder: Path) -> dict[str, str]:
    bots = {"python": str(HERE / "trivial_bot.py")}
    compiler = shutil.which("cc")
    program = folder / "trivial" / "trivial_bot"
    program.parent.mkdir()
    source = str(HERE / "trivial_bot.c")
    if compiler and not subprocess.run([compiler, "-O2", source, "-o", str(program), "-lzmq"], check=False).returncode:
        (program.parent / "bot.toml").write_text("command = './trivial_bot'\n")
        bots["c"] = str(program.parent)
    return bots


if __name__ == "__main__":
    if sys.argv[1] == "--measure":
        core = min(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {core})
        print(json.dumps(measure(sys.argv[2], Path(sys.argv[3]))))
    else:
        rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
        print(json.dumps(compare(Path(sys.argv[1]).resolve(), rounds), indent=2))
