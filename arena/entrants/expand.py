"""Find the bots that paths and patterns such as `bots/*` name: of what kind each is, and what it is called."""

from __future__ import annotations

import glob
import os
import shlex
import sys
import unicodedata
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from arena.common.allowed_words import suggested
from arena.common.authors import Author
from arena.common.labels import MARK
from arena.common.printable import as_typed, counted, printable
from arena.entrants.fingerprint import digest, fingerprint, hash_of, sources
from arena.entrants.manifest import FILE, EntrantError, LimitCeilings, ResourceLimits, author_of, read_manifest
from arena.entrants.packaged import is_packaged, packaged, packaged_name, packaged_words

Kind = Literal["python", "executable", "folder"]

_PROGRAMS: Final = (
    b"#!",
    b"\x7fELF",
    *(magic.to_bytes(4, order) for magic in (0xFEEDFACE, 0xFEEDFACF, 0xCAFEBABE) for order in ("big", "little")),
)
"""The first bytes of a script, a Linux program and macOS programs."""


@dataclass(frozen=True)
class Entrant:
    """A bot on disk. `command` and `build` are run in a copy of its folder."""

    name: str
    """Unique among the entrants of one expansion."""
    path: Path
    kind: Kind
    command: tuple[str, ...]
    fingerprint: str
    """The fingerprint of its source, in hex."""
    build: tuple[str, ...] | None = None
    language: str = ""
    transport: Literal["ipc", "tcp"] = "ipc"
    network: bool = False
    """Whether it needs the network."""
    env: dict[str, str] = field(default_factory=dict)
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    outputs: tuple[str, ...] = ()
    author: Author | None = None
    """Who made it, as its `bot.toml` says."""
    avatar: str | None = None
    """The file of the author's picture, relative to `path`."""
    is_named: bool = False
    """Its name was given with its path, as `NAME=PATH`."""
    called: str = ""
    """What its file or `bot.toml` calls it; `name` has a number behind it if another bot is called the same."""
    fault: str = ""
    """Why it cannot take part, such as a mistake in its `bot.toml`. Such a bot is never built."""


@dataclass(frozen=True)
class Expansion:
    """The bots that were found, and the paths that are no bots, each with the reason."""

    found: list[Entrant]
    skipped: list[tuple[Path, str]]


def expand(patterns: Sequence[str | Path], game: str | None = None, keep_faulty: bool = False) -> Expansion:
    """Find the bots that these paths, patterns and names of packaged bots name.

    Args:
        patterns: The paths, patterns and names. `NAME=` before one gives the bot a name.
        game: The game that bots of `@all` must play. None takes all of them.
        keep_faulty: Return a bot with a mistake in its `bot.toml`, that cannot be read, that may not be executed or
            that is a link to nothing, as an entrant with a fault.

    Raises:
        EntrantError: A path or name does not exist, two bots are given one name, or, without `keep_faulty`, a bot has
            such a mistake.
    """
    found: list[Entrant] = []
    skipped: list[tuple[Path, str]] = []
    for path, name in _paths(patterns, game):
        before = len(found)
        try:
            reason = _no_bot(path)
            if reason is None:
                found.append(_entrant(path))
            elif keep_faulty and _is_meant(path):
                found.append(_faulty(path, reason))
            else:
                skipped.append((path, reason))
        except EntrantError as error:
            if not keep_faulty:
                raise
            found.append(_faulty(path, str(error)))
        except OSError as error:
            reason = f"{error.filename or path} cannot be read: {error.strerror}"
            if keep_faulty:
                found.append(_faulty(path, reason))
            else:
                skipped.append((path, reason))
        found[before:] = [each if name is None else replace(each, name=name, is_named=True) for each in found[before:]]
    return Expansion(_unique(found), skipped)


def only_bots(patterns: Sequence[str | Path], game: str | None) -> list[Entrant]:
    """Return the bots that these name, as `expand` does. Raises `EntrantError` also for a path that is no bot."""
    found = expand(patterns, game)
    for path, reason in found.skipped:
        raise EntrantError(f"{path} is no bot ({reason}): name a .py file, an executable or a folder with {FILE}")
    return found.found


def _paths(patterns: Iterable[str | Path], game: str | None) -> Iterable[tuple[Path, str | None]]:
    """Generate the paths, each with the name that was given with it."""
    for word in patterns:
        name, pattern = split_name(word)
        paths = _named(pattern, game)
        if name is not None and len(paths) != 1:
            raise EntrantError(f"{word}: {pattern} are {counted(len(paths), 'bot')}, and a name is for one")
        yield from ((path, name) for path in paths)


