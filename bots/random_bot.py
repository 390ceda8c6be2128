"""Plays any legal action: the smallest bot, and the one that every other should beat."""

from arena.client import run


def decide(game):
    # game.actions lists everything that is allowed now, as plain data; the answer is an index into it.
    # game.random is seeded by the referee: a bot that draws from nothing else can be replayed.
    return game.random.randrange(len(game.actions))


if __name__ == "__main__":
    run(decide, parallel=8)
