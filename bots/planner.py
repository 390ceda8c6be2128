"""Plans the whole remaining journey: its cost in days and in turns, with the cards in hand and those to come.

Every choice is judged by the same number, the `outlook` after it: days spent and expected for all legs to London, plus
a price for every turn that the journey will still take. Turns matter because a player who is not home when the others
are has lost. Days matter because of those who are home within 80 the one with the fewest wins. Of two players the first
one home wins whatever the days, in some editions; in the others only in time, so the last leg is weighed by its chance.

Read it from the bottom: `decide` picks a chooser by phase, the choosers rate actions, `outlook` rates positions.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations

from arena.client import Bot, run

DIE = 3.5  # a roll on average
DAYS_OF = {"t": 3.4, "s": 5.3}  # what a card to come will cost on average: one picks among several
PAIRED = 0.7  # a card to come may make a pair, and then costs less
CARD = 10.0  # days' worth of having a card that is needed rather than having to get it
TURN = 8.0  # days' worth of a turn
SOON = 0.1  # how much more a missing card weighs for each leg that it is needed sooner
INCOME = 1.75  # cards a turn, with gold, events and chits
GOLD = 1.5  # days' worth of a coin
EVENT = 1.5  # days' worth of an event card not yet seen
HELD = {  # days' worth of event cards in hand; those not listed are kept and valued like an unseen one
    "distraction": 1.2,
    "detective": 0.8,
    "elephant": 1.0,
    "swap": 0.6,
    "princess": 2.0,
    "connections": 3.0,
}
LIMIT = 80
HOPELESS = 84  # expected final days beyond which the limit is given up
LATE = 0.4  # what a day is worth then
DECIDES = 1000.0  # days' worth of winning
RACE = 20.0  # days' worth of a turn, of two players where the first home wins,
RACE_DAY = 0.4  # and what a day is worth there
AHEAD = 0.8  # the chance to win by waiting, of two players who are both late, for the one with fewer days,
BEHIND = 0.1  # and for the other, who had better try any roll
DETECTIVE = 2.0  # days that the detective costs
HORIZON = 5  # legs for which single cards are assigned; beyond, averages do


class Planner(Bot):
    def start(self, start):
        self.seat = start.seat
        self.players = start.players
        self.cities = start.edition["board"]["cities"]
        # Per leg a tuple of ways to pay, each as (trains, ships); the elephant's leg needs no card.
        self.legs = tuple(
            ((0, 0),) if leg == "elephant" else tuple((way.count("train"), way.count("ship")) for way in leg)
            for leg in start.edition["board"]["legs"]
        )
        self.days_ahead = lru_cache(maxsize=50_000)(self.days_ahead)
        late_first_loses = start.edition["parameters"]["late_first_loses"]
        self.first_wins = self.players == 2 and not late_first_loses
        self.late_loses = self.players == 2 and late_first_loses

    def decide(self, game):
        self.view = game.view
        self.turn_price = self.price_of_a_turn()
        self.day_price = self.price_of_a_day()
        choose = getattr(self, "at_" + game.view["phase"], None)
        return choose(game.actions) if choose else 0

    # What a position is worth

    def price_of_a_turn(self):
        """Return the price of a turn, which rises when others are nearly home: then every turn may be the last."""
        if self.first_wins:
            return RACE
        view = self.view
        price = TURN
        if view["arrived"]:
            price += 1.5
        own = view["city"][self.seat]
        ahead = sum(city > own for city in view["city"])
        if ahead >= max(1, self.players - 2):
            price += 1.5
        return price

    def price_of_a_day(self):
        """Return the price of a day, which falls when 80 days are out of reach: then only the order of arrival counts.

        With two players it never falls, but it is low where the first home wins.
        """
        if self.first_wins:
            return RACE_DAY
        if self.late_loses:
            return 1.5
        view = self.view
        hand, _ = self.cards(view["hand"])
        days, _ = self.days_ahead(view["city"][self.seat], hand)
        return 1.0 if view["days"][self.seat] + days <= HOPELESS else LATE

    def outlook(self, city, hand, gold, events, travelled=False):
        """Return the days and turns still to come, in days; lower is better.

        Args:
            city: Where the seat is.
            hand: A sorted tuple of travel cards.
            gold: The number of coins.
            events: The event cards in hand.
            travelled: This turn's leg is done, so another card comes before the next one.
        """
        if city == len(self.legs):
            return 0.0
        days, missing = self.days_ahead(city, hand)
        worth = GOLD * gold + sum(HELD.get(card, EVENT) for card in events)
        turns = self.turns(missing, travelled)
        return self.day_price * days + CARD * sum(missing) + self.turn_price * turns - worth

    def turns(self, missing, travelled):
        """Return the turns to come: one for each leg, but up to each leg enough to bring all cards missing by then."""
        most = legs = len(missing)
        short = 0
        for number, lacking in enumerate(missing, start=1):
            short += lacking
            if short:
                most = max(most, short / INCOME + (not travelled) + legs - number)
        return most

    def days_ahead(self, city, hand):
        """Return the expected days of all legs from `city` on, and for each how many of its cards are still missing."""
        far = min(city + HORIZON, len(self.legs))
        days, missing = self.assign(city, far, hand)
        for ways in self.legs[far:]:
            trains, ships = ways[0]
            days += self.expected(trains, ships)
            missing += (trains + ships,)
        return days, missing

    def assign(self, city, far, hand):
        """Find the best use of these cards on the legs up to `far`; a card counts more the sooner it is needed."""
        memo = {}

        def best(leg, cards):
            if leg == far:
                return 0.0, 0.0, ()
            if (leg, cards) in memo:
                return memo[leg, cards]
            found = None
            for trains, ships in self.legs[leg]:
                for paid, short in payments(cards, trains, ships):
                    days, price, missing = best(leg + 1, without(cards, paid))
                    days += days_of(paid) + self.expected_rest(paid, *short)
                    price += sum(short) * CARD * (1 + SOON * (far - leg))
                    if found is None or days + price < found[0] + found[1]:
                        found = (days, price, (sum(short), *missing))
            memo[leg, cards] = found
            return found

        days, _, missing = best(city, hand)
        return days, missing

    def expected(self, trains, ships):
        """Return the expected days of a leg for which there is no card yet."""
        return self.expected_rest((), trains, ships)

    def expected_rest(self, paid, trains, ships):
        days = 0.0
        for kind, short in (("t", trains), ("s", ships)):
            begun = sum(card[0] == kind for card in paid)
            for number in range(begun, begun + short):
                days += DAYS_OF[kind] * (PAIRED if number else 1)
        return days

    # The decisions

    def at_take(self, actions):
        return self.lowest(actions, self.after_before_travel)

    def at_action(self, actions):
        return self.lowest(actions, self.after_before_travel)

    def after_before_travel(self, action):
        """Return the outlook after an action that comes before the leg."""
        view = self.view
        city, gold = view["city"][self.seat], view["gold"][self.seat]
        hand, events = self.cards(view["hand"])
        now = self.outlook(city, hand, gold, events)
        do = action["do"]
        if do == "take":
            bonus = {"gold": GOLD, "event": EVENT, "balloon": self.balloon(city, hand, action.get("card"))}
            if "card" not in action:
                return now - CARD * 2
            after = self.outlook(city, with_card(hand, action["card"]), gold, events)
            return after - bonus.get(action["place"], 0.3)
        if do == "buy":
            gain = self.unknown_card(city, hand, gold, events) if action["deck"] == "travel" else EVENT
            return now - gain + 2 * GOLD + 0.1
        if do == "exchange":
            rest = hand
            for card in action["cards"]:
                rest = without(rest, (card,))
            after = self.outlook(city, rest, gold, events)
            return after - len(action["cards"]) * self.unknown_card(city, rest, gold, events) + 0.2
        if do == "sell":
            return now + HELD["elephant"] - GOLD + (5 if city <= 4 else 0)
        if do in ("detective", "move_detective"):
            cost = HELD["detective"] if do == "detective" else 0
            return now + cost - self.mischief(action["to"])
        if do == "swap":
            return now + 0.5
        return now - {"gold": GOLD, "event": EVENT, "first": 0.4}.get(do, 0)

    def unknown_card(self, city, hand, gold, events):
        """Return what a card from the travel deck is worth on average."""
        now = self.outlook(city, hand, gold, events)
        kinds = [f"t{days}" for days in (2, 4, 6)] + [f"s{days}" for days in (4, 6, 8)]
        return sum(now - self.outlook(city, with_card(hand, card), gold, events) for card in kinds) / len(kinds)

    def balloon(self, city, hand, card):
        """Return what a ride saves this turn: the most expensive card that would be spent becomes a roll."""
        if city >= len(self.legs) or card is None:
            return 0.0
        hand = with_card(hand, card)
        trains, ships = self.legs[city][0]
        full = [paid for paid, short in payments(hand, trains, ships) if not sum(short) and paid]
        if not full:
            return 0.2
        cheapest = min(full, key=days_of)
        return max(0.3, max(int(each[1]) for each in cheapest) - DIE)

    def mischief(self, to):
        """Return what the detective's new place is worth: rivals there lose days, and we must not."""
        view = self.view
        if to == self.cities[view["city"][self.seat]]:
            return -DETECTIVE
        there = [
            seat
            for seat in range(self.players)
            if seat != self.seat and seat not in view["arrived"] and self.cities[view["city"][seat]] == to
        ]
        leads = any(view["city"][seat] >= view["city"][self.seat] for seat in there)
        return 0.5 * len(there) + 0.5 * leads

    def at_travel(self, actions):
        return self.lowest(actions, self.after_travel)

    def after_travel(self, action):
        """Return the outlook at the end of this turn."""
        view = self.view
        city, gold = view["city"][self.seat], view["gold"][self.seat]
        hand, events = self.cards(view["hand"])
        if action["do"] == "stay":
            waited = self.turn_price * (not view["legs"])
            return self.outlook(city, hand, gold, events, travelled=True) + waited + self.caught(city)
        if action["do"] != "travel":
            # Other actions that are possible now are rated as before the leg, on top of staying.
            return self.after_before_travel(action) + self.turn_price * (not view["legs"]) + self.caught(city)
        for card in action["cards"]:
            hand = without(hand, (card,))
        for card in action["events"]:
            if card in events:
                events = remove(events, card)
        days = action["days"] + (DIE if action["die"] else 0)
        if any(use["card"] == "connections" or use["as"] == "connections" for use in action["uses"]):
            days -= self.turn_price  # another leg in the same turn
        after = (
            self.outlook(city + 1, hand, gold, events, travelled=True) + self.caught(city + 1) - self.chits(city + 1)
        )
        if self.late_loses and city + 1 == len(self.legs):
            after += DECIDES * (self.chance_by_waiting() - self.chance_in_time(action))
        return self.day_price * days + after

    def caught(self, city):
        return DETECTIVE if city < len(self.legs) and self.cities[city] == self.view["detective"] else 0.0

    def chits(self, city):
        """Return the worth of what lies beside a city for us: red for anybody, blue by the edition's rule."""
        if city >= len(self.legs):
            return 0.0
        worth = {"gold": GOLD, "travel": CARD + 1, "event": EVENT, "delay": 0.8}
        beside = {}
        for colour in ("red", "blue"):
            beside[colour] = worth.get(self.view[colour][city], 0.0)
            if self.view[colour][city] == "face_down":
                counts = self.view["face_down"][colour]
                beside[colour] = sum(counts[kind] * worth.get(kind, 0.0) for kind in counts) / sum(counts.values())
        last = all(other >= city for seat, other in enumerate(self.view["city"]) if seat != self.seat)
        return beside["red"] + (beside["blue"] if last else 0.0)

    def chance_in_time(self, action):
        """Return the chance that the last leg ends within the limit, with a coin for every further roll."""
        spare = LIMIT - self.view["days"][self.seat] - action["days"]
        if not action["die"]:
            return float(spare >= 0)
        fails = 1 - max(0, min(spare, 6)) / 6
        return 1 - fails ** (1 + self.view["gold"][self.seat])

    def chance_by_waiting(self):
        """Return about the chance to win without going home now: in the end the one further on wins, then by days."""
        view = self.view
        own, rival = ((view["city"][seat], -view["days"][seat]) for seat in (self.seat, 1 - self.seat))
        return AHEAD if own > rival else BEHIND

    def at_reroll(self, actions):
        view, roll = self.view, actions[0]["roll"]
        if self.late_loses and view["city"][self.seat] + 1 == len(self.legs):
            return int(view["days"][self.seat] + view["leg"]["days"] + roll > LIMIT)
        return 1 if roll - DIE > GOLD else 0

    def at_chit(self, actions):
        return 1

    def at_escape(self, actions):
        """Spend the distraction, which has no other use; a princess is only sometimes worth less than the days."""
        for index, action in enumerate(actions):
            if action["do"] == "escape" and action["by"] == "distraction":
                return index
        return 0

    def at_limit(self, actions):
        view = self.view
        city, gold = view["city"][self.seat], view["gold"][self.seat]
        hand, events = self.cards(view["hand"])

        def after(action):
            card = action["card"]
            if len(card) == 2:
                return self.outlook(city, without(hand, (card,)), gold, events)
            return self.outlook(city, hand, gold, remove(events, card))

        return self.lowest(actions, after)

    def lowest(self, actions, rate):
        return min(range(len(actions)), key=lambda index: rate(actions[index]))

    def cards(self, hand):
        """Return the travel cards and the event cards, each as a sorted tuple."""
        return tuple(sorted(c for c in hand if len(c) == 2)), tuple(sorted(c for c in hand if len(c) > 2))


def payments(cards, trains, ships):
    """Generate choices of cards for a leg as (cards paid, (trains, ships) missing), with as many paid as possible."""
    own = [[card for card in cards if card[0] == kind] for kind in "ts"]
    for train in set(combinations(own[0], min(trains, len(own[0])))):
        for ship in set(combinations(own[1], min(ships, len(own[1])))):
            yield train + ship, (trains - len(train), ships - len(ship))


def days_of(cards):
    """Return the sum of the values, in which two equal cards of a kind count once."""
    return sum(int(card[1]) for card in set(cards))


def with_card(cards, card):
    return tuple(sorted((*cards, card)))


def without(cards, paid):
    if not paid:
        return cards
    left = Counter(cards)
    left.subtract(paid)
    return tuple(sorted(left.elements()))


def remove(cards, card):
    """Return `cards` without one `card`."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


if __name__ == "__main__":
    run(Planner, games=["kosmos"], parallel=4)
