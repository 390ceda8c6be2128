"""Make the filter of system calls that every confined bot runs under, as a program of classic BPF.

The kernel runs the program at each system call, over `struct seccomp_data`: the call's number, the processor, and the
arguments. What the filter refuses fails with an error that programs expect; nothing is killed. It is a list of what is
forbidden: it closes what the kernel offers beyond reading, writing and computing, and it grows with the kernel. What a
bot may reach at all is decided by namespaces or by Landlock.

The numbers of system calls are those of the kernel's `asm/unistd_64.h` for x86_64 and of `asm-generic/unistd.h` for
aarch64.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
from collections.abc import Collection
from typing import Final

from arena.supervisor.process_tree import MOST_SHARED

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The kernel's numbers of the processors, by the names that `os.uname` gives."""

_BOTH = {
    # Calls of the last years have one number on all processors.
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "memfd_secret": 447,
}

_EITHER = {
    # The number on x86_64, and that on aarch64.
    "mmap": (9, 222),
    "ioctl": (16, 29),
    "shmget": (29, 194),
    "socket": (41, 198),
    "clone": (56, 220),
    "semget": (64, 190),
    "msgget": (68, 186),
    "ptrace": (101, 117),
    "syslog": (103, 116),
    "setpgid": (109, 154),
    "setsid": (112, 157),
    "personality": (135, 92),
    "setpriority": (141, 140),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "sched_setaffinity": (203, 122),
    "mq_open": (240, 180),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ioprio_set": (251, 30),
    "unshare": (272, 97),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "prlimit64": (302, 261),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "sched_setattr": (314, 274),
    "kexec_file_load": (320, 294),
    "memfd_create": (319, 279),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
}

NUMBERS: dict[str, dict[str, int]] = {
    machine: {**_BOTH, **{name: numbers[place] for name, numbers in _EITHER.items()}}
    for place, machine in enumerate(AUDIT_ARCH)
}

UNRULED: dict[str, tuple[int, ...]] = {
    "x86_64": (90, 91, 92, 93, 94, 132, 235, 254, 260, 261, 268, 280, 452, 468, 469),
    "aarch64": (27, 52, 53, 54, 55, 88, 452, 468, 469),
}
"""By processor, the calls that Landlock does not restrict and that change a file that one can read or see, or that
tell of what others do with it: `chmod`, `fchmod`, `chown`, `fchown`, `lchown`, `utime`, `utimes`, `inotify_add_watch`,
`fchownat`, `futimesat`, `fchmodat`, `utimensat`, `fchmodat2`, `file_getattr` and `file_setattr`."""
EXTENDED_ATTRIBUTES: dict[str, tuple[int, ...]] = {
    "x86_64": (*range(188, 200), *range(463, 467)),
    "aarch64": (*range(5, 17), *range(463, 467)),
}
"""By processor, all calls that set, get, list and remove extended attributes of files. Nor does it restrict these."""

UNKNOWN: Final = ("clone3", "memfd_create", "memfd_secret", "io_uring_setup", "io_uring_enter", "io_uring_register")
"""Said not to exist, so that libraries take the older way. The filter cannot look into the arguments of `clone3`."""
CHECKED: Final = ("clone", "socket", "prlimit64", "setpriority", "pidfd_send_signal", "mmap", "ioctl")
"""Refused only for some arguments, or not at all."""
SCHEDULING: Final = ("sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler")
"""Beside Landlock these do nothing, unless the first argument is 0, for the thread that calls. In a box there is
nobody else to see. The calls seem to succeed, because libraries set the scheduling of their own threads by
number, and some end the program on an error."""
FILE_FLAGS: Final = (0x40086602, 0x401C5820, 0x40087602)
"""The operations of `ioctl` by which who can read a file changes it: `FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR` and
`FS_IOC_SETVERSION`."""
NEW_NAMESPACES: Final = 0x7E020000
"""The flags of `clone` that make namespaces: `CLONE_NEW*`."""
FAMILIES: Final = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)
"""Sockets of other families are refused. 16 is `AF_NETLINK`, by which libraries list the network's interfaces."""

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_LEAST: Final = 0x35  # BPF_JGE
_IF_ANY: Final = 0x45  # BPF_JSET
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_ERROR: Final = 0x00050000
_NUMBER: Final = 0
_ARCH: Final = 4
_FIRST: Final = 16
_SECOND: Final = 24
_SECOND_UPPER: Final = 28
_THIRD: Final = 32
_FOURTH: Final = 40
"""Places of these seven in `struct seccomp_data`. The last five are the lower halves of the first arguments, and the
upper one of the second, as both processors are little-endian."""
_AND: Final = 0x54  # BPF_ALU | BPF_AND | BPF_K
_TYPE: Final = 0xF
"""The bits of a socket's second argument that are its type."""
_TCP: Final = 6
"""The number of the protocol."""
_SHARED_ANONYMOUS: Final = 0x21
"""The flags of `mmap` that make memory to be shared with children: `MAP_SHARED | MAP_ANONYMOUS`."""
_X32: Final = 0x40000000
"""Numbers from here on are another way into the same calls, on x86_64."""


