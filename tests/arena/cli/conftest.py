"""The command line within this process and as one of its own, and tournaments to look at."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from arena.cli import log
from arena.common.authors import Author
from arena.ledger import EntrantRecord, FaultRecord, GameRecord, Ledger
from tests.arena.cli import runner
from tests.shell import Shell

ROOT = Path(__file__).parents[3]
Invoke = Callable[..., Result]

HOSTILE = "<script>alert(1)</script>|x"
UNCONFINED = ("--isolation", "none")
"""Said where a test shows what does not depend on isolation, and prints what does: that differs between machines."""
ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"

CRASHER = """
import sys
from arena.client import run

def decide(decision):
    decision.note("my secret plan")
    if decision.turn == 2 and decision.seat == 0:
        print("\\x1b[31mlast words", file=sys.stderr)
        raise SystemExit(3)
    return 0

run(decide)
"""

TEXT_BOT = """
import json, os, zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send(json.dumps({"type": "hello", "protocol": [1, 0], "name": "text"}).encode())
socket.recv()
"""
"""It sends JSON where msgpack is due."""


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Invoke]:
    """Runs a command in this process, in a folder of its own. It ends with the exit code `code`, None for any."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))

    def invoke(*words: object, code: int | None = 0, typed: str | None = None) -> Result:
        done = runner.run(*words, typed=typed)
        assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
        assert code in (None, done.exit_code), done.output
        assert "Traceback" not in done.output
        return done

    yield invoke
    log.configure(None)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    yield shell
    shell.close()


def read_until(stream: Any, *words: str) -> str:
    """What is read up to the first line with one of these words in it."""
    lines = []
    for line in stream:
        lines.append(line)
        if any(word in line for word in words):
            return "".join(lines)
    raise AssertionError(f"none of {words} in\n{''.join(lines)}")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A finished tournament of two good bots and one that crashes in seat 0; not to be changed."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "played"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:  # it is played once, whichever worker of pytest comes first
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            _play(folder)
            (folder / "done").touch()
    return folder / "t"


def _play(folder: Path) -> None:
    (folder / "crasher.py").write_text(CRASHER)
    shell = Shell(folder)
    bots = [ROOT / "bots" / "greedy.py", ROOT / "bots" / "random_bot.py", "crasher.py"]
    limits = ["--start", 60, "--bank", 60]  # on a busy machine they are not what these tests are about
    asked = ["--games", 6, "--players", "2,3", "--seed", 2, "--out", "t", "--jobs", 1]
    shell.run("tournament", *bots, *limits, *asked, *UNCONFINED)
    shell.close()


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A ledger whose texts would do harm where they are printed as they are."""
    folder = tmp_path / "hostile"
    names = [HOSTILE, f"escape{ESCAPE}"]
    meta = {
        "game": "kosmos",
        "edition": {"name": f"standard{ESCAPE}"},
        "players": [2],
        "time": {"start": 10.0, "move": 0.05, "bank": 5.0, "strikes": 3, "ponder": False},
        "seed_hash": "00",
        "seed_given": False,
        "rated": {"games": None, "suspended": {}},
    }
    fault = FaultRecord(1, 3, "crash", f"ended{ESCAPE}\nforged", f"first{ESCAPE}\nsecond\rforged")
    with Ledger.create(folder, meta) as ledger:
        out = EntrantRecord("out", "out.py", "00", left_out=f"no{ESCAPE}\nmore of it\nthe{ESCAPE} end")
        eve = Author(f"Eve{ESCAPE}\nforged", f"=1{HOSTILE}", f"javascript:{ESCAPE}", ESCAPE, f"../{ESCAPE}.svg")
        bots = [EntrantRecord(name, "bot.py", "00", author=eve) for name in names]
        ledger.set_entrants([*bots, out], f"why{ESCAPE}\nforged")
        ledger.record(
            GameRecord(
                id="p2-b0000-r0",
                index=0,
                players=2,
                block=0,
                rotation=0,
                seed="00" * 16,
                bots=names,
                ending="finished",
                ranks=[1, 2],
                scores=[{"days": 70}, {"days": 80}],
                steps=[],
                retired=[],
                faults=[fault],
                times=[[1000], [1000]],
                digest="",
                engine="",
            )
        )
    return folder


def parsed(done: Result) -> Any:
    """The JSON that a command printed, and nothing beside it."""
    return json.loads(done.stdout)
