"""Measure what others in the field need for the same, beside ours, in the same minutes.

    python -m benchmarks.peers [ROUNDS] [--wheel WHEEL] [--fastchess CHECKOUT]

Engines play at random in a process of their own each, in turns: ours in Python, and compiled if a wheel is given (see
`benchmarks.builds`); OpenSpiel's hearts and gin rummy and catanatron where they are installed. What is counted is the
decisions of players; ours and OpenSpiel's are asked for their legal actions and choose from outside, catanatron's bots
choose inside. A copy is what a search bot makes at every decision.

With a checkout of fastchess, which is built, a ply of chess between two engines that play any legal move is measured
beside a decision of ours between bots that do the same: in C with and without libzmq (engines of chess need no library
either), one game at a time and as many as their `parallel` allows, and in Python on `arena.client`; with the referee
in Python, and compiled if a wheel is given. All run on one core; the processor time of all processes counts, but not
that of their start.

A line of JSON is printed for each round, and at the end medians and ratios to ours of the same round.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Final

from benchmarks.decision import c_bot, client_bot

HERE: Final = Path(__file__).resolve().parent
ROUNDS: Final = 5
OURS: Final = ("kosmos", "ravensburger")
SPIEL: Final = ("hearts", "gin_rummy")
PLAYERS: Final = 4
SECONDS: Final = 3.0
"""For which each engine plays."""
COPIES: Final = 5
"""How often a state is copied when that is timed."""
COPIED: Final = 20
"""It is timed at one in this many decisions."""
CHESS_GAMES: Final = (20, 120)
"""Games of two runs. The difference is what games cost without all that happens once."""

Figures = dict[str, float]


def engine_figures(name: str) -> Figures:
    """Play with an engine for some seconds; return decisions a second, and microseconds for a copy."""
    play = _catanatron if name == "catanatron" else _open_spiel if name in SPIEL else _ours
    copying = [0.0, 0.0]

    def time_copy(copy: Callable[[], object]) -> None:
        began = time.process_time()
        for _ in range(COPIES):
            copy()
        copying[0] += time.process_time() - began
        copying[1] += COPIES

    games = play(name, time_copy)
    next(games)  # what is loaded once
    copying[:] = [0.0, 0.0]
    decisions, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        decisions += next(games)
    return {
        "decisions_per_s": round(decisions / (time.process_time() - began - copying[0])),
        "copy_us": round(copying[0] / copying[1] * 1e6, 2),
    }


def _ours(name: str, time_copy: Callable[[Callable[[], object]], None]) -> Iterator[int]:
    """Yield the decisions of each game."""
    from arena.tournament.workers import collect_seldom
    from engine import catalog
    from engine.chance import Seeded, derive

    collect_seldom()
    rules = catalog.rules(name)
    edition = rules.edition(rules.editions()[0])
    for number in count():
        state = rules.start(PLAYERS, edition, Seeded(derive(b"peers", number)))
        choice, decisions = random.Random(number), 0
        while state.to_act is not None:
            if decisions % COPIED == 0:
                time_copy(state.copy)
            state.play(choice.randrange(len(state.actions())))
            decisions += 1
        yield decisions


def _open_spiel(name: str, time_copy: Callable[[Callable[[], object]], None]) -> Iterator[int]:
    import pyspiel

    game = pyspiel.load_game(name)
    for number in count():
        state = game.new_initial_state()
        choice, decisions = random.Random(number), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choice.choices(actions, odds)[0])
                continue
            if decisions % COPIED == 0:
                time_copy(state.clone)
            state.apply_action(choice.choice(state.legal_actions()))
            decisions += 1
        yield decisions


def _catanatron(name: str, time_copy: Callable[[Callable[[], object]], None]) -> Iterator[int]:
    from catanatron import Color, RandomPlayer, Rules

    for number in count():
        game = Rules([RandomPlayer(color) for color in Color], seed=number)
        decisions = 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            if decisions % COPIED == 0:
                time_copy(game.copy)
            game.play_tick()
            decisions += 1
        yield decisions


def compare_engines(rounds: int, wheel: Path | None) -> None:
    """Print the figures of all engines that there are, round by round, and then the medians."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        places: dict[str, list[str]] = {name: [] for name in OURS}
        if wheel is not None:
            zipfile.ZipFile(wheel).extractall(folder)
            places |= {f"{name}, compiled": [folder] for name in OURS}
        places |= {name: [] for name in SPIEL if find_spec("pyspiel")}
        if find_spec("catanatron"):
            places["catanatron"] = []
        runs = []
        for number in range(rounds):
            order = list(places)[:: -1 if number % 2 else 1]
            runs.append({name: _engine(name, places[name]) for name in order})
            print(json.dumps({"round": number + 1, **runs[-1]}), flush=True)
    for name in places:
        figures = {what: statistics.median(run[name][what] for run in runs) for what in runs[0][name]}
        ratios = _spread([run[name]["decisions_per_s"] / run["kosmos"]["decisions_per_s"] for run in runs])
        print(json.dumps({name: figures | {"decisions as a part of those of kosmos": ratios}}), flush=True)


