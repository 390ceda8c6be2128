"""Copy a bot's source into the cache and build it there, once for each version of the source.

A build gets the environment variables that toolchains need, and none of the user's secrets. `HOME` is among them,
because toolchains keep their downloads and settings there. `arena.isolation.confine` gives a build that is kept apart a
home of its own.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from arena.common import removal
from arena.common.errors import ArenaError
from arena.common.labels import bot_name
from arena.entrants.bot_process import BotProcess, ProcessExit, new_scratch
from arena.entrants.diagnosis import cause, how_to_get, was_killed
from arena.entrants.expand import Entrant, expand
from arena.entrants.fingerprint import fingerprint, hash_of, sources
from arena.entrants.manifest import FILE, MOST_SECONDS, EntrantError, ResourceLimits
from arena.entrants.shortage import is_shortage, usual_open_files
from arena.entrants.snapshot import Snapshot, files_in, find, is_taken, locked, remove, take_snapshot
from arena.isolation.confine import confine_build
from arena.isolation.settings import NONE, Isolation

MORE: Final = "ARENA_BUILD_ENV"
"""The environment variable that names further ones, separated by commas."""
_SYSTEM: Final = "HOME LANG LANGUAGE LD_LIBRARY_PATH LOGNAME PATH SHELL TEMP TERM TMP TMPDIR TZ USER"
_NETWORK: Final = (
    "ALL_PROXY HTTP_PROXY HTTPS_PROXY NO_PROXY all_proxy http_proxy https_proxy no_proxy"
    " CURL_CA_BUNDLE GIT_SSL_CAINFO NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS PIP_CERT REQUESTS_CA_BUNDLE SSL_CERT_DIR"
    " SSL_CERT_FILE"
)
_TOOLCHAINS: Final = (
    "AR CC CFLAGS CPPFLAGS CXX CXXFLAGS LD LDFLAGS MAKEFLAGS PKG_CONFIG_LIBDIR PKG_CONFIG_PATH SDKROOT"
    " CMAKE_BUILD_PARALLEL_LEVEL CMAKE_GENERATOR CMAKE_PREFIX_PATH CMAKE_TOOLCHAIN_FILE"
    " CARGO_BUILD_JOBS CARGO_HOME CARGO_NET_OFFLINE RUSTFLAGS RUSTUP_AUTO_INSTALL RUSTUP_HOME RUSTUP_TOOLCHAIN"
    " CGO_ENABLED GOCACHE GOENV GOFLAGS GOMODCACHE GONOPROXY GONOSUMDB GOPATH GOPRIVATE GOPROXY GOROOT GOSUMDB"
    " GOTOOLCHAIN"
    " JAVA_HOME JDK_HOME M2_HOME MAVEN_ARGS MAVEN_HOME MAVEN_OPTS"
    " NODE_OPTIONS NPM_CONFIG_CACHE NPM_CONFIG_OFFLINE NPM_CONFIG_REGISTRY NVM_DIR npm_config_cache"
    " npm_config_offline npm_config_registry"
    " PIP_FIND_LINKS PIP_INDEX_URL PYENV_ROOT PYENV_VERSION PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX VIRTUAL_ENV"
)
_NAMES: Final = frozenset(" ".join([_SYSTEM, _NETWORK, _TOOLCHAINS]).split())
_PREFIXES: Final = ("LC_", "XDG_")


def build_environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return those of our variables that a build gets."""
    more = {name.strip() for name in ours.get(MORE, "").split(",")}
    return {name: value for name, value in ours.items() if name in _NAMES or name in more or name.startswith(_PREFIXES)}


_log = logging.getLogger(__name__)

BUILD_SECONDS: Final = 900.0
"""How long a build may take. The first one of a toolchain may have to download libraries."""
BUILD_MEMORY_MB: Final = 8192
BUILD_PROCESSES: Final = 2048
BUILD_FILE_MB: Final = 2048
"""What the processes of a build may use, as in `ResourceLimits`."""
BUILT_ENTRIES: Final = 200_000
"""The most files and folders of a built bot, with its source."""
BUILT_BYTES: Final = 4 << 30
"""The most bytes of them, together."""
_LOOK_SECONDS: Final = 5.0
CACHE: Final = "ARENA_CACHE"
"""The environment variable that names another folder for built bots."""
_TAIL_LINES: Final = 15
_MOST_LINES: Final = 5000
"""The lines of a build's output that are searched for the cause. It is usually far above the last lines."""


