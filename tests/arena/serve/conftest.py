"""A league in a folder, and what comes in."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from arena.serve.league import League, read_league
from arena.serve.store import LeagueStore

TEXT = """
name = "test"
{top}
[rounds]
without_end = true
[plan]
game = "kosmos"
players = "{players}"
move = 1.0
bank = 20.0
{more}
"""


class LeagueMaker:
    """Makes a league with submitters, and opens its state."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stores = []

    def league(self, more: str = "", top: str = "", players: str = "2") -> League:
        (self.folder / "league.toml").write_text(TEXT.format(more=more, top=top, players=players))
        return read_league(self.folder / "league.toml")

    def store(self, *submitters: str) -> LeagueStore:
        """Open the state, as a league that begins does."""
        store = LeagueStore(self.folder, time.time)
        self.stores.append(store)
        for name in submitters:
            store.add_member(name)
        return store


@pytest.fixture
def made(tmp_path):
    folder = tmp_path / "league"
    folder.mkdir()
    maker = LeagueMaker(folder)
    yield maker
    for store in maker.stores:
        with store:
            pass
