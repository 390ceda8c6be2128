"""The bots that come with the arena, by name wherever one is: `@greedy`, and `@all` for those that play a game."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from arena import shipped
from arena.entrants.manifest import EntrantError

MARK: Final = "@"
_ALL: Final = f"{MARK}all"


def is_packaged(word: object) -> bool:
    """Whether a word names bots that come with the arena. A file whose name begins so is typed as `./@name`."""
    return str(word).startswith(MARK)


def packaged(word: str, game: str | None) -> list[Path]:
    """The files of the bots that a word names; `@all` leaves out those that do not play `game` (None: leaves out none).

    Raises `EntrantError` for a name that is none.
    """
    bots = shipped.bots()
    if word == _ALL:
        return [path for path in bots.values() if game is None or game in (games_of(path) or [game])]
    if (path := bots.get(word.removeprefix(MARK))) is None:
        known = ", ".join([_ALL, *(MARK + name for name in bots)])
        raise EntrantError(f"no bot {word} comes with the arena: there are {known} (a file of that name is ./{word})")
    return [path]


def games_of(path: Path) -> list[str] | None:
    """The games that a bot of ours names in its call of `run`; None: it plays any."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "run":
            for keyword in node.keywords:
                if keyword.arg == "games":
                    return list(ast.literal_eval(keyword.value))
    return None
