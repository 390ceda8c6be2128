"""Run a scheduler or a worker of Dask that ends with the process that started it: its standard input is closed then.

`python -m arena.cluster.part scheduler` and `... worker` take the options of `dask scheduler` and `dask worker`.
"""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module

from arena.common.protection import forbid_inspection


def _end_with_the_starter() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(0)


def run(kind: str, words: list[str]) -> None:
    """Run Dask's command of this kind with these options."""
    forbid_inspection()  # games and seeds pass through it
    threading.Thread(target=_end_with_the_starter, name="arena-starter", daemon=True).start()
    import_module(f"distributed.cli.dask_{kind}").main(words, prog_name=f"dask {kind}")


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2:])
