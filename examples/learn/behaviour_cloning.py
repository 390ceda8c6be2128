"""Behaviour cloning: a network that chooses as the bots of a recorded tournament did. It needs numpy and pyarrow alone.

    python -c "from arena.features import Form; Form.of('kosmos', edition='standard').save('form.json')"
    arena export tournaments/default --decisions data --features form.json
    python examples/learn/behaviour_cloning.py data --bots planner --out run
    arena new mine --from run/policy.npz

It minimizes the cross-entropy of each step that was taken among those that were allowed. With `--ask BOT` these are the
steps that this bot would have taken, whoever played. Beside it the network learns how the game ended for that seat,
from -1 for last to 1 for first, which `ppo.py --start` needs. Every twentieth game is held out: the policy that
predicts those best is kept. The same data and `--seed` give the same policy.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from pyarrow import dataset

from arena.client import GameStart
from arena.environments.opponents import SeatedBot, player
from arena.features import Form
from engine import catalog

HELD_OUT = 20  # one of so many games
LEAST_SPREAD = 0.05
VALUE_WEIGHT = 0.1
WEIGHT_DECAY = 1e-2
BETAS, EPSILON = (0.9, 0.999), 1e-8  # of Adam


class Teacher:
    """A bot that is asked in this process what it would choose, in positions that others reached, too."""

    def __init__(self, name: str, form: Form) -> None:
        """Load the bot: a packaged one, such as `@planner`, or the file of one in Python."""
        self.player, self.form = player(name), form
        self.edition = catalog.rules(form.game).edition(form.edition)
        self.game, self.seats = "", {}

    def choose(self, row: dict) -> tuple[list, list, list]:
        """Return the steps of its choice, for each those that were allowed, and those that were taken before."""
        if row["game"] != self.game:
            self.game, self.seats = row["game"], {}
        seat, players = row["seat"], row["players"]
        if seat not in self.seats:
            start = GameStart(self.game, self.form.game, self.edition, seat, players, clock=None, bot_seed=seat)
            self.seats[seat] = SeatedBot(self.player, start)
        actions = json.loads(row["actions"])
        chosen = self.seats[seat].decide(json.loads(row["view"]), actions, json.loads(row["events"]))
        choice, index, steps, allowed, taken = self.form.choice(actions), None, [], [], []
        while index is None:
            steps.append(choice.toward(chosen))
            allowed.append(np.flatnonzero(choice.mask))
            taken.append(choice.steps[:])
            index = choice.take(steps[-1])
        return steps, allowed, taken


class Steps:
    """The steps of decisions, in half precision, so that a million fit into memory."""

    def __init__(self, data: dataset.Dataset, form: Form, bots: list[str], teacher: Teacher | None) -> None:
        """Read the steps that these bots took, or all bots if none is named, or that the teacher would have taken."""
        columns = ["game", "finish", "features", "action_features"]
        columns += ["players", "seat", "view", "events", "actions"] if teacher else ["steps", "allowed", "taken"]
        where = dataset.field("chosen_by") == "bot"
        if bots:
            where &= dataset.field("bot").isin(bots)
        seen, allowed, offered, chosen, values, games = [], [], [], [], [], []
        for batch in data.to_batches(columns=columns, filter=where):
            features = batch["features"].flatten().to_numpy().reshape(len(batch), form.width).astype(np.float16)
            for numbers, row in zip(features, batch.drop_columns("features").to_pylist(), strict=True):
                steps = teacher.choose(row) if teacher else (row["steps"], row["allowed"], row["taken"])
                for step, these, before in zip(*steps, strict=True):
                    counts = np.bincount(before, minlength=form.observation_width - form.width)
                    seen.append(np.concatenate([numbers, counts.astype(np.float16)])[: form.observation_width])
                    allowed.append(np.array(these))
                    rows = row["action_features"]
                    offered.append(None if rows is None else np.array(rows, np.float16))
                    chosen.append(step)
                    values.append(1 - 2 * row["finish"])
                    games.append(row["game"])
        names = sorted(set(games), key=lambda name: zlib.crc32(name.encode()))  # in an order that is always the same
        if len(names) < 2:
            raise SystemExit(f"{len(names)} games of {', '.join(bots) or 'bots'} in the data: two or more are needed")
        self.seen, self.chosen = np.stack(seen), np.array(chosen)
        self.offered = offered
        """In games whose actions have no ids, the features of each action that was offered."""
        self.mask = np.zeros((len(seen), form.actions.count or max(map(len, allowed))), np.bool_)
        for row, these in zip(self.mask, allowed, strict=True):
            row[these] = True
        self.values = np.array(values, np.float32)
        self.held_out = np.isin(games, names[: 1 + len(names) // HELD_OUT])
        self.scales = np.maximum(self.seen.std(0, dtype=np.float32), LEAST_SPREAD)
        """How much the numbers of an observation vary: a day more must count as much as a coin more."""

    def shown(self, some: np.ndarray) -> np.ndarray:
        """Return what the network is shown for some steps: a row for each step, or for each action without an id."""
        seen = self.seen[some] / self.scales
        if self.offered[some[0]] is not None:
            rows = [self.offered[place] for place in some]
            seen = np.hstack([np.repeat(seen, [len(each) for each in rows], axis=0), np.concatenate(rows)])
        return seen.astype(np.float32)


class Network:
    """Two hidden layers; behind them a score for each step, and the value in a column of its own."""

    def __init__(self, width: int, hidden: int, outputs: int, chance: np.random.Generator) -> None:
        """Draw the first weights."""
        sizes = (width, hidden, hidden, outputs + 1)
        scales = np.sqrt(2 / width), np.sqrt(2 / hidden), 0.01
        shapes = zip(scales, sizes, sizes[1:], strict=False)
        self.weights = [chance.normal(0, scale, (low, high)).astype(np.float32) for scale, low, high in shapes]
        self.weights += [np.zeros(size, np.float32) for size in sizes[1:]]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.updates = 0

    def forward(self, shown: np.ndarray) -> list[np.ndarray]:
        """Return what goes into each layer, and what comes out of the last one."""
        layers = [shown]
        for place in range(3):
            out = layers[-1] @ self.weights[place] + self.weights[3 + place]
            layers.append(out if place == 2 else np.maximum(out, 0))
        return layers

    def backward(self, layers: list[np.ndarray], slope: np.ndarray, rate: float) -> None:
        """Go a step of Adam against the slope of the loss by the outputs."""
        slopes: list[np.ndarray] = [np.empty(0)] * 6
        for place in (2, 1, 0):
            slopes[place], slopes[3 + place] = layers[place].T @ slope, slope.sum(0)
            if place:
                slope = (slope @ self.weights[place].T) * (layers[place] > 0)
        self.updates += 1
        first, second = (1 - beta**self.updates for beta in BETAS)
        for weights, each, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += (1 - BETAS[0]) * (each - mean)
            square += (1 - BETAS[1]) * (each * each - square)
            weights -= rate * (mean / first / (np.sqrt(square / second) + EPSILON) + WEIGHT_DECAY * weights)

    def save(self, file: Path, scales: np.ndarray) -> None:
        """Write the layers as `arena new --from` reads them, for numbers as they are; the value's as `ppo.py` does."""
        arrays = {f"W{place}": each for place, each in enumerate(self.weights[:3])}
        arrays |= {f"b{place}": each for place, each in enumerate(self.weights[3:])}
        arrays["W0"] = arrays["W0"].copy()
        arrays["W0"][: len(scales)] /= scales[:, None]
        values = {"value_W": arrays["W2"][:, -1:], "value_b": arrays["b2"][-1:]}
        np.savez(file, **arrays | {"W2": arrays["W2"][:, :-1], "b2": arrays["b2"][:-1]} | values)