def _named(pattern: str | Path, game: str | None) -> list[Path]:
    if is_packaged(pattern):
        return packaged(str(pattern), game)
    if _is_there(Path(pattern)):
        return [Path(pattern)]
    paths = sorted(glob.glob(str(pattern)))  # noqa: PTH207 - a pattern may be absolute
    if not paths:
        if str(pattern).startswith("wait:"):
            raise EntrantError(f"{pattern}: only `arena match` waits for a bot that you start by hand")
        what = "nothing matches" if glob.has_magic(str(pattern)) else "there is no"
        near = [str(path) for path in sorted(Path(pattern).parent.glob("*"))] + packaged_words()
        meant = suggested(pattern, near)
        raise EntrantError(f"{what} {pattern}: name a .py file, an executable or a folder with {FILE}{meant}")
    return [Path(path) for path in paths]


def split_name(word: str | Path, folder: Path = Path()) -> tuple[str | None, str | Path]:
    """Split `NAME=PATH`. What is itself a path in `folder`, or a pattern of some, has no name before it.

    Raises `EntrantError` for a name that a bot cannot have.
    """
    name, mark, path = str(word).partition("=")
    if not mark or "/" in name or isinstance(word, Path):
        return None, word
    if _is_there(folder / word) or any(folder.glob(word) if glob.has_magic(word) else ()):
        return None, word
    if name != _clean(name) or not path:
        what = f"a name of 1 to 60 characters that can be printed, without {MARK}"
        raise EntrantError(f"{word}: type NAME=PATH, with {what}")
    return name, path


def placed(word: str, folder: Path) -> str:
    """Return a word for bots, such as stands in a file in `folder`, with its path from here."""
    name, path = split_name(word, folder)
    place = str(path) if is_packaged(path) else str(folder / path)
    return place if name is None else f"{name}={place}"


def _is_there(path: Path) -> bool:
    """Return whether something exists there. If that cannot be found out, return True: reading it will say why."""
    try:
        return path.exists()
    except OSError:
        return True


def _no_bot(path: Path) -> str | None:
    if path.is_dir():
        return None if (path / FILE).is_file() else f"a folder without {FILE}"
    if not path.is_file():
        if path.is_symlink() and not path.exists():
            return f"a link to {path.readlink()}, which is not there"
        return "neither a file nor a folder"
    if path.suffix == ".py":
        return "part of a Python package" if path.name.startswith("__") else None
    if not _begins_like_a_program(path):
        return f"neither a .py file nor an executable nor a folder with {FILE}"
    return None if os.access(path, os.X_OK) else f"it may not be executed: {as_typed('chmod', '+x', path)}"


def _is_meant(path: Path) -> bool:
    """Return whether something that is no bot was probably meant as one: a program, or a link to what has gone."""
    if path.is_symlink() and not path.exists():
        return True
    return path.is_file() and path.suffix != ".py" and _begins_like_a_program(path)


def _begins_like_a_program(path: Path) -> bool:
    """Return whether a file begins like a program. On some file systems every file is executable."""
    with path.open("rb") as file:
        return file.read(4).startswith(_PROGRAMS)


def _entrant(path: Path) -> Entrant:
    path = Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its own name
    if path.is_dir():
        manifest = read_manifest(path)
        command = _words(path, "command", manifest.command)
        build = None if manifest.build is None else _words(path, "build", manifest.build)
        files = sources(path, manifest.outputs)
        if build is None:
            _check_is_source(path, command, files)
        said = manifest.author
        return Entrant(
            name=_clean(manifest.name or path.name),
            path=path,
            kind="folder",
            command=command,
            fingerprint=hash_of(path, files),
            build=build,
            language=manifest.language,
            transport=manifest.transport,
            network=manifest.network,
            env=manifest.env,
            limits=manifest.limits,
            outputs=tuple(manifest.outputs),
            author=None if said is None else author_of(said, path, files),
            avatar=None if said is None else said.avatar,
        )
    if path.suffix == ".py":
        # Python would take a name that begins with a dash for an option.
        command = (sys.executable, f"./{path.name}" if path.name.startswith("-") else path.name)
        return Entrant(_clean(path.stem), path, "python", command, fingerprint(path), language="Python")
    return Entrant(_clean(path.stem), path, "executable", (f"./{path.name}",), fingerprint(path))


def _faulty(path: Path, fault: str) -> Entrant:
    """Return an entrant with a fault. Its fingerprint is that of its source, so mending it makes another bot."""
    path = Path(os.path.abspath(path))  # noqa: PTH100
    try:
        source = fingerprint(path)
    except (OSError, EntrantError):
        source = ""
    return Entrant(_clean(path.name if path.is_dir() else path.stem), path, "folder", (), source, fault=fault)


