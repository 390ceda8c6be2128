"""What a hostile bot can do at each level of isolation: one table, tried by a bot that tries it all."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from arena.isolation import landlock
from arena.isolation.seccomp import NUMBERS
from arena.isolation.settings import LEVELS
from tests.isolation_demand import need

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do"),
]

PROBE: Final = Path(__file__).with_name("probe_bot.py")
DISK_MB: Final = 24

DONE, EPERM, EACCES, ENOENT, ESRCH, ENOSYS = "done", "EPERM", "EACCES", "ENOENT", "ESRCH", "ENOSYS"
TABLE: Final[dict[str, tuple[str, str, str]]] = {
    # what a bot tries: how that ends without isolation, by Landlock, and in a box
    "own_endpoint": (DONE, DONE, DONE),
    "own_home": (DONE, DONE, DONE),
    "own_copy": (DONE, EACCES, "EROFS"),
    "read_secret": (DONE, EACCES, ENOENT),
    "list_folder": (DONE, EACCES, ENOENT),
    "write_outside": (DONE, EACCES, ENOENT),
    "change_rights": (DONE, EPERM, ENOENT),
    "shared_memory": (DONE, EACCES, DONE),
    "signal_victim": (DONE, EPERM, ESRCH),
    "victims_environment": (DONE, EACCES, ENOENT),
    "victims_memory": (DONE, EACCES, ENOENT),
    "victims_socket": (DONE, EPERM, ESRCH),
    "victims_limits": (DONE, EPERM, EPERM),
    "victims_priority": (DONE, EPERM, EPERM),
    "read_memory_of_another": (DONE, EPERM, EPERM),
    "trace_a_child": (DONE, EPERM, EPERM),
    "new_session": (DONE, EPERM, EPERM),
    "new_group": (EPERM, EPERM, EPERM),  # it leads its session
    "anonymous_file": (DONE, ENOSYS, ENOSYS),
    "memory_for_children": (DONE, DONE, DONE),
    "much_memory_for_children": (DONE, "ENOMEM", "ENOMEM"),
    "very_much_memory_for_children": (DONE, "ENOMEM", "ENOMEM"),
    "memory_of_a_device": (DONE, EACCES, "ENODEV"),
    "ring": (DONE, ENOSYS, ENOSYS),
    "key": (DONE, EPERM, EPERM),
    "new_namespace": (DONE, EPERM, EPERM),
    "tcp": (DONE, "EAFNOSUPPORT", "ECONNREFUSED"),
    "udp": (DONE, "EAFNOSUPPORT", "ECONNREFUSED"),
    "abstract_socket": (DONE, EPERM, "ECONNREFUSED"),
    "others_endpoint": (DONE, DONE, ENOENT),
    "machine_socket": (DONE, "EAFNOSUPPORT", "EAFNOSUPPORT"),
    "fill_the_disk": (DONE, DONE, "ENOSPC"),
    "leftover_of_the_last_start": (DONE, EACCES, DONE),
    "machines_counters": (DONE, DONE, "ENODATA"),
    "other_software": (DONE, EACCES, ENOENT),
    "how_the_machine_was_started": (DONE, DONE, "ENODATA"),
    "secrets_in_the_environment": ("AssertionError", "AssertionError", "AssertionError"),
}
OF_THE_KERNEL: Final = {
    "other_software",
    "very_much_memory_for_children",
    "ring",
    "key",
    "new_namespace",
    "machine_socket",
    "own_copy",
}
"""What this machine may forbid without any isolation, or root may do."""


def outcomes(said: str) -> dict[str, str]:
    """Return how each attempt ended. The loader writes to the bot's output what it cannot write to a file."""
    lines = [line.split() for line in said.splitlines() if line]
    return {line[0]: line[-1] for line in lines if not line[0].endswith(":")}


@pytest.mark.parametrize("network", [False, True], ids=["alone", "with network"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_can_do_what_the_table_says(
    cell: Any, victim: Any, tmp_path: Path, level: Any, network: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(level)
    if level == "landlock" and landlock.version() < landlock.SCOPES:
        pytest.skip("an older Landlock, which can do less")
    monkeypatch.setenv("SECRET", "of the user")
    secret = tmp_path / "secrets" / "seed"
    secret.parent.mkdir()
    secret.write_text("4711")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0" + cell.mark)
        abstract.listen()
        numbers = NUMBERS[os.uname().machine]
        given = {
            "victim": victim.pid,
            "secret": str(secret),
            "mark": cell.mark,
            "tcp": tcp.getsockname()[1],
            "others": str(cell.others),
            "disk_mb": DISK_MB,
            **{name: numbers[name] for name in ("process_vm_readv", "ptrace", "keyctl")},
        }
        env = f"env = {{ LD_DEBUG = 'statistics', LD_DEBUG_OUTPUT = '{tmp_path}/loader' }}"
        files = {"probe_bot.py": PROBE.read_text("utf-8"), "given.json": json.dumps(given)}
        leave = ("bot1=SECRET", "rival") if network else ("rival=SECRET",)
        built = cell.built(files, level, f"limits = {{ file_mb = {DISK_MB} }}\n{env}", network=leave)
        found = outcomes(cell.said(built))
        again = outcomes(cell.said(built)) if level == "box" else {}
    row = LEVELS[::-1].index(level)
    expected = {attempt: each[row] for attempt, each in TABLE.items()}
    if network:
        expected |= dict.fromkeys(("tcp", "udp", "secrets_in_the_environment"), DONE)
        expected["abstract_socket"] = EPERM if level == "landlock" else DONE  # they belong to the network
    if level == "box" and os.getuid():
        expected["own_copy"] = "EACCES"  # its mode is looked at first, which does not hold root
    if level == "none":
        found |= {attempt: expected[attempt] for attempt in OF_THE_KERNEL}
    assert found == expected
    if level == "box":
        assert again == expected, "nothing is left of the start before"
        assert not Path("/tmp", cell.mark).exists()
        assert not Path("/dev/shm", cell.mark).exists()
    led = "the loader obeys the bot's variables in a program outside of the box, and would load a library there"
    assert bool(list(tmp_path.glob("loader.*"))) is (level == "none"), led
    assert secret.with_name("seed.new").exists() is (level == "none")
