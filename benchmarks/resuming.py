"""What it costs to go on with a tournament of 100,000 games: seconds until the first game is issued, and memory.

`python -m benchmarks.resuming [GAMES [BOTS]]` prints it as JSON. The games are made up, and the schedule is the real
one. The command goes on as it is typed, with real bots, until a worker has its first game; then it is killed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from arena.entrants import expand
from arena.ledger import EntrantRecord, Ledger, MatchRecord, committed_seeds
from arena.match.clock import TimeControl
from arena.match.spec import MatchSpec
from arena.tournament.fixtures import recorded_fixtures
from arena.tournament.formats import recorded_format
from arena.tournament.identity import Identity, edition_of, tournament_seed
from arena.tournament.open_ledger import create_ledger
from engine import catalog

BOT = Path(__file__).parent / "trivial_bot.py"
GAMES = 100_000
BOTS = 24
COUNTS = [2, 3, 4, 5, 6]
DECISIONS = 40
"""A bot's decisions in a game, whose times lie in the ledger."""
MORE = 1000
"""Games that are asked for beyond those that were played."""
FAILING = 0.9
"""The share of bots that fail, where many are suspended."""


def resuming_figures(games: int = GAMES, bots: int = BOTS) -> dict[str, object]:
    """Return what it costs to go on as before, with a changed bot, and with many that are suspended."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder = Path(temporary)
        paths = write_bots(folder / "some", bots)
        write_ledger(folder / "t", paths, games)
        found = {"games": games, "bots": bots, "as before": _resumed(folder, "t", paths, games + MORE)}
        paths[0].write_text(paths[0].read_text() + "\n# changed\n")
        found["a bot changed"] = _resumed(folder, "t", paths, MORE)
        many = write_bots(folder / "many", 10 * bots)
        write_ledger(folder / "u", many, games, FAILING)
        found[f"{round(FAILING * len(many))} of {len(many)} suspended"] = _resumed(folder, "u", many, games + MORE)
    return found


def write_bots(folder: Path, number: int) -> list[Path]:
    """Write so many copies of the trivial bot, each with a content of its own."""
    folder.mkdir()
    paths = [folder / f"bot{each:04}.py" for each in range(number)]
    for path in paths:
        path.write_text(f"{BOT.read_text()}\n# {path.stem}\n")
    return paths


def write_ledger(folder: Path, bots: Sequence[Path], games: int, failing: float = 0) -> None:
    """Write a tournament of which so many games were played when it was killed. `failing`: the share of bad bots."""
    rules = catalog.game(None)
    entrants = expand(list(bots)).found
    identity = Identity(rules.name, edition_of(rules, None), COUNTS, TimeControl(), tournament_seed(1))
    records = [EntrantRecord(each.name, str(each.path), each.fingerprint) for each in entrants]
    create_ledger(folder, identity, records, {})
    bad = {each.name for each in entrants[: round(failing * len(entrants))]}
    chance, number, played = random.Random(1), 0, 0
    with Ledger.open(folder, writing=True) as ledger:
        seeds = committed_seeds(ledger)
        fixtures = recorded_fixtures(ledger, recorded_format(ledger.settings, seeds.schedule), seeds, ledger.add_blocks)
        while played < games and (block := fixtures.block(number)) is not None:
            for spec in fixtures.open_games(block):
                record = _made_up(spec, bad, chance)
                ledger.record(record)
                fixtures.played(record)
                played += 1
            number += 1


def _made_up(spec: MatchSpec, bad: set[str], chance: random.Random) -> MatchRecord:
    ranks = chance.sample(range(1, spec.players + 1), spec.players)
    return MatchRecord(
        id=spec.id,
        index=spec.index,
        players=spec.players,
        block=spec.block,
        rotation=spec.rotation,
        seed=spec.seed,
        bots=spec.bots,
        ending="finished",
        ranks=ranks,
        scores=[{"days": 70 + rank, "arrived": 1, "cards": rank} for rank in ranks],
        steps=[],
        retired=[seat for seat, bot in enumerate(spec.bots) if bot in bad],
        faults=[],
        times=[[chance.randrange(50, 5000) for _ in range(DECISIONS)] for _ in ranks],
        digest=f"{chance.getrandbits(128):032x}",
        engine="made up",
    )


def _resumed(folder: Path, out: str, bots: Sequence[Path], games: int) -> dict[str, float]:
    """Return the figures of the second time, when every bot has been built."""
    _until_issued(folder, out, bots, games)
    return _until_issued(folder, out, bots, games)


def _until_issued(folder: Path, out: str, bots: Sequence[Path], games: int) -> dict[str, float]:
    command = [sys.executable, "-m", "arena", "tournament", *map(str, bots), "--games", str(games), "--out", out]
    environment = os.environ | {"ARENA_LOG": "debug", "ARENA_CACHE": str(folder / "cache")}
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
