"""Measure what a decision costs with this checkout, and how that compares with another one.

    python -m benchmarks.decision ../other [rounds [kind ...]] [--without-pauses]

The CPU time of referee, bots and all threads together is measured, on one core, without the time that bots think. The
two checkouts play the same games by turns, some seconds each. The kinds are:

    python      trivial bots in Python, on pyzmq and msgpack
    client      trivial bots on `arena.client`, each checkout's own
    c           trivial bots in C, where a C compiler and libzmq are
    bare        trivial bots in C without any library, where a C compiler is
    thinking    bots in Python that compute for 3 ms before each answer
    tournament  a whole one, of the bots of `python`: with page data and the ledger, per game and not per decision

A line is printed for each run, and at last the medians in microseconds, the median of the ratios of neighbouring runs
with the middle half of them, and whether all games were the same. A pause is a wait in which no bot is asked, though
others cannot know that (`arena.referee.time.pause_queue`). It belongs to what a decision costs. `pause_waits` says how
often its end was waited for, the last moments of a pause several times, and `pause_us` what that took without the
loop around it. With `--without-pauses` none is made, so that a checkout can be compared with one from before pauses.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
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
GAMES = 60
THINKING_GAMES = 2
WARM_UP = 2
TOURNAMENTS = (20, 60)
"""Games of two tournaments. The difference is what games cost without all that happens once."""
ROUNDS = 9
WITHOUT_PAUSES = "BENCHMARK_WITHOUT_PAUSES"
"""A variable of the environment: no pauses are made if it is set."""
KINDS = ("python", "client", "c", "bare", "thinking", "tournament")


def measure(kind: str, bot: str, folder: Path) -> dict[str, Any]:
    """Play games with whatever `arena` is imported, and return microseconds a decision and a digest over all games."""
    import hashlib

    import psutil

    from arena.entrants import build, expand
    from arena.game.clock import TimeControl
    from arena.game.spec import GameSpec
    from arena.referee.config import RefereeConfig
    from arena.referee.referee import Referee
    from arena.tournament.workers import collect_seldom
    from engine import catalog

    def spent() -> float:
        """Return the seconds of CPU of this process and all below it."""
        times = [each.cpu_times() for each in (psutil.Process(), *psutil.Process().children(recursive=True))]
        return sum(each.user + each.system for each in times)

    def specs(first: int, number: int) -> list[GameSpec]:
        return [GameSpec(f"g{n}", n, PLAYERS, n, 0, f"{n:032x}", names) for n in range(first, first + number)]

    found = expand([bot] * PLAYERS).found
    rules = catalog.rules("kosmos")
    edition = rules.edition("standard")
    built = {entrant.name: build(entrant, folder / "cache") for entrant in found}
    names = list(built)
    config = RefereeConfig("kosmos", edition, TimeControl(start=60.0, move=30.0, bank=60.0), built)
    pauses = _count_pauses()
    if WITHOUT_PAUSES in os.environ:
        _make_none()
    with Referee(config) as referee:
        collect_seldom()
        referee.play(specs(0, WARM_UP))
        pauses.clear()
        began, spent_before = time.perf_counter(), spent()
        records = referee.play(specs(WARM_UP, THINKING_GAMES if kind == "thinking" else GAMES))
        cpu, wall = spent() - spent_before, time.perf_counter() - began
    assert not any(record.faults for record in records)
    steps = [step for record in records for step in record.steps]
    cpu -= sum((step.metrics or {}).get("thought", 0.0) for step in steps)
    digest = hashlib.sha256("".join(record.digest for record in records).encode()).hexdigest()
    return {
        "us": cpu / len(steps) * 1e6,
        "wall_us": wall / len(steps) * 1e6,
        "pause_waits": len(pauses) / len(steps),
        "pause_us": sum(pauses) / len(steps) * 1e6,
        "decisions": len(steps),
        "digest": digest,
    }


def _count_pauses() -> list[float]:
    """Return a list to which the seconds of CPU of every wait in a pause are added from now on."""
    spent: list[float] = []
    try:
        from arena.referee.time.timer import Timer
    except ImportError:
        return spent  # a checkout without pauses, or from before they had this place
    select = Timer.select

    def timed(self: Timer, selector: Any, seconds: float | None, *exactness: Any) -> Any:
        # An `Exactness`; in checkouts from before these, whether the wait is to be exact.
        if not exactness or str(exactness[0]) in ("Exactness.COARSE", "False"):
            return select(self, selector, seconds, *exactness)
        began = time.thread_time()
        found = select(self, selector, seconds, *exactness)
        spent.append(time.thread_time() - began)
        return found

    Timer.select = timed  # type: ignore[method-assign]
    return spent


def _make_none() -> None:
    """Let games make no pauses from now on."""
    from arena.game.game import Game

    if hasattr(Game, "take_unasked"):  # else a checkout without pauses
        Game.take_unasked = lambda self: []  # type: ignore[method-assign,assignment]


def measure_tournament(bot: str, folder: Path) -> dict[str, Any]:
    """Play two whole tournaments, and return what a game of the second costs more, in microseconds."""
    used = []
    for games in TOURNAMENTS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = folder / f"t{time.monotonic_ns()}"
        command = [sys.executable, "-m", "arena", "tournament", *[bot] * 6, "--game", "kosmos", "--seed", "1"]
        command += ["--games", str(games), "--jobs", "1", "--out", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {"us": (used[1] - used[0]) / (TOURNAMENTS[1] - TOURNAMENTS[0]) * 1e6}


def compare(other: Path, rounds: int, kinds: list[str]) -> dict[str, Any]:
    """Let both checkouts play by turns with each kind of bot."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder = Path(temporary)
        bots = _bots(folder, [HERE.parent, other])
        return {kind: _by_turns(kind, bots[kind], other, rounds, folder) for kind in kinds if kind in bots}


