"""A cluster on this machine alone: a scheduler in this process and workers below it, which end with the block."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from arena.cluster.scheduler import require_dask
from arena.common.protection import forbid_inspection
from arena.tournament.workers import WorkforceError


@contextmanager
def local_cluster(workers: int, port: int) -> Iterator[str]:
    """Start a scheduler on this machine's loopback, and so many workers of one core each. Yield its address.

    A new worker takes the place of each that ends. Raises `WorkforceError` if they cannot be started.
    """
    require_dask()
    import dask
    from distributed import LocalCluster

    # Unlike all else, pages are served everywhere if nothing else is said, also without a dashboard.
    pages = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}
    with (
        TemporaryDirectory(prefix="arena-cluster-") as folder,
        # Workers are no daemons: they start the processes that play.
        dask.config.set({"temporary-directory": folder, "distributed.worker.daemon": False}),
    ):
        try:
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                scheduler_port=port,
                memory_limit=0,
                preload=[__name__],
                **pages,
            )
        except (OSError, RuntimeError) as error:
            why: BaseException = error
            while why.__cause__ is not None:
                why = why.__cause__
            raise WorkforceError(f"the cluster cannot be started: {why}") from None
        with cluster:
            yield cluster.scheduler_address


def dask_setup(_worker: object) -> None:
    """Prepare a worker, as Dask does in its process: it ends with the cluster alone, and bots cannot look into it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    forbid_inspection()
