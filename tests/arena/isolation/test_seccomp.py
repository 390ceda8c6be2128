"""The filter of system calls, in a process that applies it to itself."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.isolation import seccomp

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not seccomp.is_known(), reason="no filter for this machine's processor"
)
TRIES = """
import ctypes, errno, os, socket, struct, sys
code = bytes.fromhex(sys.argv[1])
class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)) == 0
assert libc.prctl(22, ctypes.c_ulong(2), ctypes.byref(Filter(len(code) // 8, code)), 0, 0) == 0
def said(attempt):
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
MPTCP = 262
for what in (
    lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, MPTCP),
    lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM),
    lambda: os.chmod(sys.argv[2], 0o600),
    lambda: os.chown(sys.argv[2], -1, -1),
    lambda: os.fchmod(os.open(sys.argv[2], os.O_RDONLY), 0o600),
    lambda: os.nice(0),
    lambda: os.setpriority(os.PRIO_USER, 0, os.getpriority(os.PRIO_PROCESS, 0)),
    lambda: os.setpriority(os.PRIO_PGRP, 0, os.getpriority(os.PRIO_PROCESS, 0)),
    lambda: os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0)),
    # This seems to succeed, and does nothing.
    lambda: os.sched_setscheduler(int(sys.argv[3]), os.SCHED_BATCH, os.sched_param(0)),
    lambda: os.sched_setaffinity(int(sys.argv[3]), {999}),
    lambda: os.sched_setparam(int(sys.argv[3]), os.sched_param(99)),
):
    print(said(what))
"""


@pytest.mark.process
def test_beside_landlock_only_tcp_no_rights_of_files_by_their_paths_and_no_scheduling_of_others(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    code = seccomp.program(os.uname().machine, (socket.AF_UNIX, socket.AF_INET), beside_landlock=True)
    words = [sys.executable, "-c", TRIES, code.hex(), str(file), str(os.getpid())]
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout.split()
    done, no_protocol, no_family, no = "done", "EPROTONOSUPPORT", "EAFNOSUPPORT", "EPERM"
    sockets = [done, done, done, no_protocol, no_protocol, no_family]
    assert said == [*sockets, no, no, done, done, no, no, *[done] * 4]
    assert os.sched_getscheduler(0) == os.SCHED_OTHER
