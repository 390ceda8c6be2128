"""Views as numbers: what was written is read again, for every game, number of players and edition."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arena.features import Form
from arena.features.survey import FormError
from arena.features.values import LARGEST
from engine import catalog
from engine.chance import Seeded, derive
from tests.fresh import ROOT

PLUGINS = {"number-race": "docs/number_race/number_race.py", "skull": "tests/plugin/skull/skull.py"}
GAMES = ["kosmos", "ravensburger", *PLUGINS]


def module(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("a_plugin", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(autouse=True, scope="module")
def plugins() -> Iterator[None]:
    """Install two games without types."""
    known = catalog._catalog().rules
    known |= {name: module(path).RULES for name, path in PLUGINS.items()}
    yield
    for name in PLUGINS:
        del known[name]


def views(game: str, edition: str, players: int, seed: int = 0) -> Iterator[tuple[Any, list[Any]]]:
    """Generate views of all readers in a random game, with the events so far."""
    rules, random = catalog.rules(game), Random(seed)
    state = rules.start(players, rules.edition(edition), Seeded(derive(b"views in tests", seed)))
    events: list[Any] = []
    for number in range(800):
        if state.to_act is None:
            break
        if number % 5 == 0:
            for seat in (state.to_act, (state.to_act + 1) % players):
                yield state.view(seat), events
        events += [event.what for event in state.play(random.randrange(len(state.actions())))]
    yield state.view(0), events


def alike(written: Any, read: Any) -> bool:
    """Whether a value came back: lists of constants may be sorted, and records are missing."""
    if isinstance(written, dict):
        records = {"drawn", "shown", "lacked", "yours"} if "pools" in written else set()
        for key, value in written.items():
            if key not in records and not (key == "pools" or (key in read and alike(value, read[key]))):
                return False
        return set(read) <= set(written)
    if isinstance(written, list | tuple):
        if any(isinstance(each, list | tuple | dict) for each in written):
            return len(written) == len(read) and all(map(alike, written, read))
        return sorted(map(str, written)) == sorted(map(str, read))
    return bool(written == read)


@pytest.mark.parametrize("coding", ["one-hot", "index"])
@pytest.mark.parametrize("game", GAMES)
def test_views_come_back(game: str, coding: Any) -> None:
    form, rules = Form.of(game, coding=coding), catalog.rules(game)
    low, high = (np.array([getattr(column, name) for column in form.columns]) for name in ("low", "high"))
    whole = total = 0
    for edition in rules.editions():
        for players in (rules.players[0], 3, rules.players[1]):
            for view, _ in views(game, edition, players):
                numbers = form.encode(view)
                assert numbers.shape == (form.width,) == (len(form.columns),)
                assert numbers.dtype == np.float32
                assert ((low <= numbers) & (numbers <= high)).all()
                total += 1
                whole += numbers[0] == 0
                if numbers[0] == 0:
                    assert alike(view, form.decode(numbers)), view
                assert (form.encode(form.decode(numbers))[1:] == numbers[1:]).all() or numbers[0]
    assert whole > total * 0.98


def test_the_fast_way_writes_what_the_shapes_write() -> None:
    for game in GAMES:
        form = Form.of(game, history=3)
        for view, events in views(game, catalog.rules(game).editions()[0], 4):
            raw: list[Any] = [0] * (form.width + 1)
            fast = bytearray(form.width + 1)
            assert form._write(view, events, raw) == form._fill(view, events, fast)
            assert list(fast[:-1]) == raw[:-1]


def test_a_file_gives_the_same_form(tmp_path: Any) -> None:
    form = Form.of("kosmos", edition="standard", history=2)
    form.save(tmp_path / "form.json")
    for other in (Form.load(tmp_path / "form.json"), pickle.loads(pickle.dumps(form))):
        assert other.columns == form.columns
        for view, events in views("kosmos", "standard", 3):
            assert (other.encode(view, events) == form.encode(view, events)).all()
    (tmp_path / "form.json").write_text('{"form": 99}')
    with pytest.raises(ValueError, match="has version 99"):
        Form.load(tmp_path / "form.json")


def test_what_has_no_place_is_counted() -> None:
    form = Form.of("kosmos", edition="standard")
    view, _ = next(views("kosmos", "standard", 3))
    plain = form.encode(view)
    for change, lost in (
        ({"later": 1, "much later": {}}, 2),
        ({"phase": "a new one"}, 1),
        ({"round": LARGEST + 1}, 1),
        ({"hand": [*view["hand"], "a new card"]}, 1),
        ({"gold": [1, 2]}, 0),
        ({"leg": {"days": 3, "roll": 4, "later": 5}}, 1),
    ):
        numbers = form.encode({**view, **change})
        assert numbers[0] == lost
        assert form.decode(numbers)["city"] == view["city"]
    assert form.encode({**view, "round": 1000})[0] == 0
    assert form.decode(form.encode({**view, "supply": -1000}))["supply"] == -1000
    row = np.full(form.width, 7, np.float32)
    assert form.encode(view, out=row) is row
    assert (row == plain).all()


@pytest.mark.parametrize("game", GAMES)
def test_any_data_is_borne(game: str) -> None:
    """Whatever stands in a view, in place of what it should be, the numbers are within their bounds."""
    form, random = Form.of(game, history=2), Random(game)
    low, high = (np.array([getattr(column, name) for column in form.columns]) for name in ("low", "high"))
    odd = [
        None,
        True,
        -1,
        300,
        1 << 30,
        2.5,
        float("nan"),
        "x",
        [],
        [1],
        ["t2"],
        [[]],
        {},
        {"0": [1]},
        {"01": 1},
        (1, 2),
    ]
    known, counted = [*views(game, catalog.rules(game).editions()[0], 4)][:20], 0
    for number in range(200):
        view, events = deepcopy(random.choice(known))
        for data in (view, events[-1] if events else view):
            inside = random.choice([data, *(each for each in data.values() if isinstance(each, dict) and each)])
            key = random.choice([*inside])
            inside[key] = random.choice(odd)
            if number % 5 == 0:
                del inside[key]
        numbers = form.encode(view, events)
        assert ((low <= numbers) & (numbers <= high)).all()
        form.decode(numbers)
        counted += numbers[0] > 0
    assert counted > 100
    for nothing in ({}, [], None):
        assert form.encode(nothing)[0] > 0
        form.decode(form.encode(nothing))


def test_the_own_seat_comes_first() -> None:
    form = Form.of("kosmos", edition="standard")
    names = [column.name for column in form.columns]
    for view, _ in views("kosmos", "standard", 4):
        numbers, seat = form.encode(view), view["seat"]
        turned = [*view["gold"][seat:], *view["gold"][:seat]]
        for place, gold in zip(("own", "+1", "+2", "+3"), turned, strict=True):
            column = names.index(f"gold[{place}]")
            assert numbers[column] * form.columns[column].scale == gold
        if view["on_turn"] == seat:
            assert numbers[names.index("on_turn=own")] == 1


def test_a_policy_chooses_step_by_step() -> None:
    for game in GAMES:
        form, rules = Form.of(game), catalog.rules(game)
        state = rules.start(3, rules.edition(rules.editions()[0]), Seeded(bytes(16)))
        random, chosen = np.random.default_rng(1), 0
        while (seat := state.to_act) is not None and chosen < 200:
            choice, index = form.choice(state.actions()), None
            while index is None:
                numbers = form.observe(state.view(seat), choice)
                assert numbers.shape == (form.observation_width,)
                assert (numbers[: form.width] == form.encode(state.view(seat))).all()
                index = choice.take(int(random.choice(np.flatnonzero(choice.mask))))
            state.play(index)
            chosen += 1


def test_views_of_another_edition_are_borne() -> None:
    form = Form.of("kosmos", edition="standard")
    for view, _ in views("kosmos", "ru", 3):
        assert form.encode(view)[0] <= 8  # chits that lie face down are counted nowhere else
        read = form.decode(form.encode(view))
        assert [read[name] for name in ("city", "days", "display")] == [
            view[name] for name in ("city", "days", "display")
        ]


def test_a_later_version_of_the_rules_may_send_more() -> None:
    """As fast as before: what is new is counted, and all else has the same numbers."""
    form = Form.of("kosmos", edition="standard")
    for view, _ in views("kosmos", "standard", 5):
        later = {**view, "later": [1], "decks": {**view["decks"], "third": 3}}
        numbers = form.encode(later)
        assert form._fill(later, (), bytearray(form.width + 1)) == (5, view["seat"])
        assert numbers[0] == 2
        assert (numbers[1:] == form.encode(view)[1:]).all()


@pytest.mark.parametrize("name", ["leduc_poker", "tic_tac_toe", "goofspiel"])
def test_a_bridged_game_is_encoded_by_its_tensor(name: str) -> None:
    pytest.importorskip("pyspiel")
    game = f"openspiel:{name}"
    form, rules = Form.of(game), catalog.rules(game)
    for players in {*rules.players}:
        for view, _ in views(game, "standard", players):
            numbers = form.encode(view)
            assert numbers[0] == 0
            read = form.decode(numbers)
            assert (read["seat"], read["tensor"]) == (view["seat"], view["tensor"])
            assert set(read) <= {"seat", "tensor", "chosen"}


def test_a_game_without_numbers_says_so() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(FormError, match="its library gives no numbers"):
        Form.of("openspiel:hanabi")


@pytest.mark.parametrize("game", [*GAMES, "openspiel:leduc_poker"])
def test_worlds_that_a_seat_cannot_tell_apart_have_equal_features(game: str) -> None:
    """The other world has other hidden cards, and goes on by itself to the seat's next decision."""
    if ":" in game:
        pytest.importorskip("pyspiel")
    rules = catalog.rules(game)
    form, edition, random = Form.of(game, history=4), rules.edition(rules.editions()[0]), Random(game)
    compared = differing = 0
    for number in range(12):
        state, events = rules.start(3, edition, Seeded(derive(b"worlds in tests", number))), list[Any]()
        for _ in range(80):
            if (seat := state.to_act) is None:
                break
            chance = Seeded(derive(b"other worlds", number, compared))
            world = rules.determinize(state.view(seat), 3, edition, chance) if random.random() < 0.3 else None
            if world is not None:
                seen = [event.what for event in events if event.to in (None, seat)]
                first, other = (form.choice(each.actions()) for each in (state, world))
                assert (
                    form.observe(state.view(seat), first, seen).tobytes()
                    == form.observe(world.view(seat), other, seen).tobytes()
                )
                assert (first.mask == other.mask).all()
                compared += 1
                differing += any(world.view(each) != state.view(each) for each in range(3))
            events += state.play(random.randrange(len(state.actions())))
    assert compared > 10
    assert differing > compared / 3


def test_the_page_shows_how_wide_observations_are() -> None:
    page, rows = (ROOT / "docs" / "features.md").read_text("utf-8"), list[str]()
    for game in ("kosmos", "ravensburger"):
        for edition in [*catalog.rules(game).editions(), None]:
            whole, index = Form.of(game, edition), Form.of(game, edition, coding="index")
            steps = whole.actions.count
            rows.append(f"| `{game}` | {edition or 'all'} | {whole.width} | {index.width} | {steps} |")
    assert "\n".join(rows) in page


@pytest.mark.process
@pytest.mark.slow
def test_every_process_makes_the_same_form(tmp_path: Any) -> None:
    code = "import sys; from arena.features import Form; Form.of(sys.argv[1], history=1).save(sys.argv[2])"
    for game in ("kosmos", "ravensburger"):
        files = [tmp_path / f"{game}{number}.json" for number in range(2)]
        for file in files:
            subprocess.run([sys.executable, "-c", code, game, file], check=True, timeout=600)
        assert files[0].read_bytes() == files[1].read_bytes()
