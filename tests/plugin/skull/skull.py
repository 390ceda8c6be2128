"""Roses and a skull: all lay discs face down, then they bid how many they can turn over without finding a skull.

A round begins with one disc from each, laid at the same time. Then each in turn lays another one or bids, and once
somebody has bid, the next ones raise or pass. The highest bidder turns over so many discs, all own ones first. Without
a skull that is a success, and the second one wins the game. Else the bidder loses a disc: of its own choice if the
skull is its own, else a random one. Nobody else sees which. Who has no disc left is out, and the last one wins.
"""

from collections.abc import Mapping
from typing import Any

from engine.base import BaseRules, BaseState
from engine.chance import FIRST_PLAYER, Chance
from engine.rules import Capabilities, Data, Event, ForcedMove, Rules
from engine.simultaneous import HiddenChoices

ROSE, SKULL = "rose", "skull"


def kinds(discs: list[str]) -> list[str]:
    """What one can choose among some discs."""
    return sorted(set(discs))


def lay(discs: list[str]) -> list[Data]:
    """The actions of laying one of these discs."""
    return [{"do": "lay", "disc": disc} for disc in kinds(discs)]


class SkullState(BaseState):
    """A game at a decision, or at its end."""

    def __init__(self, goal: int, chance: Chance, hands: list[list[str]], first: int) -> None:
        self.goal, self.chance = goal, chance
        self.hands = hands  # each seat sees its own
        self.piles: list[list[str]] = [[] for _ in hands]  # from bottom to top; each seat sees its own
        self.laying: HiddenChoices[Data] = HiddenChoices("lay", {})
        self.turned: list[list[str]] = [[] for _ in hands]  # this and all below: everybody sees it
        self.wins = [0] * len(hands)
        self.turn, self.first, self.phase = first, first, "lay"
        self.bid, self.passed = 0, [False] * len(hands)

    def discs_of(self, seat: int) -> list[str]:
        return self.hands[seat] + self.piles[seat] + self.turned[seat]

    def owned(self, seat: int) -> int:
        return len(self.discs_of(seat))

    def alive(self, start: int = 0) -> list[int]:
        order = [(start + step) % len(self.hands) for step in range(len(self.hands))]
        return [seat for seat in order if self.owned(seat)]

    @property
    def to_act(self) -> int | None:
        if max(self.wins) >= self.goal or len(self.alive()) == 1:
            return None
        return self.laying.to_act if self.phase == "lay" else self.turn

    def forced_moves(self) -> list[ForcedMove]:
        """Those who had only one kind of disc to lay, as the others cannot know."""
        return self.laying.forced

    def actions(self) -> list[Data]:
        seat = self.to_act
        if seat is None:
            return []
        if self.phase == "lay":
            return list(self.laying.actions())
        if self.phase == "lose":
            return [{"do": "lose", "disc": disc} for disc in kinds(self.discs_of(seat))]
        if self.phase == "reveal":
            return [{"do": "turn", "seat": other} for other in self.alive() if self.piles[other]]
        bids = [{"do": "bid", "number": number} for number in range(self.bid + 1, 1 + sum(map(len, self.piles)))]
        return [*(lay(self.hands[seat]) if self.phase == "act" else [{"do": "pass"}]), *bids]

    def play(self, index: int) -> list[Event]:
        actions = self.actions()
        if index not in range(len(actions)):
            raise IndexError(f"there is no action {index}")
        action, seat = actions[index], self.to_act
        assert seat is not None
        if self.phase == "lay":
            events = self.lay_down(self.laying.choose(index))
        else:
            self.laying.forced = []
            events = getattr(self, f"do_{action['do']}")(seat, action)
        laid = [event.what["seat"] if event.what["event"] == "laid" else None for event in events]
        self.laying.forced = [move._replace(events=laid.index(move.seat)) for move in self.laying.forced]
        return events

    # One of these for each action.

    def do_lay(self, seat: int, action: Data) -> list[Event]:
        self.turn = self.alive(seat + 1)[0]
        return self.lay_disc(seat, action["disc"])

    def do_bid(self, seat: int, action: Data) -> list[Event]:
        self.bid, self.phase = action["number"], "raise"
        events = [Event(None, {"event": "bid", "seat": seat, "number": self.bid})]
        return events + (self.reveal_own(seat) if self.bid == sum(map(len, self.piles)) else self.ask_next(seat, seat))

    def do_pass(self, seat: int, action: Data) -> list[Event]:
        self.passed[seat] = True
        return [Event(None, {"event": "passed", "seat": seat}), *self.ask_next(seat)]

    def do_turn(self, seat: int, action: Data) -> list[Event]:
        return self.reveal(seat, action["seat"])

    def do_lose(self, seat: int, action: Data) -> list[Event]:
        return self.lose(seat, self.discs_of(seat).index(action["disc"]), seat)

    # What follows from them.

    def begin_round(self, first: int) -> list[Event]:
        for hand, pile, turned in zip(self.hands, self.piles, self.turned, strict=True):
            hand += pile + turned
            hand.sort()
            pile.clear()
            turned.clear()
        self.first, self.turn, self.phase, self.bid = first, first, "lay", 0
        self.passed = [False] * len(self.hands)
        self.laying = HiddenChoices("lay", {seat: lay(self.hands[seat]) for seat in self.alive(first)})
        forced = [move.seat for move in self.laying.forced]
        return [Event(None, {"event": "round", "seat": first}), *self.lay_down(forced)]

    def lay_down(self, seats: list[int]) -> list[Event]:
        events = [event for seat in seats for event in self.lay_disc(seat, self.laying.chosen[seat]["disc"])]
        if self.laying.to_act is None:
            self.phase = "act"
        return events

    def lay_disc(self, seat: int, disc: str) -> list[Event]:
        self.hands[seat].remove(disc)
        self.piles[seat].append(disc)
        laid = {"event": "laid", "seat": seat}
        return [Event(None, laid), Event(seat, {**laid, "disc": disc})]

    def ask_next(self, seat: int, bidder: int | None = None) -> list[Event]:
        left = [other for other in self.alive(seat + 1) if not self.passed[other]]
        self.turn = left[0]
        return self.reveal_own(left[0]) if len(left) == 1 else []

    def reveal_own(self, seat: int) -> list[Event]:
        self.turn, self.phase, events = seat, "reveal", []
        while self.piles[seat] and self.phase == "reveal":
            events += self.reveal(seat, seat)
        return events

    def reveal(self, seat: int, other: int) -> list[Event]:
        disc = self.piles[other].pop()
        self.turned[other].append(disc)
        events = [Event(None, {"event": "turned", "seat": other, "disc": disc})]
        if disc == SKULL:
            return events + self.fail(seat, other)
        if sum(map(len, self.turned)) == self.bid:
            self.wins[seat] += 1
            self.phase = "won"
            events.append(Event(None, {"event": "succeeded", "seat": seat}))
            return events + ([] if self.to_act is None else self.begin_round(seat))
        with_discs = [each for each in self.alive() if self.piles[each]]
        if len(with_discs) == 1 and not self.piles[seat]:  # as everybody sees
            return events + self.reveal(seat, with_discs[0])
        return events

    def fail(self, seat: int, other: int) -> list[Event]:
        discs = self.owned(seat)
        self.phase = "lose"
        if seat != other or discs == 1:
            return self.lose(seat, self.chance.below("lost", discs), other)
        return []

    def lose(self, seat: int, place: int, skull_of: int) -> list[Event]:
        discs = self.discs_of(seat)
        self.piles[seat], self.turned[seat] = [], []
        self.hands[seat] = discs[:place] + discs[place + 1 :]
        lost = {"event": "lost", "seat": seat}
        events = [Event(None, lost), Event(seat, {**lost, "disc": discs[place]})]
        if len(discs) == 1:
            events.append(Event(None, {"event": "out", "seat": seat}))
        if self.to_act is None:
            return events
        return events + self.begin_round(seat if self.owned(seat) else self.alive(skull_of)[0])

    def view(self, seat: int | None) -> Data:
        return {
            "seat": seat,
            "phase": self.phase,
            "turn": self.to_act,
            "first": self.first,
            "wins": self.wins[:],
            "discs": [self.owned(each) for each in range(len(self.hands))],
            "laid": [len(pile) for pile in self.piles],
            "turned": [turned[:] for turned in self.turned],
            "bid": self.bid,
            "passed": self.passed[:],
            "hand": [] if seat is None else self.hands[seat][:],
            "pile": [] if seat is None else self.piles[seat][:],
        }

    def ranks(self) -> list[int]:
        worth = [(wins, self.owned(seat)) for seat, wins in enumerate(self.wins)]
        return [1 + sum(other > own for other in worth) for own in worth]

    def scores(self) -> list[dict[str, int]]:
        return [{"wins": wins, "discs": self.owned(seat)} for seat, wins in enumerate(self.wins)]

    def copy(self) -> "SkullState":
        clone = type(self)(self.goal, self.chance.copy(), [hand[:] for hand in self.hands], self.first)
        clone.piles, clone.turned = [pile[:] for pile in self.piles], [turned[:] for turned in self.turned]
        clone.wins, clone.passed, clone.laying = self.wins[:], self.passed[:], self.laying.copy()
        clone.turn, clone.phase, clone.bid = self.turn, self.phase, self.bid
        return clone


