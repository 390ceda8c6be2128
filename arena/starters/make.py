"""Make a bot's folder from a starter: copy and rename its files, and write a README."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena import shipped
from arena.entrants.fingerprint import sources
from arena.entrants.manifest import FILE as MANIFEST
from arena.starters.templates import FILE, Starter, StarterError

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
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StarterError(f"{folder} is there already: choose another name or make room for it")
    if game is not None and starter.about.games and game not in starter.about.games:
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
    of_game = "" if game is None else f" --game {game}"
    network = " --build-network" if about.fetches else ""
    test = "" if about.test is None else f"{about.test:<31}# its own tests\n"
    words = {
        "name": name,
        "language": about.language,
        "edit": about.edit,
        "check": f"arena check .{of_game}{network}",
        "match": f"arena match . @random_bot{of_game}{network}",
        "trace": f"arena match . .{of_game}{network} --trace t",
        "test": test,
        "wait": f"arena match wait:{name} .{of_game}",
        "debug": about.debug,
        "needs": "" if not about.needs else f" It needs {', '.join(about.needs)}.",
        "rules": "arena games" if game is None else f"arena games {game}",
    }
    return re.sub(r"\{(\w+)\}", lambda found: words[found[1]], _TEMPLATE.read_text("utf-8"))


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
