"""Bots that come with the arena, by name."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena import client, shipped
from arena.entrants import EntrantError, expand
from arena.entrants.packaged import games_of, hint_bot, opponents
from engine import catalog
from engine.rules import Capabilities

BOTS = Path(__file__).parents[3] / "bots"


def names(*words: str, game: str | None = None) -> list[str]:
    return [entrant.name for entrant in expand(words, game).found]


def test_a_name_stands_for_the_very_file_of_a_clone() -> None:
    [by_name] = expand(["@greedy"]).found
    [by_path] = expand([BOTS / "greedy.py"]).found
    assert by_name == by_path


def test_it_is_told_apart_from_the_same_bot_by_its_path() -> None:
    assert names(str(BOTS / "greedy.py"), "@greedy") == ["greedy", "greedy-2"]


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    known = ", ".join(f"@{path.stem}" for path in sorted([*BOTS.glob("*.py"), BOTS / "learned"]))
    with pytest.raises(EntrantError, match=f"@gredy .*@all, {known} "):
        expand(["@gredy"])


def test_a_file_whose_name_begins_so_is_reached_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("@greedy.py").touch()
    assert names("./@greedy.py") == ["-greedy"]


@pytest.mark.parametrize("game", catalog.installed())
def test_all_are_those_that_play_the_game(game: str) -> None:
    playing = names("@all", game=game)
    assert {"explorer", "random_bot"} <= set(playing) < set(shipped.bots())
    assert names("@all") == list(shipped.bots())


def test_no_bot_that_searches_worlds_sits_down_where_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SimpleNamespace(capabilities=Capabilities(worlds=True))
    monkeypatch.setattr(catalog, "rules", lambda _: rules)
    assert (hint_bot("poker"), opponents("poker", 2)) == ("@explorer", ["@random_bot", "@explorer"])
    rules.capabilities = Capabilities()
    assert (hint_bot("poker"), opponents("poker", 2)) == (None, ["@random_bot", "@random_bot"])
    assert hint_bot("kosmos") == "@planner"


@pytest.mark.parametrize("name", shipped.bots())
def test_which_games_a_bot_plays_is_what_it_says_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, Any] = {}
    monkeypatch.setattr(client, "run", lambda _, **options: said.update(options, asked=True))
    path = shipped.bots()[name]
    monkeypatch.syspath_prepend(path)
    runpy.run_path(str(path / "bot.py" if path.is_dir() else path), run_name="__main__")
    assert said["asked"]
    written = games_of(path)
    assert written == said.get("games") or (written is None and name == "explorer"), "its games are those with worlds"
