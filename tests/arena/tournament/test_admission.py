"""Who takes part, with real processes: each bot is built and started once, and those that fail are named."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.common.progress import Silent
from arena.entrants import Built, Entrant, EntrantError, expand
from arena.game.clock import TimeControl
from arena.ledger import Ledger
from arena.referee.config import StartReport
from arena.referee.referee import Referee
from arena.tournament.admission import admit, rebuild
from arena.tournament.plan import Plan
from arena.tournament.run import run
from arena.tournament.verification.audit import audit
from engine import catalog
from tests.arena.referee.test_shortage import few_descriptors
from tests.marking import mostly_slow

pytestmark = pytest.mark.process

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
    edition = dict(catalog.rules("kosmos").edition("standard"))
    built, records = admit(found, "kosmos", edition, TimeControl(start=start), progress or Silent())
    return built, {each.name: each.left_out or "" for each in records}


@pytest.mark.slow
def test_whoever_cannot_play_is_left_out_with_the_reason(tmp_path: Path) -> None:
    found = entrants(tmp_path, good=GOOD, crashes=CRASHES, elsewhere=ELSEWHERE)
    built, reasons = admitted(found)
    assert list(built) == ["good"]
    assert reasons["good"] == ""
    assert "no licence found" in reasons["crashes"]
    assert {"kosmos", "chess"} <= set(re.findall(r"\w+", reasons["elsewhere"]))


@pytest.mark.slow
def test_why_a_bot_never_said_hello_comes_first_and_its_last_words_after_it(tmp_path: Path) -> None:
    found = entrants(tmp_path, forgot="from arena.client import run\n", beside="import helper\n", helper="")
    _, reasons = admitted(found[:2])
    assert reasons["forgot"].endswith(
        "before it said hello: it ended by itself without connecting: does it call run()?"
    )
    why, *said = reasons["beside"].splitlines()
    assert "helper.py, which lies beside it; only this file is copied" in why
    assert said[-1] == "ModuleNotFoundError: No module named 'helper'"


def test_a_bot_that_says_nothing_is_mute(tmp_path: Path) -> None:
    built, reasons = admitted(entrants(tmp_path, mute=MUTE), start=0.2)
    assert built == {}
    assert "0.2 s" in reasons["mute"].partition("\n")[0]


def test_a_bot_that_cannot_be_built_is_left_out_with_its_last_words(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = "true"\nbuild = "sh -c \'echo missing header; exit 3\'"\n')
    _, reasons = admitted(expand([folder]).found)
    assert "exit code 3" in reasons["broken"]
    assert "missing header" in reasons["broken"]


FIRST_TIME = """
import os, pathlib, signal, time

marker = pathlib.Path(__file__).resolve().parent.parent.parent / "{name}.tried"
if not marker.exists():
    marker.touch()
    {what}
"""
TROUBLE = {
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "unwatched": "os.kill(os.getppid(), signal.SIGKILL)",
    "starved": "time.sleep(600)",
    "fell": "raise SystemExit(1)",
}


@pytest.mark.slow
def test_what_fails_while_all_are_started_is_tried_once_more_alone(tmp_path: Path) -> None:
    sources = {name: FIRST_TIME.format(name=name, what=what) + GOOD for name, what in TROUBLE.items()}
    told = Told()
    built, reasons = admitted(entrants(tmp_path, good=GOOD, elsewhere=ELSEWHERE, **sources), 5.0, told)
    assert list(built) == ["good", *TROUBLE], reasons
    assert told.lines[-5].endswith(": 4"), "a stage of its own"
    assert told.lines[-4:] == list(TROUBLE), "one after the other, and not who plays other games"


@pytest.mark.slow
def test_a_kill_from_outside_is_told_apart_from_an_exit_code(tmp_path: Path) -> None:
    killed = f"import os, signal\n{TROUBLE['killed']}\n"
    _, reasons = admitted(entrants(tmp_path, killed=killed, crashes=CRASHES, code="raise SystemExit(137)"))
    assert "SIGKILL" in reasons["killed"]
    assert "exit code" not in reasons["killed"]
    assert "exit code 1 " in reasons["crashes"]
    assert "exit code 137" in reasons["code"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "tries"),
    mostly_slow(
        [
            ("kill -9 $$", 2),
            ("echo g++: fatal error: Killed signal terminated program cc1plus; exit 1", 2),
            ("exit 1", 1),
        ]
    ),
)
def test_a_build_that_was_killed_is_tried_once_more_alone(tmp_path: Path, what: str, tries: int) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "make.sh").write_text(f"echo >> {tmp_path}/tried\n[ $(wc -l < {tmp_path}/tried) = 2 ] && exit\n{what}\n")
    (folder / "bot.py").write_text(GOOD)
    (folder / "bot.toml").write_text('command = "{python} bot.py"\nbuild = "sh make.sh"\n')
    built, reasons = admitted(expand([folder]).found)
    assert len((tmp_path / "tried").read_text()) == tries
    assert list(built) == (["bot"] if tries == 2 else []), reasons


@pytest.mark.slow
def test_a_bot_whose_manifest_is_wrong_is_left_out_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "bot.toml").write_text('comand = "true"\n')
    entrants(tmp_path, good=GOOD, better=GOOD)
    bots: list[Any] = [str(tmp_path / "wrong"), str(tmp_path / "*.py")]
    plan = Plan(bots=bots, games=2, players="2", jobs=1, out=str(tmp_path / "t"))
    outcome = run(plan, Silent())
    assert list(outcome.left_out) == ["wrong"]
    with Ledger.open(outcome.folder) as ledger:
        [reason] = [each.left_out for each in ledger.entrants() if each.left_out]
    assert reason is not None
    assert "wrong/bot.toml" in reason
    assert "comand" in reason
    assert run(plan, Silent()).folder == outcome.folder, "it goes on"
    with pytest.raises(EntrantError, match="comand"):
        run(replace(plan, strict=True, fresh=True), Silent())


MEETING = """
import pathlib, sys, time

