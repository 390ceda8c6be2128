"""Read `bot.toml`, the manifest of a bot that is a folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from arena.common.errors import ArenaError
from arena.common.toml_files import read_toml
from arena.entrants.limits import ALLOWED, ResourceLimits

FILE: Final = "bot.toml"
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class EntrantError(ArenaError):
    """A path or name that was given as a bot is not one. The message says what is wrong, where, and what to do."""


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
    env: dict[str, str] = {}
    """Environment variables besides those that every bot gets."""
    limits: ResourceLimits = ResourceLimits()
    """What its processes may use."""
    outputs: list[str] = []
    """Files and folders that the build makes in the bot's folder. They are not part of its source."""


_ALLOWED: Final = {
    "command": "a string or a list of strings",
    "build": "a string or a list of strings",
    "name": "a string of 1 to 64 characters",
    "language": "a string of at most 64 characters",
    "transport": '"ipc" or "tcp"',
    "env": "a table of variables and strings",
    "limits": ALLOWED,
    "outputs": "a list of strings",
}


def read_manifest(folder: Path) -> BotManifest:
    """Return the manifest in a bot's folder. Raises `EntrantError` with the file, the key and what is allowed."""
    file = folder / FILE
    try:
        data = read_toml(file)
    except OSError as error:
        raise EntrantError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise EntrantError(f"{file}: cannot be read as TOML: {error}") from None
    _known(file, "", data, BotManifest)
    if isinstance(data.get("limits"), dict):
        _known(file, "limits.", data["limits"], ResourceLimits)
    if "command" not in data:
        raise _wrong(file, "command", "missing")
    try:
        manifest = msgspec.convert(data, BotManifest)
    except msgspec.ValidationError as error:
        words = str(error).partition(" - at ")[0]
        place = re.search(r"`\$\.([^`]*)`$", str(error))
        raise _wrong(file, place.group(1) if place else "", words) from None
    _startable(file, manifest)
    return manifest


def _startable(file: Path, manifest: BotManifest) -> None:
    """Raise `EntrantError` for NUL characters and other texts that no process can be started with.

    Checked by hand, because patterns of msgspec make Python crash when it ends.
    """
    words = {"command": manifest.command, "build": manifest.build or "", **_prefixed("env.", manifest.env)}
    for key, value in words.items():
        if any("\0" in word for word in ([value] if isinstance(value, str) else value)):
            raise _wrong(file, key, "a character of code 0")
    for name in manifest.env:
        if not _VARIABLE.fullmatch(name):
            raise _wrong(file, "env", f"{name!r} is no name of a variable")


def _prefixed(prefix: str, table: dict[str, str]) -> dict[str, str]:
    return {prefix + key: value for key, value in table.items()}


def _wrong(file: Path, key: str, words: str) -> EntrantError:
    allowed = _ALLOWED.get(re.split(r"\W", key)[0])
    text = ": ".join(filter(None, [str(file), key, words]))
    return EntrantError(text + (f"; it must be {allowed}" if allowed else ""))


def _known(file: Path, prefix: str, data: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    known = kind.__struct_fields__
    for key in data:
        if key not in known:
            raise EntrantError(f"{file}: unknown key {prefix}{key}; the keys are {', '.join(known)}")
