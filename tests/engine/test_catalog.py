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


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """Entry points as if installed: what is put in here, by name, is what `load` gives."""
    installed: dict[str, object] = {}

    class Point(SimpleNamespace):
        def load(self) -> object:
            return installed[self.name]

    def entry_points(*, group: str) -> list[Point]:
        assert group == "arena.games"
        return [Point(name=name) for name in sorted(installed, reverse=True)]

    monkeypatch.setattr(catalog, "entry_points", entry_points)
    games.cache_clear()
    yield installed
    games.cache_clear()


def test_kosmos_is_installed_by_its_entry_point() -> None:
    assert game("kosmos") is games()["kosmos"] is GAME


def test_a_plug_in_is_found_by_the_name_that_its_game_has(plugins: dict[str, object]) -> None:
    other = SimpleNamespace(name="chess")
    plugins["kosmos"] = GAME
    plugins["anything"] = other
    assert game("chess") is other
    assert list(games()) == ["chess", "kosmos"]
    with pytest.raises(UnknownGame):
        game("anything")


def test_an_unknown_game_names_those_that_are_installed(plugins: dict[str, object]) -> None:
    plugins["kosmos"] = GAME
    plugins["go"] = SimpleNamespace(name="go")
    with pytest.raises(UnknownGame) as caught:
        game("chess")
    assert str(caught.value) == "there is no game 'chess': installed are go, kosmos"
    assert isinstance(caught.value, KeyError)


def test_our_entry_point_says_where_the_game_is() -> None:
    assert EntryPoint("kosmos", "engine.kosmos:GAME", "arena.games").load() is GAME


def test_the_engine_needs_nothing_of_the_arena() -> None:
    """Imports run downwards: playing a game loads no module of the rooms above."""
    code = (
        "import sys; from engine.catalog import game; from engine.chance import Seeded; k = game('kosmos');"
        "s = k.start(3, k.edition('ru'), Seeded(bytes(16))); s.play(0);"
        "print([m for m in sys.modules if m.split('.')[0] in ('arena', 'zmq', 'msgspec')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