class Skull(BaseRules):
    name = "skull"
    players = (2, 6)
    capabilities = Capabilities(worlds=True)
    named: Mapping[str, Data] = {
        "standard": {"name": "standard", "roses": 3, "goal": 2},
        "short": {"name": "short", "roses": 2, "goal": 1},
    }
    state = SkullState

    def start(self, players: int, edition: Data, chance: Chance) -> SkullState:
        self.check_players(players)
        hands = [[ROSE] * edition["roses"] + [SKULL] for _ in range(players)]
        state = self.state(edition["goal"], chance, hands, 0)
        state.begin_round(chance.below(FIRST_PLAYER, players))
        return state

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> SkullState | None:
        """Draw which discs the others hold and have laid; every choice of theirs counts as equally likely."""
        if view["seat"] != view["turn"]:
            return None
        state = self.state(edition["goal"], chance, [[] for _ in range(players)], view["first"])
        state.turned = [list(turned) for turned in view["turned"]]
        for seat, turned in enumerate(state.turned):
            rest = [ROSE] * (edition["roses"] - turned.count(ROSE)) + [SKULL] * (1 - turned.count(SKULL))
            chance.shuffle("imagined", rest)
            rest, laid = rest[: view["discs"][seat] - len(turned)], view["laid"][seat]
            state.piles[seat], state.hands[seat] = rest[:laid], sorted(rest[laid:])
        own = view["seat"]
        state.hands[own], state.piles[own] = list(view["hand"]), list(view["pile"])
        state.wins, state.passed, state.bid = list(view["wins"]), list(view["passed"]), view["bid"]
        state.turn, state.phase = view["turn"], view["phase"]
        if state.phase == "lay":
            missing = [seat for seat in state.alive(state.first) if not state.piles[seat]]
            state.laying = HiddenChoices("lay", {seat: lay(state.hands[seat]) for seat in missing})
        return state

    def words(self, what: Mapping[str, Any]) -> str:
        if "do" in what:
            more = {"lay": "disc", "bid": "number", "turn": "seat", "lose": "disc"}.get(what["do"])
            of = " a disc of seat" if what["do"] == "turn" else ""
            return what["do"] + ("" if more is None else f"{of} {what[more]}")
        words = {"round": "begins the round", "laid": "lays", "lost": "loses", "succeeded": "turns over no skull"}
        said = f"seat {what['seat']} {words.get(what['event'], what['event'])}"
        return said + "".join(f" {what[key]}" for key in ("number", "disc") if key in what)


RULES: Rules = Skull()
