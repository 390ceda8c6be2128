"""A bot that lets hidden children compute, and waits for the core that they use, so that others seem to have used it.

A helper starts them one after another, and has the system forget them when they end. In its last decisions the bot lets
all others go first, besides. A note says how long each decision took.
"""

# ruff: noqa: PTH123
import contextlib
import os
import signal
import time

from raw_client import play

DECISIONS = 6
SECONDS = 0.5
CHILD_SECONDS = 0.02
asked = 0


def compute():
    while time.process_time() < CHILD_SECONDS:
        pass
    os._exit(0)


def have_computed(until):
    """Start children one after another, and end when all of them are gone."""
    while time.monotonic() < until:
        if not os.fork():
            compute()
        time.sleep(CHILD_SECONDS)
    with open(f"/proc/self/task/{os.getpid()}/children") as children:
        while children.read():
            children.seek(0)
    os._exit(0)


def steal(message):
    global asked
    asked += 1
    if asked > DECISIONS:
        return None
    began = time.monotonic()
    if asked == DECISIONS // 2 + 1:
        os.nice(19)
    helper = os.fork()
    if not helper:
        have_computed(began + SECONDS)
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.kill(helper, 0)
    return {"note": f"{time.monotonic() - began:.6f}"}


signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
play(steal, "thief")
os._exit(0)
