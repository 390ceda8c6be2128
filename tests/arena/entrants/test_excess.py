"""Bots that use too much of something, or put things where logs should be."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.entrants.bot_process import LOG_BYTES
from arena.supervisor import process_tree
from arena.supervisor.watch import CappedLog

pytestmark = pytest.mark.process

linux = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do")

STAY = "import time\ntime.sleep(1000)\n"


@pytest.mark.slow
def test_a_flood_on_standard_output_neither_blocks_nor_fills_the_disk(yard: Any) -> None:
    source = """
import os, sys
for number in range(200):
    for stream in (1, 2):
        left = (b"%6d" % number).ljust(1 << 20, b"x") if number < 199 else b"\\nthe last line\\n"
        while left:
            left = left[os.write(stream, left):]
"""
    process = yard.start(source)
    ended = process.wait(120)
    assert ended is not None
    assert ended.code == 0
    kept = [path.stat().st_size for path in yard.run_dir.rglob("log.*")]
    assert len(kept) == 4
    assert max(kept) <= LOG_BYTES
    assert process.stderr_tail(1) == "the last line"


@pytest.mark.slow
def test_too_much_memory_ends_it(yard: Any, living: Any) -> None:
    process = yard.start("held = bytearray(300 << 20)\n" + STAY, "limits = { memory_mb = 100 }")
    ended = process.wait(60)
    assert ended is not None
    used = re.fullmatch(r"ended for using (\d+) MiB of memory \(limit 100\)", ended.reason)
    assert used is not None
    assert 100 < int(used.group(1)) < 400  # it may be found while it grows
    assert living(yard.token) == []


@pytest.mark.slow
def test_memory_of_children_counts(yard: Any, living: Any) -> None:
    source = "import os\nfor _ in range(3):\n    if not os.fork():\n        held = bytearray(60 << 20)\n        break\n"
    process = yard.start(source + STAY, "limits = { memory_mb = 150 }")
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason.endswith("MiB of memory (limit 150)")
    assert living(yard.token) == []


@pytest.mark.slow
@linux
def test_what_the_kernel_needs_to_map_memory_counts(yard: Any, living: Any) -> None:
    source = """
import mmap
private, reserving_none = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0x4000
held = mmap.mmap(-1, 128 << 30, private | reserving_none, prot=mmap.PROT_READ)
for place in range(0, len(held), 2 << 20):
    held[place]
"""
    process = yard.start(source + STAY, "limits = { memory_mb = 100 }")
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason.endswith("MiB of memory (limit 100)")
    assert living(yard.token) == []


@pytest.mark.slow
@linux
def test_memory_that_processes_share_counts_once(yard: Any, until: Any) -> None:
    source = """
import os, time
held = bytearray(60 << 20)
for number in range(3):
    if not os.fork():
        if number == 2: os.setsid()
        time.sleep(1000)
open(NOTE, "w").write("here\\n")
"""
    process = yard.start(source + STAY, "limits = { memory_mb = 150 }")
    yard.noted()
    process.stop()
    # What is outside the bot's group is stopped after the supervisor's first look at the bot's memory.
    until(lambda: process.poll() or all(each.status() == psutil.STATUS_STOPPED for each in process.processes()))
    assert process.poll() is None
    assert len(process.processes()) == 4


@pytest.mark.slow
def test_too_many_processes_end_it(yard: Any, living: Any) -> None:
    source = "import os, time\nfor _ in range(30):\n    if not os.fork(): os.setsid(); time.sleep(1000)\n"
    process = yard.start(source + STAY, "limits = { processes = 8 }")
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason == "ended for using 31 processes (limit 8)"
    assert living(yard.token) == []


@pytest.mark.slow
def test_processes_that_ended_are_let_go(yard: Any, until: Any) -> None:
    source = """
import os, time
for _ in range(30):
    if not os.fork():
        if not os.fork(): os._exit(0)
        os._exit(0)
    os.wait()
open(NOTE, 'w').close()
time.sleep(1000)
"""
    process = yard.start(source, "limits = { processes = 31 }")
    until(yard.note.exists)
    until(lambda: len(process.processes()) == 1)
    assert process.poll() is None


def test_pipes_and_links_in_place_of_logs_block_nobody(yard: Any) -> None:
    source = """
