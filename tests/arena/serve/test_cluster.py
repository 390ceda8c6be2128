"""A league's rounds on a cluster; submissions are tried where the league runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.ledger import Ledger
from arena.serve import LeagueError
from arena.serve.intake.incoming import coming, submission_folder
from arena.serve.service import served
from tests.arena.cluster.conftest import start_cluster

__all__ = ["start_cluster"]

BOT = Path(__file__).parents[3] / "bots" / "random_bot.py"


@pytest.mark.slow
@pytest.mark.process
def test_rounds_are_played_by_the_workers_of_a_cluster(made, start_cluster) -> None:
    cluster = start_cluster()
    cluster.worker()
    league, said = made.league("[web]\nport = 0\n"), list[str]()
    made.store("ada")
    with coming(league.folder, "ada", "upload") as folder:
        (folder / "bot.py").write_bytes(BOT.read_bytes())
    with served(league.file, said.append, cluster=cluster.address) as (service, _):
        while not any("round 1 " in line and "begins" not in line for line in said):
            service.tick()
            service.wait()
    assert "round 1 is complete" in said
    with Ledger.open(league.folder / "seasons" / "season-1") as ledger:
        assert len(set(ledger.machines_of_games())) == len(ledger.results()) > 0
        assert {"ada", "greedy"} <= {bot for result in ledger.results() for bot in result.bots}
    with Ledger.open(submission_folder(league.folder, 1) / "trial") as ledger:
        assert ledger.results()
        assert not ledger.machines_of_games()


def test_bots_elsewhere_are_reached_from_one_machine_alone(made) -> None:
    made.league("cluster = 'tcp://127.0.0.1:1'\n")
    with pytest.raises(LeagueError, match="leave out the cluster"):
        made.league("cluster = 'tcp://127.0.0.1:1'\n[remote]\nallowed = true\n")
