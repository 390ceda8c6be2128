"""The catalog: games by name, ours and those of installed plug-ins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from engine import catalog
from engine.catalog import UnknownRules
from engine.kosmos import RULES


class Plugins:
    """Entry points as if installed, in the worst order."""

    def __init__(self) -> None:
        self.points: list[SimpleNamespace] = []

    def add(self, name: str, game: object, value: str = "", version: str | None = "1.0") -> None:
        """`game`: what `load` gives, or the error that it raises."""

        def load() -> object:
            if isinstance(game, Exception):
                raise game
            return game

        dist = None if version is None else SimpleNamespace(version=version)
        self.points.append(SimpleNamespace(name=name, value=value or f"{name}:RULES", load=load, dist=dist))

    def ours(self) -> None:
        self.add("kosmos", RULES, "engine.kosmos:RULES")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugins]:
    installed = Plugins()

    def entry_points(*, group: str) -> list[SimpleNamespace]:
        assert group == "arena.rules"
        return sorted(installed.points, key=lambda point: point.name, reverse=True)

    monkeypatch.setattr(catalog, "entry_points", entry_points)
    catalog._catalog.cache_clear()
    yield installed
    catalog._catalog.cache_clear()


def test_kosmos_is_installed_by_its_entry_point() -> None:
    assert catalog.rules("kosmos") is catalog.installed()["kosmos"] is RULES


def test_a_plug_in_is_found_by_the_name_that_its_game_has(plugins: Plugins) -> None:
    other = SimpleNamespace(name="chess")
    plugins.ours()
    plugins.add("anything", other)
    assert catalog.rules("chess") is other
    assert set(catalog.installed()) == {"chess", "kosmos"}
    with pytest.raises(UnknownRules):
        catalog.rules("anything")


def test_no_plug_in_changes_which_game_is_the_default(plugins: Plugins) -> None:
    plugins.add("zebra", SimpleNamespace(name="zebra"))
    plugins.add("aardvark", SimpleNamespace(name="aardvark"))
    plugins.add("engineer", SimpleNamespace(name="abacus"), "engineered.abacus:RULES")
    plugins.ours()
    assert list(catalog.installed()) == ["kosmos", "aardvark", "abacus", "zebra"]
    assert catalog.rules() is RULES


def test_a_broken_plug_in_is_left_out_with_the_reason(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("broken", ImportError("no module named wheel"))
    plugins.add("odd", object())
    assert list(catalog.installed()) == ["kosmos"]
    assert catalog.left_out().keys() == {"broken", "odd"}
    assert catalog.left_out()["broken"] == "broken:RULES cannot be loaded: ImportError: no module named wheel"
    assert "AttributeError" in catalog.left_out()["odd"]
    with pytest.raises(UnknownRules, match=r"broken was left out: .*no module named wheel"):
        catalog.rules("broken")


def test_no_plug_in_takes_the_place_of_another_game(plugins: Plugins) -> None:
    first = SimpleNamespace(name="go")
    plugins.ours()
    plugins.add("a", SimpleNamespace(name="kosmos"))
    plugins.add("b", first)
    plugins.add("c", SimpleNamespace(name="go"))
    assert catalog.installed() == {"kosmos": RULES, "go": first}
    assert catalog.left_out() == {
        "a": "a:RULES: there is a game kosmos already",
        "c": "c:RULES: there is a game go already",
    }


def test_a_game_that_is_installed_twice_is_one_game(plugins: Plugins) -> None:
    plugins.ours()
    plugins.ours()
    assert catalog.installed() == {"kosmos": RULES}
    assert catalog.left_out() == {}


def test_a_game_has_the_version_of_the_plug_in_that_it_comes_from(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("go", SimpleNamespace(name="go"), version="2.1")
    plugins.add("chess", SimpleNamespace(name="chess"), version=None)
    assert [catalog.version(name) for name in ("go", "chess", "kosmos", "no such game")] == ["2.1", None, None, None]


def test_an_unknown_game_names_those_that_are_installed(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("go", SimpleNamespace(name="go"))
    with pytest.raises(UnknownRules) as caught:
        catalog.rules("chess")
    assert str(caught.value) == "there is no game 'chess': installed games: kosmos, go"
    assert isinstance(caught.value, KeyError)


def test_with_no_game_at_all_the_way_out_is_said(plugins: Plugins) -> None:
    with pytest.raises(UnknownRules, match=r"there is no game: installed games: none.* pip"):
        catalog.rules()


def test_our_entry_point_says_where_the_game_is() -> None:
    assert EntryPoint("kosmos", "engine.kosmos:RULES", "arena.rules").load() is RULES


@pytest.mark.process
def test_the_engine_needs_nothing_of_the_arena() -> None:
    """Imports run downwards: playing a game loads no module of the layers above."""
    code = (
        "import sys; from engine.catalog import rules; from engine.chance import Seeded; k = rules('kosmos');"
        "s = k.start(3, k.edition('ru'), Seeded(bytes(16))); s.play(0);"
        "print([m for m in sys.modules if m.split('.')[0] in ('arena', 'zmq', 'msgspec')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
