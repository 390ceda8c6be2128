"""Takes the longest stride it can, now, and draws two cards when it can take none.

It shows the questions of `ravensburger` in their plainest form: which card, which mode for the rose, which card to give
away. It does not plan where a stride ends, nor how many cards it will have before London.
"""

from arena.client import run

MODES = ("coach", "train", "steamer", "elephant")


def decide(game):
    return CHOOSERS.get(game.view["phase"], eager)(game)


def move(game):
    """Play the card that gets furthest, else one that may help the next, else draw two cards."""
    square = game.view["square"][game.seat]

    def worth(action):
        if "to" in action:
            return 10 + action["to"] if action["to"] > square else -1
        return {"rose": 5, "handcuffs": 3}.get(action.get("card"), action.get("count", 0))

    return best(game.actions, worth)


def rose(game):
    """Put the rose where the longest card is."""
    hand = game.view["hand"]
    # `get`: a later version of the game may have kinds of action without that field.
    return best(
        game.actions, lambda action: max((value(card) for card in hand if action.get("to", "?") in card), default=0)
    )


def part_with(game):
    """Give away the shortest card."""
    return best(game.actions, lambda action: -value(action.get("card", "?")))


def eager(game):
    """Leap, carry out, and defend: whatever keeps the pawn in front."""
    return best(game.actions, lambda action: action["do"] in ("leap", "carry_out", "purse"))


def value(card):
    """Return how far a card goes: "train-4" goes 4. A special card is worth as much as a long one."""
    mode, _, steps = card.partition("-")
    return int(steps) if mode in MODES else 4


def best(actions, worth):
    """Return the index of the action with the highest worth, the first among equals."""
    return max(range(len(actions)), key=lambda index: worth(actions[index]))


CHOOSERS = {
    "setup": rose,
    "turn": move,
    "further": move,
    "rose": rose,
    "exchange": part_with,
    "lay_off": part_with,
}

if __name__ == "__main__":
    run(decide, games=["ravensburger"], parallel=4)
