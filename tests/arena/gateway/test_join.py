"""What `arena join` does with the author's programs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import msgspec
import pytest

from arena.gateway import join
from arena.gateway.join import Joined, Program
from arena.gateway.keys import new_key

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


@pytest.mark.parametrize("grace", [5.0, 300.0])
def test_a_program_that_the_gateway_forgot_is_kept_for_the_grace_and_some_more(grace):
    said: list[str] = []
    key = new_key("ada", new_key("gateway", None).public)
    joined = Joined("tcp://127.0.0.1:1", key, [sys.executable, "-c", STUBBORN], said.append)
    try:
        joined._take(b"state", b"", msgspec.msgpack.encode((grace, {b"start": "kosmos"})))
        now = time.monotonic()
        joined._look(now + grace)
        assert said[1:] == ["process 1 begins to play kosmos"]
        joined._look(now + grace + join._FORGOTTEN + 1)
        assert said[2:] == ["process 1 is ended"]
    finally:
        joined.close()
