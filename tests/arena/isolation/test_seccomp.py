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
import ctypes, errno, fcntl, os, socket, struct, sys
code = bytes.fromhex(sys.argv[1])
class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)) == 0
assert libc.prctl(22, ctypes.c_ulong(2), ctypes.byref(Filter(len(code) // 8, code)), 0, 0) == 0
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "failed")
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
    lambda: os.fchown(os.open(sys.argv[2], os.O_RDONLY), -1, -1),
    lambda: os.utime(sys.argv[2], (0, 0)),
    lambda: os.utime(os.open(sys.argv[2], os.O_RDONLY), (0, 0)),
    lambda: checked(libc.utimes(sys.argv[2].encode(), None)),
    lambda: os.setxattr(sys.argv[2], "user.hand", b"42"),
    lambda: os.setxattr(os.open(sys.argv[2], os.O_RDONLY), "user.hand", b"42"),
    lambda: os.getxattr(sys.argv[2], "user.hand"),
    lambda: os.listxattr(sys.argv[2], follow_symlinks=False),
    lambda: os.removexattr(sys.argv[2], "user.hand"),
    lambda: checked(libc.inotify_add_watch(libc.inotify_init(), sys.argv[2].encode(), 1)),
    lambda: fcntl.ioctl(os.open(sys.argv[2], os.O_RDONLY), 0x40086602, struct.pack("l", 0)),
    lambda: fcntl.ioctl(os.open(sys.argv[2], os.O_RDONLY), 0x401C5820, bytes(28)),
    lambda: fcntl.ioctl(os.pipe()[0], 0x541B, bytes(4)),  # FIONREAD
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
def test_beside_landlock_only_tcp_no_changes_of_files_that_can_be_read_and_no_scheduling_of_others(
    tmp_path: Path,
) -> None:
    file = tmp_path / "file"
    file.touch()
    code = seccomp.program(os.uname().machine, (socket.AF_UNIX, socket.AF_INET), beside_landlock=True)
    words = [sys.executable, "-c", TRIES, code.hex(), str(file), str(os.getpid())]
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout.split()
    done, no_protocol, no_family, no = "done", "EPROTONOSUPPORT", "EAFNOSUPPORT", "EPERM"
    sockets = [done, done, done, no_protocol, no_protocol, no_family]
    files = [no, no, no, no, no, no, no, *["ENOTSUP"] * 5, no, no, no, done]
    assert said == [*sockets, *files, done, no, no, *[done] * 4]
    assert os.sched_getscheduler(0) == os.SCHED_OTHER
