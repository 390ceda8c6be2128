"""Wants to be home first at almost any cost: every turn not spent travelling is lost.

It keeps no plan and ignores what lies next to a card. It takes the kind that its next legs need, buys more with every
coin, and goes as soon as it can pay. Being home in few rounds leaves the others behind: after the first arrival every
player who still travels loses a day in each round.
"""

from collections import Counter

from arena.client import run

DIE = 3.5
DEAR = 19  # days for one leg that even a sprinter finds too many


def decide(game):
    """Choose by phase; a phase that is not listed is answered with the first action, as the substitute does."""
    choose = {
        "take": take,
        "action": use_place,
        "travel": travel,
        "reroll": lambda game: int(game.actions[0]["roll"] == 6),
        "chit": lambda game: 1,
        "escape": lambda game: len(game.actions) - 1,
        "limit": limit,
    }.get(game.view["phase"])
    return choose(game) if choose else 0


def needs(game, legs):
    """Count the trains and ships that the next legs need, by their first way of paying."""
    progress = game.view["city"][game.seat]
    needed = Counter()
    for leg in game.edition["board"]["legs"][progress : progress + legs]:
        if leg != "elephant":
            needed.update(kind[0] for kind in leg[0])
    return needed


def take(game):
    hand = Counter(card[0] for card in game.view["hand"] if len(card) == 2)
    soon = needs(game, 2)
    later = needs(game, 5)

    def worth(action):
        if action["do"] == "buy":
            return 40  # gold is only good for more cards
        card = action.get("card")
        if action["do"] != "take" or card is None:
            return None
        kind = card[0]
        wanted = 3 if soon[kind] > hand[kind] else 2 if later[kind] > hand[kind] else 0
        return 10 * wanted - int(card[1])

    return best(game, worth)


def use_place(game):
    return best(game, lambda action: {"buy": 5, "event": 4, "gold": 3, "first": 2, "pass": 1}.get(action["do"]))


def travel(game):
    """Travel whenever it is affordable; buy a card when it is not."""

    def worth(action):
        if action["do"] == "stay":
            return -DEAR
        if action["do"] == "buy":
            return -DEAR + 1 if action["deck"] == "travel" else None
        if action["do"] != "travel":
            return None
        return -(action["days"] + (DIE if action["die"] else 0) + len(action["events"]))

    return best(game, worth)


def limit(game):
    """Discard the highest card of the kind that is needed least."""
    needed = needs(game, 4)

    def worth(action):
        card = action.get("card", "")
        return int(card[1]) - 4 * needed[card[0]] if len(card) == 2 else None

    return best(game, worth)


def best(game, worth):
    worths = [worth(action) for action in game.actions]
    known = [index for index, value in enumerate(worths) if value is not None]
    return max(known, key=lambda index: worths[index], default=0)


if __name__ == "__main__":
    run(decide, games=["kosmos"], parallel=4)
