"""Make a folder to start from: a bot's from a starter, which is copied and renamed and gets a README, or a game's.

Starters are folders in `bots/` with a `starter.toml` next to their `bot.toml`, one for each language. A starter is an
ordinary bot that plays as it is. `bot.toml` gives it a `name`. Wherever that name occurs as a word in one of its text
files (manifests, lock files, module names), a bot made from it gets its own name instead. So the name must be a word
that means nothing else, such as `rust-bot`, and may only occur where any name of lower-case letters, digits, `-` and
`_` may.

Wrappers are starters too, in a folder of their own: bots that let an existing program play, one for each way in which
such programs are asked. The rules of a new game begin as the example of docs/add-a-game.md, with other names.
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec

from arena import shipped
from arena.common.allowed_words import suggested
from arena.common.errors import ArenaError
from arena.entrants.fingerprint import sources
from arena.entrants.manifest import FILE as MANIFEST
from arena.entrants.manifest import BotManifest, EntrantError, read_manifest

FILE: Final = shipped.STARTER
ANY_LANGUAGE: Final = "A bot in any other language speaks the protocol, which `arena docs protocol` explains"
"""What to do about a language without a starter."""
WRAPPERS: Final = "bots/existing"
"""Where the wrappers of existing programs are."""
_GAMES: Final = "/usr/games"
"""Where some systems have games, which is not on every user's `PATH`; wrappers look there too."""
_PROBE_SECONDS: Final = 20.0
"""How long the search for a library may take. It takes milliseconds, or seconds if a busy machine has to compile."""
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class StarterError(ArenaError):
    """A bot that cannot be made. The text says why and what to do."""


