"""Explain in one line why a bot's process ended, mostly before it had said hello, and what to do about it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final, NamedTuple

from arena.common.printable import as_typed, printable, shorten
from arena.entrants.bot_process import ProcessExit
from arena.entrants.build import Built
from arena.entrants.diagnosis import how_to_get
from arena.entrants.manifest import FILE
from arena.isolation.readable import first_bytes

_NOT_FOUND: Final = 127
"""The exit code that says that a program was not found; also that of `env`, which many first lines name."""
_MODULE: Final = re.compile(r"No module named '?([\w.]+)|Cannot find (?:module|package) '([^']+)'")
_MISSING: Final = re.compile(r"(?i)no such file|not found|cannot find|can't find|does not exist|cannot open|can't open")
_WORD: Final = re.compile(r"[\w./+-]+")
_LONGEST: Final = 300
_REST: Final = f"a folder with {FILE} carries the rest"


class EarlyEnd(NamedTuple):
    """Why a bot ended."""

    why: str
    """The cause, with what to do in a few words."""
    advice: str
    """What to do, in a sentence."""


def explain_end(built: Built, ended: ProcessExit, stderr: str, has_connected: bool) -> EarlyEnd | None:
    """Return why a process ended before its hello, or failed later; None: its last words say all that is known.

    Args:
        built: The bot.
        ended: How its process ended.
        stderr: The last lines of its standard error.
        has_connected: Whether it had connected to the referee.
    """
    found: EarlyEnd | None = None
    if ended.is_unstarted:
        found = _not_run(built)
    elif ended.code == _NOT_FOUND and stderr.startswith(("env: ", "/usr/bin/env: ")):
        found = _first_line(built, built.command[0], first_bytes(built.folder / built.command[0]))
    elif ended.code == 0:
        found = _left(built, has_connected)
    elif ended.code is not None:
        found = _not_copied(built, stderr) or _no_client(built, stderr)
    return None if found is None else EarlyEnd(*(shorten(printable(text), _LONGEST) for text in found))


def _left(built: Built, has_connected: bool) -> EarlyEnd:
    how = "by itself without saying hello" if has_connected else "by itself without connecting"
    file = _python_file(built)
    if file is None:
        advice = "A bot connects to ARENA_ENDPOINT, says `hello` and lives until `bye`: `arena docs protocol`."
        return EarlyEnd(f"it ended {how}", advice)
    empty = "" if (built.folder / file).stat().st_size else f" {file} is empty"
    advice = "End the file with run(decide), where `run` is from arena.client: it connects, and plays until `bye`."
    return EarlyEnd(f"it ended {how}: does it call run()?{empty}", advice)


def _python_file(built: Built) -> str | None:
    """Return the file that a bot in Python runs, relative to its folder."""
    words = [word for word in built.command if word.endswith(".py") and not word.startswith("/")]
    return next((word for word in words if (built.folder / word).is_file()), None)


def _not_run(built: Built) -> EarlyEnd | None:
    """Explain a program that is not there, may not be executed, or names an interpreter that is not there."""
    program, entrant = built.command[0], built.entrant
    if "/" not in program:
        path = entrant.env.get("PATH", os.environ.get("PATH", os.defpath))
        if shutil.which(program, path=path) is None:
            advice = f"Install it{how_to_get(program)}, or mend `command` in {FILE}; {{python}} is the arena's Python."
            return EarlyEnd(f"there is no program {program} in PATH", advice)
        return _not_shown(built, program)
    file = built.folder / program
    own = _own_file(built, program)
    if not file.exists():
        if own != program or Path(program).is_absolute():
            return _not_shown(built, program) if Path(program).exists() else _absent(program, "on this machine")
        return _absent(program, "in its folder")
    if not os.access(file, os.X_OK):
        return EarlyEnd(f"{program} may not be executed: chmod +x", f"Type: chmod +x {own}")
    return _first_line(built, program, first_bytes(file))


def _absent(program: str, where: str) -> EarlyEnd:
    return EarlyEnd(f"there is no {program} {where}", f"Mend `command` in {FILE}, or let `build` make the file.")


def _not_shown(built: Built, program: str) -> EarlyEnd | None:
    """Explain a program that is on this machine, but not in the bot's box."""
    if built.isolation.level == "none":
        return None
    why = f"{program} is on this machine, but bots may not read it: see `arena docs isolation`"
    return EarlyEnd(
        why, "Name its folder under `readable`, in the [isolation] of a plan; or try with --isolation none."
    )


