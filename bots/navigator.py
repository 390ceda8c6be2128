"""Plans its whole turn over its hand: every chain of cards that it could play now, and what each would leave it with.

In `ravensburger` most turns are one card, and the long ones win. A rose or stage square or a rose card allows a further
card, and a player who plays the last card in hand may leap 5 squares and draws 5 cards. So the bot tries all chains
with its own copy of the rules and compares where they end by one number, the `standing`: how far the pawn is, what the
hand is good for (a single card is nearly a leap, purses defend, handcuffs mostly wait), and, before London, whether the
hand is small enough to arrive. What others lose counts too, if they are close.

The weights of `standing` were fitted to which seats were ahead at the end of some thousand games of earlier versions of
this bot. Read it from the bottom: `standing`, then `further` and `play`, which plan ahead; `decide` and `worth` last.
"""

from functools import cache, lru_cache
from math import exp
from operator import mul
from typing import NamedTuple

from arena.client import Bot, run

MODES = ("coach", "train", "steamer", "elephant")
SPECIALS = ("rose", "handcuffs", "purse")
LEAP, LEAP_CARDS = 5, 5
RETREAT = 3
ARRIVED = 8.0  # the standing of a winner, more than any other
EVENT = 0.1  # what a spyglass square is worth, on average
SAMPLES = 3  # hands drawn that a leap could bring, where a further card may be played after it
PATIENCE = 150  # the most points of plans examined for a decision; large hands have more, which are not planned further

WEIGHTS = {
    "to go": 0.65,
    "to go beyond 10": -0.76,
    "to go beyond 20": -0.65,
    "no card": 0.36,
    "one card": 0.38,
    "two cards": 0.23,
    "three cards": 0.11,
    "rose": 0.32,
    "handcuffs": -0.24,
    "purse": 0.26,
    "travel card": -0.16,
    "its squares": 0.094,
    "mode of the rose": 0.12,
    "modes": -0.05,
    "near": 1.5,
    "near: cards": 1.62,
    "near: too many cards": -0.99,
    "near: travel cards": -0.57,
    "near: rose": 0.57,
    "event kept": 0.36,
}


class Point(NamedTuple):
    """The state of a plan: what decides how it can go on."""

    square: int
    rose: str | None  # the mode it lies on
    hand: tuple[str, ...]
    unseen: int = 0  # cards that will have been drawn by then
    further: int = 0  # further cards that may be played
    stage: bool = False  # one of them is for a stage: a draw instead, if no card fits
    kept: str | None = None  # the event card kept for later
    leap: bool = False  # due: the last card in hand has been played


