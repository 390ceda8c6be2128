"""What other processes may do to a ledger: read it, want it too, die over it."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.ledger import GameRecord, Ledger, LedgerBusy, LedgerError, locked

MakeGame = Callable[..., GameRecord]
LIMIT = 30.0

WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import make_game
from arena.ledger import Ledger
with Ledger.open(Path(sys.argv[2]), writing=True) as ledger:
    for order in range(100_000):
        ledger.record(make_game(order))
"""

HOLDER = """
import sys
from pathlib import Path
from arena.ledger import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def running(script: str, *args: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", script, *map(str, args)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.process
def test_a_run_that_is_killed_leaves_whole_games_only(tmp_path: Path, a_game: MakeGame) -> None:
    Ledger.create(tmp_path, {}).close()
    with Ledger.open(tmp_path) as reader, running(WRITER, Path(__file__).parent, tmp_path) as writer:
        ends = time.monotonic() + LIMIT
        while len(reader.ids()) < 20:  # read while it is being written
            assert writer.poll() is None
            assert time.monotonic() < ends
        writer.send_signal(signal.SIGKILL)
        writer.wait(LIMIT)
    with Ledger.open(tmp_path) as ledger:
        recorded = list(ledger.games())
        assert len(recorded) >= 20
    with Ledger.open(tmp_path, writing=True) as ledger:
        assert recorded == [a_game(order) for order in range(len(recorded))]
        ledger.record(a_game(len(recorded)))  # it goes on


@pytest.mark.process
def test_the_lock_is_held_by_one_and_says_by_whom(tmp_path: Path) -> None:
    with running(HOLDER, tmp_path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(LedgerBusy, match=f"{holder.pid}"), locked(tmp_path):
            pytest.fail("two hold it")


@pytest.mark.process
def test_the_lock_ends_with_its_holder_however_it_ends(tmp_path: Path) -> None:
    with running(HOLDER, tmp_path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.send_signal(signal.SIGKILL)
        holder.wait(LIMIT)
    with locked(tmp_path):
        assert (tmp_path / "lock").read_text() == str(os.getpid())
    with locked(tmp_path):
        pass


def test_the_lock_makes_its_folder(tmp_path: Path) -> None:
    with locked(tmp_path / "new" / "one"):
        assert (tmp_path / "new" / "one" / "lock").is_file()


def test_a_holder_that_has_not_said_its_name_is_still_a_holder(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(LedgerBusy), locked(tmp_path):
            pytest.fail("two hold it")


def test_a_file_system_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    with pytest.raises(LedgerError, match="no locks available"), locked(tmp_path):
        pytest.fail("nothing is held")
