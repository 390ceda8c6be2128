"""Who plays where nobody was named: packaged bots of middling strength, and one that knows the game for hints."""

from __future__ import annotations

from typing import Final

from arena import shipped
from arena.entrants.packaged import MARK, games_of

OPPONENTS: Final = (
    *("greedy", "strider", "sprinter", "pairs", "navigator", "saboteur", "planner", "random_bot", "explorer"),
)
"""By how far they are from the middle of the table in README.md, and of the same table of the other game."""
HINTS: Final = ("planner", "navigator", "explorer")


def opponents(game: str, number: int) -> list[str]:
    """Return so many packaged bots that play a game, as they are typed. One comes twice only if there are too few."""
    playing = _playing(OPPONENTS, game)
    return [playing[place % len(playing)] for place in range(number)]


def hint_bot(game: str) -> str:
    """Return the packaged bot, as it is typed, that plays a game best."""
    return _playing(HINTS, game)[0]


def _playing(names: tuple[str, ...], game: str) -> list[str]:
    paths = shipped.bots()
    return [f"{MARK}{name}" for name in names if game in (games_of(paths[name]) or [game])]
