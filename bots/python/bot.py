"""A bot to begin with: it takes the fastest way on, and chooses at random where it knows no better.

`decide` is called whenever the bot has to choose. `game.actions` lists what is allowed, `game.view` is all that this
seat may know, and the answer is an index into `game.actions`.
"""

import logging

from arena.client import run

log = logging.getLogger("python-bot")


def decide(game):
    """Return the index of the action to play."""
    choose = CHOOSERS.get(game.game, anything)
    index = choose(game)
    log.debug("turn %d: %s", game.turn, game.actions[index])
    return index


def anything(game):
    """Choose at random. The referee seeds `game.random`: a bot that draws from nothing else can be replayed."""
    return game.random.randrange(len(game.actions))


def kosmos(game):
    """Travel the leg that takes the fewest days if there is one; otherwise take what is offered."""
    phase = game.view["phase"]
    if phase == "travel":
        legs = {index: action["days"] for index, action in enumerate(game.actions) if action["do"] == "travel"}
        return min(legs, key=legs.get, default=0)
    if phase in ("reroll", "limit"):
        return 0  # the first action of every list changes the least
    return len(game.actions) - 1 if game.actions[-1]["do"] in KNOWN else anything(game)


def ravensburger(game):
    """Take the longest stride if there is one; otherwise anything but a step back, which would lead in circles."""
    here = game.view["square"][game.seat]
    ends = [action["to"] if type(action.get("to")) is int else here for action in game.actions]
    if max(ends) > here:
        return ends.index(max(ends))
    return game.random.choice([index for index, end in enumerate(ends) if end == here] or range(len(ends)))


KNOWN = {"accept", "event", "gold", "pass", "take"}
CHOOSERS = {"kosmos": kosmos, "ravensburger": ravensburger}

if __name__ == "__main__":
    run(decide, name="python-bot", parallel=8)
