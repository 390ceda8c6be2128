"""Read the starter bots: folders in `bots/` with a `starter.toml` next to their `bot.toml`, one for each language.

A starter is an ordinary bot that plays as it is. `bot.toml` gives it a `name`. Wherever that name occurs as a word in
one of its text files (manifests, lock files, module names), a bot made from it gets its own name instead. So the name
must be a word that means nothing else, such as `rust-bot`, and may only occur where any name of lower-case letters,
digits, `-` and `_` may.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec

from arena import shipped
from arena.common.allowed_words import suggested
from arena.common.errors import ArenaError
from arena.entrants.manifest import FILE as MANIFEST
from arena.entrants.manifest import BotManifest, EntrantError, read_manifest

FILE: Final = "starter.toml"
ANY_LANGUAGE: Final = "A bot in any other language speaks the protocol, which `arena docs protocol` explains"
"""What to do about a language without a starter."""
_PROBE_SECONDS: Final = 20.0
"""How long the search for a library may take. It takes milliseconds, or seconds if a busy machine has to compile."""
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class StarterError(ArenaError):
    """A bot that cannot be made. The text says why and what to do."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `starter.toml`, which fill the README of a bot made from this starter."""

    language: Line
    """The name of the language as people write it: `C++`, `TypeScript`."""
    edit: Line
    """The file in which the bot decides."""
    debug: Line
    """The command that starts the bot in a debugger, in its folder."""
    test: Line | None = None
    """The command that runs its own tests, if it has some."""
    needs: list[Line] = []
    """The programs that build and run it."""
    libraries: dict[Line, Line] = {}
    """The libraries that the system must have, each with a shell command that succeeds if it is installed."""
    install: list[Line] = []
    """How to install all of these, one line for each system."""
    games: list[Line] = []
    """The games that it plays. Empty means any."""
    fetches: bool = False
    """Whether its build fetches libraries, so that a build that is kept apart has to be let out to the network."""
    vectors: bool = False
    """Whether its tests need the golden vectors, which are then copied to `vectors/`."""


@dataclass(frozen=True)
class Starter:
    """A starter bot. `key` is its folder's name, which the user types for the language."""

    key: str
    folder: Path
    about: About
    manifest: BotManifest

    @property
    def name(self) -> str | None:
        """The word in its files that is replaced by the new bot's name, if there is one."""
        return self.manifest.name

    def missing(self) -> list[str]:
        """Return the programs and libraries that it needs and this machine lacks."""
        programs = [program for program in self.about.needs if shutil.which(program) is None]
        # These programs are needed to look for libraries.
        return programs or [name for name, command in self.about.libraries.items() if not _succeeds(command)]


def starters(folder: Path | None = None) -> dict[str, Starter]:
    """Return all starters by key. Raises `StarterError` for one that cannot be read."""
    folder = folder or shipped.find("bots")
    return {path.parent.name: _read(path.parent) for path in sorted(folder.glob(f"*/{FILE}"))}


def starter(key: str, folder: Path | None = None) -> Starter:
    """Return the starter of a language, by key or by name: `C++` is `cpp`. Raises `StarterError` if there is none."""
    found = starters(folder)
    wanted = key.strip().lower()
    for each in found.values():
        if wanted in (each.key, each.about.language.lower()):
            return each
    to_do = suggested(wanted, found) or f". {ANY_LANGUAGE}"
    raise StarterError(f"there is no starter for {key!r}: there are {', '.join(found) or 'none'}{to_do}")


def _succeeds(command: str) -> bool:
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _read(folder: Path) -> Starter:
    file = folder / FILE
    try:
        about = msgspec.convert(tomllib.loads(file.read_text("utf-8")), About)
        return Starter(folder.name, folder, about, read_manifest(folder))
    except OSError as error:
        raise StarterError(f"{file}: {error.strerror}") from None
    except EntrantError as error:
        raise StarterError(f"{folder / MANIFEST}: {error}") from None
    except (ValueError, msgspec.ValidationError) as error:
        raise StarterError(f"{file}: {error}") from None
