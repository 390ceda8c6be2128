"""Reading, inheriting and checking editions, which are TOML files. Each game defines what its editions contain."""

from __future__ import annotations

import json
import marshal
import os
import stat
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from engine.rules import Data, EditionError, Parameter

_LARGEST: Final = 256 << 10
"""Bytes of an edition's file."""
Sources = dict[str, str]
"""Where each value comes from, by its dotted key."""


class Check:
    """Raises `EditionError` with the file, the key and the allowed values when an edition file is wrong."""

    def __init__(self, file: str) -> None:
        """Begin to check a file. `file`: what error messages call it."""
        self.file = file

    def that(self, fine: bool, key: str, allowed: str) -> None:
        """Raise `EditionError` unless `fine` is true."""
        if not fine:
            raise EditionError(f"{self.file}: {key}: must be {allowed}")

    def keys(self, table: Mapping[str, Any], prefix: str, allowed: tuple[str, ...]) -> None:
        """Raise `EditionError` unless every key of `table` is allowed."""
        for key in table:
            if key not in allowed:
                raise EditionError(f"{self.file}: unknown key {prefix}{key}: the keys are {', '.join(allowed)}")

    def table(self, parent: Mapping[str, Any], key: str, prefix: str = "") -> Mapping[str, Any]:
        """Return the table under `key`, empty if there is none. Raises `EditionError` if it is not a table."""
        value = parent.get(key, {})
        self.that(isinstance(value, dict), f"{prefix}{key}", f"a table, not {value!r}")
        return dict(value)

    def one_of(self, value: object, key: str, words: tuple[str, ...]) -> None:
        """Raise `EditionError` unless `value` is one of these words."""
        self.that(isinstance(value, str) and value in words, key, f"one of {', '.join(words)}, not {value!r}")

    def parameter(self, value: object, key: str, allowed: Any) -> None:
        """Raise `EditionError` unless `value` is allowed.

        Args:
            value: The value.
            key: Its dotted key, for the message.
            allowed: `bool`, a `range` of whole numbers, or a tuple of words.
        """
        if allowed is bool:
            self.that(isinstance(value, bool), key, f"true or false, not {value!r}")
        elif isinstance(allowed, range):
            fine = isinstance(value, int) and not isinstance(value, bool) and value in allowed
            self.that(fine, key, f"a whole number from {allowed[0]} to {allowed[-1]}, not {value!r}")
        else:
            self.one_of(value, key, allowed)


Override = Callable[[dict[str, Any], Mapping[str, Any], Check, Sources, str], None]
"""A function that applies what a file gives to the data of its base.

Its arguments: the data, what the file gives, the check, the sources, and the source of what the file gives.
"""


