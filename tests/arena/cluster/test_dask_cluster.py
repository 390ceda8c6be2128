"""A tournament on the workers of a Dask cluster: the table of a local run, whoever is lost meanwhile."""

from __future__ import annotations

import os
import platform
import shutil
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import msgspec
import pytest

import arena
from arena.cluster import slots
from arena.cluster.dask_cluster import DaskCluster
from arena.cluster.scheduler import Timeouts, run_on
from arena.common.progress import Silent
from arena.entrants.packaged import packaged
from arena.game.clock import TimeControl
from arena.ledger import GameSummary, Ledger
from arena.referee.config import RefereeConfig
from arena.tournament.observer import RunObserver, RunOutcome
from arena.tournament.plan import Plan
from arena.tournament.run import run
from arena.tournament.workers import RemoteWorker, WorkerLost, WorkforceError
from tests.arena.cluster.local_clusters import SECONDS, LocalCluster

pytestmark = [pytest.mark.process, pytest.mark.slow]

Start = Callable[..., LocalCluster]
TIME: dict[str, Any] = {"move": 5.0, "strikes": 100}
"""Nobody is late on a busy machine, so that the same games are the same to the last answer."""
PLAYER = packaged("@random_bot", "kosmos")[0]


class Told(Silent):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)


class After(RunObserver):
    """Does something once so many games have been played."""

    def __init__(self, games: int, action: Callable[[], object]) -> None:
        self._left, self._action = games, action

    def on_game(self, game: GameSummary) -> None:
        self._left -= 1
        if not self._left:
            self._action()


def plan(tmp_path: Path, out: str, games: int = 12) -> Plan:
    broken = tmp_path / "broken"
    broken.mkdir(exist_ok=True)
    (broken / "bot.toml").write_text('command = "{python} bot.py"\nbuild = "{python} missing.py"\n', "utf-8")
    (broken / "bot.py").write_text("", "utf-8")
    bots: list[Any] = ["@greedy", str(broken)]
    for name in ("time", "other"):  # two equal ones; the first is called like a field
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        shutil.copy(PLAYER, folder)
        (folder / "bot.toml").write_text(f'command = "{{python}} {PLAYER.name}"\n', "utf-8")
        bots.append(str(folder))
    return Plan(bots=bots, players="2", games=games, seed=5, jobs=2, out=str(tmp_path / out), **TIME)


def played(outcome: RunOutcome) -> list[tuple[Any, ...]]:
    """All of the games but their times."""
    with Ledger.open(outcome.folder) as ledger:
        assert not ledger.voids()
        return [(each.id, each.seed, each.bots, each.ranks, each.digest) for each in ledger.games()]


def test_the_same_games_as_a_local_run_though_workers_are_killed_hang_and_come_late_and_then_the_scheduler_is_killed(
    tmp_path: Path, start_cluster: Start
) -> None:
    local = run(plan(tmp_path, "local"), Told())
    first, told = start_cluster(), Told()
    killed, hung = first.worker(), first.worker()

    def hang() -> None:
        hung.suspend()  # ended with the cluster
        first.worker()  # comes late, and plays the rest

    waits = Timeouts(silent=2.0, worker=SECONDS)
    with DaskCluster(first.address, "kosmos", told, waits) as cluster:
        outcome = run(plan(tmp_path, "far"), told, cluster, observers=[After(3, killed.kill), After(5, hang)])
    assert played(outcome) == played(local)
    assert len([line for line in told.lines if "is lost" in line]) >= 2
    assert outcome.left_out.keys() == local.left_out.keys() == {"broken"}
    assert outcome.left_out["broken"].partition("\n")[0] == local.left_out["broken"].partition("\n")[0]

    with (
        pytest.raises(WorkforceError, match="type the same command again"),
        DaskCluster(first.address, "kosmos", told, waits) as cluster,
    ):
        run(plan(tmp_path, "cut"), told, cluster, observers=[After(3, first.scheduler.kill)])
    again = start_cluster()
    again.worker()
    with DaskCluster(again.address, "kosmos", told) as cluster:
        outcome = run(plan(tmp_path, "cut"), told, cluster)
    assert 0 < outcome.played < 12
    assert played(outcome) == played(local)


