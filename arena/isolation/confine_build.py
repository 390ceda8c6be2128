"""Turn a bot's build command into what the supervisor starts at a level of isolation.

A build gets a home folder that is empty and its own, and is thrown away: so no settings and keys of the user are in it,
and nothing that one build leaves behind reaches the next one. It can read the toolchains that this user has. Where
there is a box, that home is at the place of the user's, so that a file which the plan makes readable is where tools
look for it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from arena.isolation import box_start, landlock, seccomp
from arena.isolation.bubblewrap import HOME, TEMPORARY, BoxContents, BuildFolders, boxed
from arena.isolation.confine import DEVICES, LOCAL_FAMILIES, RESERVE_TASKS, Confined, bubblewrap, machine
from arena.isolation.readable import SYSTEM, is_below, package_folders, program_paths, system_paths
from arena.isolation.settings import Isolation

TOOLS: Final = (
    *("cargo", "rustc", "rustup", "go", "node", "npm", "npx", "yarn", "pnpm", "deno", "bun", "tsc", "java", "javac"),
    *("mvn", "gradle", "sbt", "kotlinc", "scala", "dotnet", "cmake", "ctest", "ninja", "meson", "make", "gmake"),
    *(
        "pkg-config",
        "cc",
        "gcc",
        "c++",
        "g++",
        "clang",
        "clang++",
        "ld",
        "lld",
        "zig",
        "swift",
        "ghc",
        "cabal",
        "stack",
    ),
    *("ocaml", "opam", "dune", "nim", "crystal", "julia", "lua", "perl", "php", "ruby", "bundle", "elixir", "mix"),
    *("erl", "rebar3", "racket", "sbcl", "python", "python3", "pip", "uv", "poetry", "git"),
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
    tasks = processes + RESERVE_TASKS
    if isolation.level == "landlock":
        variables |= _homes(variables, str(scratch / "home"), str(scratch / "tmp"))
        return Confined(words, variables, _by_landlock(isolation, words, folder, readable, scratch))
    home_at = home if _can_be_replaced(home) else HOME
    variables |= _homes(variables, home_at, TEMPORARY)
    folders = BuildFolders(scratch / "home", home_at, scratch / "tmp")
    box = BoxContents(folder, readable, build=folders, network=isolation.build_network)
    confinement = {
        "module": box_start.__file__,
        "program": command[0],
        "filter": seccomp.program(machine(), allowed=_GROUPS).hex(),
        "tasks": tasks,
        "helpers": box_start.HELPERS,
        "is_box": True,
    }
    return Confined(boxed(bubblewrap(), words, box, variables), variables, confinement)


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


def _by_landlock(
    isolation: Isolation, command: Sequence[str], folder: Path, readable: Sequence[str], scratch: Path
) -> dict[str, Any]:
    # Compilers and package managers set the rights of the files that they make: the filter does not refuse that here.
    families = seccomp.FAMILIES if isolation.build_network else LOCAL_FAMILIES
    names = ["/etc/resolv.conf", os.path.realpath("/etc/resolv.conf")] if isolation.build_network else []
    return {
        "module": landlock.__file__,
        "filter": seccomp.program(machine(), families, allowed=_GROUPS).hex(),
        "read": [*system_paths(), *readable, *names, "/proc", "/dev/random", "/dev/urandom"],
        "list": package_folders(command),
        "write": [str(folder), str(scratch / "home"), str(scratch / "tmp"), *DEVICES, "/dev/zero"],
        "port": None,
        "network": isolation.build_network,
    }
