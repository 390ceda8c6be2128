"""How long the coordinator waits for the parts of a cluster."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Timeouts:
    """How long the coordinator waits for each thing, in seconds."""

    connect: float = 30.0
    worker: float = 60.0
    """For a worker, when there is none."""
    poll: float = 1.0
    """Between two looks at the scheduler."""
    silent: float = 30.0
    """Since a worker's last sign of life, besides a few of the intervals at which it gives one."""
    late: float = 600.0
    """For a batch of games, besides what the clocks of its bots allow."""
    queue: float = 86_400.0
    """For a call to begin, where the worker is busy with those of other runs."""
    build: float = 3600.0
    """For a worker to build all bots."""
    close: float = 10.0
