"""Turn a command into what the supervisor starts at a level of isolation: `box`, `landlock` or `none`.

For a box that is a command of bubblewrap, which `arena.isolation.bubblewrap.boxed` makes. The supervisor
(`arena.supervisor.start`) starts it, and before that loads the module that hands over the filter of system calls
(`arena.isolation.box_start`), or for `landlock` the one by which the new process limits itself.

A build gets a home folder that is empty and its own, and is thrown away: so no settings and keys of the user are in it,
and nothing that one build leaves behind reaches the next one. It can read the toolchains that this user has. Where
there is a box, that home is at the place of the user's, so that a file which the plan makes readable is where tools
look for it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.isolation import box_start, landlock, relay, seccomp
from arena.isolation.bubblewrap import HOME, NAME_SERVERS, SOCKET, TEMPORARY, BoxContents, BuildFolders, boxed, found
from arena.isolation.readable import SYSTEM, is_below, package_folders, program_paths, system_paths
from arena.isolation.settings import Isolation, IsolationError

_IPC: Final = "ipc://"
_TCP: Final = "tcp://"
_PORT: Final = 5555
"""Of the relay. The box has all ports for itself."""
_DEVICES: Final = ("/dev/null", "/dev/full")
"""That a bot may write to. Shared maps of `/dev/zero` would keep memory that no process shows to have."""
RESERVE_TASKS: Final = 256
"""Threads that a bot may have besides its processes."""
_LOCAL_FAMILIES: Final = (1,)
"""Sockets within this machine: `AF_UNIX`."""
_TCP_FAMILIES: Final = (*_LOCAL_FAMILIES, 2)
TOOLS: Final = (
    *("cargo", "rustc", "rustup", "go", "node", "npm", "npx", "yarn", "pnpm", "deno", "bun", "tsc", "java", "javac"),
    *("mvn", "gradle", "sbt", "kotlinc", "scala", "dotnet", "cmake", "ctest", "ninja", "meson", "make", "gmake"),
    *("pkg-config", "cc", "gcc", "c++", "g++", "clang", "clang++", "ld", "lld", "zig", "swift", "ghc", "cabal"),
    *("stack", "ocaml", "opam", "dune", "nim", "crystal", "julia", "lua", "perl", "php", "ruby", "bundle", "elixir"),
    *("mix", "erl", "rebar3", "racket", "sbcl", "python", "python3", "pip", "uv", "poetry", "git"),
)
"""Programs that builds start. Each is shown to a build with the folder in which it was installed."""
_FOLDERS: Final = (
    *("RUSTUP_HOME", "JAVA_HOME", "JDK_HOME", "M2_HOME", "MAVEN_HOME", "GOROOT", "NVM_DIR", "PYENV_ROOT", "SDKROOT"),
    *("VIRTUAL_ENV", "CMAKE_PREFIX_PATH", "CMAKE_TOOLCHAIN_FILE", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"),
    *("LD_LIBRARY_PATH", "PIP_FIND_LINKS"),
)
"""Variables with paths, separated by colons, from which toolchains read."""
_WRITTEN: Final = (
    *("TEMP", "TMP", "CARGO_HOME", "GOPATH", "GOCACHE", "GOMODCACHE", "GOENV", "NPM_CONFIG_CACHE", "npm_config_cache"),
    *("PYTHONPYCACHEPREFIX", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"),
)
"""Variables that lead out of the build's own home."""
_GROUPS: Final = ("setsid", "setpgid")
"""Calls that are refused to bots, which are stopped between their turns, all together. Shells and tools make them."""
_RUSTUP: Final = "RUSTUP_HOME"
_DEEP: Final = 2
"""A folder so far below the root holds more than what a variable may open."""


class Confined(NamedTuple):
    """What is started instead of a command."""

    command: list[str]
    environment: dict[str, str]
    confinement: dict[str, Any] | None
    """For the supervisor."""