def test_a_worker_of_another_version_is_named_and_refused(tmp_path: Path, start_cluster: Start) -> None:
    other = tmp_path / "other"
    ours = Path(arena.__file__).parent
    shutil.copytree(ours, other / "arena", ignore=shutil.ignore_patterns("__pycache__", "assets", "templates"))
    (other / "arena" / "__init__.py").write_text('__version__ = "0.0.1"\n', "utf-8")
    cluster = start_cluster()
    cluster.worker(environment={"PYTHONPATH": str(other)})
    with pytest.raises(WorkforceError) as refused:
        DaskCluster(cluster.address, "kosmos", Told())
    assert "the worker tcp://127.0.0.1:" in str(refused.value)
    assert "0.0.1" in str(refused.value)
    assert arena.__version__ in str(refused.value)


def test_a_process_that_ends_is_replaced_and_one_that_comes_late_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_cluster: Start
) -> None:
    started = start_cluster()
    started.worker()
    timeouts = Timeouts(poll=0.05)
    arrived: SimpleQueue[RemoteWorker | Exception] = SimpleQueue()
    with DaskCluster(started.address, "kosmos", Told(), timeouts) as cluster:
        cluster.begin(RefereeConfig("kosmos", {}, TimeControl(), {}), None, arrived.put)
        slot = arrived.get(timeout=SECONDS)
        assert isinstance(slot, RemoteWorker)
        first = slot.submit(os.getpid).result(SECONDS)
        with pytest.raises(BrokenExecutor):
            slot.submit(os._exit, 1).result(SECONDS)
        slot.renew()
        assert slot.submit(os.getpid).result(SECONDS) != first

        # The worker is busy with another run's call for longer than a call may take.
        asked = tmp_path / "asked"

        async def told(*args: Any) -> Any:
            found = await run_on(*args)
            asked.touch()
            return found

        def busy(until: str) -> None:
            while not os.path.exists(until):  # noqa: PTH110 - it runs elsewhere
                time.sleep(0.01)

        async def keep_busy() -> Any:
            return cluster._client.submit(busy, str(asked), workers=[slot.worker], pure=False)

        kept = cluster.begun(keep_busy()).result(SECONDS)
        monkeypatch.setattr(slots, "run_on", told)
        cluster._calls._timeouts = Timeouts(poll=0.05, late=0.5)
        waiting = slot.submit(os.getpid)
        assert waiting.result(SECONDS) != first
        assert asked.exists()
        del kept
        with pytest.raises(WorkerLost):
            slot.submit(time.sleep, SECONDS).result(SECONDS)
        with pytest.raises(WorkerLost):
            slot.submit(os.getpid).result(SECONDS)
        assert isinstance(arrived.get(timeout=SECONDS), RemoteWorker)  # the core is free again


def test_a_machine_that_is_left_out_is_used_no_more(tmp_path: Path, start_cluster: Start) -> None:
    cluster, told = start_cluster(), Told()
    cluster.worker()
    asked = plan(tmp_path, "out", games=4)
    with DaskCluster(cluster.address, "kosmos", told) as workers:
        outcome = run(asked, told, workers)
    with Ledger.open(outcome.folder) as ledger:
        [name] = ledger.named_machines()
    assert name == platform.node()
    again = msgspec.structs.replace(asked, without_machines=[name])
    with (
        DaskCluster(cluster.address, "kosmos", told) as workers,
        pytest.raises(WorkforceError, match=f"no worker can play: .* is not used: its machine {name} is left out"),
    ):
        run(again, told, workers)


def test_a_bot_with_leave_for_the_network_gets_the_variables_of_the_machine_where_it_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_cluster: Start
) -> None:
    program = "import os\nfrom arena.client import run\n\ndef decide(game):\n    game.note(os.environ['WORD'])\n"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text(f"{program}    return 0\n\nrun(decide)\n", "utf-8")
    (tmp_path / "mine" / "bot.toml").write_text('command = "{python} bot.py"\nnetwork = true\n', "utf-8")
    monkeypatch.setenv("WORD", "here")
    started = start_cluster()
    started.worker(environment={"WORD": "there"})
    asked: dict[str, Any] = {"players": "2", "games": 2, "seed": 5, "jobs": 1, "out": str(tmp_path / "far"), **TIME}
    wanted = Plan(bots=["@greedy", str(tmp_path / "mine")], network=["mine=WORD"], **asked)
    with DaskCluster(started.address, "kosmos", Told()) as cluster:
        outcome = run(wanted, Told(), cluster)
    with Ledger.open(outcome.folder) as ledger:
        notes = {step.note for game in ledger.games() for step in game.steps if step.note}
        assert ledger.settings.network == ["mine=WORD"]
        assert any("mine uses the network and gets WORD" in each for each in ledger.settings.isolation)
    assert notes == {"there"}
