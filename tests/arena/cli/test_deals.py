"""Games of a block with the same deal: every bot begins each of them in a new process."""

from __future__ import annotations

import pytest

from arena.ledger import Ledger
from tests.arena.cli.conftest import UNCONFINED

COUNTER = """
from arena.client import run

games = []


def decide(decision):
    if decision.game_id not in games:
        games.append(decision.game_id)
    decision.note(f"{len(games)} {decision.seat}")
    return 0


run(decide, parallel=8)
"""


@pytest.mark.slow
@pytest.mark.process
def test_bots_carry_nothing_from_one_game_of_a_block_to_the_next(cli, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(COUNTER)
    asked = ["--players", 2, "--games", 4, "--start", 60, "--bank", 60, "--jobs", 1, "--seed", 1, "--out", "t"]
    cli("tournament", "a.py", "b.py", *asked, "--deals", "shared", *UNCONFINED)
    with Ledger.open(tmp_path / "t") as ledger:
        records = list(ledger.games())
        assert ledger.settings.dealing.is_shared
    assert len({record.seed for record in records}) == 2, "two blocks"
    notes = {step.note for record in records for step in record.steps if step.by == "bot"}
    assert notes == {"1 0", "1 1"}
    cli("verify", "t")
    refused = cli("tournament", "a.py", "b.py", *asked, *UNCONFINED, code=2)
    assert "its deals are shared, not own" in refused.output
