"""Start one bot under its limits, watch it, and end it: the small process between a worker and a bot.

The bot and all that it has started are killed when it exceeds one of its `ResourceLimits`, when it has ended by
itself, when the worker says so and when the worker is gone. `arena.entrants.bot_process.BotProcess.end` says so; the
referee calls it for a bot that failed or makes room for others, and when it closes. The environment is that of
`arena.entrants.launch`.

The worker runs `arena.supervisor.SCRIPT`, which calls `main`. It starts no other program than the bot, because it
stands outside of what confines the bot. Its standard input and output are one socket to the worker: unlike a pipe, a
socket cannot be opened by others through `/proc`. The first line is a JSON object, the orders; they hold the command,
the environment and the limits. Then come single letters: `s` to stop and `g` to continue processes outside the bot's
group, `n` when a new game begins, and `e` before an orderly end. When the socket closes, because the worker closed it
or was killed, everything that the bot started is killed. Without an `e` before, the scratch folder is removed too.

What happens to the bot is reported on standard output, as one JSON object per line: `{"begun": true}` before its
process is made, `{"pid": n}`, `{"detached": true}` when a process left the bot's group, and at last `{"exit": code}`
(negative for a signal), `{"limit": "what was exceeded"}`, or `{"shortage": errno, "why": "in words"}` if the bot never
ran because the system refused something, which is no fault of the bot.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import subprocess
import sys
from typing import Any

from arena.supervisor import start
from arena.supervisor.control_group import ControlGroup, group_of
from arena.supervisor.process_tree import LINUX, kill_all
from arena.supervisor.start import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, prctl
from arena.supervisor.watch import CappedLog, Watch
from arena.supervisor.worker import Worker, report

SHORTAGES = frozenset(
    {errno.EAGAIN, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ENOSPC}
)
"""Errors by which the system reports that it lacks something. They are nobody's mistake."""


def main() -> int:
    """Start the bot, and wait until it and all that it started are gone. Return 0 if that is certain."""
    if LINUX:
        # No other process of the same user may read the orders in memory, or open what this process has open.
        prctl(PR_SET_DUMPABLE, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    worker = Worker()
    orders = worker.orders
    if LINUX:
        # Whatever the bot starts, however it detaches itself, stays below this process.
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        if orders["cores"]:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, orders["cores"])
    gone, begun, running = True, False, False
    group: ControlGroup | None = None
    bot: subprocess.Popen[bytes] | None = None
    try:
        logs = _logs(orders)
        group = group_of(orders)
        report({"begun": True})
        begun = True
        confinement = start.prepare_confinement(orders)
        bot = start.start(orders, confinement, group)
        try:
            if confinement is not None:
                confinement.started(bot)
            running = True
            report({"pid": bot.pid})
            Watch(bot, worker, logs, 0 if confinement is None else confinement.helpers, group).run()
        finally:
            gone = kill_all(bot.pid)
    except (OSError, ValueError, MemoryError, subprocess.SubprocessError) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        program = (orders["confinement"] or {}).get("program", orders["command"][0])
        sys.stderr.write(f"{program}: {why}\n")
        sys.stderr.flush()
        if not begun or (not running and is_shortage(error)):
            report({"shortage": getattr(error, "errno", None) or errno.ENOMEM, "why": why})
        else:
            report({"exit": 127})
        worker.wait_for_end()
    finally:
        if group is not None:
            group.remove()
        if not worker.orderly:
            _clear(orders["scratch"])
    return 0 if gone else 1


def is_shortage(error: BaseException) -> bool:
    """Return whether an error means that the system lacks something."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in SHORTAGES)


def _logs(orders: dict[str, Any]) -> list[CappedLog]:
    """Open the logs of the outputs. This comes before the bot runs, which could not be blamed if it failed."""
    names = ["stderr"] if orders["merge"] else ["stdout", "stderr"]
    return [CappedLog(f"{orders['scratch']}/log.{name}", orders["log_bytes"]) for name in names]


def _clear(scratch: str) -> None:
    """Remove the scratch folder of a killed worker, and the worker's own folder after the last one."""
    from arena.common.removal import remove  # not needed before

    remove(scratch)
    folder = os.path.dirname(scratch)  # noqa: PTH120
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if stat.S_ISSOCK(entry.stat(follow_symlinks=False).st_mode):
                os.unlink(entry.path)  # noqa: PTH108
        os.rmdir(folder)  # noqa: PTH106
