"""The bot that has learned: it answers everything in any edition, judges by its network, and is what made it made."""

from __future__ import annotations

import json
import runpy
from types import SimpleNamespace
from typing import Any

import pytest

from arena.entrants import expand
from arena.environments.opponents import player
from engine import catalog
from engine.chance import Seeded, derive
from tests.bots.conftest import BOTS

FOLDER = BOTS / "learned"


@pytest.fixture(name="learned", scope="module")
def the_bot_with_few_walks():
    """Made as an environment does, in this process."""
    made: Any = player("@learned")
    return type("Learned", (made,), {"walks": 4})


@pytest.mark.parametrize(
    ("edition", "players"),
    [("standard", 2), ("ru", 3), *(pytest.param("standard", more, marks=pytest.mark.slow) for more in (3, 4, 5, 6))],
)
def test_every_question_gets_an_answer(play_game, learned, edition, players):
    seats = ["learned", *["planner", "saboteur", "random_bot", "greedy", "planner"][: players - 1]]
    assert len(play_game(seats, players, edition, learned=learned).ranks) == players


@pytest.mark.parametrize("players", [2, 3, 6])
def test_its_network_judges_where_it_knew_more(learned, players):
    rules = catalog.rules("kosmos")
    edition = rules.edition("standard")
    state = rules.start(players, edition, Seeded(derive(b"tests of learned", players)))
    bot = learned()
    bot.random = None
    bot.start(SimpleNamespace(seat=0, players=players, edition=edition, game="kosmos", clock=None))
    by_network = bot.sense.verdict != bot.sense.base.verdict
    assert by_network == (players in json.loads((FOLDER / "about.json").read_text())["players"])
    assert 0 < bot.sense.verdict(state, 0) < 1


def test_its_folder_is_small_and_has_no_copies():
    for name in ("explorer.py", "planner.py"):
        assert (FOLDER / name).resolve() == (BOTS / name).resolve()
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 150_000
    [found] = expand(["@learned"]).found
    assert (found.name, found.kind, found.path) == ("learned", "folder", FOLDER)


def test_it_says_that_it_looks_at_a_clock(monkeypatch):
    said = {}
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr("arena.client.run", lambda player, **hello: said.update(hello))
    runpy.run_path(str(FOLDER / "bot.py"), run_name="__main__")
    assert said == {"name": "learned", "deterministic": False, "games": ["kosmos"]}
