"""The bot of `benchmarks.message_times`: thinks for the milliseconds in its file's name, and notes how long it waited.

It plays at random, but attacks whenever it can and never defends itself, so that others learn from times alone whether
it could have.
"""

import time
from pathlib import Path

from arena.client import run

SECONDS = int(Path(__file__).stem.rpartition("_")[2]) / 1000
answered = None


def decide(game):
    global answered
    asked = time.perf_counter()
    if answered is not None and game.turn > 1:
        game.metric("ms", (asked - answered) * 1000)
    kinds = [action["do"] for action in game.actions]
    attacks = [index for index, action in enumerate(game.actions) if "victim" in action]
    if "retreat" in kinds:
        index = kinds.index("retreat")
    elif "stay" in kinds and game.random.random() < 0.4:
        index = kinds.index("stay")
    else:
        index = game.random.choice(attacks or range(len(kinds)))
    while time.perf_counter() < asked + SECONDS:
        pass
    answered = time.perf_counter()
    return index


run(decide)