def _by_turns(kind: str, bots: list[str], other: Path, rounds: int, folder: Path) -> dict[str, Any]:
    sides = {"this": (HERE.parent, bots[0]), "other": (other, bots[-1])}
    runs = []
    for number in range(rounds):
        order = list(sides)[:: -1 if number % 2 else 1]
        runs.append({name: _run(kind, *sides[name], folder) for name in order})
        print(json.dumps({"kind": kind, "round": number + 1, **runs[-1]}), flush=True)
    ratios = [run["this"]["us"] / run["other"]["us"] for run in runs]
    low, _, high = statistics.quantiles(ratios, n=4) if rounds > 1 else ratios * 3
    found: dict[str, Any] = {
        f"{name}_{what}": round(statistics.median(run[name][what] for run in runs), 2 if what == "pause_waits" else 1)
        for what in ("us", "wall_us", "pause_waits", "pause_us")
        for name in sides
        if what in runs[0][name]
    }
    return {
        **found,
        "ratio": round(statistics.median(ratios), 3),
        "middle_half": [round(low, 3), round(high, 3)],
        "rounds": rounds,
        "same_games": len({run[name].get("digest") for run in runs for name in run}) == 1,
    }


def _run(kind: str, checkout: Path, bot: str, folder: Path) -> dict[str, Any]:
    """Measure in a process of its own, with the `arena` of that checkout."""
    command = [sys.executable, "-P", str(HERE / "decision.py"), "--measure", kind, bot, str(folder)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(checkout)}, cwd=checkout, check=True, stdout=subprocess.PIPE
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in found.items()}


def _bots(folder: Path, checkouts: list[Path]) -> dict[str, list[str]]:
    """Return for each kind the bot, or one for each checkout."""
    trivial = str(HERE / "trivial_bot.py")
    bots = {"python": [trivial], "tournament": [trivial], "thinking": [str(HERE / "thinking_bot.py")]}
    bots["client"] = [client_bot(folder / f"client{number}", checkout) for number, checkout in enumerate(checkouts)]
    with contextlib.suppress(OSError, subprocess.CalledProcessError):  # no C compiler, or no libzmq
        bots["bare"] = [c_bot(folder / "bare", "bare")]
        bots["c"] = [c_bot(folder / "trivial")]
    return bots


def client_bot(folder: Path, checkout: Path) -> str:
    """Make the folder of a bot on the `arena.client` of a checkout, and return its path."""
    folder.mkdir(exist_ok=True)
    shutil.copy(HERE / "client_bot.py", folder)
    (folder / "checkout").write_text(str(checkout))
    (folder / "bot.toml").write_text(f"command = [{json.dumps(sys.executable)}, '-P', 'client_bot.py']\n")
    return str(folder)


def c_bot(folder: Path, name: str = "trivial", *, parallel: bool = False) -> str:
    """Compile a bot in C, and return the path of its folder.

    Args:
        folder: It is made.
        name: `trivial`, which uses libzmq, or `bare`, which uses no library.
        parallel: Whether it takes several games at once.

    Raises:
        OSError: There is no C compiler.
        CalledProcessError: It does not compile, as where libzmq is missing.
    """
    folder.mkdir()
    source, program = str(HERE / f"{name}_bot.c"), str(folder / "bot")
    options = ["-DPARALLEL"] if parallel else []
    libraries = [] if name == "bare" else ["-lzmq"]
    subprocess.run(["cc", "-O2", *options, source, "-o", program, *libraries], check=True)
    (folder / "bot.toml").write_text("command = './bot'\n")
    return str(folder)


if __name__ == "__main__":
    if sys.argv[1] == "--measure":
        kind, bot, folder = sys.argv[2], sys.argv[3], Path(sys.argv[4])
        core = min(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {core})
        print(json.dumps(measure_tournament(bot, folder) if kind == "tournament" else measure(kind, bot, folder)))
    else:
        given = [word for word in sys.argv[1:] if word != "--without-pauses"]
        if len(given) < len(sys.argv) - 1:
            os.environ[WITHOUT_PAUSES] = "1"  # for the processes that measure
        rounds = int(given[1]) if len(given) > 1 else ROUNDS
        print(json.dumps(compare(Path(given[0]).resolve(), rounds, given[2:] or list(KINDS)), indent=2))
