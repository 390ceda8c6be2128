"""A league that lets bots play from elsewhere: who joins with a key is in it, and is judged as any submission."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from arena.gateway.keys import allow, new_key, own_key, write_key
from arena.ledger import Ledger
from arena.serve.service import Service, served
from arena.serve.store import LeagueStore
from tests.arena.gateway.conftest import SECONDS, Author

pytestmark = [pytest.mark.slow, pytest.mark.process]

TEXT = """
name = "hobby"
references = ["@greedy"]
[plan]
game = "kosmos"
players = "2"
move = 5.0
bank = 20.0
jobs = 2
[submissions]
trial_games = 2
[rounds]
without_end = true
[web]
port = 0
[remote]
allowed = true
port = 0
grace_seconds = 5
{more}
"""


class Hobby:
    """A league whose service runs, with a key for ada."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.service: Service

    def until(self, done, service: Service) -> None:
        """Let the service run until something is so."""
        for _ in range(int(SECONDS * 20)):
            service.tick()
            if done():
                return
            service.wait(0.1)
        raise AssertionError(self.said)

    def has_said(self, words: str):
        return lambda: any(words in each for each in self.said)


def let_in(folder: Path, name: str) -> Path:
    key = new_key(name, own_key(folder / "gateway").public)
    file = folder / f"{name}-{key.public[:4].encode().hex()}.key"
    write_key(file, key)
    allow(folder / "gateway", name, key.public)
    return file


@pytest.fixture
def hobby(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "league"
    folder.mkdir()
    (folder / "league.toml").write_text(TEXT.format(more=""))
    with LeagueStore(folder, lambda: 0.0) as store:
        store.add_member("ada")
    return Hobby(folder)


@contextlib.contextmanager
def running(hobby: Hobby):
    with served(hobby.folder / "league.toml", hobby.said.append) as (service, _):
        address = hobby.folder / "gateway" / "address"
        hobby.until(address.exists, service)
        yield service, address.read_text()


def test_who_joins_with_a_key_is_tried_and_plays_in_the_rounds(hobby, tmp_path):
    key = let_in(hobby.folder, "ada")
    with running(hobby) as (service, address):
        author = Author(address, key, tmp_path)
        try:
            hobby.until(hobby.has_said("round 1 is complete"), service)
            assert [each for each in hobby.said if each.startswith("ada:")][-1].startswith("ada: submission 1 joined")
            [ada] = [each for each in service.pages.facts.public.bots if not each.is_reference]
            assert (ada.name, ada.is_remote) == ("ada", True)
        finally:
            author.end()
    with Ledger.open(hobby.folder / "seasons" / "season-1") as ledger:
        assert {bot for game in ledger.results() for bot in game.bots} == {"ada", "greedy"}
        assert not [fault for game in ledger.results() for fault in game.faults]
