"""Thinks ahead: information-set Monte Carlo tree search with PUCT, in worlds that could be the real one.

One walk draws a world that the view allows (hidden cards and all chance drawn anew), plays on from here, and asks for a
verdict on where it ends. The tree grows over this seat's own decisions. A node is what this seat would know then, so
situations that differ only in hidden things share a node, and the search cannot use what it cannot see. Each step takes
the action that has done well, or one that habit favours and that has been tried too seldom.

What a game is about comes from a *sense* of it, which has habits (how likely a good player chooses each action) and
verdicts (from 0, lost, to 1, won). `KosmosSense` knows `kosmos`. `PlainSense` plays any game that has worlds at random
for some moves and then looks at the ranks.

What helped against `planner` with two players, as measured mean finish (0.5 is equal, 0 best, errors 0.02 to 0.05):
habit alone 0.53; with cards counted against turns 0.50; searching the turn 0.48; valuing a node by its best action
instead of the mean, with less curiosity, 0.46; and with weights corrected by play, 0.32. A gain is measured from what a
world was worth before, which removes most of the luck. With more players the fitted weights dawdle and come last, but
`planner`'s prices do not.

The time for a decision is read from a clock, so the bot does not play the same again. Where there is no clock it makes
a fixed number of walks, and does.
"""

import math
import os
import sys
import time
from functools import lru_cache
from itertools import combinations
from operator import mul

from arena.client import Bot, run
from engine import catalog
from engine.chance import Chance

RESERVE = 0.03  # seconds of each decision reserved at first for the way to and from the referee, and for a busy machine
USE = 0.8  # the share of the rest that is used then
LEAST = 0.002  # seconds, of thinking and of the reserve
MARGIN = 1.5  # how much more is reserved than was charged beyond the plan
SHRINK = 0.9  # what is left of the reserve after a decision that was within its time
AMPLE = 0.5  # seconds: with less in the bank nothing is tried
RESERVES = {}  # by the time for a decision: what earlier games have taught, too
SHARED = 4  # walks in the same world, because drawing one costs about as much as a walk
CURIOSITY = 0.15  # how much an action is worth for not having been tried
CAUTION = 0.02  # an action never tried is valued a little lower than those that were


class Explorer(Bot):
    """Builds a tree for each decision and plays the action that was tried most."""

    walks = 200  # for a decision without a clock

    def start(self, start):
        self.seat, self.players, self.edition = start.seat, start.players, start.edition
        self.rules = catalog.rules(start.game)
        self.sense = SENSES.get(start.game, PlainSense)(start, self.random)
        if start.clock is not None:
            self.reserve = RESERVES.setdefault(start.clock["move"], Reserve(start.clock["move"] / 1000))
            self.reserve.bank = None  # it says nothing of the last decision of another game

    def decide(self, game):
        left = self.stopwatch(game.clock)
        # A referee of a later version may offer actions that these rules do not know: those are ignored.
        world = self.rules.determinize(game.view, self.players, self.edition, Dice(self.random))
        known = world.actions()
        root = Node(self.sense.habits(game.view, known))
        walks = 0
        while (more := left(walks)) > 0:
            if walks % SHARED == 0:
                if root.is_settled(more):
                    break
                if walks:
                    world = self.rules.determinize(game.view, self.players, self.edition, Dice(self.random))
                outset = self.sense.verdict(world, self.seat)
            self.walk(root, world.copy(), outset)
            walks += 1
        if more > 0 and game.clock is not None:
            self.reserve.bank = None  # a decision that was not thought to its end says nothing of what one costs
        best = max(root.edges, key=lambda edge: (edge.visits, edge.habit))
        game.metric("walks", walks)
        game.metric("gain", best.value)
        return game.actions.index(known[root.edges.index(best)])

    def stopwatch(self, clock):
        """Return a function that says how many more walks there will be, about, after as many as were made."""
        if clock is None:
            return lambda walks: self.walks - walks
        # On Linux the time it waits for a core is not charged, so only its own processor time counts there.
        now = time.process_time if sys.platform == "linux" else time.perf_counter
        began = now()
        thinking = self.reserve.time_to_think(clock["bank"] / 1000)
        return lambda walks: walks * (thinking / max(now() - began, 1e-9) - 1) if walks else 1

    def walk(self, root, world, outset):
        """Play on in this world, first within the tree, then by habit, and record what was won since the outset.

        The gain is a verdict minus the one at the outset, so it measures the actions and not how lucky this world was.
        """
        node, path, seen, grown = root, [], [], False
        for _ in range(self.sense.moves):
            if (seat := world.to_act) is None:
                break
            if seat == self.seat and node:
                index = node.promising()
                path.append((node, node.edges[index]))
            else:
                index = self.sense.choose(world)
            events = world.play(index)
            if self.sense.settled(world, self.seat, events):
                break
            if node:
                seen += [repr(event.what) for event in events if event.to in (None, self.seat)]
                if world.to_act == self.seat:
                    nodes, known, seen = path[-1][1].nodes, tuple(seen), []
                    node = nodes.get(known)
                    if not node and not grown:  # one new node for each walk; beyond it habit decides
                        node = nodes[known] = Node(self.sense.habits(world.view(self.seat), world.actions()))
                        grown = True
        gain = self.sense.verdict(world, self.seat) - outset
        path[-1][1].total += gain
        for node, edge in reversed(path):
            edge.learn()
            node.learn()


