"""Start a built bot: what it finds in its environment, and where it may write."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.entrants.build import Built
from arena.entrants.process import BotProcess, new_scratch


def launch(built: Built, endpoint: str, token: str, *, run_dir: Path, cores: Sequence[int] | None = None) -> BotProcess:
    """Start a bot that connects to `endpoint` as `token`, on these cores only, with a scratch folder in `run_dir`.

    `run_dir` belongs to this process alone: if this process is killed, the last of its bots takes the folder away.
    What was changed in the bot's folder since it was built is put back before. Raises `OSError` when that cannot be
    done or not even the supervisor can be started; a bot that cannot is heard of by `poll`.
    """
    if built.snapshot is not None:
        built.snapshot.restore()
    scratch = new_scratch(run_dir, "bot-")
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",  # its folder is read-only, also for root
        "OMP_NUM_THREADS": "1",
        **built.entrant.env,
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
    }
    return BotProcess(built.command, built.folder, env, scratch, limits=built.entrant.limits, cores=cores)
