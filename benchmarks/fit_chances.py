"""Fit the formulas by which replays show the chance to win: `python -m benchmarks.fit_chances FOLDER...`.

Each folder holds a tournament of one game. Of every game the scene at the beginning of each turn is taken, and a
conditional logit says who won: the weights under which the winners are likeliest, with a small penalty on large ones.
It prints them for `WEIGHTS` in `engine/<game>/outcome.py`, and the loss against that of equal chances, both measured
on a fifth of the games, which is kept apart.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from arena.ledger import Ledger
from arena.replays.page_data import build_page_data
from engine import catalog
from engine.picture import follow

ROUNDS = 600
RATE = 0.05
PENALTY = 1e-3


def positions(folder: Path) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield the game's number, each seat's features and each seat's share of the win, for every turn."""
    with Ledger.open(folder) as ledger:
        rules = catalog.game(ledger.settings.game)
        edition = ledger.settings.edition
        module = import_module(f"engine.{rules.name}.outcome")
        more = [edition["board"]["goal"]] if rules.name == "ravensburger" else []
        for number, record in enumerate(ledger.games()):
            public, _ = build_page_data(record, rules, edition)
            best = min(record.ranks)
            won = np.array([float(rank == best) for rank in record.ranks])
            scene: Any = public["start"]
            for _, _, _, changes, label in public["steps"]:
                follow(scene, changes)
                if label:
                    found = [module.features(scene, seat, *more) for seat in range(record.players)]
                    yield number, np.array(found), won / won.sum()


def loss(weights: np.ndarray, data: list[tuple[int, np.ndarray, np.ndarray]]) -> tuple[float, np.ndarray]:
    """Return the mean surprise at who won, in nats, and its gradient."""
    total, gradient = 0.0, np.zeros_like(weights)
    for _, features, won in data:
        strengths = features @ weights
        chances = np.exp(strengths - strengths.max())
        chances /= chances.sum()
        total -= float(won @ np.log(chances + 1e-12))
        gradient += features.T @ (chances - won)
    return total / len(data), gradient / len(data) + PENALTY * weights


def main(folders: list[str]) -> None:
    """Fit, and print the weights."""
    data = [
        (1000 * at + number, features, won)
        for at, folder in enumerate(folders)
        for number, features, won in positions(Path(folder))
    ]
    train = [each for each in data if each[0] % 5]
    test = [each for each in data if not each[0] % 5]
    weights = np.zeros(data[0][1].shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, ROUNDS + 1):  # Adam, on a tenth of the positions at a time
        _, gradient = loss(weights, train[step % 10 :: 10])
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    even, _ = loss(np.zeros_like(weights), test)
    fitted, _ = loss(weights, test)
    sys.stdout.write(f"WEIGHTS: Final = ({', '.join(f'{each:.3f}' for each in weights)})\n")
    sys.stdout.write(f"{len(data)} positions; loss on the part kept apart {fitted:.3f}, of equal chances {even:.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