class BuildFailed(Exception):
    """A bot that cannot be built. The text is the cause in one line, then the last lines of the build's output."""

    def __init__(self, text: str, killed: bool = False) -> None:
        """Note why. `killed`: the build was ended from outside, and may succeed if it is tried again."""
        super().__init__(text)
        self.killed = killed


class CacheError(ArenaError):
    """The folder for built bots cannot be used. The message says which it is and what to do."""


@dataclass(frozen=True)
class Built:
    """A bot that can be started: run `command` in `folder`, a copy of exactly the source with this fingerprint."""

    entrant: Entrant
    folder: Path
    command: tuple[str, ...]
    snapshot: Snapshot | None = None
    """What `folder` must hold at every start, or None if that is not checked."""
    isolation: Isolation = NONE
    """How its processes are kept apart."""

    @property
    def digest(self) -> str:
        """A hash over the folder as its build left it; empty if the bot has no build."""
        return "" if self.snapshot is None or self.entrant.build is None else self.snapshot.digest


def build(
    entrant: Entrant,
    cache: Path | None = None,
    stop: threading.Event | None = None,
    say: Callable[[str], object] = lambda _: None,
    isolation: Isolation = NONE,
) -> Built:
    """Copy the bot into the cache and run its build command, unless that has been done before.

    The copy is read-only from then on, and is restored if it was changed. If several processes build the same bot at
    once, one does the work and the others wait for it, unless `stop` is set.

    Args:
        entrant: The bot.
        cache: The folder for built bots. None takes the one that `ARENA_CACHE` names, or else one in the user's cache.
        stop: When set, end the wait for another process.
        say: Gets to know that the copy had been changed.
        isolation: How its processes and its build are kept apart.

    Raises:
        BuildFailed: The build failed, or the source cannot be copied.
        CacheError: The folder for built bots cannot be used, which is no fault of the bot.
        OSError: The system lacks something, such as disk space.
    """
    _check_network(entrant, isolation)
    folder = _place(entrant, cache)
    cache = folder.parent
    _make_usable(cache)
    try:
        with locked(folder, stop):
            snapshot = _found(entrant, folder, say) or _make(entrant, folder, isolation)
    except OSError as error:
        if is_shortage(error):
            raise
        _log.info("%s cannot be copied to the cache: %s", entrant.name, error)
        raise BuildFailed(f"{error.filename or cache}: {error.strerror or error}") from None
    return Built(entrant, folder, entrant.command, snapshot, isolation)


def _check_network(entrant: Entrant, isolation: Isolation) -> None:
    """Raise `BuildFailed` if the bot needs the network without leave, or cannot use it."""
    name = bot_name(entrant.name)
    has_leave = isolation.variables_of(name) is not None
    if entrant.network and not has_leave:
        raise BuildFailed(
            f'it needs the network, which bots have by your leave alone: --network {name}, or network = ["{name}"] in '
            f"a plan; with the name of a variable that it is to get: {name}=VARIABLE"
        )
    if has_leave and entrant.transport == "tcp" and isolation.level == "box":
        raise BuildFailed('in a box a bot with transport = "tcp" has its own network alone: use "ipc" in its bot.toml')


def must_build(entrant: Entrant, isolation: Isolation) -> Built:
    """Return the bot, built as `build` does. Raises `EntrantError` with its name if it cannot be."""
    try:
        return build(entrant, isolation=isolation)
    except BuildFailed as error:
        raise EntrantError(f"{entrant.name}: {error}") from None


def _make_usable(cache: Path) -> None:
    """Make the folder for built bots. Raises `CacheError`, or `OSError` if the system lacks something."""
    to_do = f"name a folder that can be written by {CACHE}"
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if is_shortage(error):
            raise
        raise CacheError(f"{cache}, the folder for built bots, cannot be made ({error.strerror}): {to_do}") from None
    if not os.access(cache, os.W_OK | os.X_OK):
        raise CacheError(f"{cache}, the folder for built bots, may not be written: {to_do}")