class Navigator(Bot):
    def start(self, start):
        self.seat, self.players = start.seat, start.players
        self.parameters = start.edition["parameters"]
        self.events = {row["card"]: row for row in start.edition["events"]}
        board, cards = start.edition["board"], start.edition["cards"]
        self.goal = board["goal"]
        self.kinds = {square: kind for kind in ("rose", "stage", "spyglass", "handcuffs") for square in board[kind]}
        self.deck = [f"{mode}-{n}" for mode in MODES for n, count in enumerate(cards[mode], 1) for _ in range(count)]
        self.deck += [card for card in SPECIALS for _ in range(cards[card])]
        self.average = [sum(column) / len(self.deck) for column in zip(*map(traits, self.deck), strict=True)]
        self.standing = lru_cache(maxsize=100_000)(self.standing)

    def decide(self, game):
        self.view = game.view
        if game.view["phase"] == "setup":
            return 0  # nobody has seen a card yet
        self.plans, self.harms, self.samples = {}, {}, None
        worths = []
        for action in game.actions:
            self.patience = max(10, PATIENCE // len(game.actions))
            worths.append(self.worth(action))
        game.metric("standing", max(worths))
        return worths.index(max(worths))

    # What an action is worth

    def worth(self, action):
        """Return the standing at the end of the turn after this action, as far as it can be planned."""
        view, turn = self.view, self.view["turn"]
        hand = tuple(view["hand"])
        further = turn["further"] + (view["phase"] == "turn")  # a turn's first card uses up no right of another's
        now = Point(
            view["square"][self.seat], view["rose"], hand, 0, further, turn["stage"], view["event"], turn["leap"]
        )
        return getattr(self, "worth_" + action["do"], self.worth_unknown)(now, action)

    def worth_unknown(self, now, action):
        return float("-inf")  # a kind of action of a later version is never chosen

    def worth_play(self, now, action):
        return self.play(now, action["card"], action.get("to"))

    def worth_draw(self, now, action):
        there = self.view["decks"]["action"] + len(self.view["piles"]["action"])
        return self.turn_over(now._replace(unseen=min(action["count"], there)))

    def worth_exchange(self, now, action):
        return max(self.turn_over(now._replace(hand=without(now.hand, card), unseen=1)) for card in now.hand)

    def worth_discard(self, now, action):
        after = now._replace(hand=without(now.hand, action["card"]))
        if self.view["phase"] == "lay_off":
            return self.resume(after)
        return self.turn_over(after._replace(unseen=2 if self.view["phase"] == "exchange" else 0))

    def worth_end(self, now, action):
        return self.turn_over(now)

    def worth_rose(self, now, action):
        return self.resume(now._replace(rose=action["to"]))

    def worth_leap(self, now, action):
        return self.leap(now)

    def worth_stay(self, now, action):
        return self.arrive(now) if self.view["turn"]["waiting"] else self.further(now)

    def worth_event(self, now, action):
        return self.order(now._replace(kept=None), now.kept)

    def worth_carry_out(self, now, action):
        return self.order(now, self.view["drawn"])

    def worth_keep(self, now, action):
        return self.resume(now._replace(kept=self.view["drawn"]))

    def worth_purse(self, now, action):
        return self.resume(now._replace(hand=without(now.hand, "purse")))

    def worth_retreat(self, now, action):
        _, _, steps, by = self.view["turn"]["pending"][-1]
        after = now._replace(square=max(now.square - steps, 0))
        if self.view["on_turn"] == self.seat:
            return self.ordered(after, after.square != now.square)
        return self.turn_over(self.caught(after) if by == "handcuffs" or self.parameters["event_squares"] else after)

    def resume(self, now):
        """Go on after a question that interrupted the turn."""
        return self.further(now) if self.view["on_turn"] == self.seat else self.turn_over(now)

    # Planning a turn

    def further(self, now):
        """Return the best end of the turn after a card is done: by a further card, a draw, an event card or nothing."""
        if now in self.plans:
            return self.plans[now]
        if now.leap:
            return max(self.leap(now), self.turn_over(now))
        best = self.plans[now] = self.turn_over(now)
        self.patience -= 1
        if self.patience < 0:
            return best
        played = [self.play(now, card, to) for card, to in self.plays(now)]
        best = max([best, *played])
        if now.further and now.stage and not played:
            best = max(best, self.turn_over(now._replace(unseen=now.unseen + 2)))
        if now.kept:
            best = max(best, self.order(now._replace(kept=None), now.kept))
        self.plans[now] = best
        return best

    def plays(self, now):
        """Generate the cards that may be played, each with the square that it leads to."""
        if not now.further:
            return
        finish = self.may_finish(now, 1)
        for card in dict.fromkeys(now.hand):
            if card in ("rose", "handcuffs"):
                yield card, None
                continue
            if card != "purse" and mode(card) != now.rose:
                continue
            for steps in (1, 2, 3) if card == "purse" else (length(card),):
                if now.square + steps < self.goal or finish:
                    yield card, min(now.square + steps, self.goal)
                if self.parameters["backwards"] and card != "purse" and steps <= now.square:
                    yield card, now.square - steps

    def play(self, now, card, to):
        """Return the best end of the turn if this card is played."""
        rest = without(now.hand, card)
        left = now.further - 1
        now = now._replace(hand=rest, further=left, stage=now.stage and left > 0, leap=not rest and not now.unseen)
        if card == "rose":
            return max(self.further(now._replace(rose=mode, further=now.further + 1)) for mode in MODES)
        if card == "handcuffs":
            return self.further(now) + self.harm((self.seat + 1) % self.players, RETREAT, True)
        return ARRIVED if to == self.goal else self.arrive(now._replace(square=to))

    def leap(self, now):
        to = self.stop(now, LEAP)
        if to == self.goal:
            return ARRIVED
        after = now._replace(square=to, unseen=LEAP_CARDS, further=0, stage=False, leap=False)
        if to == now.square:
            return self.turn_over(after)
        if self.kinds.get(to) not in ("rose", "stage"):
            return self.arrive(after)
        if after not in self.plans:
            hands = self.hands_to_come()
            self.plans[after] = sum(self.arrive(after._replace(hand=hand, unseen=0)) for hand in hands) / len(hands)
        return self.plans[after]

    def hands_to_come(self):
        """Return some hands that a leap may bring, the same for all plans, so that none is lucky."""
        if self.samples is None:
            left = self.deck[:]
            for card in self.view["hand"] + self.view["piles"]["action"]:
                left.remove(card)
            left = left if len(left) >= LEAP_CARDS else self.deck
            self.samples = [tuple(sorted(self.random.sample(left, LEAP_CARDS))) for _ in range(SAMPLES)]
        return self.samples

    def arrive(self, now):
        """Apply the square that the pawn has reached; before a leap only spyglass and handcuffs squares count."""
        kind = self.kinds.get(now.square)
        if now.leap and kind in ("rose", "stage"):
            return self.further(now)
        if kind == "rose":
            return max(self.further(now._replace(rose=mode, further=now.further + 1)) for mode in MODES)
        if kind == "stage":
            now = now._replace(further=now.further + 1, stage=True)
        return self.further(self.caught(now)) + EVENT * (kind == "spyglass")

    def caught(self, now):
        """Move three squares back from a handcuffs square."""
        caught = self.kinds.get(now.square) == "handcuffs"
        return now._replace(square=max(now.square - RETREAT, 0)) if caught else now

    def may_finish(self, now, playing=0):
        """Return whether the goal may be reached with what is in hand then."""
        return len(now.hand) + now.unseen - playing <= self.parameters["goal_hand_limit"] and not now.kept

    def stop(self, now, steps):
        """Return where a leap or an order forward ends."""
        to = now.square + steps
        return to if to < self.goal else self.goal - (not self.may_finish(now))

    # Event cards

    def order(self, now, card):
        """Return the best end of the turn if this event card is carried out now."""
        row = self.events[card]
        return getattr(self, "order_" + row["effect"])(now, row)

    def order_draw(self, now, row):
        return self.further(now._replace(unseen=now.unseen + row["cards"]))

    def order_lay_off(self, now, row):
        rests = [now._replace(hand=without(now.hand, card)) for card in dict.fromkeys(now.hand)]
        return max(map(self.further, rests or [now]))

    def order_rose(self, now, row):
        return max(self.further(now._replace(rose=mode)) for mode in MODES)

    def order_self(self, now, row):
        steps = row["steps"]
        if steps > 0:
            to = self.stop(now, steps)
            return ARRIVED if to == self.goal else self.ordered(now._replace(square=to), to != now.square)
        to = max(now.square + steps, 0)
        back = self.ordered(now._replace(square=to), to != now.square)
        if "purse" not in now.hand or to == now.square:
            return back
        return max(back, self.further(now._replace(hand=without(now.hand, "purse"))))

    def order_leader(self, now, row):
        others = {seat: self.view["square"][seat] for seat in self.others()}
        front = max(now.square, *others.values())
        harm = sum(self.harm(seat, -row["steps"]) for seat, square in others.items() if square == front)
        return harm + (self.order_self(now, row) if now.square == front else self.further(now))

    def order_others(self, now, row):
        return self.further(now) + sum(self.harm(seat, -row["steps"]) for seat in self.others())

    def ordered(self, now, moved):
        """Go on after an order; if it moved the own pawn, the square counts in some editions."""
        return self.arrive(now) if moved and self.parameters["event_squares"] else self.further(now)

    # How good a position is

    def others(self):
        return [seat for seat in range(self.players) if seat != self.seat]

    def harm(self, seat, back, caught=None):
        """Return what it is worth if a rival goes back this far: most if the rival is just as far as we are."""
        caught = self.parameters["event_squares"] if caught is None else caught
        if (seat, back, caught) not in self.harms:
            view = self.view
            own = self.turn_over(Point(view["square"][self.seat], None, tuple(view["hand"])))
            closeness = {}
            for other in self.others():
                behind = own - self.turn_over(self.rival(other))
                closeness[other] = 1 / (2 + exp(behind) + exp(-behind))
            now = self.rival(seat)
            after = now._replace(square=min(max(now.square - back, 0), self.goal - 1))
            lost = self.turn_over(now) - self.turn_over(self.caught(after) if caught else after)
            self.harms[seat, back, caught] = lost * closeness[seat] / sum(closeness.values())
        return self.harms[seat, back, caught]

    def rival(self, seat):
        """Return where another player stands, with cards that we do not see."""
        view = self.view
        return Point(view["square"][seat], None, (), view["cards"][seat], kept="some" if view["kept"][seat] else None)

    def turn_over(self, now):
        """Return the standing at the end of a turn."""
        return self.standing(now.square, now.rose, now.hand, now.unseen, bool(now.kept))

    def standing(self, square, rose, hand, unseen, kept):
        return sum(map(mul, WEIGHTS.values(), self.features(square, rose, hand, unseen, kept)))

    def features(self, square, rose, hand, unseen, kept):
        """Return the values in the order of WEIGHTS."""
        to_go, size = self.goal - square, len(hand) + unseen
        of_cards = [unseen * value for value in self.average]
        for card in hand:
            of_cards = [total + value for total, value in zip(of_cards, traits(card), strict=True)]
        modes = {mode(card) for card in hand if card not in SPECIALS}
        near = max(0.0, 1 - to_go / 25)
        excess = max(0, size - 1 - self.parameters["goal_hand_limit"])
        return (
            *(to_go / 10, max(0, to_go - 10) / 10, max(0, to_go - 20) / 10),
            *(size == 0, size == 1, size == 2, size == 3),
            *of_cards,
            *(rose in modes, len(modes)),
            *(near, near * size, near * excess, near * of_cards[3], near * of_cards[0]),
            kept,
        )


@cache
def traits(card):
    """Return what is counted of a card: rose, handcuffs, purse, travel card, and its squares."""
    travel = card not in SPECIALS
    return (card == "rose", card == "handcuffs", card == "purse", travel, length(card) if travel else 0)


def mode(card):
    return card[:-2]


def length(card):
    return int(card[-1])


def without(cards, card):
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


if __name__ == "__main__":
    run(Navigator, games=["ravensburger"], parallel=4)
