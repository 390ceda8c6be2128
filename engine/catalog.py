"""The games by name: our own and those of installed plug-ins, which are found by the entry-point group `arena.games`.

Our own come first, so that no plug-in, whatever its name, changes what is played when no game is named. A plug-in that
cannot be used is left out with the reason and does not affect the other games.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

from engine.game import Game

GROUP: Final = "arena.games"
_OURS: Final = __name__.partition(".")[0]
"""The package that contains our own games."""


class UnknownGame(KeyError):
    """No game of that name is installed; the message lists those that are. Its second argument is that name."""

    def __str__(self) -> str:
        """Return the message without the quotes that KeyError adds."""
        return str(self.args[0])


class _Catalog(NamedTuple):
    games: dict[str, Game]
    versions: dict[str, str]
    left_out: dict[str, str]


def games() -> dict[str, Game]:
    """Return all installed games by name: our own, then those of plug-ins, each group in alphabetical order."""
    return _catalog().games


def left_out() -> dict[str, str]:
    """Return the plug-ins that cannot be used, by the names of their entry points, each with the reason."""
    return _catalog().left_out


def game(name: str | None = None) -> Game:
    """Return the game of that name; None: the first one. Raises `UnknownGame`."""
    catalog = _catalog()
    wanted = next(iter(catalog.games), None) if name is None else name
    if wanted in catalog.games:
        return catalog.games[wanted]
    installed = ", ".join(catalog.games) or "none, not even our own: install this package with pip"
    why = "".join(f"; {point} was left out: {reason}" for point, reason in catalog.left_out.items())
    what = "there is no game" if wanted is None else f"there is no game {wanted!r}"
    raise UnknownGame(f"{what}: installed games: {installed}{why}", wanted)


def version(name: str) -> str | None:
    """Return the version of the plug-in that a game comes from; None: it is our own, or its version is not known."""
    return _catalog().versions.get(name)


@cache
def _catalog() -> _Catalog:
    found = _Catalog({}, {}, {})
    for point in sorted(entry_points(group=GROUP), key=lambda point: (not _is_ours(point), point.name)):
        try:
            loaded: Game = point.load()
            name = loaded.name
        except Exception as error:  # whatever a stranger's package does when it is imported
            found.left_out[point.name] = f"{point.value} cannot be loaded: {type(error).__name__}: {error}"
            continue
        if found.games.get(name) is loaded:
            continue  # the same one, installed under two names of its package
        if name in found.games:
            found.left_out[point.name] = f"{point.value}: there is a game {name} already"
            continue
        found.games[name] = loaded
        if point.dist is not None and not _is_ours(point):
            found.versions[name] = point.dist.version
    return found


def _is_ours(point: EntryPoint) -> bool:
    return point.value.partition(".")[0] == _OURS
