"""`arena analyse`: what would have been better in a recorded game."""

from __future__ import annotations

import shutil

import pytest

from arena.analysis.run import CACHE
from arena.ledger import Ledger
from tests.arena.cli.conftest import UNCONFINED, parsed

pytestmark = [pytest.mark.slow, pytest.mark.process]

GAME = "p2-b0000-r0"
FEW = ("--playouts", 8, "--jobs", 1)


@pytest.fixture
def folder(played, tmp_path):
    shutil.copytree(played, tmp_path / "t")
    return tmp_path / "t"


def test_a_game_is_analysed_once_and_the_same_again(cli, folder):
    found = parsed(cli("analyse", folder, GAME, *FEW, "--json"))
    with Ledger.open(folder) as ledger:
        record = ledger.game(GAME)
    by_bots = [step for step in record.steps if step.kind == "play" and step.by == "bot"]
    assert [each["played"] for each in found["decisions"]] == [step.index for step in by_bots]
    assert len(found["marks"]) == len(by_bots)
    assert set(found["records"]) == set(record.bots)
    again = cli("analyse", folder, GAME, *FEW, "--json")
    assert "known from before" in again.stderr
    assert parsed(again) == found
    (folder / CACHE).unlink()
    assert parsed(cli("analyse", folder, GAME, "--playouts", 8, "--jobs", 2, "--json")) == found


def test_a_bot_is_asked_what_it_would_play(cli, folder):
    asked = (GAME, "--seat", 2, "--with", "@greedy", *FEW, *UNCONFINED, "--json")
    found = parsed(cli("analyse", folder, *asked))
    assert found["seats"] == [1]
    assert found["decisions"]
    for each in found["decisions"]:
        assert [choice["by"] for choice in each["choices"] if choice["by"]] == [["greedy"]], "one choice is the bot's"


def test_a_game_in_a_file_is_analysed_and_nothing_is_kept(cli, folder, tmp_path):
    cli("export", folder, "--to", tmp_path / "export")
    found = parsed(cli("analyse", tmp_path / "export", GAME, "--seat", 1, *FEW, "--json"))
    assert found["decisions"]
    assert not list(tmp_path.rglob(CACHE))