def is_built(entrant: Entrant, cache: Path | None = None) -> bool:
    """Return whether `build` has nothing to do for this bot."""
    return is_taken(_place(entrant, cache))


def default_cache() -> Path:
    """Return the folder for built bots. Raises `CacheError` if nothing says where it is."""
    if chosen := os.environ.get(CACHE):
        return Path(chosen)
    with contextlib.suppress(RuntimeError):  # newer versions raise it where older ones return a path that begins with ~
        usual = user_cache_path("arena")
        if usual.is_absolute():
            return usual / "bots"
    # Neither `HOME` nor the system says where it is.
    raise CacheError(f"there is no home folder for built bots: set HOME, or name a folder by {CACHE}")


def kept_copy(name: str, fingerprint: str, file: str) -> Path | None:
    """Return where a bot's source lies in the cache, beside what its build made of it. Return None if it is not there.

    Args:
        name: Its name or label.
        fingerprint: Of its source.
        file: The name of the file or folder that it was in.
    """
    folder = default_cache().absolute() / f"{_file_name(bot_name(name))}-{fingerprint}"
    if not is_taken(folder):
        return None
    return folder if (folder / FILE).is_file() else folder / file


def _place(entrant: Entrant, cache: Path | None) -> Path:
    return (cache or default_cache()).absolute() / f"{_file_name(bot_name(entrant.name))}-{entrant.fingerprint}"


def _found(entrant: Entrant, folder: Path, say: Callable[[str], object]) -> Snapshot | None:
    """Return the snapshot of an earlier build. Return None if there is none that can be trusted."""

    def changed() -> None:
        _log.warning("%s was changed and is made anew", folder)
        say(f"{entrant.name}: its copy in the cache had been changed, and is made anew")

    snapshot = find(folder, changed)
    if snapshot is None or entrant.build is not None or _is_source(entrant, folder):
        return snapshot
    changed()  # with all by which a snapshot notices that
    return None


def _is_source(entrant: Entrant, folder: Path) -> bool:
    """Return whether a copy is the bot's source and nothing else."""
    try:
        files = sources(entrant.path, entrant.outputs)
        return files_in(folder) == {str(file) for file in files} and hash_of(folder, files) == entrant.fingerprint
    except (OSError, EntrantError):
        return False


def _make(entrant: Entrant, folder: Path, isolation: Isolation) -> Snapshot:
    remove(folder)
    try:
        _copy(entrant, folder)
        if entrant.build is not None:
            _run_build(entrant.build, folder, entrant.env, isolation)
        return take_snapshot(folder)
    except BaseException:
        remove(folder)
        raise


