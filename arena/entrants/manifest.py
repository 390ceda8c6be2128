"""Read `bot.toml`, the manifest of a bot that is a folder, with the most that its processes may use.

`limits` in it sets other values than the defaults. An organiser sets ceilings over them, and the smaller of the two
counts. `arena.supervisor` enforces the limits. It sets those for files before the bot begins. It checks memory, the
number of processes and their processor time twice a second, and kills the bot and all that it started when one of these
is exceeded. The time for a decision is not among these limits: see `arena.game.clock`. A bot's environment variables
are defined in `arena.entrants.launch`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from arena.common.allowed_words import suggested
from arena.common.authors import MOST_AVATAR_BYTES, MOST_AVATAR_SIDE, Author, avatar_name, link_fault
from arena.common.decoding_words import in_words
from arena.common.errors import ArenaError
from arena.common.regular_files import read_regular, read_toml, why_unread

MOST_SECONDS: Final = 1 << 31
_Memory = Annotated[int, msgspec.Meta(ge=16, le=1 << 24)]
_Processes = Annotated[int, msgspec.Meta(ge=1, le=1 << 16)]
_OpenFiles = Annotated[int, msgspec.Meta(ge=16, le=1 << 20)]
_FileSize = Annotated[int, msgspec.Meta(ge=1, le=1 << 24)]
_Seconds = Annotated[int, msgspec.Meta(ge=1, le=MOST_SECONDS)]
ALLOWED = (
    "a table of whole numbers: memory_mb from 16, processes from 1, open_files from 16, file_mb from 1, "
    "cpu_seconds from 1"
)
"""What limits and ceilings are, in words."""


class ResourceLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot's processes may use.

    Memory, processes and processor time are watched for all together, files are limited for each.
    """

    memory_mb: _Memory = 2048
    """Resident memory of all its processes, in MiB."""
    processes: _Processes = 64
    """The number of its processes."""
    open_files: _OpenFiles = 512
    """Open files of each process."""
    file_mb: _FileSize = 256
    """Size of a file that it writes, in MiB."""
    cpu_seconds: _Seconds = 3600
    """Processor time of all its processes together, in seconds. The count begins again with each game."""


class LimitCeilings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most that any bot may ask for as its limits."""

    memory_mb: _Memory = 4096
    """Resident memory of all its processes, in MiB."""
    processes: _Processes = 256
    """The number of its processes."""
    open_files: _OpenFiles = 4096
    """Open files of each process."""
    file_mb: _FileSize = 1024
    """Size of a file that it writes, in MiB."""
    cpu_seconds: _Seconds = 86400
    """Processor time of all its processes together, in seconds. The count begins again with each game."""

    def over(self, limits: ResourceLimits) -> ResourceLimits:
        """Return the limits that hold for a bot that asks for these."""
        return ResourceLimits(**{key: min(getattr(limits, key), getattr(self, key)) for key in self.__struct_fields__})

    def refused(self, limits: ResourceLimits) -> str:
        """Return in words what of these limits is more than a bot gets; empty: nothing."""
        return ", ".join(
            f"{key} {getattr(limits, key)} (it gets {getattr(self, key)})"
            for key in self.__struct_fields__
            if getattr(limits, key) > getattr(self, key)
        )


FILE: Final = "bot.toml"
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class EntrantError(ArenaError):
    """A path or name that was given as a bot is not one. The message says what is wrong, where, and what to do."""


_Line = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class ManifestAuthor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who made the bot. Tables and pages show it as it is said here: nobody checks whether it is true."""

    name: _Line
    """Who made it."""
    team: _Line | None = None
    """For whom, or with whom."""
    link: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """A page about author or bot. It begins with `https://`."""
    avatar: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    """A picture among the source files of the bot: PNG, JPEG or WebP, at most 64 KiB and 512 × 512 pixels."""
    licence: _Line | None = None
    """The licence of the bot, such as `MIT`."""


class BotManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `bot.toml`. Commands are run in the bot's folder; `{python}` stands for the arena's own Python."""

    command: str | list[str]
    """The command that starts the bot: a line, split as a shell would (no shell runs it), or a list of words."""
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None
    """The bot's name in tables. Default: the folder's name."""
    build: str | list[str] | None = None
    """The command that builds it, in the same form as `command`."""
    language: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The language it is written in. Default: what its `hello` says."""
    transport: Literal["ipc", "tcp"] = "ipc"
    """`tcp` for ZeroMQ libraries without ipc."""
    network: bool = False
    """Whether it needs the network, which it has only with the organiser's leave."""
    env: dict[str, str] = {}
    """Environment variables besides those that every bot gets."""
    limits: ResourceLimits = ResourceLimits()
    """What its processes may use."""
    outputs: list[str] = []
    """Files and folders that the build makes in the bot's folder. They are not part of its source."""
    author: ManifestAuthor | None = None
    """Who made it."""


