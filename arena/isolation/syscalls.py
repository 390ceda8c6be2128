"""Number the system calls that bots may not make, for each processor that the filter knows.

Sources: the kernel's `asm/unistd_64.h` for x86_64 and `asm-generic/unistd.h` for aarch64.
"""

from __future__ import annotations

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
