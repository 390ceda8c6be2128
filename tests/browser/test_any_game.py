"""Pages of games that nobody drew: three of a library, with a board, teams and ten seats, and one from outside."""

from __future__ import annotations

import os
import shutil

import pytest
from playwright.sync_api import expect

from arena.ledger import Ledger
from tests.browser.conftest import ROOT, _site, once
from tests.shell import Shell

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.slow]
GAMES = {"openspiel:chess": 2, "openspiel:bridge": 4, "openspiel:kuhn_poker(players=10)": 10, "skull": 3}
"""By game: the number of players here."""
LOOKS = {"openspiel:chess": "wide", "openspiel:bridge": "tablet", "skull": "phone"}
"""In what size a game is looked at; the others on a phone, too."""


def install(folder):
    """Install Skull as `pip` would."""
    info = folder / "skull-1.0.dist-info"
    info.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "plugin" / "skull" / "skull.py", folder)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: skull\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[arena.rules]\nskull = skull:RULES\n", "utf-8")


@pytest.fixture
def made(base, monkeypatch):
    """Returns the site of a game between bots that choose at random."""

    def of(game):
        def play(folder):
            install(folder / "plugged")
            path = filter(None, [str(folder / "plugged"), os.environ.get("PYTHONPATH")])
            monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
            bots = [f"a_bot_with_a_name_of_forty_letters_v{at}=@random_bot" for at in range(10, 10 + GAMES[game])]
            amount = ["--players", GAMES[game], "--games", 1, "--seed", 1, "--jobs", 1, "--start", 60, "--bank", 60]
            shell = Shell(folder)
            shell.run("tournament", *bots, "--game", game, *amount, "--out", "t")
            shell.run("publish", "t", "--to", _site(folder).folder, "--jobs", 1)
            shell.close()

        return _site(once(base / "any" / game.partition("(")[0].replace(":", "-"), play))

    return of


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_any_game_is_accessible_and_fits(game, made, reader, shoot):
    site = made(game)
    with Ledger.open(site.ledger) as ledger:
        record = next(iter(ledger.games()))
    theme = "dark" if GAMES[game] % 4 else "light"
    reader = reader(site, theme, LOOKS.get(game, "phone"))
    name = game.partition("(")[0].replace(":", "-")
    for path in ("index.html", "games/rules.html"):
        reader.open(path)
        shoot(reader, f"{name}-{path.rpartition('/')[2].removesuffix('.html')}")
        reader.assert_fits()
        reader.assert_accessible()
    reader.replay(record.id)
    expect(reader.page.locator("#seats .seat")).to_have_count(record.players)
    reader.page.get_by_role("button", name="Next step").click()
    reader.assert_fits()
    reader.assert_accessible()
    shoot(reader, f"{name}-replay")
    reader.page.get_by_role("slider", name="Step").fill(str(reader.count()[1]))
    assert len(reader.standings()) == record.players
    reader.assert_accessible()
    shoot(reader, f"{name}-end")
    tags = reader.page.locator("#standings-table .tag", has_text="team").all_inner_texts()
    assert sorted(tags) == (["team 1", "team 1", "team 2", "team 2"] if "bridge" in game else [])


def test_a_board_in_text_is_drawn_and_what_changed_is_marked(made, reader):
    site = made("openspiel:chess")
    with Ledger.open(site.ledger) as ledger:
        record = next(iter(ledger.games()))
    reader = reader(site)
    reader.replay(record.id)
    board = reader.page.get_by_role("img", name="Board: ")
    expect(board.locator("text:not(.label)")).to_have_count(32)
    assert "white king e1" in board.get_attribute("aria-label")
    assert board.locator(".fresh").count() == 0
    reader.page.get_by_role("button", name="Next step").click()
    expect(board.locator(".fresh")).to_have_count(2)
    expect(reader.page.locator("figcaption").first).to_have_text("black to move")
    go = "GoState(komi=7.5, to_play=W)\n\n 3 +X+\n 2 +++\n 1 O++\n   ABC"
    draw = "(texts) => texts.map((text) => arenaViewer.boards.drawn(text, '')).map((made) => made && made.textContent)"
    drawn = reader.page.evaluate(draw, [go, "...\n.x.\no..", "...\n..\n...", "number: 4"])
    assert drawn == ["ABC321white to move, komi 7.5", "", None, None]


def test_a_long_name_is_cut_in_the_middle_and_whole_on_focus(made, reader):
    reader = reader(made("openspiel:chess"))
    reader.open("index.html")
    first = reader.page.locator(".podium a").first
    cut = first.inner_text()
    assert "…" in cut
    assert cut.endswith(("v10", "v11"))
    first.focus()
    shown = first.locator("bdi").evaluate("each => getComputedStyle(each, '::after').content")
    assert shown.strip('"').startswith("a_bot_with_a_name_of_forty_letters_v1")
