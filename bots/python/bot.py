"""A bot to begin with: it takes the fastest way on, and plays anything in a game that it does not know.

`decide` is called whenever the bot has to choose. `game.actions` lists what is allowed, `game.view` is all that this
seat may know, and the answer is an index into `game.actions`.
"""

import logging

from arena.client import run

log = logging.getLogger("python-bot")


def decide(game):
    """Return the index of the action that is worth most, the first among equals."""
    worth = WORTHS.get(game.game, anything)
    index = max(range(len(game.actions)), key=lambda index: worth(game, game.actions[index]))
    log.debug("turn %d: %s", game.turn, game.actions[index])
    return index


def anything(game, action):
    """Value all alike. The referee seeds `game.random`: a bot that draws from nothing else can be replayed."""
    return game.random.random()


def kosmos(game, action):
    """Travel at once, the quickest way. Take cards of the kind that is short, low ones first."""
    match action:
        case {"do": "travel", "to": to, "days": days, "die": die}:
            most = days + (6 if die else 0)
            return -1 if is_too_late(game, to, most) else 100 - most
        case {"do": "take", "card": card}:
            kinds = [other[0] for other in game.view["hand"] if days_of(other)]
            return 50 - 10 * kinds.count(card[0]) - days_of(card)
        case {"do": "keep", "roll": roll}:
            return 2 if roll < 5 else 0  # pay a gold for another roll only if this one was bad
        case {"do": "discard", "card": card}:
            return days_of(card)
    return WELCOME.get(action["do"], 0)


def is_too_late(game, to, days):
    """Return whether coming home loses: with two players the first to be home has lost if it took over 80 days."""
    if to != "London" or game.players != 2 or not game.edition["parameters"]["late_first_loses"]:
        return False
    return game.view["days"][game.seat] + days > 80


def days_of(card):
    """Return 3 for "t3", a train of 3 days, and 0 for event cards, whose names are longer."""
    return int(card[1]) if len(card) == 2 else 0


def ravensburger(game, action):
    """Take the longest stride. Without one, prepare the next: put the rose where the longest card is, or draw two."""
    match action:
        case {"do": "play", "to": int(to)}:
            return 10 * (to - game.view["square"][game.seat])  # back only if there is nothing else
        case {"do": "play", "card": card}:
            return 5 if card == "rose" else 3
        case {"do": "draw", "count": count}:
            return count
        case {"do": "rose", "to": mode}:
            return max((stride(card) for card in game.view["hand"] if card.startswith(mode)), default=0)
        case {"do": "discard", "card": card}:
            return -stride(card)
    return 1 if action["do"] in EAGER else 0


def stride(card):
    """Return how far a card goes: "train-4" goes 4. A special card is worth as much as a long one."""
    return int(card[-1]) if "-" in card else 4


WELCOME = {"event": 3, "gold": 2, "accept": 1, "escape": 1, "reroll": 1}
EAGER = ("leap", "carry_out", "purse")
WORTHS = {"kosmos": kosmos, "ravensburger": ravensburger}

if __name__ == "__main__":
    run(decide, name="python-bot", parallel=8)
