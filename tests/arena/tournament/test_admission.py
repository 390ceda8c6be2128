"""Who takes part, with real processes: each bot is built and started once, and whoever fails is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.entrants import Built, Entrant, expand
from arena.ledger import EntrantRecord, Ledger
from arena.referee.clock import TimeControl
from arena.tournament.admission import admit
from arena.tournament.audit import audit
from arena.tournament.plan import Plan
from arena.tournament.progress import Silent
from arena.tournament.run import run
from engine.catalog import game

GOOD = "from arena.client import run\n\nrun(lambda decision: 0)\n"
CRASHES = 'raise SystemExit("no licence found")\n'
MUTE = "import time\n\ntime.sleep(600)\n"
ELSEWHERE = """
import os
import msgpack, zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.IDENTITY, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
hello = {"type": "hello", "protocol": [1, 0], "name": "x", "version": "2.5", "language": "Python", "games": ["chess"]}
socket.send(msgpack.packb(hello))
socket.recv()
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def entrants(folder: Path, **sources: str) -> list[Entrant]:
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)
    return expand([folder / f"{name}.py" for name in sources]).found


def admitted(
    found: list[Entrant], start: float = 20.0, progress: Any = None
) -> tuple[dict[str, Built], dict[str, str]]:
    edition = game("kosmos").edition("standard")
    built, records = admit(found, "kosmos", edition, TimeControl(start=start), progress or Silent())
    return built, {each.name: each.left_out or "" for each in records}


def test_whoever_cannot_play_is_left_out_with_the_reason(tmp_path: Path) -> None:
    found = entrants(tmp_path, good=GOOD, crashes=CRASHES, elsewhere=ELSEWHERE)
    built, reasons = admitted(found)
    assert list(built) == ["good"]
    assert reasons["good"] == ""
    assert reasons["crashes"].startswith("exit code 1")
    assert "no licence found" in reasons["crashes"]
    assert reasons["elsewhere"] == "does not play kosmos, only chess"


def test_a_bot_that_says_nothing_is_mute(tmp_path: Path) -> None:
    built, reasons = admitted(entrants(tmp_path, mute=MUTE), start=0.2)
    assert built == {}
    assert reasons["mute"].startswith("no hello within 0.2 s")


def test_a_bot_that_cannot_be_built_is_left_out_with_its_last_words(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = "true"\nbuild = "sh -c \'echo missing header; exit 3\'"\n')
    _, reasons = admitted(expand([folder]).found)
    assert reasons["broken"].startswith("could not be built: ")
    assert "exit code 3" in reasons["broken"]
    assert "missing header" in reasons["broken"]


def test_an_interrupt_ends_what_was_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reasons: list[str | None] = []

    def record(entrant: Entrant, _: object, left_out: str | None) -> EntrantRecord:
        reasons.append(left_out)
        return EntrantRecord(entrant.name, "", "", left_out=left_out)

    class Impatient(Silent):
        def advance(self, what: str) -> None:
            if what == "good":
                raise KeyboardInterrupt

    monkeypatch.setattr("arena.tournament.admission._record", record)
    with pytest.raises(KeyboardInterrupt):
        admitted(entrants(tmp_path, good=GOOD, mute=MUTE), start=60.0, progress=Impatient())
    assert not any(reason and "no hello" in reason for reason in reasons), "the other's time was waited for"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_whole_tournament_with_processes(tmp_path: Path, jobs: int) -> None:
    entrants(tmp_path, good=GOOD, better=GOOD, crashes=CRASHES)
    plan = Plan(bots=[str(tmp_path / "*.py")], games=4, players="2", seed=3, jobs=jobs, out=str(tmp_path / "out"))
    outcome = run(plan, Silent())
    assert (outcome.played, outcome.rated, outcome.set_aside) == (4, 4, [])
    with Ledger.open(outcome.folder) as ledger:
        assert audit(ledger) == []
        assert all(record.ending == "finished" and not record.faults for record in ledger.games())
        assert [each.name for each in ledger.entrants() if each.left_out] == ["crashes"]
