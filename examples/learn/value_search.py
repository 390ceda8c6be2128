"""A value network inside `explorer`: fitted to recorded games with numpy alone, then asked at the end of each walk.

    arena tournament a=@planner b=@planner c=@planner d=@planner e=@planner f=@planner --games 3000 --out games
    python examples/learn/value_search.py games --habits planner --minutes 10 --out value
    arena check value
    arena tournament value @planner

It works for any game whose rules draw worlds from a view. The recorded games are played again. Whenever the turn passes
on, the view of the seat that had it and that of another one become numbers (`arena.features`), with one more: what
`explorer` itself would say of the position. Rows of exported decisions would not do, as a seat is asked on its own turn
alone, and a walk ends on another's. Two hidden layers predict the share of rivals that the seat will leave behind.
Every tenth game is held out: the weights that miss it least are kept. The network judges at the numbers of players at
which it misses the games held out by less than `explorer` does itself. With `--habits planner` a walk takes what that
packaged bot would choose.

`--out` is a bot folder: the weights as float16, the form, and `bot.py`, `explorer.py` and the bot that habits come
from, as the packaged bot `@learned` has them, which was made by this.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import time
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # so small products are slower on several
import numpy as np

from arena import shipped
from arena.features import Form

LEARNED = shipped.bots()["learned"]
sys.path.insert(0, str(LEARNED))
import explorer  # noqa: E402
from bot import forward, logistic, numbers  # noqa: E402

BATCH, RATE, DECAY = 512, 1e-3, 1e-4
HELD_OUT = 10


# The network


def predictions(weights: dict[str, np.ndarray], seen: np.ndarray) -> np.ndarray:
    """Return what the network says of many rows."""
    parts = np.array_split(seen, max(1, len(seen) // 4096))
    return np.concatenate([logistic(forward(weights, part.astype(np.float32))[3][:, 0]) for part in parts])


def squares(found: np.ndarray, wanted: np.ndarray, among: np.ndarray | slice = slice(None)) -> float:
    """Return the mean square of what was missed."""
    missed = np.square(found - wanted)[among]
    return float(missed.mean()) if missed.size else 0.0


def fit(seen: np.ndarray, wanted: np.ndarray, held: np.ndarray, hidden: tuple[int, int], minutes: float, seed: int):
    """Return the weights with the least error in the games held out (Adam, by hand)."""
    generator = np.random.default_rng(seed)
    sizes = seen.shape[1], *hidden, 1
    weights = {}
    for place, (ins, outs) in enumerate(pairwise(sizes)):
        scale = np.sqrt(2 / ins) if place < 2 else 0.01
        weights[f"W{place}"] = generator.normal(0, scale, (ins, outs)).astype(np.float32)
        weights[f"b{place}"] = np.zeros(outs, np.float32)
    first = {key: np.zeros_like(value) for key, value in weights.items()}
    second = {key: np.zeros_like(value) for key, value in weights.items()}
    train, test = np.flatnonzero(~held), np.flatnonzero(held)
    mean = wanted[train].mean()
    print(f"{len(train)} rows, {len(test)} held out; a constant misses by {np.square(wanted[test] - mean).mean():.4f}")
    began, step, best, kept, worse = time.monotonic(), 0, np.inf, weights, 0
    while time.monotonic() - began < 60 * minutes and worse < 4:
        for some in np.array_split(generator.permutation(train), max(1, len(train) // BATCH)):
            step += 1
            layers = forward(weights, seen[some].astype(np.float32))
            slope = ((logistic(layers[3][:, 0]) - wanted[some]) / len(some))[:, None].astype(np.float32)
            for place in (2, 1, 0):
                slopes = {f"W{place}": layers[place].T @ slope, f"b{place}": slope.sum(0)}
                slope = (slope @ weights[f"W{place}"].T) * (layers[place] > 0) if place else slope
                for key, each in slopes.items():
                    first[key] += 0.1 * (each - first[key])
                    second[key] += 0.001 * (each * each - second[key])
                    move = first[key] / (1 - 0.9**step) / (np.sqrt(second[key] / (1 - 0.999**step)) + 1e-8)
                    weights[key] -= RATE * (move + DECAY * weights[key] * key.startswith("W"))
            if time.monotonic() - began > 60 * minutes:
                break
        missed = squares(predictions(weights, seen[test]), wanted[test])
        print(f"step {step}: misses by {missed:.4f}", flush=True)
        worse += 1
        if missed < best:
            best, worse, kept = missed, 0, {key: value.copy() for key, value in weights.items()}
    return kept, best


# The data


def rows(ledger: Path, form_file: Path, most: int, seed: int):
    """Return numbers, finishes, the games' places and numbers of players, and what is played. Writes the form."""
    from arena.game.game import teams_of
    from arena.game.replay import replay
    from arena.ledger import Ledger
    from arena.rating.rated_table import finish
    from engine import catalog

    generator = np.random.default_rng(seed)
    seen, wanted, games, players = [], [], [], []
    with Ledger.open(ledger) as opened:
        settings = opened.settings
        rules, edition = catalog.rules(settings.game), settings.edition
        form = Form.of(settings.game, edition=edition["name"])
        form.save(form_file)
        senses: dict[int, Any] = {}
        for number, game_id in enumerate(opened.ids()[:most]):
            record = opened.game(game_id)
            if record.players not in senses:
                senses[record.players] = sense_of(settings.game, record.players, edition)
            sense = senses[record.players]
            teams = teams_of(rules, record.players)
            behind = [1 - finish(record.ranks, seat, teams) for seat in range(record.players)]
            last = None
            for step in replay(record, rules, edition):
                state = step.state
                if state.to_act in (last, None):
                    continue
                seats = {int(generator.integers(record.players)), *([] if last is None else [last])}
                last = state.to_act
                for seat in sorted(seats):
                    seen.append(numbers(form, sense, state, seat).astype(np.float16))
                    wanted.append(behind[seat])
                    games.append(number)
                    players.append(record.players)
    return np.stack(seen), np.array(wanted, np.float32), np.array(games), np.array(players), settings.game


