"""Searches as `explorer` does, with verdicts by a network that has learned from recorded games, and another's habits.

`examples/learn/value_search.py` made it: docs/learn.md says from which games. The network sees a view as numbers and
what `explorer` itself says of it, and gives the share of its rivals that a seat will leave behind. It judges at the
numbers of players at which it knew games that it had not learned from better than `explorer`; at others that judges.
A walk takes what the bot would choose whose games they were, and the search mostly tries that first. The network says
what this way of playing is worth, and the search improves on it.
"""

import importlib
import json
import random
from pathlib import Path
from types import SimpleNamespace

import explorer
import numpy as np

from arena.client import Bot, run
from arena.features import Form

HERE = Path(__file__).parent
WEIGHTS, FORM = HERE / "value.npz", HERE / "form.json"
ABOUT = json.loads((HERE / "about.json").read_text("utf-8"))
HABITS = importlib.import_module(ABOUT["habits"]) if ABOUT["habits"] else None
MOVES = 8  # of all seats together, after which the network judges, in games that explorer has no sense of
TRUST = 0.6  # how likely the bot that habits come from is right, for the search


def forward(weights, seen):
    """Return what each layer gives: x @ W0 + b0, relu, @ W1 + b1, relu, @ W2 + b2. The last one is the log-odds."""
    layers = [seen]
    for place in range(3):
        layers.append(layers[-1] @ weights[f"W{place}"] + weights[f"b{place}"])
        if place < 2:
            np.maximum(layers[-1], 0, out=layers[-1])
    return layers


def logistic(odds):
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


def numbers(form, sense, world, seat):
    """Return what the network sees of a world: the seat's view, and explorer's own verdict as log-odds."""
    found = np.empty(form.width + 1, np.float32)
    form.encode(world.view(seat), (), found[:-1])
    own = min(max(sense.verdict(world, seat), 0.01), 0.99)
    found[-1] = np.log(own / (1 - own)) / 2
    return found


class ValueSense:
    """Explorer's sense of a game, with verdicts by the network, and habits of another bot if there is one."""

    def __init__(self, base, start):
        self.base = base
        self.moves = MOVES if type(base) is explorer.PlainSense else base.moves
        self.habits, self.choose, self.settled, self.verdict = base.habits, base.choose, base.settled, base.verdict
        if start.players not in ABOUT["players"]:
            return
        with np.load(WEIGHTS) as saved:
            self.weights = {key: saved[key].astype(np.float32) for key in saved}
        self.form = Form.load(FORM)
        self.verdict = self.predicted
        if HABITS is not None:
            self.model = model_of(HABITS, start)
            self.habits, self.choose = self.trusting, self.as_model

    def predicted(self, world, seat):
        """Return the share of rivals that this seat will leave behind."""
        if world.to_act is None:
            return self.base.verdict(world, seat)
        return float(logistic(forward(self.weights, numbers(self.form, self.base, world, seat))[3][0]))

    def ask(self, view, actions):
        """Return the index of the action that the other bot would choose in this seat."""
        self.model.seat = view["seat"]
        return int(self.model.decide(SimpleNamespace(view=view, actions=actions)))

    def as_model(self, world):
        return self.ask(world.view(world.to_act), world.actions())

    def trusting(self, view, actions):
        found = [(1 - TRUST) * habit for habit in self.base.habits(view, actions)]
        found[self.ask(view, actions)] += TRUST
        return found


def model_of(module, start):
    """Return the bot that a file has, as it is after the start of a game."""
    kinds = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    model = next(each for each in kinds if issubclass(each, Bot))()
    model.random = random.Random(0)
    model.start(start)
    return model


class Learned(explorer.Explorer):
    """Explorer with verdicts by a network."""

    def start(self, start):
        super().start(start)
        self.sense = ValueSense(self.sense, start)


if __name__ == "__main__":
    run(Learned, name="learned", deterministic=False, games=["kosmos"])
