"""The rules by name: our own and those of installed plug-ins, found by the entry-point group `arena.rules`.

Our own come first, so that no plug-in, whatever its name, changes what is played when no name is given. A plug-in that
cannot be used is left out with the reason and does not affect the others.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

from engine.rules import Rules

GROUP: Final = "arena.rules"
_OURS: Final = __name__.partition(".")[0]
"""The package that contains our own rules."""


class UnknownRules(KeyError):
    """No rules of that name are installed; the message lists those that are. Its second argument is that name."""

    def __str__(self) -> str:
        """Return the message without the quotes that KeyError adds."""
        return str(self.args[0])


class _Catalog(NamedTuple):
    installed: dict[str, Rules]
    versions: dict[str, str]
    left_out: dict[str, str]


def installed() -> dict[str, Rules]:
    """Return all installed rules by name: our own, then those of plug-ins, each group in alphabetical order."""
    return _catalog().installed


def left_out() -> dict[str, str]:
    """Return the plug-ins that cannot be used, by the names of their entry points, each with the reason."""
    return _catalog().left_out


def rules(name: str | None = None) -> Rules:
    """Return the rules of that name; None: the first ones. Raises `UnknownRules`."""
    catalog = _catalog()
    wanted = next(iter(catalog.installed), None) if name is None else name
    if wanted in catalog.installed:
        return catalog.installed[wanted]
    names = ", ".join(catalog.installed) or "none, not even our own: install this package with pip"
    why = "".join(f"; {point} was left out: {reason}" for point, reason in catalog.left_out.items())
    what = "there is no game" if wanted is None else f"there is no game {wanted!r}"
    raise UnknownRules(f"{what}: installed games: {names}{why}", wanted)


def version(name: str) -> str | None:
    """Return the version of the plug-in that rules come from; None: it is our own, or its version is not known."""
    return _catalog().versions.get(name)


@cache
def _catalog() -> _Catalog:
    found = _Catalog({}, {}, {})
    for point in sorted(entry_points(group=GROUP), key=lambda point: (not _is_ours(point), point.name)):
        try:
            loaded: Rules = point.load()
            name = loaded.name
        except Exception as error:  # whatever a stranger's package does when it is imported
            found.left_out[point.name] = f"{point.value} cannot be loaded: {type(error).__name__}: {error}"
            continue
        if found.installed.get(name) is loaded:
            continue  # the same one, installed under two names of its package
        if name in found.installed:
            found.left_out[point.name] = f"{point.value}: there is a game {name} already"
            continue
        found.installed[name] = loaded
        if point.dist is not None and not _is_ours(point):
            found.versions[name] = point.dist.version
    return found


def _is_ours(point: EntryPoint) -> bool:
    return point.value.partition(".")[0] == _OURS
