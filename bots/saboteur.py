"""Travels sensibly and spends what it can on slowing the others down, with the detective and all that costs days.

It shows how to read what a view says about the rivals: where they are, how many days they have spent, who leads.
"""

from itertools import combinations

from arena.client import run

DIE = 3.5
MISSING = 7


def decide(game):
    choose = CHOOSERS.get(game.view["phase"])
    return choose(game) if choose else 0


def rivals(view, seat):
    """Return the seats that still travel, the leader first: farthest along, then fewest days."""
    others = [other for other in range(len(view["city"])) if other != seat and other not in view["arrived"]]
    return sorted(others, key=lambda other: (-view["city"][other], view["days"][other]))


def mischief(game, action):
    """Return the harm that the detective does in a new place: he costs days to all who leave or stay in his city."""
    view = game.view
    cities = game.edition["board"]["cities"]
    here = cities[view["city"][game.seat]]
    if action["to"] == here:
        return -10
    harm = 0
    for place, other in enumerate(rivals(view, game.seat)):
        if action["to"] == cities[view["city"][other]]:
            harm += 4 - place  # the leader first
    return harm


def take(game):
    hand = [card for card in game.view["hand"] if len(card) == 2]
    place = {"detective": 4, "event": 3, "gold": 2, "balloon": 1}

    def worth(action):
        if action["do"] == "detective":
            harm = mischief(game, action)
            return 100 + harm if harm >= 4 else None
        if action["do"] != "take" or "card" not in action:
            return None
        return place.get(action["place"], 0) - leg_cost(game, [*hand, action["card"]])

    return best(game.actions, worth)


def use_place(game):
    """Send the detective to the leader, or else use what the place offers."""

    def worth(action):
        if action["do"] in ("detective", "move_detective"):
            return 2 + mischief(game, action)
        return {"event": 3, "gold": 2, "pass": 1}.get(action["do"])

    return best(game.actions, worth)


def travel(game):
    def worth(action):
        if action["do"] == "detective":
            harm = mischief(game, action)
            return 100 + harm if harm >= 4 else None
        if action["do"] != "travel":
            return None
        return -(action["days"] + (DIE if action["die"] else 0))

    return best(game.actions, worth)


def chit(game):
    """Accept: a delay for all others is the best chit there is."""
    return best(game.actions, lambda action: action["do"] == "accept")


def leg_cost(game, hand):
    leg = game.edition["board"]["legs"][game.view["city"][game.seat]]
    if leg == "elephant":
        return 0
    costs = []
    for option in leg:
        total = 0
        for kind in "ts":
            need = sum(each[0] == kind for each in option)
            have = sorted(int(card[1]) for card in hand if card[0] == kind)
            paying = min(need, len(have))
            total += min(sum(set(cards)) for cards in combinations(have, paying)) + MISSING * (need - paying)
        costs.append(total)
    return min(costs)


def limit(game):
    def worth(action):
        card = action.get("card", "")
        return int(card[1]) if len(card) == 2 else None

    return best(game.actions, worth)


def best(actions, worth):
    worths = [worth(action) for action in actions]
    known = [index for index, value in enumerate(worths) if value is not None]
    return max(known, key=lambda index: worths[index], default=0)


CHOOSERS = {
    "take": take,
    "action": use_place,
    "travel": travel,
    "reroll": lambda game: int(game.actions[0]["roll"] >= 5),
    "chit": chit,
    "escape": lambda game: len(game.actions) - 1,
    "limit": limit,
}

if __name__ == "__main__":
    run(decide, games=["kosmos"], parallel=4)
