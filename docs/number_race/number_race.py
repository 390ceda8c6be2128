"""A race of hidden numbers.

In every round each player draws a number that nobody else sees, and keeps it or draws once more, which nobody else sees
either. Then all numbers are shown: the lowest steps on (several, if they are equal). Who reaches the goal wins.
"""

from collections.abc import Mapping
from typing import Any

from engine.base import BaseRules, BaseState
from engine.chance import Chance
from engine.rules import Capabilities, Data, Event, Rules

ACTIONS: list[Data] = [{"do": "keep"}, {"do": "redraw"}]


class RaceState(BaseState):
    """A race at a decision, or at its end."""

    phase = "number"

    def __init__(self, edition: Data, chance: Chance, steps: list[int], numbers: list[int], turn: int) -> None:
        self.edition, self.chance = edition, chance
        self.steps, self.turn = steps, turn  # everybody sees them
        self.numbers = numbers  # each seat sees its own

    @property
    def to_act(self) -> int | None:
        return None if max(self.steps) >= self.edition["goal"] else self.turn

    def actions(self) -> list[Data]:
        return [] if self.to_act is None else ACTIONS

    def play(self, index: int) -> list[Event]:
        if index not in range(len(self.actions())):
            raise IndexError(f"there is no action {index}")
        seat, events = self.turn, []
        if ACTIONS[index]["do"] == "redraw":
            events.append(self.draw(seat))
        self.turn = (seat + 1) % len(self.steps)
        return events + (self.show() if self.turn == 0 else [])

    def draw(self, seat: int) -> Event:
        self.numbers[seat] = 1 + self.chance.below(f"numbers of seat {seat}", self.edition["highest"])
        return Event(seat, {"event": "drew", "seat": seat, "number": self.numbers[seat]})

    def show(self) -> list[Event]:
        lowest = [seat for seat, number in enumerate(self.numbers) if number == min(self.numbers)]
        shown = Event(None, {"event": "shown", "numbers": self.numbers[:], "lowest": lowest})
        for seat in lowest:
            self.steps[seat] += 1
        return [shown] + ([] if self.to_act is None else [self.draw(seat) for seat in range(len(self.steps))])

    def view(self, seat: int | None) -> Data:
        own = None if seat is None else self.numbers[seat]
        return {"seat": seat, "steps": self.steps[:], "turn": self.turn, "number": own}

    def ranks(self) -> list[int]:
        return [1 + sum(other > own for other in self.steps) for own in self.steps]

    def scores(self) -> list[dict[str, int]]:
        return [{"steps": steps} for steps in self.steps]

    def copy(self) -> "RaceState":
        return RaceState(self.edition, self.chance.copy(), self.steps[:], self.numbers[:], self.turn)


class NumberRace(BaseRules):
    name = "number-race"
    players = (2, 6)
    capabilities = Capabilities(worlds=True)
    named: Mapping[str, Data] = {
        "standard": {"name": "standard", "goal": 5, "highest": 10},
        "sprint": {"name": "sprint", "goal": 2, "highest": 6},
    }

    def start(self, players: int, edition: Data, chance: Chance) -> RaceState:
        self.check_players(players)
        state = RaceState(edition, chance, [0] * players, [0] * players, 0)
        for seat in range(players):
            state.draw(seat)
        return state

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> RaceState:
        numbers = [1 + chance.below("imagined", edition["highest"]) for _ in view["steps"]]
        numbers[view["seat"]] = view["number"]
        return RaceState(edition, chance, list(view["steps"]), numbers, view["turn"])

    def words(self, what: Mapping[str, Any]) -> str:
        if "do" in what:
            return "keeps the number" if what["do"] == "keep" else "draws again"
        if what["event"] == "drew":
            return f"seat {what['seat']} draws {what['number']}"
        ahead = " and ".join(f"seat {seat}" for seat in what["lowest"])
        return f"shown: {', '.join(map(str, what['numbers']))}; one step for {ahead}"


RULES: Rules = NumberRace()
