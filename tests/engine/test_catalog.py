"""The catalog: games by name, ours and those of installed plug-ins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from engine import catalog
from engine.catalog import UnknownGame, game, games
from engine.kosmos import GAME


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
        self.points.append(SimpleNamespace(name=name, value=value or f"{name}:GAME", load=load, dist=dist))

    def ours(self) -> None:
        self.add("kosmos", GAME, "engine.kosmos:GAME")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugins]:
    installed = Plugins()

    def entry_points(*, group: str) -> list[SimpleNamespace]:
        assert group == "arena.games"
        return sorted(installed.points, key=lambda point: point.name, reverse=True)

    monkeypatch.setattr(catalog, "entry_points", entry_points)
    catalog._catalog.cache_clear()
    yield installed
    catalog._catalog.cache_clear()


def test_kosmos_is_installed_by_its_entry_point() -> None:
    assert game("kosmos") is games()["kosmos"] is GAME


def test_a_plug_in_is_found_by_the_name_that_its_game_has(plugins: Plugins) -> None:
    other = SimpleNamespace(name="chess")
    plugins.ours()
    plugins.add("anything", other)
    assert game("chess") is other
    assert set(games()) == {"chess", "kosmos"}
    with pytest.raises(UnknownGame):
        game("anything")


def test_no_plug_in_changes_which_game_is_the_default(plugins: Plugins) -> None:
    plugins.add("zebra", SimpleNamespace(name="zebra"))
    plugins.add("aardvark", SimpleNamespace(name="aardvark"))
    plugins.add("engineer", SimpleNamespace(name="abacus"), "engineered.abacus:GAME")
    plugins.ours()
    assert list(games()) == ["kosmos", "aardvark", "abacus", "zebra"]
    assert game() is GAME


def test_a_broken_plug_in_is_left_out_with_the_reason(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("broken", ImportError("no module named wheel"))
    plugins.add("odd", object())
    assert list(games()) == ["kosmos"]
    assert catalog.left_out().keys() == {"broken", "odd"}
    assert catalog.left_out()["broken"] == "broken:GAME cannot be loaded: ImportError: no module named wheel"
    assert "AttributeError" in catalog.left_out()["odd"]
    with pytest.raises(UnknownGame, match=r"broken was left out: .*no module named wheel"):
        game("broken")


def test_no_plug_in_takes_the_place_of_another_game(plugins: Plugins) -> None:
    first = SimpleNamespace(name="go")
    plugins.ours()
    plugins.add("a", SimpleNamespace(name="kosmos"))
    plugins.add("b", first)
    plugins.add("c", SimpleNamespace(name="go"))
    assert games() == {"kosmos": GAME, "go": first}
    assert catalog.left_out() == {
        "a": "a:GAME: there is a game kosmos already",
        "c": "c:GAME: there is a game go already",
    }


def test_a_game_that_is_installed_twice_is_one_game(plugins: Plugins) -> None:
    plugins.ours()
    plugins.ours()
    assert games() == {"kosmos": GAME}
    assert catalog.left_out() == {}


def test_a_game_has_the_version_of_the_plug_in_that_it_comes_from(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("go", SimpleNamespace(name="go"), version="2.1")
    plugins.add("chess", SimpleNamespace(name="chess"), version=None)
    assert [catalog.version(name) for name in ("go", "chess", "kosmos", "no such game")] == ["2.1", None, None, None]


def test_an_unknown_game_names_those_that_are_installed(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("go", SimpleNamespace(name="go"))
    with pytest.raises(UnknownGame) as caught:
        game("chess")
    assert str(caught.value) == "there is no game 'chess': installed games: kosmos, go"
    assert isinstance(caught.value, KeyError)


def test_with_no_game_at_all_the_way_out_is_said(plugins: Plugins) -> None:
    with pytest.raises(UnknownGame, match=r"there is no game: installed games: none.* pip"):
        game()


def test_our_entry_point_says_where_the_game_is() -> None:
    assert EntryPoint("kosmos", "engine.kosmos:GAME", "arena.games").load() is GAME


@pytest.mark.process
def test_the_engine_needs_nothing_of_the_arena() -> None:
    """Imports run downwards: playing a game loads no module of the layers above."""
    code = (
        "import sys; from engine.catalog import game; from engine.chance import Seeded; k = game('kosmos');"
        "s = k.start(3, k.edition('ru'), Seeded(bytes(16))); s.play(0);"
        "print([m for m in sys.modules if m.split('.')[0] in ('arena', 'zmq', 'msgspec')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