class Reserve:
    """How much of the time for a decision is not for thinking: what the clock charges beyond the plan, and a margin.

    What it charges beyond the time is missing from the bank next time. So the reserve shrinks until a decision costs a
    little, which tells. It is never more than at first, and that much while the bank is low.
    """

    def __init__(self, move):
        self.move, self.bank = move, None
        self.most = self.kept = self.planned = move - max(LEAST, USE * (move - RESERVE))

    def time_to_think(self, bank):
        """Return the seconds for this decision, learning from what the one before has cost the bank."""
        cost = 0 if self.bank is None else self.bank - bank
        if cost > 0:
            self.kept = min(self.most, MARGIN * (self.planned + cost))
        elif self.bank is not None and self.planned == self.kept > LEAST:
            self.kept *= SHRINK
        self.bank = bank
        self.planned = self.kept if bank >= AMPLE else self.most
        return self.move - self.planned


class Node:
    """What this seat knows at one of its decisions, as far as it was explored."""

    def __init__(self, habits):
        self.edges = [Edge(habit) for habit in habits]
        self.visits = 0
        self.value = CAUTION

    def promising(self):
        """Return the index of the action to try next (PUCT)."""
        curiosity = CURIOSITY * math.sqrt(self.visits + 1)
        untried = self.value - CAUTION
        promises = [
            (edge.value if edge.visits else untried) + curiosity * edge.habit / (1 + edge.visits) for edge in self.edges
        ]
        return promises.index(max(promises))

    def is_settled(self, more):
        """Return whether no other action can be tried as often as the first in so many more walks."""
        *_, second, first = sorted([0, *(edge.visits for edge in self.edges)])
        return first - second > more

    def learn(self):
        """Set the value to that of the best action, not to the mean, so that trying bad ones does no harm."""
        self.visits += 1
        self.value = max(edge.value for edge in self.edges if edge.visits)


class Edge:
    """An action at a node. `nodes` are those after it, by what is seen before this seat's next decision."""

    def __init__(self, habit):
        self.habit, self.visits = habit, 0
        self.total = 0.0  # of the walks that left the tree here
        self.value = 0.0
        self.nodes = {}

    def learn(self):
        """Set the value to the mean over all that chance and the others did."""
        self.visits += 1
        inside = sum(node.visits * node.value for node in self.nodes.values())
        self.value = (self.total + inside) / self.visits


class Dice(Chance):
    """The chance of drawn worlds: the bot's own and much faster than the engine's. Copies share it."""

    def __init__(self, random):
        self.draw = random.random

    def below(self, stream, bound):
        return int(self.draw() * bound)

    def copy(self):
        return self


class PlainSense:
    """The sense of a game of which only the rules are known."""

    moves = 40  # of all seats together, after which the ranks are taken as they are

    def __init__(self, start, random):
        self.random = random

    def habits(self, view, actions):
        return [1 / len(actions)] * len(actions)

    def choose(self, world):
        return self.random.randrange(len(world.actions()))

    def settled(self, world, seat, events):
        return False

    def verdict(self, world, seat):
        ranks = world.ranks()
        own = ranks[seat]
        better, equal = sum(rank < own for rank in ranks), ranks.count(own) - 1
        return 1 - (better + equal / 2) / (len(ranks) - 1)


