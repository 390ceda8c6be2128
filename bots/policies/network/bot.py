"""Plays by a network, as `bot.toml` names it: the numbers of a position go in, a score for each step comes out.

`form.json` says how views become numbers. In most games an action is chosen in one or more steps, each the best one
that is legal; in games whose actions have no numbers, the network scores a row for each action: the position's numbers,
then the action's.
"""

import argparse
from itertools import count, takewhile

import numpy as np

from arena.client import Bot, run
from arena.features import Form


class PolicyBot(Bot):
    """Asks the network for one step after the other."""

    def start(self, start):
        self.events = []
        self.chance = np.random.default_rng(start.bot_seed)

    def decide(self, game):
        self.events += game.events
        choice, index = FORM.choice(game.actions), None
        while index is None:
            scores = np.where(choice.mask, NETWORK(shown(game, choice, self.events)).reshape(-1), -np.inf)
            index = choice.take(self.step(scores))
        return index

    def step(self, scores):
        """Return the best step; with a temperature, others the more often the higher that is."""
        if OPTIONS.temperature > 0:
            scores = scores / OPTIONS.temperature + self.chance.gumbel(size=len(scores))
        return int(scores.argmax())


def shown(game, choice, events):
    """Return what the network is shown, as rows."""
    seen = FORM.observe(game.view, choice, events)
    if FORM.actions.count is not None:
        return seen[None]
    actions = FORM.features(game.view, game.actions)
    return np.hstack([np.tile(seen, (len(actions), 1)), actions])


def onnx_network(file):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda rows: session.run(None, {name: rows})[0]


def numpy_network(file):
    saved = dict(np.load(file))
    *inner, (weights, biases) = [
        (saved[f"W{place}"], saved[f"b{place}"]) for place in takewhile(lambda place: f"W{place}" in saved, count())
    ]
    is_tanh = str(saved.get("activation", "relu")) == "tanh"

    def network(rows):
        for more, bias in inner:
            rows = rows @ more + bias
            rows = np.tanh(rows) if is_tanh else np.maximum(rows, 0)
        return rows @ weights + biases

    return network


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--policy", required=True)
    parser.add_argument("--temperature", type=float, default=0.0)
    return parser.parse_args()


if __name__ == "__main__":
    OPTIONS = options()
    FORM = Form.load("form.json")
    NETWORK = (onnx_network if OPTIONS.policy.endswith(".onnx") else numpy_network)(OPTIONS.policy)
    run(PolicyBot, name="network-bot", games=[FORM.game])