def _own_file(built: Built, program: str) -> str:
    """Return where its author finds a file of the bot, as it is typed."""
    path = built.entrant.path
    folder = path if path.is_dir() else path.parent
    return as_typed(Path(os.path.relpath(folder / program))) if (folder / program).exists() else program


def _first_line(built: Built, program: str, head: bytes) -> EarlyEnd | None:
    """Explain a script that its first line keeps from being run."""
    line, _, _ = head.partition(b"\n")
    own = _own_file(built, program)
    if not head.startswith(b"#!"):
        if head.startswith(b"\x7fELF") or not head:
            return None  # for another system: its last words say so
        advice = "Begin it with #! and the program that runs it, such as #!/usr/bin/env python3."
        return EarlyEnd(f"the first line of {program} does not say what runs it", advice)
    if line.endswith(b"\r"):
        why = f"the first line of {program} ends as on Windows (CRLF), so the program that it names is not found"
        return EarlyEnd(f"{why}: save it with Unix line ends (LF)", f"Type: sed -i 's/\\r$//' {own}")
    words = os.fsdecode(line[2:]).split()
    runs = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    named = runs[0] if words and Path(words[0]).name == "env" and runs else "".join(words[:1])
    if named and shutil.which(named) is None:
        advice = f"Install {named}{how_to_get(named)}, or name another program in the first line of {own}."
        return EarlyEnd(f"the first line of {program} names {named}, which is not on this machine", advice)
    return _not_shown(built, named) if named else None


def _not_copied(built: Built, stderr: str) -> EarlyEnd | None:
    """Explain that a file is missing which lies with the bot, but is no part of it."""
    path = built.entrant.path
    folder = path if path.is_dir() else path.parent
    for name in _named_as_missing(stderr):
        name = name.removeprefix(f"{built.folder}/").removeprefix(f"{folder}/")
        if not _lies_with(folder, name) or (built.folder / name).exists():
            continue
        if path.is_dir():
            why = f"it needs {name}, which is not copied: it counts as made by a build"
            return EarlyEnd(why, f"Give it another name or folder, or let `build` in {FILE} make it.")
        why = f"it needs {name}, which lies beside it; only this file is copied: {_REST}"
        return EarlyEnd(why, f'Move both into a folder with a {FILE} that says: command = "{_typed(built)}"')
    return None


def _typed(built: Built) -> str:
    return " ".join("{python}" if word == sys.executable else word for word in built.command)


def _named_as_missing(stderr: str) -> list[str]:
    """Return the names of files that the last words say were not found."""
    names: list[str] = []
    for line in stderr.splitlines():
        for module in (found[1] or found[2] for found in _MODULE.finditer(line)):
            place = module.removeprefix("./") if "/" in module else module.replace(".", "/")
            names += [f"{place}.py", place, place.partition("/")[0], f"{place}.js"]
        if _MISSING.search(line):
            names += [word.removeprefix("./") for word in _WORD.findall(line)]
    return names


def _lies_with(folder: Path, name: str) -> bool:
    """Return whether a file lies in a folder. Nothing is looked for elsewhere: a bot may write what it likes."""
    path = Path(name)
    if not name or path.is_absolute() or ".." in path.parts or name in (".", ""):
        return False
    try:
        return (folder / path).exists()
    except OSError:
        return False


def _no_client(built: Built, stderr: str) -> EarlyEnd | None:
    """Explain that another Python than the arena's runs the bot."""
    missing = [found[1].partition(".")[0] for found in _MODULE.finditer(stderr) if found[1]]
    if not missing or sys.executable in built.command:
        return None
    if missing[-1] not in ("arena", "engine", "zmq", "msgpack"):
        return None
    why = f"its Python has no {missing[-1]}: it is not the arena's own"
    return EarlyEnd(why, f'Start it by {FILE}, where {{python}} is the arena\'s: command = "{{python}} bot.py".')