DIE = 3.5  # a roll on average
DAYS_OF = {"t": 3.4, "s": 5.3}  # what a card to come will cost on average: one picks among several
PAIRED = 0.7  # a card to come may make a pair, and then costs less
CARD = 10.0  # days' worth of having a card that is needed rather than having to get it
SOON = 0.1  # how much more a missing card weighs for each leg that it is needed sooner
HORIZON = 4  # legs for which single cards are assigned; beyond, averages do
INCOME = {"travel": 1.0, "gold": 0.5, "event": 0.3}  # travel cards that a chit is good for
LIMIT = 80
ELEPHANT = 12  # days of the leg that needs no card
DETECTIVE = 2  # days that he costs
HOME = 20.0  # pace of a player who is home, with two players
TOO_LATE = 1.5  # pace that it costs to exceed the limit, with more
# For habits, in units of pace:
FIRM = 0.5  # how much better an action is that habit takes e times as often
THRIFT = 1.0  # weight of the limit against the race
GAIN = {"gold": 1, "buy": -2, "sell": 1, "reroll": -1}  # coins
PLACE = {"gold": 0.3, "event": 0.25, "balloon": 0.3}  # what a place offers; 0.1 the others
WORTH = {"travel": 0.6, "event": 0.25, "gold": 0.3, "delay": 0.1}  # of chits, and of cards bought
BONUS = {"event": 0.25, "first": 0.05}
HAND_LIMIT = 6

# Pace, then the limit: fitted to the winners of 5000 games between `planner` and an earlier version of this bot, then
# corrected by play for what such games seldom show: missing cards and late turns count double, the next leg's more.
# fmt: off
EVENTS = (  # and the elephant
    "distraction", "offer", "swap", "detective", "princess",
    "opportunity", "balloon", "connections", "submarine", "propeller",
)
WEIGHTS_OF_TWO = (
    (
        -0.16, -0.27, -0.11, -0.49, -0.43, -0.59, -0.36, -0.28, 0.93, 1.77,  # in city 0 to 9
        0.98, -0.11, -0.40, 0.33,  # tens of days in hand, kinked
        -0.80, -0.59, -0.04,  # cards missing: all, for the next leg and the one after
        -0.15, -0.69, -0.14, 0.07, 0.04,  # turns late for the legs after, all, and ready for two
        0.20, 0.05, 0.71, 0.05, -0.02,  # gold, two of it, turn to come, marker, full hand
        0.19, 0.23, 0.02, 0.07, 0.09,  # event cards
        0.09, 0.14, 0.00, 0.15, 0.05, 0.18,
    ),
    (
        6.12, 4.24, 3.30, 2.89, 2.85, 3.30, 3.56, 2.47, 2.69, 2.00,  # in city 0 to 9
        8.34, -1.70, -2.17, -2.83,  # tens of days in hand, kinked
        0.30, -0.92, -0.94,  # cards missing: all, for the next leg and the one after
        0.15, -0.31, -0.06, -0.13, -0.82,  # turns late for the legs after, all, and ready for two
        -0.28, -0.10, 0.34, 0.17, -0.42,  # gold, two of it, turn to come, marker, full hand
        0.11, 0.20, -0.04, 0.27, 0.23,  # event cards
        0.16, -0.05, 0.01, 0.50, 0.59, 0.77,
    ),
)
# Pace alone, set by hand after `planner`: days, cards and turns are worth 1.3, 8 and 12 days; 15 days are 1 of pace.
WEIGHTS_OF_MANY = (
    -8.00, -7.20, -6.40, -5.60, -4.80, -4.00, -3.20, -2.40, -1.60, -0.80,  # in city 0 to 9
    0.87, 0.00, 0.00, 0.00,  # tens of days in hand
    -0.53, -0.21, -0.11,  # cards missing: all, for the next leg and the one after
    0.00, -0.11, -0.11, -0.53, 0.00,  # turns late for the legs after, and for all
    0.10, 0.00, 0.40, 0.05, 0.00,  # gold, turn to come, marker
    0.08, 0.20, 0.04, 0.05, 0.13,  # event cards
    0.10, 0.10, 0.20, 0.10, 0.10, 0.07,
)
# fmt: on