_TCP_ALONE: Final = (
    (_IF_EQUAL, 7, 0, socket.AF_UNIX),
    (_LOAD, 0, 0, _SECOND),
    (_AND, 0, 0, _TYPE),
    (_IF_EQUAL, 0, 3, socket.SOCK_STREAM),
    (_LOAD, 0, 0, _THIRD),
    (_IF_EQUAL, 2, 0, 0),
    (_IF_EQUAL, 1, 0, _TCP),
    (_RETURN, 0, 0, _ERROR | errno.EPROTONOSUPPORT),
)
"""Refuses sockets of the network that are none of TCP, when the family is loaded."""


def is_known() -> bool:
    """Return whether there is a filter for this machine's processor."""
    return os.uname().machine in NUMBERS


def program(
    machine: str,
    families: tuple[int, ...] = FAMILIES,
    beside_landlock: bool = False,
    allowed: Collection[str] = (),
    network: bool = False,
) -> bytes:
    """Return the filter, as an array of `struct sock_filter`.

    Args:
        machine: The processor.
        families: Of the sockets that may be made.
        beside_landlock: Whether to refuse also what Landlock leaves open: other sockets of the network than those of
            TCP, changes of rights, times and attributes of files, news of what others do with them, and changes of the
            scheduling of other processes.
        allowed: Calls that are not refused.
        network: Whether sockets beside those of TCP are allowed: names are looked up by others.
    """
    numbers = NUMBERS[machine]
    denied = [name for name in numbers if name not in (*CHECKED, *SCHEDULING, *UNKNOWN, *allowed)]
    refuse, absent = (_RETURN, 0, 0, _ERROR | errno.EPERM), (_RETURN, 0, 0, _ERROR | errno.ENOSYS)
    code = [
        (_LOAD, 0, 0, _ARCH),
        (_IF_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        absent,  # a program for another processor, which numbers its calls otherwise
        (_LOAD, 0, 0, _NUMBER),
        (_IF_LEAST, 0, 1, _X32),
        absent,
    ]
    for name in denied:
        code += [(_IF_EQUAL, 0, 1, numbers[name]), refuse]
    for name in UNKNOWN:
        code += [(_IF_EQUAL, 0, 1, numbers[name]), absent]
    if beside_landlock:
        unsupported = (_RETURN, 0, 0, _ERROR | errno.ENOTSUP)  # as on a file system that has none
        for numbers_of, answer in ((UNRULED, refuse), (EXTENDED_ATTRIBUTES, unsupported)):
            code += [each for number in numbers_of[machine] for each in ((_IF_EQUAL, 0, 1, number), answer)]
        flags = [(_IF_EQUAL, len(FILE_FLAGS) - place, 0, what) for place, what in enumerate(FILE_FLAGS)]
        checks = [(_LOAD, 0, 0, _SECOND), *flags, (_RETURN, 0, 0, _ALLOW), refuse]
        code += [(_IF_EQUAL, 0, len(checks), numbers["ioctl"]), *checks]
    code += [
        (_IF_EQUAL, 0, 4, numbers["clone"]),
        (_LOAD, 0, 0, _FIRST),
        (_IF_ANY, 0, 1, NEW_NAMESPACES),
        refuse,
        (_RETURN, 0, 0, _ALLOW),
    ]
    nothing = (_RETURN, 0, 0, _ERROR)
    others = SCHEDULING if beside_landlock else ()
    # Of a process: 0 is the own one. `setpriority` can also be of a group or of all of a user's processes.
    for name, places, otherwise in (
        ("prlimit64", (_FIRST,), refuse),
        ("setpriority", (_FIRST, _SECOND), refuse),
        *((name, (_FIRST,), nothing) for name in others),
    ):
        checks = [each for place in places for each in ((_LOAD, 0, 0, place), (_IF_EQUAL, 1, 0, 0), otherwise)]
        code += [(_IF_EQUAL, 0, len(checks) + 1, numbers[name]), *checks, (_RETURN, 0, 0, _ALLOW)]
    named = [(_IF_EQUAL, len(families) - place, 0, family) for place, family in enumerate(families)]
    sockets = [(_LOAD, 0, 0, _FIRST), *named, (_RETURN, 0, 0, _ERROR | errno.EAFNOSUPPORT)]
    if beside_landlock and not network:
        sockets += _TCP_ALONE
    allow = (_RETURN, 0, 0, _ALLOW)
    code += [(_IF_EQUAL, 0, len(sockets), numbers["socket"]), *sockets]
    code += [*_large_shared_maps(numbers["mmap"]), allow]
    return b"".join(struct.pack("=HBBI", *each) for each in code)


def _large_shared_maps(number: int) -> list[tuple[int, int, int, int]]:
    """Return the part that refuses maps in which memory could be kept that no process shows to have."""
    return [
        (_IF_EQUAL, 0, 8, number),
        (_LOAD, 0, 0, _FOURTH),
        (_AND, 0, 0, _SHARED_ANONYMOUS),
        (_IF_EQUAL, 0, 5, _SHARED_ANONYMOUS),
        (_LOAD, 0, 0, _SECOND_UPPER),
        (_IF_EQUAL, 0, 2, 0),
        (_LOAD, 0, 0, _SECOND),
        (_IF_LEAST, 0, 1, MOST_SHARED + 1),
        (_RETURN, 0, 0, _ERROR | errno.ENOMEM),
    ]
