"""The games by name: ours and those of installed plug-ins, found by the entry-point group `arena.games`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Final

from engine.game import Game

GROUP: Final = "arena.games"


class UnknownGame(KeyError):
    """No game of that name is installed; the text lists those that are."""

    def __str__(self) -> str:
        """The text without the quotes that KeyError adds."""
        return str(self.args[0])


@cache
def games() -> dict[str, Game]:
    """All installed games by name, in alphabetical order."""
    found: dict[str, Game] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        loaded: Game = point.load()
        found[loaded.name] = loaded
    return found


def game(name: str) -> Game:
    """The game of that name. Raises `UnknownGame`."""
    try:
        return games()[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}: installed are {', '.join(games())}") from None