def sense_of(game: str, players: int, edition: dict[str, Any]):
    """Return what explorer itself knows of a game."""
    start = SimpleNamespace(seat=0, players=players, edition=edition, game=game)
    return explorer.SENSES.get(game, explorer.PlainSense)(start, random.Random(0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ledger", type=Path, help="the folder of a tournament")
    parser.add_argument("--out", type=Path, default=Path("value"), help="the bot folder to write")
    parser.add_argument("--minutes", type=float, default=20, help="for fitting, at most")
    parser.add_argument("--games", type=int, default=20_000, help="of the ledger, at most")
    parser.add_argument("--hidden", type=int, nargs=2, default=(64, 32))
    parser.add_argument("--habits", help="a packaged bot whose choices a walk takes, such as planner")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    args.out.mkdir(parents=True, exist_ok=True)
    seen, wanted, games, players, game = rows(args.ledger, args.out / "form.json", args.games, args.seed)
    held = games % HELD_OUT == HELD_OUT - 1 if games[-1] >= HELD_OUT else games == games[-1]
    weights, missed = fit(seen, wanted, held, tuple(args.hidden), args.minutes, args.seed)
    np.savez_compressed(args.out / "value.npz", **{key: each.astype(np.float16) for key, each in weights.items()})
    own, found = logistic(2 * seen[:, -1].astype(np.float32)), predictions(weights, seen)
    better = [
        int(count)
        for count in np.unique(players)
        if squares(found, wanted, held & (players == count)) <= squares(own, wanted, held & (players == count))
    ]
    print(f"the network judges with {better} players")
    about = {
        "habits": args.habits,
        "players": better,
        "game": game,
        "games": int(games[-1]) + 1,
        "rows": len(seen),
        "missed": missed,
        "seed": args.seed,
    }
    (args.out / "about.json").write_text(json.dumps(about) + "\n", "utf-8")
    play = (LEARNED / "bot.py").read_text("utf-8").replace('["kosmos"]', json.dumps([game]))
    (args.out / "bot.py").write_text(play, "utf-8")
    shutil.copyfile(LEARNED / "bot.toml", args.out / "bot.toml")
    for name in ("explorer", *([args.habits] if args.habits else [])):
        shutil.copyfile(shipped.bots()[name], args.out / f"{name}.py")


if __name__ == "__main__":
    main()
