"""Clusters for tests: each is a scheduler and workers of its own, on this machine's loopback."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.arena.cluster.local_clusters import LocalCluster


@pytest.fixture
def start_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., LocalCluster]]:
    """Start clusters, whose bots are cached in a folder of the test; all are ended."""
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("DASK_TEMPORARY_DIRECTORY", str(tmp_path))
    started = []

    def start(*tls: str) -> LocalCluster:
        started.append(LocalCluster(tmp_path, tls))
        return started[-1]

    yield start
    for each in started:
        each.close()
    gc.collect()  # what Dask leaves to it belongs to this test
