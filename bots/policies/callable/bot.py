"""Plays by a function, which `bot.toml` names.

It is called with a decision (`arena.client.Decision`: `view`, `actions`, `events`, `seat`, `random` and more) and
returns the index of one of `actions`. If its parameters are called `observation` and `mask`, it is called with the
numbers of a position, by `form.json`, and with which steps are legal. It returns a score for each step, and the best
legal one is taken.
"""

import sys
from importlib import import_module
from inspect import signature

import numpy as np

from arena.client import Bot, run
from arena.features import Form


class PolicyBot(Bot):
    """Asks the function for one step after the other."""

    def start(self, start):
        self.events = []

    def decide(self, game):
        self.events += game.events
        choice, index = FORM.choice(game.actions), None
        while index is None:
            scores = FUNCTION(observation=FORM.observe(game.view, choice, self.events), mask=choice.mask)
            index = choice.take(int(np.where(choice.mask, scores, -np.inf).argmax()))
        return index


if __name__ == "__main__":
    module, _, name = sys.argv[1].partition(":")
    FUNCTION = getattr(import_module(module), name)
    if list(signature(FUNCTION).parameters) == ["observation", "mask"]:
        FORM = Form.load("form.json")
        run(PolicyBot, name="callable-bot", games=[FORM.game])
    else:
        run(FUNCTION, name="callable-bot")
