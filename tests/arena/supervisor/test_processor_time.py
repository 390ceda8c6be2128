"""Processor time is added up over all of a bot's processes, and counted from the beginning of its last game."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from arena.supervisor import process_tree
from arena.supervisor.process_tree import ProcessorTime, seconds_of, times_in_proc, times_of_ps
from arena.supervisor.watch import Watch

Times = tuple[dict[tuple[int, int], float], float]


def looked(monkeypatch: pytest.MonkeyPatch, *looks: Times) -> list[float]:
    """What is added up when processes show these times one after the other."""
    found = iter(looks)
    monkeypatch.setattr(process_tree, "times_in_proc", lambda _: next(found))
    monkeypatch.setattr(process_tree, "times_of_ps", lambda _: next(found))
    usage = SimpleNamespace(ru_utime=0.0, ru_stime=0.0)
    monkeypatch.setattr("arena.supervisor.process_tree.resource.getrusage", lambda _: usage)
    total = ProcessorTime()
    return [total.add_up([]) for _ in looks]


def test_what_an_ended_process_used_is_kept_and_an_id_that_is_used_again_is_another(monkeypatch: Any) -> None:
    times = looked(monkeypatch, ({(1, 10): 2.0, (2, 11): 3.0}, 0.0), ({(1, 10): 2.5}, 0.0), ({(1, 12): 1.0}, 0.0))
    assert times == [5.0, 5.5, 6.5]


@pytest.mark.skipif(not process_tree.LINUX, reason="what Linux alone tells")
def test_what_a_parent_waited_for_counts_once(monkeypatch: Any) -> None:
    times = looked(monkeypatch, ({(1, 1): 1.0, (2, 2): 4.0}, 0.0), ({(1, 1): 1.0}, 5.0), ({(1, 1): 1.5}, 5.0))
    assert times == [5.0, 6.0, 6.5]


def test_a_new_game_has_its_own_time(monkeypatch: Any) -> None:
    worker: Any = SimpleNamespace(games=1)
    bot: Any = SimpleNamespace(pid=1, stdout=None, stderr=None)
    monkeypatch.setattr("arena.supervisor.watch.end_descriptor", lambda child: -1)
    watch = Watch(bot, worker, [])
    seconds = iter([3.0, 5.0, 9.0, 9.5])
    monkeypatch.setattr(ProcessorTime, "add_up", lambda *_: next(seconds))
    found = [watch._seconds_in_game([]), watch._seconds_in_game([])]
    worker.games = 2
    found += [watch._seconds_in_game([]), watch._seconds_in_game([])]
    assert found == [0.0, 2.0, 0.0, 0.5]


@pytest.mark.parametrize(
    ("time", "seconds"), [("0:07.53", 7.53), ("61:02", 3662), ("01:00:01", 3601), ("2-03:00:00", 183600)]
)
def test_times_of_ps_are_read(time: str, seconds: float) -> None:
    assert seconds_of(time) == seconds


@pytest.mark.process
@pytest.mark.skipif(not process_tree.LINUX, reason="what Linux alone tells")
def test_ps_proc_and_psutil_agree() -> None:
    own = os.getpid()
    before = sum(psutil.Process().cpu_times()[:2])
    (_, proc), (_, ps) = *times_in_proc([own])[0].items(), *times_of_ps([own])[0].items()
    after = sum(psutil.Process().cpu_times()[:2])
    assert before - 1e-9 <= proc <= after + 1e-9  # sums of parts, added in another order
    assert before - 1 <= ps <= after + 0.02, "whole seconds"
