"""The leak kit: where its worlds come from, what it compares, and that it says what it did not test."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import Chance
from engine.rules import Data, Event
from engine.testing import Case, LeakReport, RulesCheckError, check_leaks, find_leaks
from tests.engine.test_testing import Steps, StepsGame


class Blind(StepsGame):
    """Rules that draw no worlds."""

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> None:  # type: ignore[override]
        return None


class Redealing(Blind):
    """Rules that lay the others' numbers anew."""

    def redeal(self, state: Steps, seat: int, chance: Chance) -> Steps:
        world = state.copy()
        world.chance = chance
        world.hidden = [own if at == seat else chance.below("hidden", 100) for at, own in enumerate(state.hidden)]
        return world


class Idle(Blind):
    """Rules whose worlds are always the one that there is."""

    def redeal(self, state: Steps, seat: int, chance: Chance) -> Steps:
        return state.copy()


class Open(Steps):
    """Nothing is hidden: everybody has the number 0."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.hidden = [0 for _ in self.hidden]


def others(state: Steps, seat: int | None) -> int:
    """One bit of what a seat may not know."""
    return sum(number for at, number in enumerate(state.hidden) if at != seat) % 2


class InView(Steps):
    def view(self, seat: int | None) -> Data:
        return {**super().view(seat), "bit": others(self, seat) if seat is not None else 0}


class InOrderOfKeys(Steps):
    def view(self, seat: int | None) -> Data:
        return dict([*super().view(seat).items()][:: 1 - 2 * others(self, seat)])


class InTypeOfNumber(Steps):
    def view(self, seat: int | None) -> Data:
        return {**super().view(seat), "bit": 1 if others(self, seat) else True}


class InSpectatorsView(Steps):
    def view(self, seat: int | None) -> Data:
        return {**super().view(seat), "bit": others(self, seat) if seat is None else 0}


class InActions(Steps):
    def actions(self) -> list[Any]:
        return super().actions()[:: 1 - 2 * others(self, self.to_act)]


class InRanks(Steps):
    def ranks(self) -> list[int]:
        return [1 + sum(other > own for other in self.hidden) for own in self.hidden]


class InEnd(Steps):
    """The number counts when the game is over, and not before: no leak."""

    def scores(self) -> list[dict[str, int]]:
        return [
            {"at": at, "number": own if self.to_act is None else 0}
            for at, own in zip(self.at, self.hidden, strict=True)
        ]


def found(rules: StepsGame) -> LeakReport:
    return find_leaks(Case(rules, "standard", 3), 3)


@pytest.mark.slow
@pytest.mark.parametrize("game", [StepsGame, Blind, Redealing])
@pytest.mark.parametrize(
    ("state", "what"),
    [
        (Steps, []),
        (InEnd, []),
        (InView, ["view"]),
        (InOrderOfKeys, ["spectator's view", "view"]),
        (InTypeOfNumber, ["spectator's view", "view"]),
        (InSpectatorsView, ["spectator's view"]),
        (InActions, ["actions"]),
        (InRanks, ["ranks"]),
    ],
)
def test_one_bit_is_found_wherever_it_is_and_wherever_worlds_come_from(
    game: type[StepsGame], state: type[Steps], what: list[str]
) -> None:
    report = found(game(state))
    if game is Blind and what == ["view"]:
        what = []  # worlds by chance begin with equal views, and so with equal bits
    assert sorted({leak.what for leak in report.leaks}) == what
    assert {StepsGame: "determinize", Blind: "chance", Redealing: "redeal"}[game] in report.sources
    assert report.untested() == {}


def test_worlds_that_are_always_equal_are_no_test() -> None:
    class Alike(Idle):
        def start(self, players: int, edition: Data, chance: Chance) -> Steps:
            return Open(players, chance)

    report = found(Alike())
    assert (report.leaks, report.untested()) == ([], {"step": "all worlds were equal"})
    with pytest.raises(RulesCheckError, match="edition standard: not tested for leaks: phase step"):
        check_leaks(Alike(), ["step"], 1)


def test_a_leak_is_said_with_the_case_and_the_part_that_differs() -> None:
    class Told(Steps):
        def play(self, index: int) -> list[Event]:
            events = super().play(index)
            return [*events, Event(None, {"event": "said", "bits": [0, others(self, None)]})]

    with pytest.raises(RulesCheckError, match=r"steps, edition standard, 2 players: in phase step, seat \d .* by its "):
        check_leaks(StepsGame(InView), games=2)
    assert "said: bits, in no view" in found(StepsGame(Told)).revealed
