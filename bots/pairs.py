"""Collects equal pairs before it travels: two equal cards of one kind cost their days only once.

It keeps state (a class instead of a function): how long it has been waiting in this city, so that it does not wait
forever for the second card of a pair.
"""

from collections import Counter

from arena.client import Bot, run

DIE = 3.5
PATIENCE = 2  # turns in one city before any way to travel on will do
FAIR = 10  # days for a leg that is not worth waiting any longer for


class Pairs(Bot):
    def start(self, start):
        self.board = start.edition["board"]["legs"]
        self.seat = start.seat
        self.city = 0
        self.waited = 0

    def decide(self, game):
        view = game.view
        if view["city"][self.seat] != self.city:
            self.city, self.waited = view["city"][self.seat], 0
        choose = getattr(self, "at_" + view["phase"], None)
        return choose(game) if choose else 0

    def at_take(self, game):
        """Take a card that makes a pair for a leg ahead, else one of a kind that is needed; low before high."""
        hand = [card for card in game.view["hand"] if len(card) == 2]
        kinds = Counter(card[0] for card in hand)
        double, single = self.wanted()
        place = {"gold": 2, "event": 2, "balloon": 1}

        def worth(action):
            card = action.get("card")
            if action["do"] != "take" or card is None:
                return None
            kind, days = card[0], int(card[1])
            value = place.get(action["place"], 0) - days
            if card in hand and double[kind]:
                return value + 12
            if kinds[kind] < double[kind] * 2 + single[kind]:
                return value + 6
            return value

        return best(game.actions, worth)

    def wanted(self):
        """How many of the next four legs want two cards of a kind, and how many one, by kind."""
        double, single = Counter(), Counter()
        for leg in self.board[self.city : self.city + 4]:
            if leg != "elephant":
                for kind, number in Counter(card[0] for card in leg[0]).items():
                    (double if number > 1 else single)[kind] += 1
        return double, single

    def at_action(self, game):
        return best(game.actions, lambda action: {"event": 3, "gold": 2, "pass": 1}.get(action["do"]))

    def at_travel(self, game):
        """Go when it is cheap, or when patience is at its end."""

        def worth(action):
            if action["do"] == "travel":
                return -(action["days"] + (DIE if action["die"] else 0))
            return None

        choice = best(game.actions, worth)
        cost = worth(game.actions[choice])
        hurry = bool(game.view["arrived"]) or self.waited >= PATIENCE
        if cost is not None and (hurry or cost >= -FAIR):
            return choice
        self.waited += 1
        return 0

    def at_reroll(self, game):
        return int(game.actions[0]["roll"] >= 5)

    def at_chit(self, game):
        return 1

    def at_escape(self, game):
        return len(game.actions) - 1

    def at_limit(self, game):
        """Keep pairs; of the rest the highest goes."""
        hand = Counter(game.view["hand"])

        def worth(action):
            card = action.get("card", "")
            return int(card[1]) - 10 * (hand[card] > 1) if len(card) == 2 else None

        return best(game.actions, worth)


def best(actions, worth):
    worths = [worth(action) for action in actions]
    known = [index for index, value in enumerate(worths) if value is not None]
    return max(known, key=lambda index: worths[index], default=0)


if __name__ == "__main__":
    run(Pairs, games=["kosmos"], parallel=4)
