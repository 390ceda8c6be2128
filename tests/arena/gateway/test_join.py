"""What `arena join` does with the author's programs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.gateway import join
from arena.gateway.join import Program

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
