"""Takes the cheapest next leg, now.

It shows the three decisions of every turn in `kosmos`: which card to take, what to do with its place, and whether to
travel. It looks only at the next leg and never waits for better cards.
"""

from itertools import combinations

from arena.client import run

DIE = 3.5  # what a roll adds on average
MISSING = 7  # estimated days of a card that we do not have yet


def decide(game):
    phase = game.view["phase"]
    return CHOOSERS.get(phase, first)(game)


def first(game):
    return 0  # the first action of every list is the passive one


def take(game):
    """Choose the card after which the next leg is cheapest, and among equals the one on the better place."""
    taste = {"event": 3, "gold": 2, "balloon": 1}

    def worth(action):
        if action["do"] != "take" or "card" not in action:
            return None
        hand = [card for card in game.view["hand"] if len(card) == 2]  # "t3" is a train of 3, longer names are events
        return (-leg_cost(game, [*hand, action["card"]]), taste.get(action["place"], 0))

    return best(game.actions, worth)


def leg_cost(game, hand):
    """Return the days for the next leg with this hand, missing cards included."""
    progress = game.view["city"][game.seat]
    leg = game.edition["board"]["legs"][progress]
    if leg == "elephant":
        return 0
    return min(option_cost([kind[0] for kind in option], hand) for option in leg)


def option_cost(kinds, hand):
    total = 0
    for kind in "ts":
        need = kinds.count(kind)
        have = sorted(int(card[1]) for card in hand if card[0] == kind)
        paying = min(need, len(have))
        # Two equal cards of a kind count once, hence sum(set(...)).
        total += min(sum(set(cards)) for cards in combinations(have, paying))
        total += MISSING * (need - paying)
    return total


def use_place(game):
    """Use what the place offers, unless it would only give a worse position in the round."""
    return best(game.actions, lambda action: {"event": 3, "gold": 2, "pass": 1}.get(action["do"]))


def travel(game):
    """Choose the cheapest leg; event cards are spent when they help."""

    def worth(action):
        if action["do"] != "travel":
            return None
        return -(action["days"] + (DIE if action["die"] else 0))

    return best(game.actions, worth)


def reroll(game):
    """Pay gold for a new roll only if the roll was bad."""
    return 1 if game.actions[0]["roll"] >= 5 else 0


def chit(game):
    """Accept: cards and gold are welcome."""
    return best(game.actions, lambda action: action["do"] == "accept")


def escape(game):
    return len(game.actions) - 1  # anything is better than losing days


def limit(game):
    """Discard the most expensive card."""

    def worth(action):
        card = action.get("card", "")
        return int(card[1]) if len(card) == 2 else None

    return best(game.actions, worth)


def best(actions, worth):
    """Return the index of the action with the highest worth; actions with worth None are not considered."""
    worths = [worth(action) for action in actions]
    known = [index for index, value in enumerate(worths) if value is not None]
    return max(known, key=lambda index: worths[index], default=0)


CHOOSERS = {
    "take": take,
    "action": use_place,
    "travel": travel,
    "reroll": reroll,
    "chit": chit,
    "escape": escape,
    "limit": limit,
}

if __name__ == "__main__":
    run(decide, games=["kosmos"], parallel=4)
