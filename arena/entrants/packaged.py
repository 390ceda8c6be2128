"""Find the bots that come with the arena by name: `@greedy`, or `@all` for those that play a game."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from arena import shipped
from arena.common.allowed_words import suggested
from arena.entrants.manifest import EntrantError
from engine import catalog

MARK: Final = "@"
_ALL: Final = f"{MARK}all"
_OPPONENTS: Final = (
    *("greedy", "strider", "sprinter", "pairs", "navigator", "saboteur", "planner", "random_bot", "explorer"),
)
"""By how far they are from the middle of the table in README.md, and of the same table of the other game."""
_HINTS: Final = ("planner", "navigator", "explorer")
"""The best first, of those that answer at once, and then the one that any game has. A person waits for them."""
_SEARCHING: Final = ("explorer",)
"""They need worlds that a view allows."""


def is_packaged(word: object) -> bool:
    """Return whether a word names bots that come with the arena. A file of such a name is typed as `./@name`."""
    return str(word).startswith(MARK)


def packaged_words() -> list[str]:
    """Return all words that name bots that come with the arena."""
    return [_ALL, *(MARK + name for name in shipped.bots())]


def packaged(word: str, game: str | None) -> list[Path]:
    """Return the paths of the bots that a word names. `@all` means those that play `game`, or all if it is None.

    Raises `EntrantError` for an unknown name.
    """
    bots = shipped.bots()
    if word == _ALL:
        return [path for path in bots.values() if game is None or game in (games_of(path) or [game])]
    if (path := bots.get(word.removeprefix(MARK))) is None:
        known = packaged_words()
        raise EntrantError(
            f"no bot {word} comes with the arena: there are {', '.join(known)} (a file of that name is ./{word})"
            f"{suggested(word, known)}"
        )
    return [path]


def opponents(game: str, number: int) -> list[str]:
    """Return so many packaged bots that play a game, as they are typed. One comes twice only if there are too few."""
    playing = _playing(_OPPONENTS, game)
    return [playing[place % len(playing)] for place in range(number)]


def hint_bot(game: str) -> str | None:
    """Return the packaged bot, as it is typed, that gives hints in a game. None: none but the random one plays it."""
    return next(iter(_playing(_HINTS, game)), None)


def _playing(names: tuple[str, ...], game: str) -> list[str]:
    paths = shipped.bots()
    able = names if catalog.rules(game).capabilities.worlds else [name for name in names if name not in _SEARCHING]
    return [f"{MARK}{name}" for name in able if game in (games_of(paths[name]) or [game])]


def packaged_name(path: Path) -> str | None:
    """Return the word that names the bot at this path. Return None if it does not come with the arena."""
    return next((MARK + name for name, each in shipped.bots().items() if each == path), None)


def games_of(path: Path) -> list[str] | None:
    """Return the games that a packaged bot names in its call of `run`. Return None if it plays any, or says so itself.

    What is computed there, as by a bot that needs worlds, is known once the bot runs.
    """
    file = path / "bot.py" if path.is_dir() else path
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "run":
            for keyword in node.keywords:
                if keyword.arg == "games" and isinstance(keyword.value, ast.List):
                    return list(ast.literal_eval(keyword.value))
    return None
