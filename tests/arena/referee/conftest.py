"""The smallest game, and a referee's transport with a made-up clock that plays it."""

from __future__ import annotations

import pytest

from arena.referee import referee as referee_module
from arena.referee import run_queue
from tests.arena.match.conftest import race
from tests.arena.referee.scripted import ScriptedTransport

__all__ = ["race"]


@pytest.fixture
def channel(race, monkeypatch):
    monkeypatch.setattr(referee_module, "game", lambda _: race)
    monkeypatch.setattr(run_queue, "_IS_REPORTED", False)
    return ScriptedTransport()
