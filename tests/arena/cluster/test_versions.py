"""What differs between machines is said, with both versions."""

from __future__ import annotations

import pytest

from arena.cluster import scheduler
from arena.cluster.dask_cluster import DaskCluster
from arena.cluster.scheduler import asked_versions, difference, versions
from arena.common.progress import SILENT
from arena.tournament.workers import WorkforceError


def test_this_machine_has_its_own_versions() -> None:
    assert difference("w", asked_versions("kosmos")(), versions("kosmos")) == ""


def test_what_differs_and_what_is_missing_is_named() -> None:
    found = difference("tcp://a:1", {"arena": "0.9", "Python": "3.11"}, {"arena": "1.0", "Python": "3.11", "x": "2"})
    assert found == "the worker tcp://a:1 has arena 0.9, here it is 1.0; x unknown, here it is 2"


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "find_spec", lambda _: None)
    with pytest.raises(WorkforceError, match=r"\[cluster\]"):
        DaskCluster("tcp://127.0.0.1:1", "kosmos", SILENT)
