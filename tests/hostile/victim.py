"""An honest bot that sometimes thinks for so long that its rivals are stopped meanwhile."""

import time

from arena.client import run


def decide(game):
    if game.turn % 8 == 0:
        time.sleep(0.005)
    return len(game.actions) - 1


if __name__ == "__main__":
    run(decide)