_ALLOWED: Final = {
    "command": "a string or a list of strings",
    "build": "a string or a list of strings",
    "name": "a string of 1 to 64 characters",
    "language": "a string of at most 64 characters",
    "transport": '"ipc" or "tcp"',
    "network": "true or false",
    "env": "a table of variables and strings",
    "limits": ALLOWED,
    "outputs": "a list of strings",
    "author": "a table with `name`, and `team` and `licence` if you like, which are lines of at most 60 characters "
    "that can be printed; `link`, an address that begins with https://; `avatar`, a PNG, JPEG or WebP among the bot's "
    f"source files, of at most {MOST_AVATAR_BYTES >> 10} KiB and {MOST_AVATAR_SIDE} × {MOST_AVATAR_SIDE} pixels",
}


def read_manifest(folder: Path) -> BotManifest:
    """Return the manifest in a bot's folder. Raises `EntrantError` with the file, the key and what is allowed."""
    file = folder / FILE
    try:
        data = read_toml(file)
    except OSError as error:
        raise EntrantError(f"{file}: {why_unread(error)}") from None
    except ValueError as error:
        raise EntrantError(f"{file}: cannot be read as TOML: {why_unread(error)}") from None
    _known(file, "", data, BotManifest)
    if isinstance(data.get("limits"), dict):
        _known(file, "limits.", data["limits"], ResourceLimits)
    if isinstance(data.get("author"), dict):
        _known(file, "author.", data["author"], ManifestAuthor)
    if "command" not in data:
        raise _wrong(file, "command", "missing")
    try:
        manifest = msgspec.convert(data, BotManifest)
    except msgspec.ValidationError as error:
        place = re.search(r"`\$\.([^`]*)`$", str(error))
        allowed = _allowed(place.group(1)) if place else None
        raise EntrantError(f"{file}: {in_words(error)}" + (f"; allowed is {allowed}" if allowed else "")) from None
    _startable(file, manifest)
    if manifest.author is not None:
        _printable(file, manifest.author)
    return manifest


def _printable(file: Path, author: ManifestAuthor) -> None:
    """Raise `EntrantError` for a text that cannot be shown as one line, and a link that no page may have."""
    for key in ("name", "team", "licence"):
        value = getattr(author, key)
        if value is not None and not (value.isprintable() and value.strip()):
            raise _wrong(file, f"author.{key}", "empty, or with a character that cannot be printed")
    if author.link is not None and (why := link_fault(author.link)):
        raise _wrong(file, "author.link", why)


def _startable(file: Path, manifest: BotManifest) -> None:
    """Raise `EntrantError` for NUL characters and other texts that no process can be started with.

    Checked by hand, because patterns of msgspec make Python crash when it ends.
    """
    words: dict[str, str | list[str]] = {f"env.{key}": value for key, value in manifest.env.items()}
    words = {"command": manifest.command, "build": manifest.build or "", **words}
    for key, value in words.items():
        if any("\0" in word for word in ([value] if isinstance(value, str) else value)):
            raise _wrong(file, key, "a character of code 0")
    for name in manifest.env:
        if not _VARIABLE.fullmatch(name):
            raise _wrong(file, "env", f"{name!r} is no name of a variable")


def _wrong(file: Path, key: str, words: str) -> EntrantError:
    allowed = _allowed(key)
    text = ": ".join(filter(None, [str(file), key, words]))
    return EntrantError(text + (f"; it must be {allowed}" if allowed else ""))


def _allowed(key: str) -> str | None:
    return _ALLOWED.get(re.split(r"\W", key)[0])


def _known(file: Path, prefix: str, data: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    known = kind.__struct_fields__
    for key in data:
        if key not in known:
            keys = f"the keys are {', '.join(known)}{suggested(key, known)}"
            raise EntrantError(f"{file}: unknown key {prefix}{key}; {keys}")


def author_of(said: ManifestAuthor, folder: Path, sources: Collection[Path]) -> Author:
    """Return the author that a manifest names, with the name of the avatar's bytes in place of its file's.

    Args:
        said: What the manifest says.
        folder: Of the bot.
        sources: Its source files, relative to that.

    Raises:
        EntrantError: The avatar is none of these files, or no picture that is shown.
    """
    avatar = ""
    if said.avatar is not None:
        if Path(said.avatar) not in sources:
            raise EntrantError(
                f"{folder / FILE}: author.avatar: {said.avatar} is no source file of the bot: name a picture in its "
                "folder, by the path from there, that neither begins with a dot nor is made by a build"
            )
        avatar, _ = read_avatar(folder / said.avatar)
    return Author(said.name, said.team or "", said.link or "", said.licence or "", avatar)


def read_avatar(file: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of a picture.

    Raises `EntrantError` if it is none that is shown, and `OSError`.
    """
    try:
        data = read_regular(file, MOST_AVATAR_BYTES)
        return avatar_name(data), data
    except ValueError as error:
        raise EntrantError(f"{file} cannot be an avatar: {why_unread(error)}") from None