@dataclass(frozen=True)
class Editions:
    """The editions of one game: the named ones, of which the first is the default, and users' own files."""

    package: str
    """The package that contains `data/<name>.toml`."""
    named: tuple[str, ...]
    tables: tuple[str, ...]
    """What a file may contain besides `base` and `sources`."""
    blank: Callable[[], dict[str, Any]]
    """Makes the data to which the default edition, which has no base, is applied."""
    override: Override
    parameters: Callable[[Data, Mapping[str, str]], list[Parameter]]
    """Lists the settings of a resolved edition for people, with the source of each."""

    def resolve(self, name: str | Path) -> tuple[dict[str, Any], Sources]:
        """Resolve a named edition or a TOML file.

        Returns:
            The whole edition, and the source of each value in it.

        Raises:
            EditionError: There is no such edition, or it is not valid.
        """
        if isinstance(name, str) and name in self.named:
            text = resources.files(self.package).joinpath(f"data/{name}.toml").read_text("utf-8")
            return self._resolve(text, f"{name}.toml", name, own=True)
        path = Path(name)
        if path.suffix != ".toml":
            known = ", ".join(self.named)
            raise EditionError(f"there is no edition {str(name)!r}: choose {known}, or give a .toml file")
        try:
            text = _read(path)
        except (OSError, ValueError) as error:
            raise EditionError(f"{path}: cannot be read: {_why(error)}") from None
        return self._resolve(text, str(path), path.stem, own=False)

    def verify(self, data: Data, given: Mapping[str, Any]) -> None:
        """Check that a resolved edition, which anybody may have written, could come from an edition file.

        Args:
            data: The resolved edition.
            given: What an edition file with all of its values would contain.

        Raises:
            EditionError: It could not.
        """
        check = Check(f"edition {data.get('name')!r}")
        check.keys(data, "", ("name", *self.tables))
        check.that(isinstance(data.get("name"), str), "name", f"a text, not {data.get('name')!r}")
        wanted: dict[str, Any] = {"name": data["name"], **self.blank()}
        self.override(wanted, given, check, {}, "")
        for key, value in wanted.items():
            check.that(data.get(key) == value, key, f"{value!r}, not {data.get(key)!r}")

    def strip_unknown(self, data: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the game does not know."""
        known, _ = self.resolve(self.named[0])
        return {key: _common(value, known[key]) for key, value in data.items() if key in known}

    def _resolve(self, text: str, file: str, name: str, *, own: bool) -> tuple[dict[str, Any], Sources]:
        try:
            given = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also for tables too deep, or a number of too many digits
            raise EditionError(f"{file}: not valid TOML: {error}") from None
        check = Check(file)
        check.keys(given, "", ("base", *self.tables, "sources"))
        if own and "base" not in given:
            data: dict[str, Any] = {"name": name, **self.blank()}
            sources: Sources = {}
        else:
            base = given.get("base", self.named[0])
            check.one_of(base, "base", self.named)
            data, sources = self.resolve(base)
            data["name"] = name
        self.override(data, given, check, sources, "" if own else f"set in {file}")
        for key, source in check.table(given, "sources").items():
            check.that(isinstance(source, str), f"sources.{key}", "a text")
            sources[key] = source
        return data, sources


def _read(path: Path) -> str:
    """Read a file that may come from anybody. Raises `OSError`, or `ValueError` for what is no text of that size."""
    # Without O_NONBLOCK a named pipe would wait for a writer.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        raise ValueError("it is a folder" if stat.S_ISDIR(mode) else "it is no regular file")
    with os.fdopen(handle, "rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(f"it has more than {_LARGEST >> 10} KiB")
    return data.decode("utf-8")


def _why(error: OSError | ValueError) -> str:
    """Say in words why a file could not be read, without its name."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _common(data: Any, known: Any) -> Any:
    """Copy `data` without the keys, at any depth, that `known` lacks: all editions of a game have the same keys."""
    if isinstance(data, dict) and isinstance(known, dict):
        return {key: _common(value, known[key]) for key, value in data.items() if key in known}
    return data


def override_parameters(
    data: dict[str, Any],
    given: Mapping[str, Any],
    check: Check,
    sources: Sources,
    source: str,
    allowed: Mapping[str, Any],
) -> None:
    """Apply the table `parameters` of a file to the data. `allowed`: by parameter, as for `Check.parameter`."""
    parameters = check.table(given, "parameters")
    check.keys(parameters, "parameters.", tuple(allowed))
    for key, value in parameters.items():
        check.parameter(value, f"parameters.{key}", allowed[key])
        data["parameters"][key] = value
        sources[f"parameters.{key}"] = source


def as_text(data: Data) -> str:
    """Return the same text for equal data, as a key for what is kept of an edition.

    Raises:
        Exception: Python's own errors, if the data are not plain.
    """
    try:
        # In this version it does not matter whether equal objects are the same one.
        packed = marshal.dumps(cast("dict[str, Any]", data), 2)
    except ValueError:
        return json.dumps(data, sort_keys=True)
    return _text(packed)


@lru_cache(maxsize=64)
def _text(packed: bytes) -> str:
    """Return the text of data that were packed, which takes a tenth of the time that the text takes."""
    return json.dumps(marshal.loads(packed), sort_keys=True)


def shown(value: object) -> str:
    """Format a parameter's value for people."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
