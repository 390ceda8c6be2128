"""What hostile bots do: generators, each begun at the start of a game and sent every decision of it."""

# ruff: noqa: PTH101, PTH103, PTH104, PTH110, PTH115, PTH123
import json
import os
import sys
import time


def note(found):
    """Tell the test what was found, whole or not at all."""
    with open(os.environ["NOTE"] + ".new", "w") as file:
        json.dump(found, file)
    os.rename(os.environ["NOTE"] + ".new", os.environ["NOTE"])


def ancestors():
    """Return the process ids above this process, from the supervisor to the command."""
    found, pid = [], os.getppid()
    while pid > 1:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            line = file.read()
        if b"arena" not in line and b"multiprocessing" not in line:
            break
        found.append(pid)
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
    return found


def snoop(start):
    """Open what the processes above have in memory, in their environment and in their hands (B1, B2, B3, B6, B19)."""
    yield
    found = {}
    for generation, pid in enumerate(ancestors()):
        for name in ("mem", "environ", "fd/0", "fd/1", "cwd"):
            path = f"/proc/{pid}/{name}"
            try:
                if name == "cwd":
                    os.readlink(path)
                else:
                    os.close(os.open(path, os.O_RDONLY if name == "environ" else os.O_RDWR | os.O_NONBLOCK))
                found[f"{generation} {name}"] = "open"
            except OSError as error:
                found[f"{generation} {name}"] = type(error).__name__
    note(found)
    yield


def stop_starter(start):
    """Stop the supervisor, so that a helper thinks on in others' time (B11)."""
    yield
    import signal

    helper = os.fork()
    if not helper:
        os.setsid()
        while True:
            pass
    os.kill(os.getppid(), signal.SIGSTOP)
    note({"helper": helper})
    while True:
        yield


def outlive(start):
    """Leave a helper that carries no mark of ours, and kill the supervisor (B13)."""
    yield
    import signal

    supervisor = os.getppid()
    if not os.fork():
        os.setsid()
        if not os.fork():
            note({"helper": os.getpid()})
            os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)"], {})
        os._exit(0)
    while not os.path.exists(os.environ["NOTE"]):
        time.sleep(0.001)
    os.kill(supervisor, signal.SIGKILL)
    time.sleep(1000)
    yield


def kill_worker(start):
    """Kill the worker when the game does not look like a win: it is played again (B8)."""
    yield
    while True:
        game = yield
        if game.turn >= 5:
            import signal

            os.kill(ancestors()[1], signal.SIGKILL)
            time.sleep(1000)


def take_over(start):
    """Lay a module beside the rival's cached copy, with a record and an archive that know of it (B10)."""
    yield
    import pathlib

    from arena.entrants import snapshot

    cache = pathlib.Path.cwd().parent
    for record in cache.glob("greedy-*.built"):
        copy = record.with_suffix("")
        copy.chmod(0o700)
        (copy / "random.py").write_text("raise SystemExit('taken over')\n")
        snapshot.take(copy)
        note({"taken": copy.name})
    yield


def lock_up(start):
    """Leave a folder that cannot be removed easily, and start more processes than one may (B15, B16, B20)."""
    yield
    os.chdir(os.environ["HOME"])
    os.makedirs("locked/deeper")
    os.chmod("locked", 0)
    for _ in range(20):
        if not os.fork():
            time.sleep(1000)
    time.sleep(1000)
    yield
