"""One bot enters a tournament with several settings, and that is recorded, resumed and verified."""

from __future__ import annotations

import pytest

from arena.ledger import Ledger

BOT = """\
import os
import sys

from arena.client import run

DEPTH = int(sys.argv[1]) + int(os.environ["EXTRA"])
print("depth", DEPTH, file=sys.stderr)


def decide(game):
    if DEPTH > 9:
        os._exit(3)
    return game.random.randrange(len(game.actions))


run(decide)
"""
PLAN = """\
bots = [
    { name = "deep", path = "mine.py", args = ["5"], env = { EXTRA = "5" } },
    { name = "flat", path = "mine.py", args = ["1"], env = { EXTRA = "0" } },
    "@random_bot",
]
players = "2"
games = 6
seed = 1
out = "t"
"""


@pytest.mark.process
@pytest.mark.slow
def test_one_bot_enters_a_tournament_with_several_settings(cli, tmp_path):
    (tmp_path / "mine.py").write_text(BOT)
    (tmp_path / "plan.toml").write_text(PLAN)
    cli("tournament", "--plan", "plan.toml", code=None)
    with Ledger.open(tmp_path / "t") as ledger:
        assert [event.bot for event in ledger.field_events()] == ["deep", "flat", "random_bot"]
        retired = {result.bots[seat] for result in ledger.results() for seat in result.retired}
        assert retired == {"deep"}, "its options reached it, and the other's did not"
    assert "all as recorded" in cli("verify", "t").stdout
    again = cli("tournament", "--plan", "plan.toml", code=None)
    assert "nothing is left to play" in again.output