def _engine(name: str, places: list[str]) -> Figures:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*places, str(HERE.parent)])}
    command = [sys.executable, "-P", "-m", "benchmarks.peers", "--engine", name.partition(",")[0]]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, timeout=600)
    found: Figures = json.loads(done.stdout)
    return found


def compare_games(rounds: int, checkout: Path, wheel: Path | None) -> None:
    """Print what a ply and a decision cost, round by round, and then the medians and the ratios to a ply."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder = Path(temporary)
        engine = folder / "random_uci"
        subprocess.run(["make", "-s", "-C", str(checkout)], check=True, stdout=subprocess.DEVNULL)
        headers = next(checkout.rglob("chess.hpp")).parent
        source = str(HERE / "random_uci.cpp")
        subprocess.run(["c++", "-std=c++17", "-O3", f"-I{headers}", source, "-o", str(engine)], check=True)
        places = {"Python": HERE.parent}
        if wheel is not None:
            zipfile.ZipFile(wheel).extractall(folder / "wheel")
            places["compiled"] = folder / "wheel"
        found: dict[str, list[float]] = defaultdict(list)
        bots = {
            "C bots": c_bot(folder / "one"),
            "C bots with parallel": c_bot(folder / "more", parallel=True),
            "C bots without a library": c_bot(folder / "bare", "bare"),
            "the same with parallel": c_bot(folder / "bare more", "bare", parallel=True),
        }
        for number in range(rounds):
            run = {"fastchess ply": _ply(checkout / "fastchess", engine, folder)}
            for build, place in places.items():
                run |= {f"{kind}, {build}": _decision(bot, folder, place) for kind, bot in bots.items()}
                run[f"arena.client, {build}"] = _decision(client_bot(folder / build, place), folder, place)
            print(json.dumps({"round": number + 1, "us": run}), flush=True)
            for name, value in run.items():
                found[name].append(value)
    for name, values in found.items():
        ratios = _spread([value / ply for value, ply in zip(values, found["fastchess ply"], strict=True)])
        print(json.dumps({name: {"us": round(statistics.median(values), 1), "by a ply": ratios}}), flush=True)


def _decision(bot: str, folder: Path, place: Path) -> float:
    """Return the microseconds of processor time of a decision, with the `arena` that is in `place`."""
    command = [sys.executable, "-P", str(HERE / "decision.py"), "--measure", "c", bot, str(folder)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(place)}, check=True, stdout=subprocess.PIPE)
    return round(float(json.loads(done.stdout)["us"]), 1)


def _ply(program: Path, engine: Path, folder: Path) -> float:
    """Return the microseconds of processor time that fastchess and both engines need for a ply."""
    core = str(min(os.sched_getaffinity(0)))
    used, plies = [], []
    for games in CHESS_GAMES:
        moves = folder / "games.pgn"
        moves.unlink(missing_ok=True)
        command = ["taskset", "-c", core, str(program), "-concurrency", "1", "-each", "tc=60+1", "-pgnout"]
        command += [f"file={moves}", "-rounds", str(games), "-games", "1", "-recover"]
        for seed in (1, 2):
            command += ["-engine", f"cmd={engine}", f"args={seed}", f"name=random{seed}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=600)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        counts = [line for line in moves.read_text().splitlines() if line.startswith("[PlyCount ")]
        plies.append(sum(int(line.split('"')[1]) for line in counts))
    return round((used[1] - used[0]) / (plies[1] - plies[0]) * 1e6, 1)


def _spread(ratios: list[float]) -> Mapping[str, Any]:
    """Return the median of ratios, and the least and the greatest."""
    return {"median": round(statistics.median(ratios), 3), "from": round(min(ratios), 3), "to": round(max(ratios), 3)}


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="Measure others in the field beside ours.")
    words.add_argument("rounds", nargs="?", type=int, default=ROUNDS)
    words.add_argument("--wheel", type=Path)
    words.add_argument("--fastchess", type=Path)
    words.add_argument("--engine", help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.engine:
        print(json.dumps(engine_figures(given.engine)))
    else:
        compare_engines(given.rounds, given.wheel)
        if given.fastchess:
            compare_games(given.rounds, given.fastchess.resolve(), given.wheel)