def learn(network: Network, steps: Steps, some: np.ndarray, rate: float = 0) -> tuple[float, float, float]:
    """Learn from some steps; without a rate only look.

    Returns:
        The sums of cross-entropy, of steps chosen right, and of the squared errors of values.
    """
    mask, chosen, rows = steps.mask[some], steps.chosen[some], np.arange(len(some))
    layers = network.forward(steps.shown(some))
    scores = np.full(mask.shape, -np.inf, np.float32)
    has_ids = steps.offered[some[0]] is None
    scores[mask] = layers[-1][:, :-1][mask] if has_ids else layers[-1][:, 0]
    scores -= scores.max(1, keepdims=True)
    chances = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    misses = -np.log(np.maximum(chances[rows, chosen], 1e-12))
    errors = layers[-1][:, -1] - steps.values[some] if has_ids else np.zeros(1)
    if rate:
        chances[rows, chosen] -= 1
        slope = np.zeros_like(layers[-1])
        if has_ids:
            slope[:, :-1], slope[:, -1] = chances, 2 * VALUE_WEIGHT * errors
        else:
            slope[:, 0] = chances[mask]
        network.backward(layers, slope / len(some), rate)
    return misses.sum(), (scores.argmax(1) == chosen).sum(), (errors**2).sum()


def batches(places: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """Yield so many places at a time."""
    for begin in range(0, len(places), size):
        yield places[begin : begin + size]


def main() -> None:
    """Read the command line, learn, and save what predicts held-out games best."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "data", type=Path, nargs="+", help="folders of arena export --decisions --features, all of one form"
    )
    parser.add_argument("--bots", nargs="*", default=[], help="whose choices; those of all bots by default")
    parser.add_argument("--ask", metavar="BOT", help="learn what this bot would choose there instead: @planner, a file")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--minibatch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("run"))
    args = parser.parse_args()

    for folder in args.data:
        if not (folder / "data").is_dir():
            raise SystemExit(f"{folder} is no data set: make one by arena export --decisions {folder}")
    data = dataset.dataset([dataset.dataset(folder / "data") for folder in args.data])
    forms = {json.dumps(json.loads(part.schema.metadata[b"arena"])["form"]) for part in data.children}
    if forms == {"null"} or len(forms) > 1:
        raise SystemExit(
            "the data has no numbers, or those of several forms: export it again with --features form.json"
        )
    form = Form.read(forms.pop().encode())
    steps = Steps(data, form, args.bots, Teacher(args.ask, form) if args.ask else None)
    known, unknown = np.flatnonzero(~steps.held_out), np.flatnonzero(steps.held_out)
    print(f"{len(known):,} steps to learn from, {len(unknown):,} held out", flush=True)
    chance = np.random.default_rng(args.seed)
    width = form.observation_width + (form.actions.width if form.actions.count is None else 0)
    network = Network(width, args.hidden, form.actions.count or 1, chance)
    args.out.mkdir(parents=True, exist_ok=True)
    form.save(args.out / "form.json")
    best = np.inf
    for epoch in range(args.epochs):
        rate = args.rate * (1 - 0.95 * epoch / args.epochs)
        for some in batches(chance.permutation(known), args.minibatch):
            learn(network, steps, some, rate)
        found = [learn(network, steps, some) for some in batches(unknown, args.minibatch)]
        miss, right, error = (sum(column) / len(unknown) for column in zip(*found, strict=True))
        print(f"epoch {epoch + 1}: cross-entropy {miss:.4f}, {right:.1%} right, value's error {error:.3f}", flush=True)
        if miss < best:
            best = miss
            network.save(args.out / "policy.npz", steps.scales)


if __name__ == "__main__":
    main()
