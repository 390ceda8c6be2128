"""What `arena join` does with the author's programs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import msgspec
import pytest
from typer.testing import CliRunner

from arena.cli.app import app
from arena.gateway import join
from arena.gateway.join import Joined, Program
from arena.gateway.keys import new_key, write_key

pytestmark = pytest.mark.process

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, lambda *_: None); print(flush=True); time.sleep(600)"


@pytest.fixture
def stubborn() -> Iterator[subprocess.Popen[bytes]]:
    """A program that does not end when it is told to."""
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_nothing_waits_for_a_program_that_does_not_end(stubborn):
    program = Program(stubborn, 1)
    program.end()
    assert not program.has_ended()
    assert stubborn.poll() is None


@pytest.mark.parametrize("wait", [False, True])
def test_a_program_that_does_not_end_is_killed_after_a_while(stubborn, monkeypatch, wait):
    monkeypatch.setattr(join, "_GRACE", 0.0)
    program = Program(stubborn, 1)
    program.end()
    while not program.has_ended(wait):
        pass
    assert stubborn.returncode == -9


class Joining:
    """An `arena join` to which the test speaks for the gateway."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
        self.said: list[str] = []
        self.sent: list[tuple[bytes, ...]] = []
        key = new_key("ada", new_key("gateway", None).public)
        self.joined = Joined("tcp://127.0.0.1:1", key, [sys.executable, "-c", program], self.said.append)
        monkeypatch.setattr(self.joined, "_send", lambda *frames: self.sent.append(frames))

    def hear(self, grace: float, *starts: bytes) -> None:
        """Say which starts there are, and how long the grace is."""
        said = (grace, dict.fromkeys(starts, "kosmos"))
        self.joined._take(b"state", b"", msgspec.msgpack.encode(said))

    def look(self, later: float = 0.0) -> None:
        self.joined._look(time.monotonic() + later)


@pytest.fixture
def joining(monkeypatch) -> Iterator:
    """Join with a program."""
    made: list[Joining] = []

    def start(program: str) -> Joining:
        made.append(Joining(monkeypatch, program))
        return made[-1]

    yield start
    for each in made:
        each.joined.close()


@pytest.mark.parametrize("grace", [5.0, 300.0])
def test_a_program_that_the_gateway_forgot_is_kept_for_the_grace_and_some_more(joining, grace):
    ada = joining(STUBBORN)
    ada.hear(grace, b"start")
    ada.look(grace)
    assert ada.said[1:] == ["process 1 begins to play kosmos"]
    ada.look(grace + join._FORGOTTEN + 1)
    assert ada.said[2:] == ["process 1 is ended"]


def test_no_program_begins_again_for_a_start_whose_program_has_ended(joining):
    ada = joining("exit(3)")
    ada.hear(30.0, b"start")
    while (b"left", b"start", b"3 the author's program: exit code 3") not in ada.sent:
        ada.look()
    ada.sent.clear()
    ada.hear(30.0, b"start")  # it was said before the gateway heard of the end, or the end was lost
    assert (b"left", b"start", b"3 the author's program: exit code 3") in ada.sent
    assert ada.said[1:] == ["process 1 begins to play kosmos", "process 1 has ended with 3"]


def test_what_is_known_of_ended_programs_is_bounded(joining, monkeypatch):
    monkeypatch.setattr(join, "_MOST_LEFT", 2)
    ada = joining("pass")
    for number in range(4):
        ada.hear(30.0, b"%d" % number)
        while len(ada.joined._programs):
            ada.look()
    assert list(ada.joined._left) == [b"2", b"3"]


@pytest.mark.parametrize(
    ("typed", "joined"),
    [
        ("tcp://other:1 --key ada.key -- python mine.py", ("tcp://other:1", ["python", "mine.py"])),
        ("--key ada.key -- python mine.py", ("tcp://said:1", ["python", "mine.py"])),
        ("--key ada.key -- ./mine", ("tcp://said:1", ["./mine"])),
    ],
)
def test_the_address_that_the_key_file_says_may_be_left_out(tmp_path, monkeypatch, typed, joined):
    found = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Joined, "__init__", lambda self, at, key, words, *_, **__: found.append((at, words)))
    monkeypatch.setattr(Joined, "run", lambda self: None)
    monkeypatch.setattr(Joined, "close", lambda self: None)
    write_key(tmp_path / "ada.key", new_key("ada", new_key("gateway", None).public, "tcp://said:1"))
    assert CliRunner().invoke(app, ["join", *typed.split()]).exit_code == 0
    assert found == [joined]
