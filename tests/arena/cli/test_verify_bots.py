"""`arena verify` that asks bots again: who has a bot and the published games can check that it made these moves."""

from __future__ import annotations

import shutil

import pytest

from tests.arena.cli.conftest import ROOT, parsed
from tests.arena.cli.test_forged_tournaments import ONE, invented
from tests.arena.forging import rechain

pytestmark = [pytest.mark.process, pytest.mark.slow]
GREEDY = ROOT / "bots" / "greedy.py"


def test_bots_that_made_their_moves_make_them_again(cli, played):
    found = parsed(cli("verify", played, "--bots", "--json"))
    assert found["different"] == {}
    assert any(note.startswith("greedy was asked again: ") for note in found["notes"])


def test_bots_that_are_named_behind_the_option_are_asked_alone(cli, played):
    for words in ((played, "--bots", GREEDY, ROOT / "bots" / "random_bot.py"), ("--bots", GREEDY, played)):
        notes = parsed(cli("verify", *words, "--json"))["notes"]
        asked = [note.partition(" was asked again: ")[0] for note in notes if "was asked again" in note]
        assert asked == ["greedy", "random_bot"][: len(words) - 2]


def test_a_game_that_no_bot_played_is_found_by_asking(cli, played, tmp_path):
    shutil.copytree(played, tmp_path / "t")
    invented(tmp_path / "t")
    rechain(tmp_path / "t")
    cli("verify", "t")
    found = parsed(cli("verify", "t", "--bot", GREEDY, "--json", code=1))
    assert list(found["different"]) == [ONE]
    cli("export", "t", "--to", "export")
    file = f"export/games/{ONE}.json"
    cli("verify", file)
    for option in ("--bot", "--bots"):
        assert list(parsed(cli("verify", file, option, GREEDY, "--json", code=1))["different"]) == [ONE]
    cli("verify", "export/games/p2-b0000-r0.json", "--bot", ROOT / "bots" / "pairs.py", code=2)


def test_what_does_not_go_together_is_refused(cli, played):
    cli("verify", played, "--bots", "--bot", GREEDY, code=2)
    cli("verify", played, "--sample", 3, code=2)
    cli("verify", played, "--bot", ROOT / "bots" / "pairs.py", code=2)
