"""A hostile bot: it plays at random, and meanwhile does what the environment variable ATTACK names."""

import contextlib
import os

import attacks

from arena.client import Bot, run


class Attacker(Bot):
    def start(self, start):
        self.attack = getattr(attacks, os.environ["ATTACK"])(start)
        next(self.attack)

    def decide(self, game):
        with contextlib.suppress(StopIteration):
            self.attack.send(game)
        return self.random.randrange(len(game.actions))


if __name__ == "__main__":
    run(Attacker, name=os.environ["ATTACK"])
