"""`arena games` and `--game` with plug-ins that cannot be used. What is said of them: `wording/games.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points

import pytest

from engine import catalog
from tests.arena.cli.conftest import parsed


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A plug-in whose module does not exist, before ours in the alphabet."""
    point = EntryPoint("a-game", "no_such_module_anywhere:RULES", catalog.GROUP)
    added = {catalog.GROUP: [point]}
    monkeypatch.setattr(catalog, "entry_points", lambda group: [*added.get(group, []), *entry_points(group=group)])
    catalog._catalog.cache_clear()
    yield
    catalog._catalog.cache_clear()


def test_the_games_that_work_are_listed_and_played(cli, broken):
    assert "a-game" not in parsed(cli("games", "--json"))
    assert parsed(cli("games", "--edition", "nim", "--json"))["game"] == "kosmos"
