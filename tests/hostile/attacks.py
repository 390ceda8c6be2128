"""What hostile bots try as programs of the same user: each attack is a function, which raises an error if it fails.

The environment says what a bot finds out by searching the disk: FOLDER is that of the tournament. MARK is a word by
which the test finds what was left behind.
"""

# ruff: noqa: PTH101, PTH103, PTH109, PTH118, PTH119, PTH120, PTH123, PTH208
import contextlib
import ctypes
import errno
import itertools
import mmap
import os
import re
import resource
import signal
import socket
import sys
import time

from raw_client import OWN, connect, handshake, hello, send, short, spoken

_libc = ctypes.CDLL(None, use_errno=True)
_PIDFD_OPEN, _PIDFD_GETFD = 434, 438
_LONGER_THAN_A_MOVE = 1000
kept = []
"""What must stay open until the game is over."""
starts = []
"""The messages that began games, the newest last."""


def refused(number=errno.ENOENT):
    return OSError(number, os.strerror(number))


# Who else there is


def parent(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def command_line(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read()


def above():
    """Return the process ids of our supervisor, the worker and the command."""
    found, pid = [], os.getppid()
    while pid > 1:
        line = command_line(pid)
        if not any(word in line for word in (b"supervisor/main.py", b"-m\0arena", b"multiprocessing")):
            break
        found.append(pid)
        pid = parent(pid)
    if len(found) < 3:
        raise refused()
    return found


def victim():
    """Return the process id of the rival, which another supervisor of the same worker has started."""
    worker = above()[1]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if b"victim.py" in command_line(pid) and parent(parent(pid)) == worker:
                return int(pid)
    raise refused()


def variables(pid):
    with open(f"/proc/{pid}/environ", "rb") as file:
        return dict(each.split(b"=", 1) for each in file.read().split(b"\0") if b"=" in each)


def open_any(pids, *names):
    """Open one of these files of one of these processes. Raise the last error if none can be opened."""
    last = refused()
    for pid in pids:
        for name in names:
            try:
                how = os.O_RDONLY if name == "environ" else os.O_RDWR | os.O_NONBLOCK
                os.close(os.open(f"/proc/{pid}/{name}", how))
                return f"{pid} {name}"
            except OSError as error:
                last = error
    raise last


# Secrets, and what others have


def read_seed():
    with open(os.environ["FOLDER"] + "/seed") as file:
        return file.read()


def read_named():
    with open(os.environ["JAVA_HOME"] + "/key") as file:
        file.read()


def read_by_build():
    with open("built") as file:
        if not file.read():
            raise refused()


def read_memory():
    return open_any(above(), "mem")


def squat():
    """Connect to the rival's endpoint, under its token if that can be read."""
    try:
        found = variables(victim())
        endpoint, token = found[b"ARENA_ENDPOINT"].decode(), found[b"ARENA_TOKEN"]
    except PermissionError:  # names of sockets can still be read
        with open("/proc/net/unix") as file:
            paths = {line.split()[-1] for line in file if "/arena-" in line}
        folder = os.path.dirname(OWN.removeprefix("ipc://"))
        others = {path for path in paths if os.path.dirname(path) == folder} - {OWN.removeprefix("ipc://")}
        endpoint, token = f"ipc://{sorted(others)[0]}", b"0" * 32
    kept.append(connect(endpoint))
    send(kept[-1], handshake(token) + hello("victim"))


def speak_as_rival():
    """Speak under a rival's token over a connection of our own."""
    token = b"0" * 32
    with contextlib.suppress(OSError):
        token = variables(victim())[b"ARENA_TOKEN"]
    kept.append(spoken(short(b"x") * 3, token))


def speak_over_rivals_socket():
    """Copy the rival's socket out of its process, and send what is no message over it."""
    process = _called(_PIDFD_OPEN, victim(), 0)
    last = refused(errno.EBADF)
    for number in range(3, 64):
        try:
            copy = _called(_PIDFD_GETFD, process, number, 0)
        except OSError as error:
            last = error if error.errno != errno.EBADF else last
            continue
        with contextlib.suppress(OSError), socket.socket(fileno=copy) as stolen:  # or it is no socket
            if stolen.family == socket.AF_UNIX and "/arena-" in str(stolen.getpeername()):
                stolen.sendall(short(b"rubbish"))
                return
    raise last


def _called(number, *arguments):
    result = _libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    if result < 0:
        raise refused(ctypes.get_errno())
    return result


def report_for_supervisor():
    """Open what our supervisor reports to the worker through."""
    return open_any(above()[:1], "fd/0", "fd/1", "fd/2", "mem")


def kill_rival():
    os.kill(victim(), signal.SIGKILL)


def stop_rival():
    """Stop the rival again and again while it is asked, by a helper that is not stopped with us."""
    pid = victim()
    os.kill(pid, signal.SIGSTOP)
    read, write = os.pipe()
    if os.fork():
        os.close(write)
        os.read(read, 1)  # until it has left our session
        return
    os.setsid()
    os.close(write)
    until = time.monotonic() + 0.4  # then the watch has stopped it, too
    while time.monotonic() < until:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.001)
    os._exit(0)


def kill_worker():
    os.kill(above()[1], signal.SIGKILL)
    time.sleep(_LONGER_THAN_A_MOVE)


def change_ranks():
    """Let nobody have lost a game that was recorded."""
    os.close(os.open(os.environ["FOLDER"] + "/ledger.sqlite", os.O_RDWR))
    import sqlite3

    with contextlib.closing(sqlite3.connect(os.environ["FOLDER"] + "/ledger.sqlite", timeout=2)) as ledger:
        until = time.monotonic() + 2
        while time.monotonic() < until:  # a game is recorded soon
            with ledger:
                if ledger.execute("UPDATE seats SET rank = 1 WHERE rank > 1").rowcount:
                    return
    raise refused()


def date_ledger():
    """Let the ledger seem to be as old as can be."""
    os.utime(os.environ["FOLDER"] + "/ledger.sqlite", (0, 0))


def watch_files():
    """Let us be told when somebody writes to the ledger."""
    path = (os.environ["FOLDER"] + "/ledger.sqlite").encode()
    if _libc.inotify_add_watch(_libc.inotify_init(), path, 2) < 0:  # IN_MODIFY
        raise refused(ctypes.get_errno())


def lay_module():
    """Lay a module beside the rival's program in the cache."""
    own = os.getcwd()
    folders = [name for name in os.listdir(os.path.dirname(own)) if name.startswith("victim-") and "." not in name]
    if not folders:
        raise refused()
    copy = os.path.join(os.path.dirname(own), folders[0])
    with contextlib.suppress(OSError):
        os.chmod(copy, 0o700)
    with open(copy + "/random.py", "w") as file:
        file.write("raise SystemExit('taken over')\n")


def forge_copy():
    """Lay that module, and make the copy's record and archive fit it."""
    lay_module()
    import pathlib

    from arena.entrants import snapshot

    for record in pathlib.Path.cwd().parent.glob("victim-*.built"):
        snapshot.take_snapshot(record.with_suffix(""))


def guess_seed():
    """Try small numbers for `--seed` until one gives the number that we were sent."""
    import hashlib
    import json
    from types import SimpleNamespace

    from arena.tournament.schedule.deals import game_seed
    from engine.chance import derive

    cost = json.loads(os.environ["SCRYPT"])
    cost["salt"] = bytes.fromhex(cost["salt"])
    start = starts[-1]
    for number in range(3):
        seed = hashlib.scrypt(f"{number:x}".encode(), dklen=16, **cost)
        for block in range(32):
            for rotation in range(start["players"]):
                name = f"p{start['players']}-b{block:04d}-r{rotation}"
                place = SimpleNamespace(id=name, players=start["players"], block=block, rotation=rotation)
                game = game_seed(place, seed, seed)  # type: ignore[arg-type]
                if int.from_bytes(derive(game, "bot", start["seat"])[:8]) == start["bot_seed"]:
                    return f"{number}"
    raise refused()


def read_typed_seed():
    """Look in the command lines of worker and command for what was typed after `--seed`."""
    for pid in above():
        words = command_line(pid).split(b"\0")
        for option, value in itertools.pairwise(words):
            if option == b"--seed" and value.isdigit():
                return value.decode()
    raise refused()


def find_place():
    """Look for the place in the schedule in the id of the game."""
    found = re.findall(r"\d+", starts[-1]["game_id"]) if "-" in starts[-1]["game_id"] else []
    if not found:
        raise refused()
    return " ".join(found)


# More than our share


def stop_supervisor():
    """Stop the supervisor, with a helper that computes on in others' time."""
    supervisor = above()[0]
    os.kill(supervisor, 0)
    if not os.fork():
        with contextlib.suppress(OSError):
            os.setsid()
        while True:
            pass
    os.kill(supervisor, signal.SIGSTOP)


def leave_group():
    """Let a helper leave our session: it is not stopped with us."""
    child = os.fork()
    if not child:
        try:
            os.setsid()
        except OSError as error:
            os._exit(error.errno)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise refused(code)


def outlive():
    """Leave a helper that carries no mark of ours in its environment, and kill the supervisor."""
    supervisor = above()[0]
    leave_group()
    read, write = os.pipe()
    if not os.fork():
        os.setsid()
        if not os.fork():
            words = [sys.executable, "-c", "import time; time.sleep(1000)", os.environ["MARK"]]
            os.execve(sys.executable, words, {})
        os._exit(0)
    os.close(write)
    os.read(read, 1)  # until the helper is another program
    os.kill(supervisor, signal.SIGKILL)
    time.sleep(_LONGER_THAN_A_MOVE)


def hide_memory():
    """Hold three times our memory in files without a name, while the watch looks."""
    for _ in range(192):
        kept.append(os.memfd_create("hidden"))
        os.write(kept[-1], bytes(1 << 20))
    time.sleep(1.1)


def hide_shared():
    """Hold three times our memory in maps that are shared with children, of which nothing is resident any more."""
    for path, size in ((None, 192), ("/dev/zero", 192), *[(None, 1)] * 192):
        with contextlib.suppress(OSError):
            file = -1 if path is None else os.open(path, os.O_RDWR)
            shared = mmap.mmap(file, size << 20)
            for place in range(0, size << 20, 1 << 20):
                shared[place : place + (1 << 20)] = b"x" * (1 << 20)
                shared.madvise(mmap.MADV_DONTNEED)
            kept.append(shared)
            if size > 1:
                break
    time.sleep(1.1)


def fill_disk():
    """Write more than a file may hold, in several files."""
    for number in range(8):
        with open(f"{os.environ['TMPDIR']}/{number}", "wb") as file:
            file.write(bytes(1 << 20))


def burst():
    """Start more processes than we may have, in a folder that cannot be removed easily."""
    os.chdir(os.environ["HOME"])
    os.makedirs("locked/deeper")
    with contextlib.suppress(OSError):
        os.chmod("locked", 0)
    for _ in range(40):
        if not os.fork():
            time.sleep(_LONGER_THAN_A_MOVE)
    time.sleep(_LONGER_THAN_A_MOVE)


def slow_rival():
    """Take from the rival its priority, its cores and its limits. One of them is enough."""
    pid = victim()
    ways = {
        "priority": lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
        "policy": lambda: os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0)),
        "limit": lambda: resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0)),
    }
    found, last = [], refused()
    for name, way in ways.items():
        try:
            before = os.sched_getscheduler(pid)
            way()
            if name != "policy" or os.sched_getscheduler(pid) != before:  # it may only seem to succeed
                found.append(name)
        except OSError as error:
            last = error
    if not found:
        raise last
    return " ".join(found)


# What is kept beside our own files


def watch_rival():
    """Read when the rival works: from its own numbers, or from those of the whole machine."""
    with contextlib.suppress(FileNotFoundError), open(f"/proc/{victim()}/stat") as file:
        return "rival " + file.read().rpartition(")")[2].split()[11]
    with open("/proc/stat") as file:
        found = [int(line.split()[1]) for line in file if line.startswith("ctxt")]
    if not any(found):
        raise refused()
    return "machine"


def watch_machine():
    """Read how many files all processes of the machine have open."""
    with open("/proc/sys/fs/file-nr") as file:
        return file.read().split()[0]


def list_software():
    os.listdir("/opt")


def read_rivals_files():
    """List the rivals' folders beside our own, and read the log of one."""
    beside = os.path.dirname(os.path.dirname(os.environ["HOME"]))
    own = os.path.basename(os.path.dirname(os.environ["HOME"]))
    for name in os.listdir(beside):
        if name.startswith("bot-") and name != own:
            with open(f"{beside}/{name}/log.stderr", "rb") as file:
                file.read()
            return
    raise refused()


def read_arenas_environment():
    """Read the environment of the worker and the command, where the user may have secrets."""
    return open_any(above()[1:], "environ", "cwd")
