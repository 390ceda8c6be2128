"""`arena games` and `--game` with plug-ins that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points

import pytest

from engine import catalog


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A plug-in whose module does not exist, before ours in the alphabet."""
    point = EntryPoint("a-game", "no_such_module_anywhere:GAME", catalog.GROUP)
    monkeypatch.setattr(catalog, "entry_points", lambda group: [point, *entry_points(group=group)])
    catalog._catalog.cache_clear()
    yield
    catalog._catalog.cache_clear()


def test_the_list_says_which_plug_ins_were_left_out_and_why(cli, broken):
    done = cli("games")
    assert "left out: a-game: no_such_module_anywhere:GAME cannot be loaded: ModuleNotFoundError" in done.stderr
    assert "a-game" not in done.stdout
    assert "kosmos" in done.stdout


def test_who_asks_for_it_is_told_why(cli, broken):
    assert "a-game was left out: no_such_module_anywhere:GAME" in cli("games", "a-game", code=2).stderr


def test_the_games_that_work_are_played(cli, broken):
    assert cli("games", "--edition", "nim").stdout.startswith("kosmos:")
