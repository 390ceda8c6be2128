"""Waiting for sockets until some moment: it ends when something comes, and not before the moment otherwise."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from arena.game.spec import GameSpec
from arena.referee.time.timer import BUSY_WAIT_SECONDS, Exactness, Timer
from arena.referee.transport import Ready
from engine.rules import ForcedMove
from tests.arena.referee.scripted import HELLO, ScriptedTransport, play, spec, thinker

Sockets = tuple[Timer, selectors.DefaultSelector, socket.socket]


@pytest.fixture
def sockets() -> Iterator[Sockets]:
    """A timer, a selector that waits for a socket, and the other end of that."""
    timer, selector = Timer(), selectors.DefaultSelector()
    here, there = socket.socketpair()
    selector.register(here, selectors.EVENT_READ)
    yield timer, selector, there
    for each in (selector, here, there, timer):
        each.close()


@pytest.mark.parametrize("seconds", [BUSY_WAIT_SECONDS / 2, BUSY_WAIT_SECONDS * 20])
@pytest.mark.parametrize("exactness", Exactness)
def test_a_wait_lasts_its_time_if_nothing_comes(sockets: Sockets, exactness: Exactness, seconds: float) -> None:
    timer, selector, _ = sockets
    for _ in range(3):
        began = time.perf_counter()
        assert timer.select(selector, seconds, exactness) == []
        assert time.perf_counter() - began >= seconds


@pytest.mark.parametrize("seconds", [BUSY_WAIT_SECONDS, 600.0])
@pytest.mark.parametrize("exactness", Exactness)
def test_a_wait_ends_when_something_comes(sockets: Sockets, exactness: Exactness, seconds: float) -> None:
    timer, selector, there = sockets
    there.send(b"an answer")
    assert [mask for _, mask in timer.select(selector, seconds, exactness)] == [selectors.EVENT_READ]


@pytest.mark.usefixtures("channel")
def test_a_pause_is_a_busy_wait_unless_another_game_needs_the_core(race: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: set[Exactness] = set()
    wait_until = ScriptedTransport.wait_until

    def noted(self: ScriptedTransport, due: float, exactness: Exactness = Exactness.COARSE) -> Ready:
        waits.add(exactness)
        return wait_until(self, due, exactness)

    def played(*specs: GameSpec) -> set[Exactness]:
        waits.clear()
        channel = ScriptedTransport()
        channel.bot("one", thinker(0.5), hello={**HELLO, "parallel": 2})
        channel.bot("two", thinker(0.25), hello={**HELLO, "parallel": 2})
        play(channel, *specs)
        return waits - {Exactness.COARSE}

    monkeypatch.setattr(ScriptedTransport, "wait_until", noted)
    race.forced_after = {1: [ForcedMove(1, "step")]}
    assert played(spec(["one", "two"])) == {Exactness.BUSY}
    # The second game pauses while the first one waits for "one".
    assert Exactness.TIMER in played(spec(["one", "two"]), spec(["two", "one"], 1))
