"""Fit the formulas by which replays show the chance to win: `python -m benchmarks.fit_chances FOLDER...`.

Each folder holds a tournament of one game. Of every game the scene at the beginning of each turn is taken, and a
conditional logit says who won: the weights under which the winners are likeliest, with a small penalty on large ones.
Seats that cannot win any more do not count. It prints the weights for two players and for more, which are
`WEIGHTS_OF_TWO` and `WEIGHTS` in `engine/<game>/outcome.py` (`WEIGHTS` alone where a game has no others), and the loss
against that of equal chances, both measured on a fifth of the games, which is kept apart.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from arena.ledger import Ledger
from arena.replays.page_data import build_page_data
from engine import catalog
from engine.picture import follow

ROUNDS = 30
ENOUGH = 1e-6
PENALTY = 1e-3


class Position(NamedTuple):
    """A position of the seats that can still win."""

    name: str
    """Of the weights that it is for."""
    game: int
    features: np.ndarray
    """By seat and feature."""
    won: np.ndarray
    """Each seat's share of the win."""


def positions(folder: Path) -> Iterator[Position]:
    """Yield each turn's position of each game."""
    with Ledger.open(folder) as ledger:
        rules = catalog.rules(ledger.settings.game)
        edition = ledger.settings.edition
        module = import_module(f"engine.{rules.name}.outcome")
        for number, record in enumerate(ledger.games()):
            public, _ = build_page_data(record, rules, edition)
            best = min(record.ranks)
            won = np.array([float(rank == best) for rank in record.ranks])
            name = "WEIGHTS_OF_TWO" if record.players == 2 and hasattr(module, "WEIGHTS_OF_TWO") else "WEIGHTS"
            scene: Any = public["start"]
            for _, _, _, changes, label in public["steps"]:
                follow(scene, changes)
                if label:
                    able = np.isfinite(module.strengths(scene, edition))
                    found = np.array([module.features(scene, seat, edition) for seat in range(record.players)])
                    yield Position(name, number, found[able], won[able] / won.sum())


def chances(weights: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return each seat's chance."""
    strengths = features @ weights
    powers: np.ndarray = np.exp(strengths - strengths.max())
    return powers / powers.sum()


def loss(weights: np.ndarray, data: list[Position]) -> float:
    """Return the mean surprise at who won, in nats."""
    return float(-np.mean([each.won @ np.log(chances(weights, each.features) + 1e-12) for each in data]))


def fit(data: list[Position]) -> np.ndarray:
    """Return the likeliest weights, by Newton's method."""
    weights = np.zeros(data[0].features.shape[1])
    for _ in range(ROUNDS):
        slope, bend = -PENALTY * weights, PENALTY * np.eye(len(weights))
        for each in data:
            likely = chances(weights, each.features)
            apart = each.features - likely @ each.features
            slope += each.features.T @ (each.won - likely) / len(data)
            bend += apart.T @ (apart * likely[:, None]) / len(data)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < ENOUGH:
            break
    return weights


def main(folders: list[str]) -> None:
    """Fit, and print the weights."""
    found = [
        each._replace(game=1000 * at + each.game)
        for at, folder in enumerate(folders)
        for each in positions(Path(folder))
    ]
    for name in sorted({each.name for each in found}):
        data = [each for each in found if each.name == name]
        weights = fit([each for each in data if each.game % 5])
        test = [each for each in data if not each.game % 5]
        sys.stdout.write(f"{name}: Final = ({', '.join(f'{each:.3f}' for each in weights)})\n")
        sys.stdout.write(f"{len({each.game for each in data})} games, {len(data)} positions; ")
        sys.stdout.write(f"loss on the part kept apart {loss(weights, test):.3f}, ")
        sys.stdout.write(f"of equal chances {loss(np.zeros_like(weights), test):.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