def _words(path: Path, key: str, command: str | list[str]) -> tuple[str, ...]:
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise EntrantError(f"{path / FILE}: {key}: {error} in {command}") from None
    if not words or not words[0]:
        raise EntrantError(f"{path / FILE}: {key}: a program and its arguments are needed")
    return tuple(word.replace("{python}", sys.executable) for word in words)


def _check_is_source(path: Path, command: tuple[str, ...], files: Iterable[Path]) -> None:
    """Raise `EntrantError` if the command is a file that counts as build output, but there is no build to make it."""
    copied = {path / source for source in files}
    for word in command:
        file = path / word
        if file.is_file() and file.is_relative_to(path) and Path(os.path.normpath(file)) not in copied:
            raise EntrantError(
                f"{path / FILE}: command: {word} counts as made by a build and is not copied: name its `build`"
            )


def kept_within(entrants: Iterable[Entrant], ceilings: LimitCeilings, say: Callable[[str], object]) -> list[Entrant]:
    """Return the bots with the limits that they get, and say who asked for more."""
    found = []
    for entrant in entrants:
        if refused := ceilings.refused(entrant.limits):
            say(f"{entrant.name} asks for more than a bot may have here: {refused}")
        found.append(replace(entrant, limits=ceilings.over(entrant.limits)))
    return found


def _clean(name: str) -> str:
    """Return a name that is safe to print, short enough for the protocol, and without `@`, which labels need."""
    return printable(name.strip()).replace(MARK, "-")[:60] or "bot"


def _unique(entrants: list[Entrant]) -> list[Entrant]:
    """Return the entrants with unique names: a second `greedy` becomes `greedy-2`. Names that were given stay.

    Raises `EntrantError` if one was given twice.
    """
    given = [entrant.name for entrant in entrants if entrant.is_named]
    if twice := [name for name in given if given.count(name) > 1]:
        raise EntrantError(f"two bots are named {twice[0]}: give one of them another name")
    taken = set(given)
    named = []
    for entrant in entrants:
        name = entrant.name if entrant.is_named else unique_name(entrant.name, taken)
        named.append(replace(entrant, name=name, called=entrant.name))
        taken.add(name)
    return named


def unique_name(name: str, taken: Container[str]) -> str:
    """Return the name, or if it is taken the name with the first number that is free, from `name-2` on."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def alike(entrants: Sequence[Entrant]) -> list[str]:
    """Say which bots have one name, names that look the same, or the same content, in a line for each such group."""
    lines = shared_names(entrants)
    for same in _groups(entrants, lambda each: unicodedata.normalize("NFKC", each.name)):
        which = " and ".join(f"{each.name} ({ascii(each.name)[1:-1]})" for each in same)
        lines.append(f"the names {which} differ in Unicode form only: give one of them another name")
    for same in _groups((each for each in entrants if not each.fault), _content):
        if len({each.path for each in same}) > 1:
            lines.append(f"{' and '.join(each.name for each in same)} have the same content: only luck is between them")
    return lines


def _groups(entrants: Iterable[Entrant], key: Callable[[Entrant], object]) -> list[list[Entrant]]:
    """Return the groups of several that have the same key."""
    found: dict[object, list[Entrant]] = {}
    for each in entrants:
        found.setdefault(key(each), []).append(each)
    return [same for same in found.values() if len(same) > 1]


def _content(entrant: Entrant) -> object:
    """Return what a bot consists of, without the name of a file that it is."""
    if entrant.kind == "folder":
        return entrant.fingerprint
    try:
        return digest(entrant.path)
    except (OSError, EntrantError):  # it has just changed
        return entrant.fingerprint


def shared_names(entrants: Iterable[Entrant]) -> list[str]:
    """Say of several files that are called the same which bot is which, one line for each such name."""
    found: dict[str, list[Entrant]] = {}
    for entrant in entrants:
        found.setdefault(entrant.called, []).append(entrant)
    return [
        f"{counted(len(same), 'bot')} are called {called}: "
        + ", ".join(f"{each.name} is {_from_here(each.path)}" for each in same)
        for called, same in found.items()
        if called and len({each.path for each in same}) > 1 and any(each.name != called for each in same)
    ]


def _from_here(path: Path) -> str:
    here = Path.cwd()
    if path.is_relative_to(here):
        return printable(str(path.relative_to(here)))
    return packaged_name(path) or printable(str(path))
