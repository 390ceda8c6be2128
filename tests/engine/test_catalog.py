"""The catalog: games by name, ours and those of installed plug-ins."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import catalog
from engine.catalog import Offer, UnknownRules
from engine.kosmos import RULES

ROOT = Path(__file__).parents[2]


class Plugins:
    """Entry points as if installed, in the worst order."""

    def __init__(self) -> None:
        self.points: dict[str, list[SimpleNamespace]] = {catalog.GROUP: [], catalog.PROVIDERS: []}
        self.imported: list[str] = []

    def add(
        self, name: str, game: object, value: str = "", version: str | None = "1.0", group: str = catalog.GROUP
    ) -> None:
        """`game`: what `load` gives, or the error that it raises."""

        def load() -> object:
            self.imported.append(name)
            if isinstance(game, Exception):
                raise game
            return game

        dist = None if version is None else SimpleNamespace(version=version)
        point = SimpleNamespace(name=name, value=value or f"{name}:RULES", load=load, dist=dist)
        self.points[group].append(point)

    def ours(self) -> None:
        self.add("kosmos", RULES, "engine.kosmos:RULES")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugins]:
    installed = Plugins()

    def entry_points(*, group: str) -> list[SimpleNamespace]:
        return sorted(installed.points[group], key=lambda point: point.name, reverse=True)

    monkeypatch.setattr(catalog, "entry_points", entry_points)
    catalog._catalog.cache_clear()
    yield installed
    catalog._catalog.cache_clear()


def test_kosmos_is_installed_by_its_entry_point() -> None:
    assert catalog.rules("kosmos") is catalog.installed()["kosmos"] is RULES


def test_only_what_is_asked_for_is_imported(plugins: Plugins) -> None:
    other = SimpleNamespace(name="chess")
    plugins.ours()
    plugins.add("chess", other)
    plugins.add("go", SimpleNamespace(name="go"))
    plugins.add("shelf", Shelf(), group=catalog.PROVIDERS)
    assert (catalog.names(), catalog.providers(), plugins.imported) == (["kosmos", "chess", "go"], ["shelf"], [])
    assert catalog.rules("chess") is other
    assert plugins.imported == ["chess"]
    assert catalog.rules("shelf:nim").name == "shelf:nim"
    assert plugins.imported == ["chess", "shelf"]
    assert catalog.installed({"go"}) == {"go": catalog.rules("go")}
    assert catalog.installed().keys() == {"kosmos", "chess", "go"}


def test_a_plug_in_has_the_name_of_its_entry_point(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("anything", SimpleNamespace(name="chess"))
    plugins.add("shelf:own", SimpleNamespace(name="shelf:own"))
    assert catalog.installed().keys() == {"kosmos"}
    assert catalog.left_out() == {
        "anything": "anything:RULES has the name 'chess', and its entry point must have the same",
        "shelf:own": "shelf:own:RULES: a name with a colon is one of a provider",
    }
    with pytest.raises(
        UnknownRules, match=r"there is no game 'anything': installed games: kosmos; .*; anything was left"
    ):
        catalog.rules("anything")


def test_no_plug_in_changes_which_game_is_the_default(plugins: Plugins) -> None:
    plugins.add("zebra", SimpleNamespace(name="zebra"))
    plugins.add("aardvark", SimpleNamespace(name="aardvark"))
    plugins.add("abacus", SimpleNamespace(name="abacus"), "engineered.abacus:RULES")
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
    plugins.add("kosmos", SimpleNamespace(name="kosmos"), "elsewhere:RULES")
    plugins.ours()
    assert catalog.installed() == {"kosmos": RULES}
    assert catalog.left_out() == {"elsewhere:RULES": "there is a kosmos already, engine.kosmos:RULES"}


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


class Shelf:
    """A provider with one game."""

    version = "3.1"

    def rules(self, name: str) -> SimpleNamespace:
        if name.strip() != "shelf:nim":
            raise UnknownRules(f"{name}: not on the shelf", name, ["shelf:nim"])
        return SimpleNamespace(name="shelf:nim")

    def offers(self) -> list[Offer]:
        return [Offer("shelf:nim"), Offer("shelf:solitaire", "it is for one player")]


def test_a_provider_is_asked_for_names_with_its_prefix(plugins: Plugins) -> None:
    plugins.ours()
    plugins.add("shelf", Shelf(), group=catalog.PROVIDERS)
    plugins.add("broken", ImportError("no wheel"), group=catalog.PROVIDERS)
    assert catalog.rules("shelf:nim") is catalog.rules(" shelf:nim".strip())
    assert (catalog.version("shelf:nim"), catalog.version("nowhere:nim")) == ("3.1", None)
    with pytest.raises(UnknownRules, match="shelf:chess: not on the shelf") as caught:
        catalog.rules("shelf:chess")
    assert (caught.value.wanted, caught.value.known) == ("shelf:chess", ["shelf:nim"])
    with pytest.raises(UnknownRules, match=r"installed games: kosmos, shelf:NAME; broken was left out: .*no wheel"):
        catalog.rules("broken:nim")
    assert catalog.provider("broken") is None


def test_an_error_about_unknown_rules_can_be_sent_to_another_process() -> None:
    sent = pickle.loads(pickle.dumps(UnknownRules("no such game", "chess", ["go"])))
    assert (str(sent), sent.wanted, sent.known) == ("no such game", "chess", ["go"])


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


LOADED = """
import json, sys
from arena.cli import main
try:
    main()
except SystemExit:
    print(json.dumps([name for name in sys.modules if name.split(".")[0] in ("engine", "loud", "pyspiel")]))
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "games"),
    [("--help", set()), ("tournament @greedy @random_bot --game kosmos --rounds 1 --players 2 --quiet", {"kosmos"})],
)
def test_a_command_imports_no_other_games(words: str, games: set[str], tmp_path: Path) -> None:
    """A plug-in of somebody else is installed, and neither it nor a library with games is imported."""
    about = tmp_path / "loud-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[arena.rules]\nloud = loud:RULES\n")
    (tmp_path / "loud.py").write_text("raise ImportError('imported')")
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "ARENA_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert {name.split(".")[1] for name in loaded if name.startswith(("engine.kosmos", "engine.ravensburger"))} == games
    assert not {"loud", "pyspiel", "engine.bridges"} & {*loaded}, done.stderr