class KosmosSense(PlainSense):
    """The sense of `kosmos`, in which a turn is played to its end and two failures are weighed: too slow, and too dear.

    Two numbers describe the standing of a seat: its *pace*, of which only the difference between two seats counts, and
    the probability that it keeps within 80 days. Both are logistic in the same features.
    """

    moves = 60  # more than a turn has

    def __init__(self, start, random):
        super().__init__(start, random)
        board = start.edition["board"]
        self.cities = board["cities"]
        # Per leg a tuple of ways to pay, each as (trains, ships).
        self.legs = tuple(
            ((0, 0),) if leg == "elephant" else tuple((way.count("train"), way.count("ship")) for way in leg)
            for leg in board["legs"]
        )
        self.fixed = tuple(ELEPHANT * (leg == "elephant") for leg in board["legs"])
        self.ahead = lru_cache(maxsize=50_000)(self.ahead)
        self.two = start.players == 2
        self.pace, self.thrift = WEIGHTS_OF_TWO if self.two else (WEIGHTS_OF_MANY, ())

    # Verdicts

    def settled(self, world, seat, events):
        """Return whether the turn is over."""
        return world.to_act != seat or any(event.what["event"] == "round" for event in events)

    def verdict(self, world, seat):
        if world.to_act is None:
            return super().verdict(world, seat)
        view = world.view(seat)
        others = [other for other in range(len(view["city"])) if other != seat]
        own = self.standing(view, seat, view["hand"])
        return sum(beats(own, self.standing(view, other, world.view(other)["hand"])) for other in others) / len(others)

    def standing(self, view, seat, hand):
        """Return the pace of a seat, and the probability that it keeps within the limit."""
        features = self.features(view, seat, hand)
        pace = sum(map(mul, self.pace, features))
        days, home = view["days"][seat], view["city"][seat] == len(self.legs)
        if not self.two:  # the last one is never home and most need more days than they should: it is a race
            return pace - TOO_LATE * (days > LIMIT), 1.0
        if home:
            return pace + HOME, float(days <= LIMIT)
        return pace, logistic(sum(map(mul, self.thrift, features)))

    def features(self, view, seat, hand):
        """Return the values that belong to the weights, in their order."""
        city, gold = view["city"][seat], view["gold"][seat]
        days, missing = self.ahead(city, tuple(card for card in hand if len(card) == 2))
        lacking, late = -gold / 2, []  # two coins buy a card
        for leg, (cards, chit) in enumerate(zip(missing, self.chits(view, seat), strict=True), start=1):
            lacking += cards
            late.append(max(0.0, lacking - leg))  # each turn brings a card
            lacking -= INCOME.get(chit, 0.0)
        one, two, *_ = (*missing, 0, 0)
        _, second, third, fourth, *_ = (*late, 0, 0, 0, 0)
        slack = LIMIT - view["days"][seat] - days
        return (
            *(city == each for each in range(len(self.legs))),
            *(slack / 10, min(0, slack + 12) / 10, min(0, slack + 4) / 10, min(0, slack - 4) / 10),
            *(sum(missing), one, two),
            *(second, third, fourth, late[-1] if late else 0, one + two == 0),
            *(gold, gold > 1, view["on_turn"] == seat or seat in view["waiting"], view["marker"] == seat),
            len(hand) == HAND_LIMIT,
            *(hand.count(card) for card in EVENTS),
            hand.count("elephant") if any(self.fixed[city:]) else 0,
        )

    def chits(self, view, seat):
        """Generate the chit that each leg from here on will bring: red for the first player, blue for the last."""
        own = view["city"][seat]
        others = [city for other, city in enumerate(view["city"]) if other != seat]
        front, back = max(others), min(others)
        for city in range(own + 1, len(self.legs) + 1):
            if front <= own or (front >= city and view["red"][city]):
                yield view["red"][city]
            else:
                yield view["blue"][city] if front < city or back >= city else None

    def ahead(self, city, hand):
        """Return the expected days of all legs from `city` on, and for each how many of its cards are missing."""
        far = min(city + HORIZON, len(self.legs))
        _, days, missing = self.assign(city, far, hand, {})
        for leg in range(far, len(self.legs)):
            days += self.fixed[leg] + expected_days((), *self.legs[leg][0])
            missing += (sum(self.legs[leg][0]),)
        return days, missing

    def assign(self, leg, far, cards, memo):
        """Return (price, days, missing by leg) of the best use of cards up to leg `far`; earlier legs count more."""
        if leg == far:
            return 0.0, 0.0, ()
        if (leg, cards) not in memo:
            weight = CARD * (1 + SOON * (far - leg))
            found = []
            for trains, ships in self.legs[leg] if cards else self.legs[leg][:1]:
                for paid, lacking in payments(cards, trains, ships):
                    price, days, missing = self.assign(leg + 1, far, without(cards, paid), memo)
                    spent = self.fixed[leg] + days_of(paid) + expected_days(paid, *lacking)
                    found.append((price + spent + weight * sum(lacking), days + spent, (sum(lacking), *missing)))
            memo[leg, cards] = min(found)
        return memo[leg, cards]

    # Habits

    def choose(self, world):
        view, actions = world.view(world.to_act), world.actions()
        return max(range(len(actions)), key=lambda index: self.rating(view, actions[index]))

    def habits(self, view, actions):
        ratings = [self.rating(view, action) for action in actions]
        top = max(ratings)
        shares = [math.exp((rating - top) / FIRM) for rating in ratings]
        return [share / sum(shares) for share in shares]

    def rating(self, view, action):
        """Rate a seat's standing after an action, with guesses for what chance brings."""
        seat, do = view["seat"], action["do"]
        cities, days, gold, hand = view["city"][:], view["days"][:], view["gold"][:], list(view["hand"])
        gold[seat] += GAIN.get(do, 0)
        if do == "take":
            hand += [action["card"]] if "card" in action else []
        else:
            for card in spent(action):
                hand.remove(card)
        if do == "travel":
            cities[seat] += 1
            days[seat] += action["days"] + DIE * action["die"]
            if cities[seat] == len(self.legs):
                return HOME if days[seat] <= LIMIT else -HOME * self.two
        days[seat] += {"keep": action.get("roll", 0), "reroll": DIE, "suffer": DETECTIVE}.get(do, 0)
        if do in ("travel", "stay") and self.cities[cities[seat]] == view["detective"]:
            days[seat] += DETECTIVE
        after = view | {"city": cities, "days": days, "gold": gold, "waiting": [], "on_turn": None}
        pace, thrift = self.standing(after, seat, hand)
        return pace + THRIFT * math.log(max(thrift, 1e-9)) + self.bonus(view, action, cities)

    def bonus(self, view, action, cities):
        """Return what else an action brings."""
        seat, do = view["seat"], action["do"]
        city = cities[seat]
        if do == "take":
            return PLACE.get(action["place"], 0.1)
        if do == "travel":
            again = any(use["as"] == "connections" for use in action["uses"])
            last = all(other >= city for other in cities)
            return 0.5 * again + WORTH.get(view["red"][city], 0) + last * WORTH.get(view["blue"][city], 0)
        if do in ("detective", "move_detective"):
            met = sum(self.cities[other] == action["to"] for other in cities)
            return 0.05 * met - 0.35 * (self.cities[city] == action["to"])
        if do == "exchange":
            return 0.55 * len(action["cards"])
        drawn = action.get("chit") if do == "accept" else action.get("deck")
        return BONUS.get(do, 0.0) + WORTH.get(drawn, 0.0)


