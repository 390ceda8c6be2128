"""Channels over which two bots of one author try to pass on what one of them sees.

Each is a class: what the receiver does first, what the sender does at each of its decisions, and what the receiver then
finds. MARK is a word that both know, and PEER the name of the sender's folder in the cache up to its hash.
"""

# ruff: noqa: PTH109, PTH101, PTH116, PTH120, PTH123, PTH208
import contextlib
import ctypes
import errno
import fcntl
import os
import socket
import struct
import zlib

MARK = os.environ["MARK"]
NUMBER = zlib.crc32(MARK.encode()) & 0x3FFFFFFF
HAND = 42
"""What is passed on."""
_libc = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "failed")
    return result


class Channel:
    def prepare(self):
        """Make what the sender sends to."""

    def send(self):
        raise NotImplementedError

    def receive(self):
        """Return what was sent. Raises `OSError`."""
        raise NotImplementedError


class File(Channel):
    """In a folder that all can write to."""

    paths = tuple(f"{folder}/{MARK}" for folder in ("/tmp", "/var/tmp", "/dev/shm"))

    def send(self):
        for path in self.paths:
            with contextlib.suppress(OSError), open(path, "w") as file:
                file.write(str(HAND))

    def receive(self):
        for path in self.paths:
            with contextlib.suppress(FileNotFoundError), open(path) as file:
                return int(file.read())
        raise FileNotFoundError(errno.ENOENT, "none")


class Copy(Channel):
    """In the sender's own folder, which is its copy in the cache."""

    def send(self):
        os.chmod(".", 0o700)
        with open("hand", "w") as file:
            file.write(str(HAND))

    def receive(self):
        cache = os.path.dirname(os.getcwd())
        for name in os.listdir(cache):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError), open(f"{cache}/{name}/hand") as file:
                return int(file.read())
        raise FileNotFoundError(errno.ENOENT, "none")


class Label(Channel):
    """On the folder in which all copies are: its extended attribute where the file system has such, or its time."""

    def __init__(self):
        self.folder = os.path.dirname(os.getcwd())

    def send(self):
        for label in (
            lambda: os.setxattr(self.folder, "user.hand", b"%d" % HAND),
            lambda: os.utime(self.folder, (0, HAND)),
        ):
            with contextlib.suppress(OSError):
                label()

    def receive(self):
        with contextlib.suppress(OSError):
            return int(os.getxattr(self.folder, "user.hand"))
        return int(os.stat(self.folder).st_mtime)


class Datagrams(Channel):
    family = socket.AF_UNIX

    def __init__(self):
        self.socket = None

    def bound_to(self):
        raise NotImplementedError

    def targets(self):
        return [self.bound_to()]

    def prepare(self):
        self.socket = socket.socket(self.family, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(self.bound_to())

    def send(self):
        for target in self.targets():
            with socket.socket(self.family, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
                sender.sendto(b"%d" % HAND, target)

    def receive(self):
        return int(self.socket.recv(10))


class PathSocket(Datagrams):
    def bound_to(self):
        return f"{os.environ['TMPDIR']}/{MARK}"

    def targets(self):
        with open("/proc/net/unix") as file:
            return [line.split()[-1] for line in file if line.rstrip().endswith(f"/{MARK}")]


class AbstractSocket(Datagrams):
    def bound_to(self):
        return "\0" + MARK


class Network(Datagrams):
    family = socket.AF_INET

    def bound_to(self):
        return ("127.0.0.1", 20_000 + NUMBER % 10_000)


class Semaphore(Channel):
    """Of System V: a number in the kernel's memory. The test removes it."""

    _set, _get, _create = 16, 12, 0o1600

    def send(self):
        checked(_libc.semctl(checked(_libc.semget(NUMBER, 1, self._create)), 0, self._set, HAND))

    def receive(self):
        return checked(_libc.semctl(checked(_libc.semget(NUMBER, 1, 0)), 0, self._get))


class Queue(Channel):
    """Of messages, of System V. The test removes it."""

    _create, _not_waiting = 0o1600, 0o4000

    def send(self):
        queue = checked(_libc.msgget(NUMBER, self._create))
        _libc.msgsnd(queue, struct.pack("@l2s", 1, b"%d" % HAND), ctypes.c_size_t(2), self._not_waiting)

    def receive(self):
        text = ctypes.create_string_buffer(64)
        queue = checked(_libc.msgget(NUMBER, 0))
        checked(_libc.msgrcv(queue, text, ctypes.c_size_t(32), ctypes.c_long(0), self._not_waiting))
        return int(text.raw[8:10])


class Lock(Channel):
    """On a file that both may only read: it is locked, or not. With a file for each card that would be a hand."""

    def file(self):
        folder = os.path.dirname(os.__file__)
        names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
        return open(f"{folder}/{names[NUMBER % len(names)]}")

    def __init__(self):
        self.kept = None

    def send(self):
        if self.kept is None:
            self.kept = self.file()
            fcntl.flock(self.kept, fcntl.LOCK_EX)

    def receive(self):
        with self.file() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return HAND
        raise FileNotFoundError(errno.ENOENT, "not locked")


CHANNELS = {
    "file": File(),
    "copy": Copy(),
    "label": Label(),
    "path_socket": PathSocket(),
    "abstract_socket": AbstractSocket(),
    "network": Network(),
    "semaphore": Semaphore(),
    "queue": Queue(),
    "lock": Lock(),
}


class Receiver:
    """Prepares at its first decision, and looks until everything has come or the game is over."""

    def __init__(self):
        self.found = {}
        self.prepared = {}

    def decide(self):
        """Return what has come so far, by channel."""
        for name, channel in CHANNELS.items():
            if name not in self.prepared:
                self.prepared[name] = True
                with contextlib.suppress(OSError):
                    channel.prepare()
            elif name not in self.found:
                with contextlib.suppress(OSError, AttributeError):  # or it could not be prepared
                    self.found[name] = channel.receive()
        return self.found


class Sender:
    def decide(self):
        for channel in CHANNELS.values():
            with contextlib.suppress(OSError):
                channel.send()
        return {}
