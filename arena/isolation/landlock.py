"""Confine this process by Landlock and a filter of system calls: what it may read, write, connect to and signal.

The supervisor loads this file, which is why it uses the standard library only. The orders hold the paths to read, those
to write, the port to connect to if there is one, whether the whole network is open, and the filter in hex. Landlock's
numbers are those of the kernel's `linux/landlock.h`; each version of its interface (ABI) can do more, and what an older
kernel cannot do is left out.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat
import struct
import subprocess
from typing import Any

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH, NET_PORT = 1, 2
ASK_VERSION = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
READ = EXECUTE | READ_FILE | READ_DIR
MAKE_SOCKET = 1 << 9
FIRST_FILE_RIGHTS = (1 << 13) - 1
REFER, TRUNCATE, DEVICE = 1 << 13, 1 << 14, 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE
"""Rights that a rule for a file, not a folder, may name."""
BIND_TCP, CONNECT_TCP = 1, 2
ABSTRACT_SOCKETS, SIGNALS = 1, 2

FILES, TCP, SCOPES = 1, 4, 6
"""The versions that brought these."""

_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER, _DROP_FROM_BOUNDS = 38, 22, 2, 24
_CAPABILITIES = 64
_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Return the version of the kernel's interface. Return 0 if there is none."""
    return max(0, int(_libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(ASK_VERSION))))


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _file_rights(abi: int) -> int:
    rights = FIRST_FILE_RIGHTS
    for since, right in ((2, REFER), (3, TRUNCATE), (5, DEVICE)):
        if abi >= since:
            rights |= right
    return rights


class LandlockStart:
    """The rules for one start."""

    helpers = 0
    pass_fds: tuple[int, ...] = ()

    def __init__(self, orders: dict[str, Any]) -> None:
        """Make the rules. Raises `OSError`."""
        given = orders["confinement"]
        self.command = orders["command"]
        self.environment = orders["env"]  # the loader obeys it in the bot's program, when the rules hold
        self._code = bytes.fromhex(given["filter"])
        abi = version()
        if abi < FILES:
            raise OSError(errno.ENOSYS, "this kernel has no Landlock")
        rights = _file_rights(abi)
        net = BIND_TCP | CONNECT_TCP if abi >= TCP and not given["network"] else 0
        scopes = ABSTRACT_SOCKETS | SIGNALS if abi >= SCOPES else 0
        attributes = struct.pack("=QQQ", rights, net, scopes)[: 24 if abi >= SCOPES else 16 if abi >= TCP else 8]
        made = _libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0))
        self._rules = _checked(made, "Landlock")
        # A socket with a path could be reached from elsewhere: no rule is about connecting to it.
        write = rights & ~MAKE_SOCKET
        for paths, allowed in ((given["read"], READ), (given["list"], READ_DIR), (given["write"], write)):
            for path in paths:
                self._allow(path, allowed & rights)
        if net and given["port"] is not None:
            self._add(NET_PORT, struct.pack("=QQ", CONNECT_TCP, given["port"]))

    def _allow(self, path: str, rights: int) -> None:
        descriptor = None
        with contextlib.suppress(OSError):  # it is not there, or not ours to read: there is nothing to allow
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if descriptor is not None:
            try:
                if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                    rights &= OF_FILES
                self._add(PATH_BENEATH, struct.pack("=Qi", rights, descriptor))
            finally:
                os.close(descriptor)

    def _add(self, kind: int, rule: bytes) -> None:
        _checked(_libc.syscall(ADD_RULE, self._rules, kind, rule, ctypes.c_uint(0)), "Landlock")

    def in_child(self) -> None:
        """Confine this process, for good, with all that it starts. Raises `OSError`."""
        for capability in range(_CAPABILITIES):  # root's program shall have no more rights than others; theirs has none
            _libc.prctl(_DROP_FROM_BOUNDS, ctypes.c_ulong(capability), ctypes.c_ulong(0), ctypes.c_ulong(0), 0)
        _libc.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
        _checked(_libc.syscall(RESTRICT_SELF, self._rules, ctypes.c_uint(0)), "Landlock")
        filter_ = _Filter(len(self._code) // 8, self._code)
        _checked(_libc.prctl(_SECCOMP, ctypes.c_ulong(_FILTER), ctypes.byref(filter_), 0, 0), "seccomp")

    def started(self, bot: subprocess.Popen[bytes]) -> None:
        """Close the rules, which hold in the bot by now."""
        os.close(self._rules)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


prepare = LandlockStart
"""What the supervisor calls with the orders."""
