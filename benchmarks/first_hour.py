"""Measure the first commands of README and docs/write-a-bot.md, for docs/speed.md: alone, and beside a busy process.

`python -m benchmarks.first_hour` types these commands in a new folder, with an empty cache of bots, and prints a line
of JSON for each. It ends with 1 if the first one takes more than a minute of processor time: a busy process leaves it
more than one core of two, so it ends within a minute there, and that can be told on a machine that others use too.
Seconds depend on the machine and on who else uses it: beside them stand the load before, the processor time of the
command with all that it started, and both as multiples of what a fixed piece of Python takes here.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORES = 2
LIMIT = 60.0
"""Seconds of processor time that the first command may take."""
README = (ROOT / "README.md").read_text("utf-8")
[FIRST] = re.findall(r"^arena tournament bots.*$", README, re.MULTILINE)
[LOOP] = re.findall(r"^arena .* --challenger .*$", (ROOT / "docs" / "write-a-bot.md").read_text("utf-8"), re.MULTILINE)
TYPED = {"first": FIRST, "again": FIRST, "loop": LOOP}
"""The commands of which docs/speed.md says how long they take, by what they are called here."""
YARDSTICK = "n = 0\nfor i in range(10_000_000):\n    n += i % 7"


def measured(name: str, folder: Path, busy: int) -> dict[str, object]:
    """Type one of the commands in `folder`, and return what it took."""
    load, yardstick = os.getloadavg()[0], _yardstick()
    words = TYPED[name].replace("arena", f"{shlex.quote(sys.executable)} -m arena", 1)
    environment = os.environ | {"ARENA_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    with _busy(busy), (folder / "printed").open("wb") as printed:
        began = time.monotonic()
        process = subprocess.Popen(words, shell=True, cwd=folder, env=environment, stdout=printed, stderr=printed)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
    text = (folder / "printed").read_text("utf-8")
    process.returncode = os.waitstatus_to_exitcode(status)  # it was waited for here
    if process.returncode != 0:
        raise SystemExit(text)
    [games] = re.findall(r"games played, (\d+) in the tables", text, re.MULTILINE)
    spent = used.ru_utime + used.ru_stime
    return {
        "command": name,
        "typed": TYPED[name],
        "games in the tables": int(games),
        "busy beside it": busy,
        "load before": round(load, 1),
        "seconds": round(seconds, 1),
        "processor seconds": round(spent, 1),
        "yardstick": round(yardstick, 2),
        "yardsticks": round(seconds / yardstick, 1),
        "processor yardsticks": round(spent / yardstick, 1),
    }


@contextmanager
def _busy(number: int) -> Iterator[None]:
    """Keep so many processes computing."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def _yardstick() -> float:
    """Return the processor time of a fixed piece of Python on this machine: the least of three."""

    def once() -> float:
        began = time.process_time()
        exec(YARDSTICK, {})
        return time.process_time() - began

    return min(once() for _ in range(3))


def main() -> None:
    """Measure all of it, and print it."""
    if hasattr(os, "sched_setaffinity"):  # also for all that is started
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    late = False
    [bot] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    for busy in (1, 0):
        with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
            folder = Path(temporary)
            shutil.copytree(ROOT / "bots", folder / "bots")
            (folder / "mine.py").write_text(bot, "utf-8")
            for name in TYPED:
                found = measured(name, folder, busy)
                late |= name == "first" and float(str(found["processor seconds"])) > LIMIT
                print(json.dumps(found), flush=True)
    sys.exit(late)


if __name__ == "__main__":
    main()
