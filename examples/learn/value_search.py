"""A value network inside `explorer`: fitted to recorded games with numpy alone, then asked at the end of each walk.

    arena tournament a=@planner b=@planner c=@planner d=@planner e=@planner f=@planner --games 3000 --out games
    python examples/learn/value_search.py games --habits planner --minutes 10 --out value
    arena check value
    arena tournament value @planner

It works for any game whose rules draw worlds from a view. The recorded games are played again. Whenever the turn passes
on, the view of the seat that had it and that of another one become numbers (`arena.features`), with one more: what
`explorer` itself would say of the position. Rows of exported decisions would not do, as a seat is asked on its own turn
alone, and a walk ends on another's. Two hidden layers predict the share of rivals that the seat will leave behind.
Every tenth game is held out: the weights that miss it least are kept. The search of `explorer` stays as it is, but its
verdicts come from the network, at the numbers of players at which that misses the games held out by less. With
`--habits planner` a walk takes what that packaged bot would choose, and the search mostly tries it first: the network,
which has learned from games of that bot, then says what its way of playing is worth, and the search improves on it.

`--out` is a bot folder: this file as `bot.py`, a copy of `explorer.py`, the weights as float16, and the form.
"""

from __future__ import annotations

import argparse
import importlib
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
from arena.client import Bot, run
from arena.features import Form

HERE = Path(__file__).parent
if not (HERE / "explorer.py").exists():  # in a bot folder it lies beside
    sys.path.insert(0, str(shipped.bots()["explorer"].parent))
import explorer  # noqa: E402

WEIGHTS, FORM, ABOUT = "value.npz", "form.json", "about.json"
MOVES = 8  # of all seats together, after which the network judges, in games that explorer has no sense of
BATCH, RATE, DECAY = 512, 1e-3, 1e-4
HELD_OUT = 10
TRUST = 0.6  # how likely the bot that habits come from is right, for the search


# The network: x @ W0 + b0, relu, @ W1 + b1, relu, @ W2 + b2, logistic


def forward(weights: dict[str, np.ndarray], seen: np.ndarray) -> list[np.ndarray]:
    """Return what each layer gives; the last one is the log-odds."""
    layers = [seen]
    for place in range(3):
        layers.append(layers[-1] @ weights[f"W{place}"] + weights[f"b{place}"])
        if place < 2:
            np.maximum(layers[-1], 0, out=layers[-1])
    return layers


def logistic(odds: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


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


def numbers(form: Form, sense: Any, world: Any, seat: int) -> np.ndarray:
    """Return what the network sees of a world: the seat's view, and explorer's own verdict as log-odds."""
    found = np.empty(form.width + 1, np.float32)
    form.encode(world.view(seat), (), found[:-1])
    own = min(max(sense.verdict(world, seat), 0.01), 0.99)
    found[-1] = np.log(own / (1 - own)) / 2
    return found


# The bot


class ValueSense:
    """Explorer's sense of a game, with verdicts by the network, and habits of another bot if there is one."""

    def __init__(self, base: Any, start: Any):
        self.base = base
        about = json.loads((HERE / ABOUT).read_text("utf-8"))
        self.moves = MOVES if type(base) is explorer.PlainSense else base.moves
        self.habits, self.choose, self.settled, self.verdict = base.habits, base.choose, base.settled, base.verdict
        if start.players not in about["players"]:
            return
        with np.load(HERE / WEIGHTS) as saved:
            self.weights = {key: saved[key].astype(np.float32) for key in saved}
        self.form = Form.load(HERE / FORM)
        self.verdict = self.predicted
        if about["habits"]:
            self.model = model_of(about["habits"], start)
            self.habits, self.choose = self.trusting, self.as_model

    def predicted(self, world: Any, seat: int) -> float:
        """Return the share of rivals that this seat will leave behind."""
        if world.to_act is None:
            return self.base.verdict(world, seat)
        return float(logistic(forward(self.weights, numbers(self.form, self.base, world, seat))[3][0]))

    def ask(self, view: Any, actions: Any) -> int:
        """Return the index of the action that the other bot would choose in this seat."""
        self.model.seat = view["seat"]
        return int(self.model.decide(SimpleNamespace(view=view, actions=actions)))

    def as_model(self, world: Any) -> int:
        return self.ask(world.view(world.to_act), world.actions())

    def trusting(self, view: Any, actions: Any) -> list[float]:
        found = [(1 - TRUST) * habit for habit in self.base.habits(view, actions)]
        found[self.ask(view, actions)] += TRUST
        return found


def model_of(name: str, start: Any):
    """Return the bot of the packaged file of that name, which lies beside or where explorer does."""
    module = importlib.import_module(name)
    kinds = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == name]
    model = next(each for each in kinds if issubclass(each, Bot))()
    model.random = random.Random(0)
    model.start(start)
    return model


class ValueSearch(explorer.Explorer):
    """Explorer with verdicts by a network."""

    def start(self, start):
        super().start(start)
        self.sense = ValueSense(self.sense, start)


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
    seen, wanted, games, players, game = rows(args.ledger, args.out / FORM, args.games, args.seed)
    held = games % HELD_OUT == HELD_OUT - 1 if games[-1] >= HELD_OUT else games == games[-1]
    weights, missed = fit(seen, wanted, held, tuple(args.hidden), args.minutes, args.seed)
    np.savez_compressed(args.out / WEIGHTS, **{key: each.astype(np.float16) for key, each in weights.items()})
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
    (args.out / ABOUT).write_text(json.dumps(about) + "\n", "utf-8")
    shutil.copyfile(__file__, args.out / "bot.py")
    for name in ("explorer", *([args.habits] if args.habits else [])):
        shutil.copyfile(shipped.bots()[name], args.out / f"{name}.py")
    lines = 'name = "value-search"', 'language = "Python"', f'command = ["{{python}}", "bot.py", "--play", "{game}"]'
    (args.out / "bot.toml").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        run(ValueSearch, name="value-search", deterministic=False, games=sys.argv[2:])
    else:
        main()