def confine_bot(
    isolation: Isolation,
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    scratch: Path,
    processes: int,
    disk_mb: int,
    is_tcp: bool = False,
    network: bool = False,
) -> Confined:
    """Confine a bot.

    Args:
        isolation: How.
        command: What starts it.
        folder: Its folder, where it runs.
        environment: Its variables; `ARENA_ENDPOINT` says where the referee listens.
        scratch: The folder of this start, with `home` and `tmp` in it.
        processes: How many it may have.
        disk_mb: How much it may write, in MiB. Only a box limits that.
        is_tcp: Whether it connects over TCP, so that a box needs a relay.
        network: Whether it may use the network of the machine.
    """
    words, variables = list(command), dict(environment)
    if isolation.level == "none":
        return Confined(words, variables, None)
    endpoint = variables["ARENA_ENDPOINT"]
    if isolation.level == "landlock":
        read = [*system_paths(), *program_paths(words, folder), *isolation.readable, str(folder)]
        port = int(endpoint.rpartition(":")[2]) if endpoint.startswith(_TCP) else None
        families = seccomp.FAMILIES if network else _LOCAL_FAMILIES if port is None else _TCP_FAMILIES
        code = seccomp.program(_machine(), families, beside_landlock=True, network=network)
        read += _names() if network else []
        return _under_landlock(words, variables, code, read, _folders(scratch), port, network)
    variables |= {"HOME": HOME, "TMPDIR": TEMPORARY, "ARENA_ENDPOINT": f"{_IPC}{SOCKET}"}
    readable = isolation.readable
    if is_tcp:
        readable = (*readable, *program_paths(words, folder))
        words = [sys.executable, "-I", "-S", relay.__file__, SOCKET, str(_PORT), *words]
        variables["ARENA_ENDPOINT"] = f"{_TCP}127.0.0.1:{_PORT}"
    box = BoxContents(folder, readable, socket=endpoint.removeprefix(_IPC), disk_mb=disk_mb, network=network)
    return in_box(words, variables, box, command[0], processes, helper_processes(isolation, is_tcp))


def helper_processes(isolation: Isolation, is_tcp: bool) -> int:
    """Return how many processes keep one bot apart: bubblewrap's, and the relay of one that uses TCP."""
    return box_start.HELPERS + is_tcp if isolation.level == "box" else 0


def confine_build(
    isolation: Isolation,
    command: Sequence[str],
    folder: Path,
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
    scratch: Path,
    processes: int,
) -> Confined:
    """Confine a build.

    Args:
        isolation: How.
        command: What builds the bot.
        folder: The copy of its source, to which it writes.
        ours: The variables that it gets from us. They lead to the toolchains that it can read.
        theirs: Those of the bot's manifest, which reach the build and decide nothing here.
        scratch: The folder of this start, with `home` and `tmp` in it.
        processes: How many it may have.
    """
    words = list(command)
    if isolation.level == "none":
        return Confined(words, {**ours, **theirs}, None)
    home = ours.get("HOME", "")
    toolchains = dict(ours)
    rustup = ours.get(_RUSTUP) or f"{home}/.rustup"
    if home and os.access(rustup, os.R_OK | os.X_OK):
        toolchains[_RUSTUP] = rustup
    readable = [*_toolchains(words, folder, toolchains, home), *isolation.readable]
    variables = {name: value for name, value in {**toolchains, **theirs}.items() if name not in _WRITTEN}
    if isolation.level == "landlock":
        variables |= _homes(variables, str(scratch / "home"), str(scratch / "tmp"))
        network = isolation.build_network
        # Compilers and package managers set the rights of the files that they make: the filter does not refuse that.
        code = seccomp.program(_machine(), seccomp.FAMILIES if network else _LOCAL_FAMILIES, allowed=_GROUPS)
        names = _names() if network else []
        write = [str(folder), *_folders(scratch), "/dev/zero"]
        return _under_landlock(words, variables, code, [*system_paths(), *readable, *names], write, network=network)
    home_at = home if _can_be_replaced(home) else HOME
    variables |= _homes(variables, home_at, TEMPORARY)
    folders = BuildFolders(scratch / "home", home_at, scratch / "tmp")
    box = BoxContents(folder, readable, build=folders, network=isolation.build_network)
    return in_box(words, variables, box, command[0], processes, box_start.HELPERS, allowed=_GROUPS)


def _names() -> list[str]:
    """Return what says where names of machines are looked up."""
    return [NAME_SERVERS, os.path.realpath(NAME_SERVERS)]


