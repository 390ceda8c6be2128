"""Every game of the catalog, ours and plug-ins alike, keeps the contract; and what breaks it is found."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from engine import catalog
from engine.chance import Chance
from engine.rules import Capabilities, Data, EditionError, Event, ForcedMove, Parameter, Rules, Score
from engine.testing import CHECKS, LONGEST, Case, RulesCheckError, cases, check, check_rules, is_plain
from tests.engine.doubles import Lowest

CASES = [
    pytest.param(case, id=f"{name}-{case.edition}-{case.players}")
    for name, rules in catalog.installed().items()
    for case in cases(rules)
    if case.edition == rules.editions()[0] or case.players in rules.players
]
"""Every edition with the fewest and the most players, and the first one with every number between."""


@pytest.mark.slow
@pytest.mark.parametrize("check_case", CHECKS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("case", CASES)
def test_every_game_keeps_the_contract(check_case: Callable[[Case], None], case: Case) -> None:
    check_case(case)


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in catalog.installed().items()])
def test_editions_settings_and_numbers_of_players_are_as_the_contract_says(rules: Rules) -> None:
    check_rules(rules)


EDITION = {"name": "standard", "goal": 4, "none": None, "deep": {"list": [1, True]}}


class Steps:
    """Everybody steps 1 or 2; who reaches the goal ends the game. Each seat knows a number of its own."""

    def __init__(self, players: int, chance: Chance, at: list[int] | None = None) -> None:
        self.chance = chance
        self.at = at if at is not None else [0] * players
        self.hidden = [chance.below(f"hidden {seat}", 100) for seat in range(players)]
        self.turn = 0
        self.retired: list[int] = []

    phase = "step"

    def forced_moves(self) -> list[ForcedMove]:
        return []

    @property
    def to_act(self) -> int | None:
        return None if max(self.at) >= EDITION["goal"] else self.turn % len(self.at)  # type: ignore[operator]

    def actions(self) -> list[Any]:
        return [] if self.to_act is None else [{"step": 1}, {"step": 2}]

    def play(self, index: int) -> list[Event]:
        if index not in range(len(self.actions())):
            raise IndexError(index)
        seat = self.turn % len(self.at)
        made = self.actions()[index]["step"]
        self.at[seat] += made
        self.turn += 1
        return [Event(None, {"event": "stepped", "seat": seat, "step": made, "roll": self.chance.roll("die")})]

    def view(self, seat: int | None) -> Data:
        own = None if seat is None else self.hidden[seat]
        return {"seat": seat, "at": self.at[:], "hidden": own, "turn": self.turn}

    def ranks(self) -> list[int]:
        return [1 + sum(other > own for other in self.at) for own in self.at]

    def scores(self) -> list[dict[str, int]]:
        return [{"at": at} for at in self.at]

    def copy(self) -> Steps:
        clone = type(self)(len(self.at), self.chance.copy(), self.at[:])
        clone.hidden, clone.turn, clone.retired = self.hidden[:], self.turn, self.retired[:]
        return clone

    def substitute_action(self) -> int:
        return 0

    def penalize(self, seat: int) -> list[Event]:
        return []

    def retire(self, seat: int) -> list[Event]:
        if seat in self.retired:
            return []
        self.retired.append(seat)
        return [Event(None, {"event": "retired", "seat": seat})]


class StepsGame:
    """The game of `Steps`, in which a test breaks something."""

    name = "steps"
    players = (2, 3)
    capabilities = Capabilities(worlds=True)

    def __init__(self, state: type[Steps] = Steps) -> None:
        self.state = state

    def editions(self) -> list[str]:
        return ["standard"]

    def edition(self, name: str | Path) -> Data:
        if name != "standard":
            raise EditionError(f"no edition {name}")
        return {**EDITION, "deep": {"list": [1, True]}}

    def parameters(self, name: str | Path) -> list[Parameter]:
        return [Parameter("goal", str(self.edition(name)["goal"]), "made up")]

    def strip_unknown(self, edition: Data) -> Data:
        return {key: edition[key] for key in EDITION}

    def start(self, players: int, edition: Data, chance: Chance) -> Steps:
        if players not in (2, 3):
            raise ValueError(f"steps is for 2 to 3 players, not {players}")
        return self.state(players, chance)

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> Steps:
        world = self.state(len(view["at"]), chance, view["at"][:])
        world.turn, world.hidden[view["seat"]] = view["turn"], view["hidden"]
        return world

    def opening(self, view: Data) -> list[Data]:
        return [{"seats": len(view["at"])}]

    def words(self, what: Mapping[str, Any]) -> str:
        return str(dict(what))


class Endless(Steps):
    """Nobody gets on."""

    def play(self, index: int) -> list[Event]:
        return []


GAME_FLAWS: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": ""}, "the name ''"),
    "solo": ({"players": (1, 3)}, "1 to 3 players"),
    "no editions": ({"editions": lambda self: []}, "one at least"),
    "shared edition": ({"edition": lambda self, name: self.__dict__.setdefault("kept", deepcopy(EDITION))}, "shared"),
    "edition that is no data": ({"edition": lambda self, name: {"goal": 0.5}}, "plain data"),
    "nameless edition": ({"edition": lambda self, name: {"goal": 4}}, "does not say its name"),
    "any edition": ({"edition": lambda self, name: deepcopy(EDITION)}, "must raise EditionError"),
    "settings of any edition": ({"parameters": lambda self, name: []}, "settings of the edition .* must raise"),
    "nameless setting": ({"parameters": lambda self, name: [Parameter("", "1", "x")]}, "setting without a name"),
    "edition that keeps new fields": ({"strip_unknown": lambda self, edition: edition}, "strip_unknown"),
    "any number of players": ({"start": lambda self, *given: None}, "must raise ValueError"),
    "silence": ({"words": lambda self, what: ""}, "not one line"),
    "two lines": ({"words": lambda self, what: "a\nb"}, "not one line"),
    "opening that is no data": ({"opening": lambda self, view: [{"at": 0.5}]}, "opening is not plain"),
    "silent opening": (
        {"opening": lambda self, view: [{}], "words": lambda self, what: "x" if what else ""},
        "not one line",
    ),
    "determinize that is blind": (
        {"determinize": lambda self, view, *given: Steps(given[0], given[2])},
        "determinized world",
    ),
    "determinize that leads nowhere": (
        {"determinize": lambda self, view, *given: StepsGame(Endless).determinize(view, *given)},
        "does not end within",
    ),
    "determinize that spoils the view": (
        {"determinize": lambda self, view, *given: view.clear() or Steps(2, given[2])},
        "changes the view",
    ),
}


def unlike_copy(self: Steps) -> Steps:
    clone = Steps.copy(self)
    clone.chance.roll("die")
    return clone


DICE = itertools.count()


def play_with_more(self: Steps, index: int, event: Event) -> list[Event]:
    return [*Steps.play(self, index), event]


def offer_again(self: Any) -> list[Any]:
    """The same objects at every decision."""
    offer = self.__dict__.setdefault("offer", [{"step": 1, "tally": 0}, {"step": 2, "tally": 0}])
    return [] if self.to_act is None else list(offer)


def ranks_that_tally(self: Any) -> list[int]:
    self.offer = [{**action, "tally": action["tally"] + 1} for action in offer_again(self)]
    return Steps.ranks(self)


def play_that_tallies(self: Any, index: int) -> list[Event]:
    events = Steps.play(self, index)
    for action in self.offer:
        action["tally"] += 1
    return events


class DoSteps(Steps):
    """Actions that have a verb."""

    def actions(self) -> list[Data]:
        return [{"do": "step", **action} for action in super().actions()]


SPELLING_FLAWS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown step": ({"vocabulary": lambda self, edition: ["step 1"]}, "not in the vocabulary"),
    "step twice": ({"vocabulary": lambda self, edition: ["step 1", "step 2", "step 1"]}, "twice"),
    "no step": ({"spelling": {"step": []}}, "not in the vocabulary"),
    "alike": ({"spelling": {"step": ["step 1"]}}, "2 actions of a decision begin"),
}


STATE_FLAWS: dict[str, tuple[dict[str, Any], str]] = {
    "one action": ({"actions": lambda self: Steps.actions(self)[:1]}, "1 actions"),
    "an action twice": ({"actions": lambda self: Steps.actions(self)[:1] * 2}, "twice"),
    "no such seat": ({"to_act": property(lambda self: -1)}, "to_act is -1"),
    "no end": ({"to_act": property(lambda self: 0), "actions": lambda self: [{"step": 0}, {"step": -1}]}, "not end"),
    "actions after the end": ({"actions": lambda self: [{"step": 1}, {"step": 2}]}, "after the end"),
    "negative index": (
        {"play": lambda self, index: Steps.play(self, index % 2 if index < 0 else index)},
        r"play\(-1\) .* must raise IndexError",
    ),
    "substitute out of range": ({"substitute_action": lambda self: 2}, "substitute's index"),
    "nameless phase": ({"phase": ""}, "the phase of a decision is ''"),
    "forced move of nobody": ({"forced_moves": lambda self: [ForcedMove(5, "step")]}, "a forced move is of seat 5"),
    "action that is no data": (
        {"actions": lambda self: [{**each, "x": 0.5} for each in Steps.actions(self)]},
        "actions are not plain",
    ),
    "view that is no data": ({"view": lambda self, seat: {"at": tuple(self.at)}}, "view of seat 0 is not plain"),
    "event that is no data": (
        {"play": lambda self, index: [*Steps.play(self, index), Event(0, {"x": {1}})]},
        "an event",
    ),
    "event for nobody": ({"play": lambda self, index: play_with_more(self, index, Event(9, {}))}, "for seat 9"),
    "chance of its own": (
        {"play": lambda self, index: play_with_more(self, index, Event(None, {"die": next(DICE)}))},
        "equal chance",
    ),
    "shared view": ({"view": lambda self, seat: {**Steps.view(self, seat), "at": self.at}}, "writing into"),
    "view that draws": (
        {"view": lambda self, seat: {**Steps.view(self, seat), "at": [self.chance.roll("die")]}},
        "changes",
    ),
    "actions that change when it is looked at": (
        {"actions": offer_again, "ranks": ranks_that_tally},
        "changes the actions",
    ),
    "modified actions": (
        {"actions": offer_again, "play": play_that_tallies},
        "modified after it was offered",
    ),
    "shared copy": ({"copy": lambda self: self}, "a copy"),
    "unlike copy": ({"copy": unlike_copy}, "does not go on"),
    "ranks from 0": ({"ranks": lambda self: [0] * len(self.at)}, "ranks are"),
    "ranks of some": ({"ranks": lambda self: [1]}, "ranks are"),
    "score of some": ({"scores": lambda self: [{"at": 1}, *({} for _ in self.at[1:])]}, "scores are"),
    "retired twice": ({"retire": lambda self, seat: [Event(None, {"event": "retired"})]}, "is retired twice"),
    "penalty that passes": ({"penalize": lambda self, seat: Steps.play(self, 0)}, "a penalty changes"),
}


def test_a_game_without_a_flaw_passes() -> None:
    check(StepsGame())


@pytest.mark.parametrize("name", GAME_FLAWS)
def test_a_flaw_of_a_game_is_found(name: str) -> None:
    parts, message = GAME_FLAWS[name]
    with pytest.raises(RulesCheckError, match=message):
        check(type("Flawed", (StepsGame,), parts)())


@pytest.mark.parametrize("name", SPELLING_FLAWS)
def test_a_flaw_of_a_vocabulary_is_found(name: str) -> None:
    whole = {"spelling": {"step": ["step {step}"]}, "vocabulary": lambda self, edition: ["step 1", "step 2"]}
    check(type("Spelled", (StepsGame,), whole)(DoSteps))
    parts, message = SPELLING_FLAWS[name]
    with pytest.raises(RulesCheckError, match=message):
        check(type("Flawed", (StepsGame,), whole | parts)(DoSteps))


@pytest.mark.parametrize("name", STATE_FLAWS)
def test_a_flaw_of_a_state_is_found_and_said_where(name: str) -> None:
    parts, message = STATE_FLAWS[name]
    with pytest.raises(RulesCheckError, match=f"^steps, edition standard, 2 players: .*{message}"):
        check(StepsGame(type("Flawed", (Steps,), parts)))


class Fixed(Steps):
    """Nothing is drawn."""

    def __init__(self, players: int, chance: Chance, at: list[int] | None = None) -> None:
        super().__init__(players, Lowest(), at)


class Silent(Steps):
    """How far others stepped is not told, only shown."""

    def play(self, index: int) -> list[Event]:
        return [Event(None, {"event": "stepped", "roll": event.what["roll"]}) for event in Steps.play(self, index)]


class Chips(StepsGame):
    """Played for chips."""

    def __init__(self, change: Callable[[Steps], list[dict[str, Any]]]) -> None:
        super().__init__(type("Paying", (Steps,), {"scores": change}))


def chips(best: int) -> Callable[[Steps], list[dict[str, Any]]]:
    """What everybody won if the best rank wins this much from every other seat."""

    def scores(state: Steps) -> list[dict[str, Any]]:
        ranks = Steps.ranks(state)
        return [{"chips": sum((other > own) - (other < own) for other in ranks) * best / 2} for own in ranks]

    return scores


DECLARED: dict[str, tuple[StepsGame, Capabilities, str]] = {
    "chance that is not used": (StepsGame(Fixed), Capabilities(worlds=True), "chance is not used"),
    "no chance": (StepsGame(), Capabilities(worlds=True, chance=False), "chance is used: declare it"),
    "no worlds": (StepsGame(), Capabilities(), "worlds are declared False"),
    "a score that is missing": (StepsGame(), Capabilities(worlds=True, score=Score("chips")), "no score 'chips'"),
    "a score that is not zero-sum": (
        StepsGame(),
        Capabilities(worlds=True, score=Score("at", zero_sum=True)),
        "do not add up to 0",
    ),
    "a score beyond its span": (
        Chips(chips(3)),
        Capabilities(worlds=True, score=Score("chips"), span={2: (0, 1), 3: (0, 1)}),
        "are not all from 0 to 1",
    ),
    "a score the other way round": (Chips(chips(-3)), Capabilities(worlds=True, score=Score("chips")), "disagree"),
    "cooperation": (
        StepsGame(),
        Capabilities(worlds=True, score=Score("at", cooperative=True)),
        "should have the same score",
    ),
    "teams without a seat": (StepsGame(), Capabilities(worlds=True, teams={2: [[0]]}), "are not all seats"),
    "partners with different ranks": (StepsGame(), Capabilities(worlds=True, teams={2: [[0, 1]]}), "partners have"),
    "actions without ids": (StepsGame(), Capabilities(worlds=True, action_ids=2), "the id of an action is None"),
    "something not told": (StepsGame(Silent), Capabilities(worlds=True), "was told the same, and is shown"),
}


@pytest.mark.parametrize("flaw", DECLARED)
def test_what_is_declared_but_not_so_is_found(flaw: str) -> None:
    rules, declared, why = DECLARED[flaw]
    with pytest.raises(RulesCheckError, match=why):
        check(with_capabilities(rules, declared))


def with_capabilities(rules: StepsGame, declared: Capabilities) -> StepsGame:
    changed = copy(rules)
    changed.capabilities = declared
    return changed


def test_what_is_declared_and_is_so_passes() -> None:
    check(with_capabilities(StepsGame(Fixed), Capabilities(worlds=True, chance=False)))
    check(with_capabilities(Chips(chips(3)), Capabilities(worlds=True, score=Score("chips", zero_sum=True))))


@pytest.mark.parametrize(
    ("step", "ids", "why"), [(0, 2, "two actions of a decision have one id"), (1, 1, "the id of an action is 1")]
)
def test_ids_differ_at_a_decision_and_are_in_range(step: int, ids: int, why: str) -> None:
    class Numbered(Steps):
        def actions(self) -> list[Any]:
            return [{**action, "id": number * step} for number, action in enumerate(Steps.actions(self))]

    with pytest.raises(RulesCheckError, match=why):
        check(with_capabilities(StepsGame(Numbered), Capabilities(worlds=True, action_ids=ids)))


@pytest.mark.parametrize(
    "value", [None, True, 0, -(2**63), 2**64 - 1, "", "ö", [], [[1], {"a": None}], {"": {"b": ["c"]}}]
)
def test_plain(value: object) -> None:
    assert is_plain(value)


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        b"",
        (),
        {1},
        2**64,
        -(2**63) - 1,
        "\ud800",
        {1: 2},
        MappingProxyType({}),
        {"a": (1,)},
        [object()],
        {"\udfff": 1},
    ],
)
def test_not_plain(value: object) -> None:
    assert not is_plain(value)


def test_the_longest_game_is_far_longer_than_ours() -> None:
    assert LONGEST >= 10_000