def _copy(entrant: Entrant, folder: Path) -> None:
    base = entrant.path if entrant.path.is_dir() else entrant.path.parent
    try:
        files = sources(entrant.path, entrant.outputs)
    except EntrantError as error:
        raise BuildFailed(str(error)) from None
    for source in files:
        (folder / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(base / source, folder / source)
    copied = folder if entrant.path.is_dir() else folder / entrant.path.name
    if fingerprint(copied, entrant.outputs) != entrant.fingerprint:
        raise BuildFailed(f"{entrant.path} changed while it was read: run the command again")


def _run_build(command: tuple[str, ...], folder: Path, env: dict[str, str], isolation: Isolation) -> None:
    """Run a build command. Raises `BuildFailed`.

    PWD is the folder of the copy, so that a toolchain that keeps compiled files of several copies in one place can
    distinguish them.
    """
    ours = build_environment(os.environ) | {"PWD": str(folder)}
    program = command[0]
    if "/" not in program and shutil.which(program, path=env.get("PATH", ours.get("PATH"))) is None:
        raise BuildFailed(
            f"{program} is not installed{how_to_get(program)}: PATH has no such program, and its build is: "
            f"{_typed(command)}"
        )
    began = time.monotonic()
    _log.info("building %s: %s", folder.name, _typed(command))
    for left in folder.parent.glob(f"{folder.name}.build-*"):  # whoever builds it has locked it: that one was killed
        removal.remove(str(left))
    scratch = new_scratch(folder.parent, f"{folder.name}.build-")
    limits = ResourceLimits(BUILD_MEMORY_MB, BUILD_PROCESSES, max(16, usual_open_files()), BUILD_FILE_MB, MOST_SECONDS)
    confined = confine_build(isolation, command, folder, ours, env, scratch, BUILD_PROCESSES)
    process = BotProcess(
        confined.command,
        folder,
        confined.environment,
        scratch,
        limits=limits,
        merge=True,
        confinement=confined.confinement,
    )
    try:
        ended, excess = _wait(process, (folder, scratch))
    finally:
        process.end()
    if excess := excess or _excess((folder,)):
        raise BuildFailed(f"{_typed(command)}: {excess}")
    how = "no end" if ended is None else ended.reason
    _log.info("the build of %s: %s after %.1f s", folder.name, how, time.monotonic() - began)
    output = process.stderr_tail(_MOST_LINES)
    if ended is not None and ended.code == 0:
        return
    if ended is not None and ended.shortage:
        raise OSError(ended.shortage, f"{_typed(command)}: {ended.reason}")
    how = f"not built within {BUILD_SECONDS:g} seconds" if ended is None else ended.reason
    has_network = isolation.level == "none" or isolation.build_network
    why = cause(output.replace(f"{folder}{os.sep}", ""), has_network)
    tail = output.splitlines()[-_TAIL_LINES:]
    raise BuildFailed(
        "\n".join([f"{why} ({_typed(command)}: {how})" if why else f"{_typed(command)}: {how}", *tail]),
        killed=ended is not None and (ended.code is None or was_killed(output)),
    )


def _wait(process: BotProcess, folders: Sequence[Path]) -> tuple[ProcessExit | None, str]:
    """Wait for a build to end. Return how it did, None if it takes too long, and in words what it makes too much of."""
    limit = time.monotonic() + BUILD_SECONDS
    while (left := limit - time.monotonic()) > 0:
        ended = process.wait(min(left, _LOOK_SECONDS))
        if ended is not None:
            return ended, ""
        if excess := _excess(folders):
            return None, excess
    return None, ""


def _excess(folders: Sequence[Path]) -> str:
    """Return in words what is too much in the folders of a build; empty: nothing."""
    entries = size = 0
    left = list(map(str, folders))
    while left:
        # While a build runs, folders come and go.
        with contextlib.suppress(OSError), os.scandir(left.pop()) as found:
            for entry in found:
                entries += 1
                if entries > BUILT_ENTRIES:
                    return f"it has made more than {BUILT_ENTRIES} files and folders, which is the most"
                with contextlib.suppress(OSError):
                    size += entry.stat(follow_symlinks=False).st_size
                    if entry.is_dir(follow_symlinks=False):
                        left.append(entry.path)
        if size > BUILT_BYTES:
            return f"it has made more than {BUILT_BYTES >> 20} MiB, which is the most"
    return ""


def _typed(command: tuple[str, ...]) -> str:
    return " ".join(command)


def _file_name(name: str) -> str:
    return "".join(char if char.isalnum() or char in "-_." else "_" for char in name)[:40]


def recall(name: str, fingerprint: str, path: str) -> Entrant:
    """Return the bot of that name whose source has that fingerprint.

    Args:
        name: Of the bot, without the number of its version.
        fingerprint: Of the source.
        path: Where it was when it took part. It may hold something else by now.

    Raises:
        EntrantError: neither the path nor the cache of built bots has that source.
    """
    if (found := _bot_at(Path(path))) is not None and found.fingerprint == fingerprint:
        return replace(found, name=name)
    kept = kept_copy(name, fingerprint, Path(path).name)
    # A build may have added files to the copy, so its content has another fingerprint.
    if kept is not None and (found := _bot_at(kept)) is not None:
        return replace(found, name=name, fingerprint=fingerprint)
    raise EntrantError(f"{path} is gone or has changed, and no copy of that version of {name} was kept")


def _bot_at(place: Path) -> Entrant | None:
    """Return the bot at a place, if there is one."""
    try:
        found = expand([place]).found
    except (EntrantError, OSError):
        return None
    return found[0] if len(found) == 1 else None
