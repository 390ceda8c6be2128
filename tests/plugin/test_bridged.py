"""Every command that plays or shows, with games that a library brings: an open one, and two of hidden cards."""

from __future__ import annotations

import re

import pytest

from tests.shell import Shell

pytest.importorskip("pyspiel")
pytest.importorskip("engine.bridges")
pytestmark = [pytest.mark.slow, pytest.mark.process]

FIRST = """
from arena.client import run

run(lambda game: 0)
"""
GAMES = {"connect_four": 2, "leduc_poker": 2, "hearts": 4}
"""With how many players."""
GAME = "b0000-r0"


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Shell, str, int]:
    """A shell whose folder has a tournament of the game in `t`, the game, and how many play it."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "first.py").write_text(FIRST, "utf-8")
    shell, players = Shell(folder), GAMES[request.param]
    rules = f"openspiel:{request.param}"
    bots = ["first.py", *(f"{name}=@random_bot" for name in ("one", "two", "three")[: players - 1])]
    shell.run("tournament", *bots, "--game", rules, "--games", players, "--seed", 1, "--out", "t")
    return shell, rules, players


def test_it_is_verified_shown_and_published(played):
    shell, rules, players = played
    game = f"p{players}-{GAME}"
    assert "as recorded" in shell.run("verify", "t").stdout
    assert rules in shell.run("games", rules).stdout
    for line in ("show t", f"replay t {game}", f"replay t {game} --seat 1", "leaderboard t", "report t"):
        assert shell.run(*line.split()).stdout
    shell.run("export", "t", "--to", "exported")
    shell.run("publish", "t", "--to", "site")
    seat = (shell.folder / "site" / "games" / game / "seat-0.js").read_text("utf-8")
    public = (shell.folder / "site" / "games" / game / "public.js").read_text("utf-8")
    assert '"seen":' in public
    assert ('"view":' in seat) == (rules != "openspiel:connect_four"), "a seat is shown only what not all see"


def test_one_game_is_told(played):
    shell, rules, players = played
    said = shell.run("match", *["first.py"] * players, "--game", rules, "--seed", 1).stdout
    assert "first" in said


def test_a_person_plays_by_what_the_game_draws(played):
    shell, rules, players = played
    others = ["@random_bot"] * (players - 1)
    options = ("--text", "--hints", "none", "--ledger", "p", "--seed", 1)  # of leduc some games end with one decision
    done = shell.run("play", *others, "--game", rules, *options, input_text="1\n" * 200)
    assert "This is what you know" in done.stdout
    assert "recorded as" in done.stdout
    assert "hand: empty" not in done.stdout
    assert re.search(r"^\* ", done.stdout, re.MULTILINE), "what is new is marked"
