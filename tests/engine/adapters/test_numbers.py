"""Views and actions as numbers: nothing is lost, or it is counted; and nobody else of the engine needs any of it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from engine import catalog
from engine.adapters.numbers import LARGEST, Encoder, survey
from engine.adapters.tree import TreeGame
from engine.chance import Seeded, derive
from tests.engine.adapters.worlds import CASES

EXAMPLES: list[Any] = [
    {"a": 1, "b": None, "c": ["x", "y"], "pools": {"0": [1, 2]}, "same": [1, 2, 3], "mixed": 3},
    {"a": -5, "b": {"deep": True}, "c": [], "pools": {"0": [0, 0], "12": [7, 8]}, "same": [4, 5, 6], "mixed": "x"},
    {"a": 0, "b": None, "c": ["y"], "pools": {}, "same": [0, 0, 0], "mixed": ["x", 4], "now and then": False},
]


def test_examples_come_back_whole() -> None:
    form = Encoder(EXAMPLES, ["x", "y"])
    low, high = form.bounds()
    for example in EXAMPLES:
        numbers = form.write(example)
        assert numbers.dtype == np.float32
        assert numbers.shape == (form.width,) == (len(form.columns),)
        assert numbers[0] == 0
        assert form.read(numbers) == example
        assert (low <= numbers).all()
        assert (numbers <= high).all()


def test_columns_say_what_the_numbers_are() -> None:
    form = Encoder(EXAMPLES, ["x", "y"])
    numbers = form.write(EXAMPLES[1])
    named = {column.name: number for column, number in zip(form.columns, numbers.tolist(), strict=True)}
    assert len(named) == form.width
    assert named["a"] == -5
    assert named["b.deep:is"] == form.codes[True]
    assert named["c:length"] == 0
    assert named["mixed:is"] == form.codes["x"]
    assert [named[f"same[{place}]"] for place in range(3)] == [4, 5, 6]
    assert [named["pools[1].key"], named["pools[1].value[0]"]] == [12, 7]


def test_a_pickled_or_deep_copied_encoder_writes_the_same() -> None:
    form = Encoder(EXAMPLES, ["x", "y"])
    for other in (deepcopy(form), pickle.loads(pickle.dumps(form))):
        assert (other.columns, other.codes) == (form.columns, form.codes)
        for example in EXAMPLES:
            assert other.write(example).tolist() == form.write(example).tolist()
            assert other.read(other.write(example)) == example


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        ({"a": "x"}, 1),
        ({"a": LARGEST + 1}, 1),
        ({"a": LARGEST}, 0),
        ({"c": ["x", "unheard of"]}, 1),
        ({"c": ["x"] * 4}, 0),
        ({"c": ["x"] * 6}, 2),
        ({"same": [1, 2]}, 1),
        ({"same": (1, 255, 256)}, 0),
        ({"same": [1, True, 3]}, 1),
        ({"same": [1, -(2**70), 2**70]}, 2),
        ({"same": [1, 2, 3, 4]}, 1),
        ({"new": 1}, 1),
        ({"b": {"deep": True, "deeper": 1}}, 1),
        ({"b": 3}, 1),
        ({"mixed": {"a": 1}}, 1),
        ({"b": "y"}, 0),
    ],
)
def test_what_has_no_place_is_counted(change: dict[str, Any], lost: int) -> None:
    form = Encoder(EXAMPLES, ["x", "y"])
    value = EXAMPLES[0] | change
    numbers = form.write(value)
    assert numbers[0] == lost
    if not lost:
        assert form.read(numbers) == {**value, "same": list(value["same"])}
    low, high = form.bounds()
    assert ((low <= numbers) & (numbers <= high)).all()


@pytest.mark.slow
@CASES
def test_an_edition_with_fields_of_a_later_version_has_the_same_forms(name: str, players: int) -> None:
    edition = catalog.installed()[name].edition(catalog.installed()[name].editions()[0])
    later = {**edition, "later": {"parameter": True}, "board": {**edition["board"], "later": [1]}}
    assert survey(TreeGame(name, players, later)) is survey(TreeGame(name, players, edition))


@pytest.mark.slow
@CASES
def test_games_that_were_not_surveyed_come_back_whole(name: str, players: int) -> None:
    """Nearly all of their views and actions; what does not says so."""
    rules = catalog.installed()[name]
    setup = TreeGame(name, players, rules.edition(rules.editions()[0]))
    encoders = survey(setup)
    assert survey(setup) is encoders
    written = left_out = 0
    for number in range(4):
        state = rules.start(players, setup.edition, Seeded(derive(b"numbers in tests", number)))
        random = Random(number)
        while (seat := state.to_act) is not None:
            actions = state.actions()
            index = random.randrange(len(actions))
            looked_at = ((encoders.view, state.view(seat)), (encoders.action, actions[index])) if index % 3 == 0 else ()
            for form, value in looked_at:
                numbers = form.write(value)
                written += 1
                left_out += numbers[0] > 0
                assert (form.read(numbers) == value) == (numbers[0] == 0)
            state.play(index)
    assert left_out < written / 50


@pytest.mark.slow
@pytest.mark.process
def test_the_rules_need_none_of_this() -> None:
    """Playing needs none of the toolkits."""
    code = (
        "import sys, arena.cli; from engine.catalog import installed; installed();"
        "print([name for name in ('numpy', 'pyspiel', 'pettingzoo', 'gymnasium', 'engine.adapters')"
        " if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert found.stdout.strip() == "[]"