own, other = (pathlib.Path(sys.argv[1]) / name for name in sys.argv[2:])
own.touch()
limit = time.monotonic() + 60
while not other.exists():
    assert time.monotonic() < limit, "the other is not built meanwhile"
    time.sleep(0.01)
"""
"""A build that ends when the other one has begun."""


@dataclass
class Told(Silent):
    """Progress as it is told."""

    lines: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)

    def stage(self, name: str, total: int | None) -> None:
        self.lines.append(f"{name}: {total}")

    def begin(self, what: str) -> None:
        self.begun.append(what)

    def advance(self, what: str) -> None:
        self.lines.append(what)


def meeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Entrant]:
    """Two bots that can only be built at the same time."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    for own, other in (("here", "there"), ("there", "here")):
        (tmp_path / own).mkdir()
        (tmp_path / own / "bot.py").write_text(GOOD)
        (tmp_path / own / "make.py").write_text(MEETING)
        words = json.dumps(["{python}", "make.py", str(tmp_path), f"{own}.begun", f"{other}.begun"])
        (tmp_path / own / "bot.toml").write_text(f'command = "{{python}} bot.py"\nbuild = {words}\n')
    return expand([tmp_path / "here", tmp_path / "there"]).found


@pytest.mark.slow
def test_bots_are_built_side_by_side_and_started_when_nobody_builds_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told()
    built, reasons = admitted(meeting(tmp_path, monkeypatch), progress=told)
    assert list(built) == ["here", "there"], reasons
    assert [told.lines[place].partition(": ")[2] for place in (0, 3)] == ["2", "2"], "two stages"
    assert sorted(told.begun) == ["here", "here", "there", "there"], "they are built, and started"
    assert sorted(told.lines[1:3]) == sorted(told.lines[4:6]) == ["here", "there"]


def test_a_tournament_that_goes_on_builds_its_bots_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told()
    built = rebuild(meeting(tmp_path, monkeypatch), pytest.fail, told)  # type: ignore[arg-type]
    assert list(built) == ["here", "there"]
    assert told.lines[0].endswith(": 2")


def test_a_bot_that_can_no_longer_be_built_is_reported(tmp_path: Path) -> None:
    failed: list[str] = []
    good, gone = entrants(tmp_path, good=GOOD, gone=GOOD)
    gone.path.write_text("changed")
    assert list(rebuild([good, gone], lambda name, _: failed.append(name), Silent())) == ["good"]
    assert failed == ["gone"]


def test_an_interrupt_ends_what_was_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reasons: list[str] = []

    check = Referee.check

    def checked(referee: Referee, name: str) -> StartReport:
        report = check(referee, name)
        reasons.append(report.reason)
        return report

    class Impatient(Silent):
        def advance(self, what: str) -> None:
            if what == "good":
                raise KeyboardInterrupt

    monkeypatch.setattr(Referee, "check", checked)
    with pytest.raises(KeyboardInterrupt):
        admitted(entrants(tmp_path, good=GOOD, mute=MUTE), start=60.0, progress=Impatient())
    assert not any("60 s" in reason for reason in reasons), "the other's time was waited for"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_whole_tournament_with_processes(tmp_path: Path, jobs: int) -> None:
    entrants(tmp_path, good=GOOD, better=GOOD, crashes=CRASHES)
    plan = Plan(bots=[str(tmp_path / "*.py")], games=4, players="2", seed=3, jobs=jobs, out=str(tmp_path / "out"))
    outcome = run(plan, Silent())
    assert (outcome.played, outcome.rated, outcome.set_aside) == (4, 4, [])
    with Ledger.open(outcome.folder) as ledger:
        assert audit(ledger).differences == []
        assert all(record.ending == "finished" and not record.faults for record in ledger.games())
        assert [each.name for each in ledger.entrants() if each.left_out] == ["crashes"]


@pytest.mark.slow
def test_no_bot_is_left_out_for_what_the_machine_lacks(tmp_path: Path) -> None:
    found = entrants(tmp_path, good=GOOD)
    admitted(found)  # so that nothing is left to copy
    for left in range(3, 7):  # too few to read the bot, or to start it
        with few_descriptors(left), pytest.raises(OSError, match=r"\] good: .*: Too many open files"):
            admitted(found)
    built, reasons = admitted(found)
    assert (list(built), reasons) == (["good"], {"good": ""})


@pytest.mark.slow
def test_the_hash_over_what_a_build_made_is_recorded(tmp_path: Path) -> None:
    bot = tmp_path / "built"
    bot.mkdir()
    (bot / "bot.py").write_text(GOOD)
    (bot / "bot.toml").write_text("command = ['{python}', 'bot.py']\nbuild = 'touch made'")
    edition = dict(catalog.rules("kosmos").edition("standard"))
    made = []
    for source in (GOOD, f"# another\n{GOOD}"):
        (bot / "bot.py").write_text(source)
        built, [record] = admit(expand([bot]).found, "kosmos", edition, TimeControl(start=20.0), Silent())
        assert record.builds == [built["built"].digest]
        made += record.builds
    assert made[0] != made[1]
    [plain] = admit(entrants(tmp_path, plain=GOOD), "kosmos", edition, TimeControl(start=20.0), Silent())[1]
    assert plain.builds == []
