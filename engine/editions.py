"""Editions as TOML files: reading, inheriting from a base, checking; what they hold is each game's own business."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from engine.game import Data, EditionError

Sources = dict[str, str]
"""Where each datum comes from, by its dotted key."""


class Check:
    """Says file, key and what is allowed when something in an edition file is wrong."""

    def __init__(self, file: str) -> None:
        """`file`: how the file is called in what is said."""
        self.file = file

    def that(self, fine: bool, key: str, allowed: str) -> None:
        """Raises `EditionError` unless it is fine."""
        if not fine:
            raise EditionError(f"{self.file}: {key}: allowed is {allowed}")

    def keys(self, table: Mapping[str, Any], prefix: str, allowed: tuple[str, ...]) -> None:
        """Every key of `table` is one of those allowed."""
        for key in table:
            if key not in allowed:
                raise EditionError(f"{self.file}: unknown key {prefix}{key}: allowed are {', '.join(allowed)}")

    def table(self, parent: Mapping[str, Any], key: str, prefix: str = "") -> Mapping[str, Any]:
        """The table under `key`, empty if there is none."""
        value = parent.get(key, {})
        self.that(isinstance(value, dict), f"{prefix}{key}", f"a table, not {value!r}")
        return dict(value)

    def one_of(self, value: object, key: str, words: tuple[str, ...]) -> None:
        """`value` is one of some words."""
        self.that(isinstance(value, str) and value in words, key, f"one of {', '.join(words)}, not {value!r}")

    def parameter(self, value: object, key: str, allowed: Any) -> None:
        """`value` is what `allowed` says: `bool`, the `range` of a whole number, or one of some words."""
        if allowed is bool:
            self.that(isinstance(value, bool), key, f"true or false, not {value!r}")
        elif isinstance(allowed, range):
            fine = isinstance(value, int) and not isinstance(value, bool) and value in allowed
            self.that(fine, key, f"a whole number from {allowed[0]} to {allowed[-1]}, not {value!r}")
        else:
            self.one_of(value, key, allowed)


Override = Callable[[Data, Mapping[str, Any], Check, Sources, str], None]
"""Lays what a file gives over the data of its base: data, given, check, sources, the source of what is given."""


@dataclass(frozen=True)
class Editions:
    """The editions of one game: the named ones, the first of them the default, and files of a user's own."""

    package: str
    """Where `data/<name>.toml` lies."""
    named: tuple[str, ...]
    tables: tuple[str, ...]
    """What a file may hold besides `base` and `sources`."""
    blank: Callable[[], Data]
    """What the default edition, which has no base, is laid over."""
    override: Override

    def resolve(self, name: str | Path) -> tuple[Data, Sources]:
        """A named edition or TOML file, resolved, and the source of each datum. Raises `EditionError`."""
        if isinstance(name, str) and name in self.named:
            text = resources.files(self.package).joinpath(f"data/{name}.toml").read_text("utf-8")
            return self._resolve(text, f"{name}.toml", name, own=True)
        path = Path(name)
        if path.suffix != ".toml":
            known = ", ".join(self.named)
            raise EditionError(f"there is no edition {str(name)!r}: choose {known}, or give a .toml file")
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise EditionError(f"{path}: cannot be read: {error}") from None
        return self._resolve(text, str(path), path.stem, own=False)

    def verify(self, data: Data, given: Mapping[str, Any]) -> None:
        """Whether a resolved edition, which anybody may have written, is one that a file can ask for.

        `given`: what a file that asks for all of it would hold. Raises `EditionError`.
        """
        check = Check(f"edition {data.get('name')!r}")
        check.keys(data, "", ("name", *self.tables))
        check.that(isinstance(data.get("name"), str), "name", f"a text, not {data.get('name')!r}")
        wanted: Data = {"name": data["name"], **self.blank()}
        self.override(wanted, given, check, {}, "")
        for key, value in wanted.items():
            check.that(data.get(key) == value, key, f"{value!r}, not {data.get(key)!r}")

    def strip_unknown(self, data: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the game does not know."""
        known, _ = self.resolve(self.named[0])
        return {key: _common(value, known[key]) for key, value in data.items() if key in known}

    def _resolve(self, text: str, file: str, name: str, *, own: bool) -> tuple[Data, Sources]:
        try:
            given = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise EditionError(f"{file}: not valid TOML: {error}") from None
        check = Check(file)
        check.keys(given, "", ("base", *self.tables, "sources"))
        if own and "base" not in given:
            data: Data = {"name": name, **self.blank()}
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


def _common(data: Any, known: Any) -> Any:
    """`data` without the keys, at any depth, that `known` does not have: every edition of a game has the same ones."""
    if isinstance(data, dict) and isinstance(known, dict):
        return {key: _common(value, known[key]) for key, value in data.items() if key in known}
    return data


def override_parameters(
    data: Data, given: Mapping[str, Any], check: Check, sources: Sources, source: str, allowed: Mapping[str, Any]
) -> None:
    """Lay the table `parameters` over the data; `allowed`: what `Check.parameter` is told, by parameter."""
    parameters = check.table(given, "parameters")
    check.keys(parameters, "parameters.", tuple(allowed))
    for key, value in parameters.items():
        check.parameter(value, f"parameters.{key}", allowed[key])
        data["parameters"][key] = value
        sources[f"parameters.{key}"] = source


def shown(value: object) -> str:
    """A parameter's value for people."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
