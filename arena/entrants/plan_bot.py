"""A bot as a plan enters it: under a name, with arguments and variables of its own.

It becomes a folder beside the built bots, with the bot's source and a `bot.toml` that says both, as one would write it
by hand. So it has a fingerprint of its own, and is recorded, resumed, sent to a cluster and verified like any other.
"""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.common.regular_files import read_toml
from arena.common.removal import remove
from arena.entrants.build import default_cache
from arena.entrants.expand import Entrant, expand, split_name
from arena.entrants.fingerprint import fingerprint, sources
from arena.entrants.manifest import FILE, EntrantError, read_manifest

_FOLDER: Final = "entered"
"""In the folder for built bots."""


class PlanBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot of a plan with options of its own, so that one bot may enter with several settings."""

    name: str
    """Its name in tables."""
    path: str
    """As in `bots`: a Python file, an executable, a folder with bot.toml, or @name."""
    args: list[str] = []
    """Arguments behind those of its command."""
    env: dict[str, str] = {}
    """Environment variables besides those of its bot.toml, or in their place."""


def entered(bot: PlanBot, cache: Path | None = None) -> str:
    """Make the folder of a bot of a plan, unless it is there, and return it as `NAME=FOLDER`.

    Args:
        bot: The bot.
        cache: The folder for built bots; None: the usual one.

    Raises:
        EntrantError: There is no such bot, it cannot have that name, or its options cannot be given to a process.
    """
    word = f"{bot.name}={bot.path}"
    if split_name(word)[0] != bot.name:
        raise EntrantError(f"bots: {word}: a name has no / or =, and there is no file that is called so as a whole")
    found = expand([word], keep_faulty=True).found
    if not found or found[0].fault or not (bot.args or bot.env):
        return word  # what is no bot is said where bots are looked for
    entrant = found[0]
    base = (cache or default_cache()).absolute() / _FOLDER
    base.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=base))
    try:
        outputs = _copy(entrant, bot, work)
        place = base / fingerprint(work, outputs)
        if not place.exists() or fingerprint(place, outputs) != place.name:
            remove(str(place))
            work.rename(place)
    finally:
        remove(str(work))
    return f"{bot.name}={place}"


def _copy(entrant: Entrant, bot: PlanBot, folder: Path) -> list[str]:
    """Copy a bot's source, write its `bot.toml`, and return what its build makes."""
    base = entrant.path if entrant.kind == "folder" else entrant.path.parent
    for source in sources(entrant.path, entrant.outputs):
        (folder / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(base / source, folder / source)
    (folder / FILE).unlink(missing_ok=True)  # a copy may be one that cannot be written to
    said = _manifest(entrant)
    said |= {"command": [*said["command"], *bot.args], "env": {**said.get("env", {}), **bot.env}}
    (folder / FILE).write_text("".join(f"{key} = {_toml(value)}\n" for key, value in said.items()), "utf-8")
    try:
        return read_manifest(folder).outputs
    except EntrantError as error:
        raise EntrantError(f"bots: {bot.name}: {str(error).removeprefix(f'{folder / FILE}: ')}") from None


def _manifest(entrant: Entrant) -> dict[str, Any]:
    """Return what the `bot.toml` of a bot says, or would say, with its command as a list of words."""
    if entrant.kind == "folder":
        said = read_toml(entrant.path / FILE)
        command = said["command"]
        return {**said, "command": shlex.split(command) if isinstance(command, str) else command}
    name = f"./{entrant.path.name}"
    if entrant.kind == "executable":
        return {"command": [name]}
    return {"command": ["{python}", name], "language": entrant.language}


def _toml(value: Any) -> str:
    """Return a value of TOML: a text, a number, or a list or table of such."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(str(key))} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