def _homes(variables: Mapping[str, str], home: str, temporary: str) -> dict[str, str]:
    """Return the variables that name a home and a temporary folder, for Java too, which takes its home elsewhere."""
    maven = f"{variables.get('MAVEN_OPTS', '')} -Duser.home={home}".strip()
    return {"HOME": home, "TMPDIR": temporary, "MAVEN_OPTS": maven, "GRADLE_USER_HOME": f"{home}/.gradle"}


def _toolchains(command: Sequence[str], folder: Path, variables: Mapping[str, str], home: str) -> list[str]:
    """Return what the toolchains are in that is not the system's. The variables are ours."""
    found = program_paths(command, folder)
    for tool in TOOLS:
        found += program_paths([tool], folder)
    for name in _FOLDERS:
        found += [each for each in variables.get(name, "").split(os.pathsep) if _is_narrow(each, home)]
    return list(dict.fromkeys(found))


def _is_narrow(path: str, home: str) -> bool:
    """Return whether a path is absolute, and below the user's home or far enough from the root, but not around home."""
    if not path.startswith("/") or is_below(path, SYSTEM):
        return False
    place = Path(os.path.normpath(path))
    return os.access(place, os.R_OK) and len(place.parts) > _DEEP and not is_below(home, [str(place)])


def _can_be_replaced(home: str) -> bool:
    """Return whether the home in a box can be where the user's is."""
    taken = (*SYSTEM, "/proc", "/dev")
    return home.startswith("/") and Path(home) not in (Path("/"), Path(TEMPORARY)) and not is_below(home, taken)


def in_box(
    command: Sequence[str],
    variables: dict[str, str],
    box: BoxContents,
    program: str,
    processes: int,
    helpers: int,
    allowed: Collection[str] = (),
) -> Confined:
    """Return a command in a box. Raises `IsolationError`.

    Args:
        command: The command.
        variables: Its variables.
        box: What is in the box.
        program: What it is to be called when it cannot be started.
        processes: How many it may have.
        helpers: How many processes keep it apart.
        allowed: System calls that are not refused.
    """
    if (bubblewrap := found()) is None:
        raise IsolationError("bubblewrap is not installed any more: apt install bubblewrap")
    confinement = {
        "module": box_start.__file__,
        "program": program,
        "filter": seccomp.program(_machine(), allowed=allowed).hex(),
        "tasks": processes + RESERVE_TASKS,
        "helpers": helpers,
        "is_box": True,
    }
    return Confined(boxed(bubblewrap, command, box, variables), variables, confinement)


@contextlib.contextmanager
def running(made: Confined, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a confined command in a folder as the supervisor does, but without limits, and kill it in the end.

    If it cannot be started, its standard error says why.
    """
    start: Any = None
    if made.confinement is not None:
        orders = {"command": made.command, "env": made.environment, "confinement": made.confinement}
        start = (box_start if made.confinement.get("is_box") else landlock).prepare(orders)
    with subprocess.Popen(
        made.command if start is None else start.command,
        cwd=folder,
        env=made.environment if start is None else start.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=() if start is None else start.pass_fds,
        preexec_fn=None if start is None else start.in_child,
    ) as process:
        try:
            if start is not None:
                with contextlib.suppress(OSError):
                    start.started(process)
            yield process
        finally:
            process.kill()


def _under_landlock(
    command: list[str],
    variables: dict[str, str],
    code: bytes,
    read: Sequence[str],
    write: Sequence[str],
    port: int | None = None,
    network: bool = False,
) -> Confined:
    """Return a command that is limited by Landlock.

    Args:
        command: The command.
        variables: Its variables.
        code: The filter of system calls.
        read: What it may read, besides what all may.
        write: What it may write to, besides what all may.
        port: The port to which it may connect.
        network: Whether it may use the whole network.
    """
    confinement = {
        "module": landlock.__file__,
        "filter": code.hex(),
        "read": [*read, "/proc", "/dev/random", "/dev/urandom"],
        "list": package_folders(command),
        "write": [*write, *_DEVICES],
        "port": port,
        "network": network,
    }
    return Confined(command, variables, confinement)


def _folders(scratch: Path) -> list[str]:
    """Return the folders of a start that it may write to."""
    return [str(scratch / "home"), str(scratch / "tmp")]


def _machine() -> str:
    return os.uname().machine