def spent(action):
    """Return the cards that an action takes out of the hand."""
    if action["do"] in ("discard", "sell"):
        return [action["card"]]
    if action["do"] in ("escape", "swap", "detective"):
        return [action["by"]]
    return [*action.get("cards", ()), *action.get("events", ())]


def beats(one, other):
    """Return the probability of one ahead of the other: the faster if both keep the limit, else whoever does."""
    (pace, thrift), (pace2, thrift2) = one, other
    return thrift * (thrift2 * logistic(pace - pace2) + 1 - thrift2) + (1 - thrift) * (1 - thrift2) / 2


def logistic(x):
    return 1 / (1 + math.exp(-x)) if x > -30 else 0.0


def payments(cards, trains, ships):
    """Generate choices of cards for a leg as (cards paid, (trains, ships) missing), with as many paid as possible."""
    own = [[card for card in cards if card[0] == kind] for kind in "ts"]
    for train in dict.fromkeys(combinations(own[0], min(trains, len(own[0])))):
        for ship in dict.fromkeys(combinations(own[1], min(ships, len(own[1])))):
            yield train + ship, (trains - len(train), ships - len(ship))


def days_of(cards):
    """Return the sum of the values, in which two equal cards of a kind count once."""
    return sum(int(card[1]) for card in set(cards))


def expected_days(paid, trains, ships):
    """Estimate the days of the cards that a leg still lacks in addition to those paid."""
    days = 0.0
    for kind, lacking in (("t", trains), ("s", ships)):
        begun = sum(card[0] == kind for card in paid)
        days += sum(DAYS_OF[kind] * (PAIRED if number else 1) for number in range(begun, begun + lacking))
    return days


def without(cards, paid):
    left = list(cards)
    for card in paid:
        left.remove(card)
    return tuple(left)


SENSES = {"kosmos": KosmosSense}

if __name__ == "__main__":
    has_worlds = catalog.rules(os.environ.get("ARENA_GAME")).capabilities.worlds
    run(Explorer, deterministic=False, games=[] if has_worlds else ["games with worlds"])
