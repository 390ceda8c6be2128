"""A worker process ends when it is told to, and when nobody is left to tell it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import BrokenExecutor, CancelledError
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import psutil
import pytest

from arena.game.clock import TimeControl
from arena.game.game import OnStep, void_record
from arena.game.replay import replay
from arena.game.spec import GameSpec
from arena.ledger import GameRecord
from arena.referee.config import RefereeConfig
from arena.referee.zmtp_transport import ZmtpTransport
from arena.replays.cache import pack_page_data
from arena.tournament import workers
from arena.tournament.workers import LocalWorker, PlayedGame, play_games
from engine import catalog
from tests.arena.replays.test_page_data import recorded

pytestmark = pytest.mark.process

SECONDS = 30.0
"""More than enough; what is waited for ends the wait."""


def gone(pid: int) -> bool:
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return True
        process.wait(SECONDS)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return False
    return True


def test_a_killed_worker_ends_in_the_middle_of_its_work() -> None:
    worker = LocalWorker()
    pid = worker.submit(os.getpid).result(SECONDS)
    working = worker.submit(time.sleep, 10 * SECONDS)
    worker.kill()
    with pytest.raises((BrokenExecutor, CancelledError)):  # the latter if it had not begun
        working.result(SECONDS)
    assert gone(pid)


def test_a_line_is_closed_once_when_a_worker_is_killed_and_found_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = LocalWorker()
    pid = worker.submit(os.getpid).result(SECONDS)
    [line] = worker._lines
    closed: list[object] = []
    close = Connection.close
    monkeypatch.setattr(Connection, "close", lambda self: (closed.append(self), close(self)))
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        worker.submit(os.getpid).result(SECONDS)
    worker.kill()
    assert closed.count(line) == 1  # a descriptor closed again may be somebody else's by then


def listen_for_ever() -> None:
    transport = ZmtpTransport()
    transport.listen("ipc")
    time.sleep(10 * SECONDS)
    transport.close()


@pytest.mark.slow
def test_a_worker_that_is_killed_while_its_referee_is_made_leaves_no_folder() -> None:
    worker = LocalWorker()
    pid = worker.submit(os.getpid).result(SECONDS)
    worker.submit(listen_for_ever)
    limit = time.monotonic() + SECONDS
    while not (left := list(Path(tempfile.gettempdir()).glob(f"arena-*-{pid}-*/1"))):
        assert time.monotonic() < limit
        time.sleep(0.005)
    worker.kill()
    assert gone(pid)
    assert not left[0].parent.exists()


def test_a_lost_worker_fails_its_future() -> None:
    worker = LocalWorker()
    with pytest.raises(BrokenExecutor):
        worker.submit(os._exit, 1).result(SECONDS)
    worker.shutdown()


def test_a_worker_needs_no_semaphore_which_somebody_would_have_to_clear_away(monkeypatch: pytest.MonkeyPatch) -> None:
    no_place = OSError(errno.ENOSYS, "there is no /dev/shm")
    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", Mock(side_effect=no_place))
    worker = LocalWorker()
    assert worker.submit(os.getpid).result(SECONDS) != os.getpid()
    worker.shutdown()


INTERRUPTED = """
import multiprocessing, os, signal
from arena.tournament.workers import LocalWorker

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started this may have it ignored
    worker = LocalWorker()
    [process] = multiprocessing.active_children()
    os.kill(process.pid, signal.SIGINT)  # while it starts
    pid = worker.submit(os.getpid).result(30)
    os.kill(pid, signal.SIGINT)
    print(worker.submit(os.getpid).result(30) == pid)
    worker.shutdown()
"""


@pytest.mark.slow
def test_an_interrupt_from_the_keyboard_does_not_end_a_worker(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "True\n", done.stderr


PARENT = """
import os, sys, time
from arena.tournament.workers import LocalWorker

if __name__ == "__main__":
    workers = [LocalWorker() for _ in range(2)]
    pids = [worker.submit(os.getpid).result(30) for worker in workers]
    workers[0].submit(time.sleep, 300)
    print(*pids, flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_no_worker_outlives_a_killed_run(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert all(psutil.pid_exists(pid) for pid in pids)
        parent.kill()
        assert all(gone(pid) for pid in pids)


def test_a_game_is_rendered_once_it_was_played_and_counts_even_if_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = catalog.rules()
    edition = rules.edition("standard")
    game = recorded(rules, edition, 2, moves=30)
    spec = GameSpec(game.id, 0, 2, 0, 0, game.seed, game.bots)
    lost = void_record(spec, "our own fault")

    def play(_: Any, watch: OnStep) -> list[GameRecord]:
        for game_step in replay(game, rules, edition):
            watch(spec, game_step)
        return [game, lost]

    referee = Mock(play=play)
    monkeypatch.setattr(workers, "Referee", lambda _: referee)
    for of_a_worker in ("raise_limits", "adopt_orphans", "collect_seldom"):  # which would go on in other tests
        monkeypatch.setattr(workers, of_a_worker, lambda: None)
    config = RefereeConfig(rules.name, edition, TimeControl(), {})
    try:
        assert play_games(config, [spec]) == [
            PlayedGame.of(game, pack_page_data(game, rules, edition)),
            PlayedGame.of(lost),
        ]
        monkeypatch.setattr(type(rules), "words", Mock(side_effect=SystemExit))
        assert play_games(config, [spec]) == [
            PlayedGame.of(game),
            PlayedGame.of(lost),
        ]
    finally:
        workers.close_referee()