import os, sys
scratch = os.path.dirname(os.environ["HOME"])
secret = os.path.join(scratch, "secret")
open(secret, "w").write("secret\\n")
for name in ("log.stderr", "log.stdout"):
    os.unlink(os.path.join(scratch, name))
os.mkfifo(os.path.join(scratch, "log.stdout"))
os.symlink(secret, os.path.join(scratch, "log.stderr"))
os.mkfifo(os.path.join(scratch, "log.stderr.1"))
for stream in (1, 2):
    os.write(stream, b"y" * 1000)
"""
    process = yard.start(source)
    ended = process.wait(60)
    assert ended is not None
    assert ended.code == 0
    assert "secret" not in process.stderr_tail()


BURN = """
import os, time
def burn(seconds):
    "Use the processor in a child, and wait for it."
    if os.fork():
        return os.wait()
    while time.process_time() < seconds:
        pass
    os._exit(0)
"""


@pytest.mark.slow
def test_the_processor_time_of_all_processes_is_limited_and_begins_again_with_a_game(yard: Any, until: Any) -> None:
    source = f"{BURN}burn(0.7)\nburn(0.7)\nopen(NOTE, 'w').close()\n" + STAY
    limited = yard.start(source, "limits = { cpu_seconds = 1 }")
    ended = limited.wait(60)
    assert ended is not None
    assert re.fullmatch(r"ended for using \d s of processor time in a game \(limit 1\)", ended.reason)
    yard.note.unlink(missing_ok=True)  # it may have come so far before the excess was noticed
    # Each game takes as long as it takes to notice an excess, and two of them more than a game may.
    game = "    burn(0.6)\n    open(NOTE, 'w').close()\n    while os.path.exists(NOTE):\n        time.sleep(0.01)\n"
    frugal = yard.start(f"{BURN}for _ in range(4):\n{game}burn(1000)", "limits = { cpu_seconds = 1 }")
    for _ in range(4):
        until(yard.note.exists)
        frugal.begin_game()
        yard.note.unlink()
    ended = frugal.wait(60)
    assert ended is not None
    assert "processor time in a game (limit 1)" in ended.reason


def test_a_log_is_rotated_over_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.1")
    log = CappedLog(str(tmp_path / "log"), 10)
    for word in (b"first", b"second", b"third"):
        log.write(word)
    assert (tmp_path / "log.1").read_bytes() == b"second"
    assert (tmp_path / "log").read_bytes() == b"third"


def test_a_log_does_not_follow_a_link(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "log").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="log"):
        CappedLog(str(tmp_path / "log"), 10)
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.slow
def test_a_scratch_folder_is_removed_whatever_is_in_it(yard: Any, until: Any) -> None:
    source = """
import os
os.chdir(os.environ["HOME"])
os.mkdir("locked")
open("locked/file", "w").close()
os.chmod("locked", 0)
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
open(NOTE, "w").write("done\\n")
"""
    process = yard.start(source)
    yard.noted()
    process.end()
    assert list(yard.run_dir.iterdir()) == []


def test_no_program_of_a_bot_clears_up_after_it(yard: Any, tmp_path: Path) -> None:
    """It would run outside of all that confines the bot."""
    own = tmp_path / "own"
    own.mkdir()
    for name in ("chmod", "rm", "ps"):
        (own / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (own / name).chmod(0o755)
    source = """
import os
os.chdir(os.environ["HOME"])
os.makedirs("locked/deeper")
os.symlink("/", "locked/link")
os.chmod("locked/deeper", 0)
os.chmod("locked", 0)
open(NOTE, "w").write("done\\n")
"""
    process = yard.start(source, f"env = {{ PATH = '{own}:{os.environ['PATH']}' }}")
    yard.noted()
    process.end()
    assert list(yard.run_dir.iterdir()) == []
    assert not (tmp_path / "ran").exists()


def test_ps_and_proc_report_the_same(yard: Any, until: Any) -> None:
    source = (
        "import os, subprocess, time\nsubprocess.Popen(['sleep', '1000'])\nopen(NOTE, 'w').close()\ntime.sleep(1000)\n"
    )
    yard.start(source)
    until(yard.note.exists)
    expected = {each.pid for child in psutil.Process().children() for each in (child, *child.children(recursive=True))}
    found = process_tree.processes_of_ps()
    assert expected <= set(found)
    assert all(found[pid] > 0 for pid in expected)
    assert process_tree.LINUX is False or expected <= set(process_tree.processes_in_proc())
