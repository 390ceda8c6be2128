"""The rules by name: our own and those of installed plug-ins, found by the entry-point group `arena.rules`.

The name of an entry point is that of its rules, so that they are imported only when they are asked for. Our own come
first: no plug-in, whatever its name, changes what is played when no name is given. A plug-in that cannot be used is
left out with the reason and does not affect the others.

A provider, found by the group `arena.providers`, has many rules: those named `PREFIX:...`, with the name of its entry
point before the colon. It too is imported only for such a name.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple, Protocol

from engine.rules import Rules

GROUP: Final = "arena.rules"
PROVIDERS: Final = "arena.providers"
_OURS: Final = __name__.partition(".")[0]
"""The package that contains our own rules."""


class UnknownRules(KeyError):
    """No rules of that name can be had; the message says why, and what to do or which there are."""

    def __init__(self, message: str, wanted: str | None = None, known: Sequence[str] = ()) -> None:
        """Say that `wanted` cannot be had; `known`: the names among which one may be meant."""
        super().__init__(message, wanted, known)
        self.wanted, self.known = wanted, known

    def __str__(self) -> str:
        """Return the message without the quotes that KeyError adds."""
        return str(self.args[0])


class Offer(NamedTuple):
    """A game that a provider knows."""

    name: str
    """The name of the rules, with the prefix."""
    refused: str = ""
    """Why it cannot be played here; empty: it can."""


class Provider(Protocol):
    """Where rules come from that have no entry point each, such as another library."""

    @property
    def version(self) -> str | None:
        """The version of that library, recorded with games as the version of a plug-in is."""

    def rules(self, name: str) -> Rules:
        """Return the rules of that name, which begins with the prefix; they may have another spelling of it.

        Raises:
            UnknownRules: There are none. The message says why, and what to do.
        """

    def offers(self) -> Sequence[Offer]:
        """Return all games that the library has. Raises `UnknownRules` if it is not installed."""


class _Catalog:
    """What was found, and what of it was imported so far."""

    def __init__(self) -> None:
        self.left_out: dict[str, str] = {}
        self.rules: dict[str, Rules] = {}
        self.points = self._found(GROUP)
        self.providers: dict[str, Provider] = {}
        self.provider_points = self._found(PROVIDERS)

    def _found(self, group: str) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for point in sorted(entry_points(group=group), key=lambda point: (not _is_ours(point), point.name)):
            if ":" in point.name:
                self.left_out[point.name] = f"{point.value}: a name with a colon is one of a provider"
            elif found.setdefault(point.name, point).value != point.value:  # equal: installed twice, as checkouts are
                self.left_out[point.value] = f"there is a {point.name} already, {found[point.name].value}"
        return found

    def load(self, name: str) -> Rules | None:
        """Return the rules of an entry point; None: it is left out."""
        if name not in self.rules and name in self.points and name not in self.left_out:
            point = self.points[name]
            try:
                loaded: Rules = point.load()
                found = loaded.name
            except Exception as error:  # whatever a stranger's package does when it is imported
                self.left_out[name] = f"{point.value} cannot be loaded: {type(error).__name__}: {error}"
                return None
            if found != name:
                self.left_out[name] = f"{point.value} has the name {found!r}, and its entry point must have the same"
                return None
            self.rules[name] = loaded
        return self.rules.get(name)

    def provider(self, prefix: str) -> Provider | None:
        """Return the provider of that prefix; None: there is none, or it is left out."""
        if prefix not in self.providers and prefix in self.provider_points and prefix not in self.left_out:
            point = self.provider_points[prefix]
            try:
                self.providers[prefix] = point.load()
            except Exception as error:  # as above
                self.left_out[prefix] = f"{point.value} cannot be loaded: {type(error).__name__}: {error}"
        return self.providers.get(prefix)


def names() -> list[str]:
    """Return the names of the rules that are installed, those of providers apart. Nothing is imported for it.

    Our own come first, then those of plug-ins, each group in alphabetical order.
    """
    catalog = _catalog()
    return [name for name in catalog.points if name not in catalog.left_out]


def installed(among: Collection[str] | None = None) -> dict[str, Rules]:
    """Import the rules that have an entry point, or those of them that are `among` these names.

    They are returned by name, in the order of `names`.
    """
    wanted = [name for name in names() if among is None or name in among]
    return {name: found for name in wanted if (found := _catalog().load(name)) is not None}


def left_out() -> dict[str, str]:
    """Return the plug-ins that could not be used so far, by their entry points, each with the reason."""
    return _catalog().left_out


def rules(name: str | None = None) -> Rules:
    """Return the rules of that name; None: the first ones. Raises `UnknownRules`."""
    catalog = _catalog()
    wanted = next(iter(names()), None) if name is None else name
    if wanted is not None:
        found = catalog.rules.get(wanted) or (_provided(wanted) if ":" in wanted else catalog.load(wanted))
        if found is not None:
            return found
    listed = ", ".join(names()) or "none, not even our own: install this package with pip"
    listed += "".join(f", {prefix}:NAME" for prefix in providers())
    why = "".join(f"; {point} was left out: {reason}" for point, reason in catalog.left_out.items())
    what = "there is no game" if wanted is None else f"there is no game {wanted!r}"
    raise UnknownRules(f"{what}: installed games: {listed}{why}", wanted, names())


def providers() -> list[str]:
    """Return the prefixes of the providers. Nothing is imported for it."""
    catalog = _catalog()
    return [prefix for prefix in catalog.provider_points if prefix not in catalog.left_out]


def provider(prefix: str) -> Provider | None:
    """Return the provider of that prefix; None: there is none that can be used."""
    return _catalog().provider(prefix)


def version(name: str) -> str | None:
    """Return the version of the plug-in or library that rules come from; None: our own, or it is not known."""
    catalog = _catalog()
    if ":" in name:
        provides = catalog.provider(name.partition(":")[0])
        return None if provides is None else provides.version
    point = catalog.points.get(name)
    return None if point is None or point.dist is None or _is_ours(point) else point.dist.version


def _provided(name: str) -> Rules | None:
    catalog = _catalog()
    provides = catalog.provider(name.partition(":")[0])
    if provides is None:
        return None
    found = provides.rules(name)
    return catalog.rules.setdefault(found.name, found)


@cache
def _catalog() -> _Catalog:
    return _Catalog()


def _is_ours(point: EntryPoint) -> bool:
    return point.value.partition(".")[0] == _OURS