class AnchorLevels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The levels of a wrapper by which `arena rate` rates other bots."""

    games: Line
    """What the names of the games begin with for which they are anchors."""
    levels: dict[Line, list[Line]]
    """By name: the arguments that make the program play at that level."""


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
    """The libraries that the system must have, each with a shell command that succeeds if it is installed.

    `{python}` in it stands for the Python that runs the arena.
    """
    install: list[Line] = []
    """How to install all of these, one line for each system."""
    games: list[Line] = []
    """The games that it plays. Empty means any."""
    levels: list[Line] = []
    """For a wrapper: arguments that make the program play at another level, as an example."""
    options: Line = ""
    """What its commands need besides, as they are typed; `{name}` stands for its name."""
    anchors: AnchorLevels | None = None
    """For a wrapper: its levels as anchors."""
    fetches: bool = False
    """Whether its build fetches libraries, so that a build that is kept apart has to be let out to the network."""
    vectors: bool = False
    """Whether its tests need the golden vectors, which are then copied to `vectors/`."""

    def typed(self, name: str) -> str:
        """Return what is typed behind commands that play with a bot of that name, after a blank; empty: nothing."""
        return " ".join(["", *(["--build-network"] if self.fetches else []), *self.options.format(name=name).split()])


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
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), _GAMES])
        programs = [program for program in self.about.needs if shutil.which(program, path=path) is None]
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


def wrappers() -> dict[str, Starter]:
    """Return the starters that let an existing program play, by key."""
    return starters(shipped.find(WRAPPERS))


def _succeeds(command: str) -> bool:
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command.replace("{python}", shlex.quote(sys.executable))],
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


_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_OF_SYSTEM: Final = frozenset({".DS_Store", ".localized"})
_README: Final = "README.md"
_SCHEMA: Final = ".bot.schema.json"
_AUTHOR: Final = """
# Who made it, as tables and pages show it. Only the name is needed.
# [author]
# name = "Your name"
# team = "Your team"
# link = "https://example.org/about-it"
# avatar = "avatar.png"  # PNG, JPEG or WebP in this folder, at most 64 KiB and 512 x 512 pixels
# licence = "MIT"
"""
_EXAMPLE: Final = "number_race"
"""The module of the example in docs/add-a-game.md, and its folder beside that page."""
_TEMPLATE: Final = Path(__file__).with_name("template.md")


def make(starter: Starter, folder: Path, game: str | None = None) -> list[Path]:
    """Make a bot in `folder`, named after the folder, and return its files relative to it.

    Args:
        starter: The starter to copy.
        folder: The new folder; it must be empty or not exist.
        game: The game that its README uses in examples. None takes the default game.

    Raises:
        StarterError: The folder or its name cannot be used.
        OSError: A file cannot be written.
    """
    name = folder.name
    if not _NAME.fullmatch(name):
        raise StarterError(
            f"{name!r} cannot be the name of a bot in every language: a small letter first, then small letters, "
            "digits, - and _, at most 40"
        )
    _check_free(folder)
    if game is not None and starter.about.games and game.partition("(")[0] not in starter.about.games:
        known = ", ".join(starter.about.games)
        raise StarterError(f"the starter for {starter.about.language} plays {known}, not {game}")
    folder.mkdir(parents=True, exist_ok=True)
    for source in _files(starter):
        (folder / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(starter.folder / source, folder / source)
        if starter.name is not None:
            _rename(folder / source, starter.name, name)
    _name_schema(folder)
    with (folder / MANIFEST).open("a", encoding="utf-8") as manifest:
        manifest.write(_AUTHOR)
    if starter.about.vectors:
        (folder / "vectors").mkdir(exist_ok=True)
        for vectors in shipped.find("docs/vectors").glob("*.json"):
            shutil.copy2(vectors, folder / "vectors")
    (folder / _README).write_text(readme(starter, name, game), "utf-8")
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def readme(starter: Starter, name: str, game: str | None = None) -> str:
    """Return the README: how to run, check and debug the bot, and what the messages mean."""
    about = starter.about
    if game is None and about.games:
        game = about.games[0]
    of_game = "" if game is None else f" --game {shlex.quote(game)}"
    network = about.typed(name)
    test = "" if about.test is None else f"{about.test:<31}# its own tests\n"
    words = {
        "name": name,
        "language": about.language,
        "edit": about.edit,
        "check": f"arena check .{of_game}{network}",
        "match": f"arena match . @random_bot{of_game}{network}",
        "trace": f"arena match . {'@random_bot' if about.options else '.'}{of_game}{network} --trace t",
        "test": test,
        "levels": json.dumps(about.levels),
        "wait": f"arena match wait:{name} .{of_game}",
        "debug": about.debug,
        "needs": "" if not about.needs else f" It needs {', '.join(about.needs)}.",
        "rules": "arena games" if game is None else f"arena games {shlex.quote(game)}",
    }
    own = starter.folder.parent / _TEMPLATE.name
    template = own if own.exists() else _TEMPLATE
    return re.sub(r"\{(\w+)\}", lambda found: words[found[1]], template.read_text("utf-8"))


def make_rules(folder: Path, taken: Iterable[str] = ()) -> list[Path]:
    """Make a package with the rules of a game in `folder`, named after it, and return its files relative to it.

    It is the example of docs/add-a-game.md under another name: a whole game that works, to be changed into another.

    Args:
        folder: The new folder; it must be empty or not exist.
        taken: The names of the games that there are.

    Raises:
        StarterError: The folder or its name cannot be used.
        OSError: A file cannot be written.
    """
    name, module = folder.name, folder.name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise StarterError(
            f"{name!r} cannot be the name of a game: a small letter first, then small letters, digits, - and _, "
            "at most 40"
        )
    if name in taken or keyword.iskeyword(module) or importlib.util.find_spec(module) is not None:
        raise StarterError(f"{name} is taken, by a game or by a module of Python: choose another name")
    _check_free(folder)
    example = shipped.find("docs") / _EXAMPLE
    kind = "".join(part.capitalize() for part in module.split("_"))
    names = {_EXAMPLE: module, _EXAMPLE.replace("_", "-"): name, "NumberRace": kind, "RaceState": f"{kind}State"}
    names[f"test_{_EXAMPLE}"] = f"test_{module}"
    for source in sources(example):
        target = folder / str(source).replace(_EXAMPLE, module)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(example / source, target)
        for old, new in names.items():
            _rename(target, old, new)
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def _check_free(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StarterError(f"{folder} is there already: choose another name or make room for it")


def _name_schema(folder: Path) -> None:
    """Write the schema of `bot.toml` beside it and refer to it there, so that editors complete and check keys offline.

    The file's name begins with a dot, so it is no source of the bot, and a later schema does not make it another bot.
    """
    shutil.copyfile(shipped.find("docs/schema/bot.json"), folder / _SCHEMA)
    lines = (folder / MANIFEST).read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("#:schema")]
    (folder / MANIFEST).write_text("".join([f"#:schema ./{_SCHEMA}\n", *kept]), "utf-8")


def _files(starter: Starter) -> Iterator[Path]:
    """Yield the starter's own files: its source and the configuration in files that begin with a dot, nothing built."""
    folders = {Path()}
    for source in sources(starter.folder, starter.manifest.outputs):
        folders |= set(source.parents)
        if source not in (Path(FILE), Path(_README)):
            yield source
    for folder in sorted(folders):
        for path in sorted((starter.folder / folder).glob(".*")):
            if path.is_file() and path.name not in _OF_SYSTEM:
                yield folder / path.name


def _rename(file: Path, old: str, new: str) -> None:
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        return  # a picture or the like
    renamed = re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", new, text)
    if renamed != text:
        file.write_bytes(renamed.encode())
