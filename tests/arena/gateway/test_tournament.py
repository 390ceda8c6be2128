"""A tournament whose plan lets a bot play from elsewhere, and what its tables say of that."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import threading
from collections import Counter
from pathlib import Path

import pytest

from arena.gateway.keys import forwarder_folder
from arena.tournament.plan import PlanError, read_plan
from tests.arena.gateway.conftest import BOT
from tests.shell import Shell

pytestmark = pytest.mark.process


def plan(folder: Path, more: str = "") -> Path:
    forwarder = forwarder_folder(folder / "gateway", "ada")
    (folder / "rival.py").write_text(BOT.format(body="pass"))
    (folder / "plan.toml").write_text(
        f'bots = ["{forwarder}", "rival.py"]\nplayers = "2"\nrounds = 3\nstart = 60\nmove = 20.0\nseed = 1\njobs = 2\n'
        f'[remote]\ngateway = "gateway"\nbots = ["ada"]\nlatency_ms = 150\n{more}'
    )
    return folder / "plan.toml"


@contextlib.contextmanager
def trouble(league, way):
    """Cut all connections at random moments, and kill the gateway now and then."""
    done, chance, count = threading.Event(), random.Random(1), Counter[str]()

    def make() -> None:
        while not done.wait(chance.uniform(1.0, 3.0)):
            way.cut()
            count["cut"] += 1
            if count["cut"] % 3 == 0 and count["killed"] < 3:
                os.kill(league.pid(), signal.SIGKILL)
                while not league.process.check():
                    pass
                count["killed"] += 1

    maker = threading.Thread(target=make)
    maker.start()
    try:
        yield count
    finally:
        done.set()
        maker.join()


@pytest.mark.slow
def test_a_tournament_over_a_bad_connection_ends_as_any_other(league, join, proxy, tmp_path, monkeypatch):
    way = proxy(delay=0.05)
    author = join(address=way.address)
    author.wait_for("connected as ada")
    monkeypatch.chdir(tmp_path)
    with contextlib.closing(Shell(tmp_path)) as shell:
        with trouble(league, way) as made:
            shell.run("tournament", "--plan", plan(tmp_path), "--trust-plan", "--out", tmp_path / "out")
        assert made["cut"] >= 3
        assert made["killed"] >= 1
        rows = shell.json("leaderboard", tmp_path / "out", "--json")["overall"]
        assert {row["bot"]: sum(row["faults"].values()) for row in rows} == {"ada": 0, "rival": 0}
        text = shell.run("leaderboard", tmp_path / "out").stdout
        shell.run("verify", tmp_path / "out")
    assert "ada runs elsewhere, up to 150 ms of a decision are taken off its clock" in re.sub(r"\s+", " ", text)


def test_a_plan_says_what_is_allowed_of_bots_elsewhere(tmp_path):
    found = read_plan(plan(tmp_path), {}).remote
    assert found is not None
    assert (found.gateway, found.bots) == (str(tmp_path / "gateway"), ["ada"])
    with pytest.raises(PlanError, match=r"\[remote\]: .*latency_ms up to 1000"):
        read_plan(plan(tmp_path, "grace_seconds = 0\n"), {})
