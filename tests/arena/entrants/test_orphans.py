"""Orphans are told from processes that this one has started itself."""

from __future__ import annotations

import subprocess
import threading
from typing import Any

import psutil
import pytest

from arena.entrants import orphans

pytestmark = pytest.mark.process


def test_a_process_that_is_being_started_is_no_orphan(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[psutil.Process] = []
    looks: list[threading.Thread] = []

    class Popen(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            looks.append(threading.Thread(target=lambda: found.extend(orphans.orphans())))
            looks[0].start()
            looks[0].join(0.3)  # it would have found the process by then

    monkeypatch.setattr(orphans, "adopts_orphans", lambda: True)
    monkeypatch.setattr("arena.entrants.orphans.subprocess.Popen", Popen)
    process = orphans.start_own(["sleep", "1000"])
    try:
        looks[0].join(60)
        assert process.pid not in [each.pid for each in found]
        orphans.end_own(process)
        assert process.pid in [each.pid for each in orphans.orphans()]
    finally:
        process.kill()
        process.wait()
