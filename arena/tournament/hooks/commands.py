"""The hooks of a plan: commands that are run when something happens in a tournament."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from arena.common.allowed_words import suggested
from arena.tournament.bounds import NumberBounds

TIMEOUT: Final = NumberBounds(0, 86_400, unit="seconds", above=True)
EVENTS: Final = ("round", "fault", "suspended", "rank_changed", "head", "finished")
"""What hooks can be run at in a tournament."""
LEAGUE_EVENTS: Final = ("submission", "mark", "season")
"""What they can be run at besides in a league."""

Command = list[str] | str
"""A program and its arguments. A text is split into words as a shell does; no shell is started."""


class HookError(ValueError):
    """A hook that cannot be run; the text says which, and why."""


class Hooks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Commands that get one JSON object on standard input: see `docs/hooks.md`. Each is a list of words, or a text."""

    round: Command | None = None
    """Run when all games of a round are played."""
    fault: Command | None = None
    """Run when a bot commits a fault; further ones of the same round come together, at its end."""
    suspended: Command | None = None
    """Run when a bot is suspended."""
    rank_changed: Command | None = None
    """Run when the order of the bots at the end of a round is another one than a round before."""
    head: Command | None = None
    """Run when a head of the chain is to be published: see `docs/fair-play.md`."""
    finished: Command | None = None
    """Run when the tournament has ended."""
    submission: Command | None = None
    """In a league, run at each step of a submission."""
    mark: Command | None = None
    """In a league, run when a bot gets a mark or loses it."""
    season: Command | None = None
    """In a league, run when a season begins, is frozen, has its final or is over."""
    timeout: Annotated[float, TIMEOUT.meta()] = 10.0
    """Seconds after which a command is ended with all that it has started."""
    folder: str | None = None
    """Where the commands run, and where paths of programs begin. Default: the plan's folder."""

    def __post_init__(self) -> None:
        """Raise `HookError` for a command without a program, or a wrong time."""
        for event in (*EVENTS, *LEAGUE_EVENTS):
            self.words(event)
        if not TIMEOUT.takes(self.timeout):
            raise HookError(f"timeout: {self.timeout!r} is not {TIMEOUT}")

    def words(self, event: str) -> list[str]:
        """Return the program and the arguments that are run at an event; empty: nothing is."""
        command: Command | None = getattr(self, event)
        if command is None:
            return []
        try:
            words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise HookError(f"{event}: {command!r} cannot be split into words: {error}") from None
        if not words or not words[0].strip():
            raise HookError(f"{event}: {command!r} names no program")
        if any("\0" in word for word in words):
            raise HookError(f"{event}: {command!r} has a character 0, which no argument can hold")
        return words

    def place(self) -> Path:
        """Return where the commands run."""
        return Path(self.folder or ".").absolute()

    def commands(self, events: Sequence[str] = EVENTS) -> dict[str, list[str]]:
        """Return the command of each of these events, with its program as a path. Raises `HookError` if it lacks."""
        if not self.place().is_dir():
            raise HookError(f"folder: there is no folder {self.place()}")
        return {event: self._located(event, words) for event in events if (words := self.words(event))}

    def _located(self, event: str, words: Sequence[str]) -> list[str]:
        program = words[0]
        if "/" not in program:
            found = shutil.which(program)
            hint = f": did you mean ./{program}?" if (self.place() / program).is_file() else ""
            if found is None:
                raise HookError(f"{event}: PATH has no program {program}{hint}")
            return [found, *words[1:]]
        path = self.place() / program
        if not path.is_file():
            raise HookError(f"{event}: there is no program {path}")
        if shutil.which(path) is None:
            raise HookError(f"{event}: {path} cannot be executed: chmod +x it, or name its interpreter before it")
        return [str(path), *words[1:]]


def read_hooks(data: object, folder: Path) -> Hooks:
    """Read the table `[hooks]` of a plan that lies in `folder`. Raises `HookError`."""
    if not isinstance(data, Mapping):
        raise HookError(f"{data!r} is not a table, as [hooks] begins one")
    known = Hooks.__struct_fields__
    given: dict[str, Any] = dict(data)
    for key, value in given.items():
        if key not in known:
            raise HookError(f"unknown key {key}; the keys are {', '.join(known)}{suggested(key, known)}")
        if key in (*EVENTS, *LEAGUE_EVENTS) and not _is_command(value):
            raise HookError(f"{key}: {value!r} is neither a text nor a list of texts")
        if key == "folder" and not isinstance(value, str):
            raise HookError(f"folder: {value!r} is not a text")
    return Hooks(**{**given, "folder": str(folder / given.get("folder", "."))})


def _is_command(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(word, str) for word in value))
