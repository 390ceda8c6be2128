"""Masks are the legal actions, and a choice made in steps arrives at the action whose steps it takes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.features import Form
from arena.features.choices import ActionChoice, Actions
from engine import catalog
from engine.chance import Chance, Seeded, derive
from engine.rules import Action, Rules, State, spell

sys.path.append(str(Path(__file__).parents[2] / "plugin" / "skull"))
from skull import RULES as SKULL

OURS = ("kosmos", "ravensburger")
BRIDGED = ("openspiel:leduc_poker", "openspiel:hearts", "openspiel:breakthrough", "pettingzoo:connect_four_v3")


def rules_of(name: str) -> Rules:
    return SKULL if name == "skull" else catalog.rules(name)


def actions_of(rules: Rules) -> Actions:
    return Actions.of(rules, [rules.edition(name) for name in rules.editions()])


def positions(rules: Rules, most: int) -> Iterator[tuple[State, Chance]]:
    """Generate states of random games of all editions and numbers of players, each with a source for choices."""
    cases = list(product(rules.editions(), range(rules.players[0], min(rules.players[1], 6) + 1)))
    number = 0
    while most > 0:
        edition, players = cases[number % len(cases)]
        lots = Seeded(derive(b"positions", rules.name, number))
        state = rules.start(players, rules.edition(edition), lots.copy())
        while state.to_act is not None and most > 0:
            yield state, lots
            most -= 1
            state.play(lots.below("moves", len(state.actions())))
        number += 1


def all_choices(actions: Actions, offered: Any, taken: tuple[int, ...] = ()) -> dict[tuple[int, ...], int]:
    """Follow every step that a mask allows, and return the index of the action at the end of each way."""
    found = {}
    choice = ActionChoice(actions, offered)
    for step in taken:
        choice.take(step)
    for step in choice.mask.nonzero()[0].tolist():
        after = ActionChoice(actions, offered)
        for before in taken:
            after.take(before)
        index = after.take(step)
        found |= all_choices(actions, offered, (*taken, step)) if index is None else {(*taken, step): index}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", [*OURS, "skull", *BRIDGED])
def test_masks_are_the_legal_actions_in_10_000_positions(name: str) -> None:
    rules = rules_of(name)
    check_masks(rules, 10_000)


@pytest.mark.parametrize("name", [*OURS, "skull", *BRIDGED])
def test_masks_are_the_legal_actions(name: str) -> None:
    check_masks(rules_of(name), 300)


def check_masks(rules: Rules, most: int) -> None:
    actions = actions_of(rules)
    for state, lots in positions(rules, most):
        offered = state.actions()
        assert sorted(all_choices(actions, offered).values()) == [*range(len(offered))]
        choice, wanted, index = ActionChoice(actions, offered), lots.below("wanted", len(offered)), None
        while index is None:
            step = choice.toward(wanted)
            assert choice.mask[step]
            index = choice.take(step)
        assert index == wanted
        assert choice.taken.sum() == len(choice.steps)


@pytest.mark.parametrize("name", OURS)
def test_an_action_is_spelled_in_named_steps_and_the_names_are_counted_for_each_edition(name: str) -> None:
    rules: Any = catalog.rules(name)
    whole = actions_of(rules)
    assert whole.kind == "steps"
    for state, _ in positions(rules, 200):
        for action in state.actions():
            assert [whole.names[step] for step in whole.spell(action)] == spell(action, rules.spelling)
    for edition in rules.editions():
        part = Actions.of(rules, [rules.edition(edition)])
        assert {*part.names} <= {*whole.names}
        assert part.count == len({*part.names})


def test_a_way_to_travel_is_chosen_card_by_card_and_what_there_is_no_other_step_to_is_taken_by_itself() -> None:
    rules = catalog.rules("kosmos")
    actions = actions_of(rules)
    plain: dict[str, Any] = {"do": "travel", "to": "Suez", "days": 4, "die": False, "events": [], "uses": []}
    use = {"card": "submarine", "as": "submarine", "on": "s6"}
    offered = [
        {"do": "stay"},
        {**plain, "cards": ["s4"]},
        {**plain, "cards": ["s6"]},
        {**plain, "cards": ["s6"], "uses": [use], "events": ["submarine"]},
    ]
    choice = ActionChoice(actions, offered)
    assert ways(actions, choice) == {"stay", "travel"}
    assert choice.take(actions.names.index("travel")) is None
    assert ways(actions, choice) == {"card s4", "card s6"}
    assert choice.take(actions.names.index("card s6")) is None
    assert ways(actions, choice) == {"done", "use submarine as submarine s6"}
    assert choice.take(actions.names.index("use submarine as submarine s6")) == 3


def ways(actions: Actions, choice: ActionChoice) -> set[str]:
    return {actions.names[step] for step in choice.mask.nonzero()[0]}


def test_a_step_with_which_nothing_goes_on_is_refused() -> None:
    actions = Actions("ids", 4)
    with pytest.raises(ValueError, match="no legal action goes on with step 2"):
        ActionChoice(actions, [{"id": 1}, {"id": 3}]).take(2)


def test_actions_of_a_later_version_of_the_rules_are_borne() -> None:
    actions = actions_of(catalog.rules("kosmos"))
    known, unknown, alike = {"do": "stay"}, {"do": "fly"}, {"do": "stay", "long": True}
    choice = ActionChoice(actions, [unknown, known])
    assert ways(actions, choice) == {"stay"}
    assert choice.take(actions.names.index("stay")) == 1
    several: list[list[Action]] = [[unknown, unknown], [known, alike], [alike]]
    for offered in several:
        choice = ActionChoice(actions, offered)
        assert choice.take(int(choice.mask.argmax())) == 0


@pytest.mark.parametrize("name", [*OURS, "skull", "openspiel:leduc_poker"])
def test_actions_are_the_same_after_they_were_saved(name: str) -> None:
    rules = rules_of(name)
    actions = actions_of(rules)
    loaded = Actions.load(json.loads(json.dumps(actions.data())))
    for state, _ in positions(rules, 100):
        offered: list[Action] = json.loads(json.dumps(state.actions()))
        assert loaded.spellings(offered) == actions.spellings(state.actions())


@pytest.fixture
def skull_is_installed() -> Iterator[None]:
    catalog._catalog().rules["skull"] = SKULL
    yield
    del catalog._catalog().rules["skull"]


@pytest.mark.usefixtures("skull_is_installed")
@pytest.mark.parametrize("name", [*OURS, "skull", "openspiel:leduc_poker"])
def test_the_features_of_actions_tell_them_apart_and_leave_nothing_out(name: str, tmp_path: Path) -> None:
    rules, form = rules_of(name), Form.of(name)
    form.save(tmp_path / "form.json")
    loaded = Form.load(tmp_path / "form.json")
    for state, _ in positions(rules, 300):
        offered, view = state.actions(), state.view(state.to_act)
        rows = form.features(view, offered)
        assert rows.shape == (len(offered), form.actions.width)
        assert len(np.unique(rows, axis=0)) == len(offered)
        if form.actions.kind != "ids":
            assert not rows[:, 0].any()
        assert (loaded.features(view, json.loads(json.dumps(offered))) == rows).all()


@pytest.mark.usefixtures("skull_is_installed")
def test_the_features_of_actions_count_seats_from_the_own_one() -> None:
    form = Form.of("skull")
    names = [column.name for column in form.actions.columns]
    [row] = form.features({"seat": 2, "discs": [0, 0, 0]}, [{"do": "turn", "seat": 0}])
    assert {name for name, number in zip(names, row, strict=True) if number} >= {"do=turn", "seat=+1"}
    [unknown] = form.features({"seat": 2}, [{"do": "fly", "seat": 0}])
    assert unknown[0] == 1


@pytest.mark.parametrize("name", ["kosmos", "openspiel:leduc_poker"])
def test_a_model_is_shown_the_steps_that_were_taken(name: str) -> None:
    rules, form = rules_of(name), Form.of(name)
    for state, lots in positions(rules, 100):
        view, choice, index = state.view(state.to_act), form.choice(state.actions()), None
        while index is None:
            seen = form.observe(view, choice)
            assert seen.shape == (form.observation_width,)
            assert (seen[: form.width] == form.encode(view)).all()
            assert (seen[form.width :] == choice.taken[: form.observation_width - form.width]).all()
            allowed = choice.mask.nonzero()[0].tolist()
            index = choice.take(allowed[lots.below("steps", len(allowed))])
        assert index in range(len(state.actions()))
