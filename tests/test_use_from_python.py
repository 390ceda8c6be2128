"""docs/use-from-python.md: its programs run, and they use what `arena.api` offers and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import api
from arena.tournament.plan import PlanError

ROOT = Path(__file__).parents[1]
PROGRAMS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "use-from-python.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.slow
@pytest.mark.process
def test_the_programs_of_the_page_run_one_after_another(tmp_path: Path) -> None:
    printed = []
    for program in PROGRAMS:
        assert len(program.splitlines()) <= 10
        (tmp_path / "program.py").write_text(program)
        done = subprocess.run(
            [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        printed.append(done.stdout)
    played, table, replayed, refused = printed
    assert "overall" in played
    assert {line.split()[0] for line in table.splitlines()} == {"greedy", "pairs", "random_bot"}
    assert "arrive" in replayed
    assert "nowhere" in refused
    tournament = api.Tournament(tmp_path / "tournaments" / "tried")
    games = list(tournament.games())
    assert len(games) == 6
    assert "overall" not in tournament.leaderboard(players=2)
    whole = tournament.replay(games[0]["id"])
    assert whole["ranks"] == games[0]["ranks"]
    assert len(whole["steps"]) > 10
    with pytest.raises(api.ArenaError, match=r"has games of 2$"):
        tournament.leaderboard(players=5)
    with pytest.raises(api.ArenaError, match="seats 0 to 1"):
        tournament.replay(games[0]["id"], seat=2)


def test_its_programs_import_nothing_but_the_public_interface() -> None:
    imported = re.findall(r"^(?:from|import) .*$", "".join(PROGRAMS), re.MULTILINE)
    assert all(line.startswith("from arena.api import ") for line in imported)
    used = {name for line in imported for name in line.partition(" import ")[2].split(", ")}
    assert used == set(api.__all__)
    assert all(vars(api)[name].__doc__ for name in used)


def test_a_cluster_is_refused_before_anything_is_begun() -> None:
    with pytest.raises(PlanError, match="cluster: only the command"):
        api.play(api.Plan(bots=["@greedy"], cluster="tls://somewhere:1"))
