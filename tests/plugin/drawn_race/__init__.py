"""The race of hidden numbers as a package: its view draws the track, and it has neither worlds nor an open score."""

from __future__ import annotations

from typing import Any

from number_race import NumberRace, RaceState  # type: ignore[import-not-found]

from engine.chance import Chance
from engine.rules import Capabilities, Data, Rules


class DrawnState(RaceState):  # type: ignore[misc]
    """A race that draws itself."""

    def view(self, seat: int | None) -> Data:
        view: dict[str, Any] = super().view(seat)
        track = [f"{number} {'=' * steps}>" for number, steps in enumerate(view["steps"])]
        own = [] if seat is None else [f"your number: {view['number']}"]
        return view | {"text": "\n".join([*track, *own])}

    def copy(self) -> DrawnState:
        return DrawnState(self.edition, self.chance.copy(), self.steps[:], self.numbers[:], self.turn)

    def scores(self) -> list[dict[str, Any]]:
        return [{"distance": steps} for steps in self.steps]


class DrawnRace(NumberRace):  # type: ignore[misc]
    """The same rules under another name."""

    name = "drawn-race"
    capabilities = Capabilities()

    def start(self, players: int, edition: Data, chance: Chance) -> DrawnState:
        race = super().start(players, edition, chance)
        return DrawnState(race.edition, race.chance, race.steps, race.numbers, race.turn)

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> None:
        return None


RULES: Rules = DrawnRace()
