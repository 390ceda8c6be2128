"""`openspiel:NAME` and `openspiel:NAME(players=3,...)`: the games of OpenSpiel.

The library is imported when the first of them is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Final

from engine.bridges.plain import line
from engine.bridges.quiet import quiet
from engine.catalog import Offer, Provider, UnknownRules
from engine.rules import Rules

PREFIX: Final = "openspiel:"
OURS: Final = "python_arena_"
"""How `arena.environments.open_spiel` registers our games there: they must not come back."""
_LONGEST: Final = 200 - len(PREFIX)
"""As long may a name be: see `engine.testing.check_rules`."""


class OpenSpiel:
    """Provides the games of OpenSpiel."""

    @property
    def version(self) -> str | None:
        """The version of OpenSpiel."""
        try:
            return version("open_spiel")
        except PackageNotFoundError:
            return None

    def rules(self, name: str) -> Rules:
        """Return the rules of that name, in which the order of parameters does not matter."""
        pyspiel = _library(name)
        asked = name.removeprefix(PREFIX).strip()
        if len(asked) > _LONGEST:
            raise _refused(
                name, f"a name with its parameters has at most {_LONGEST} letters, and this one {len(asked)}"
            )
        try:
            with quiet():
                given = pyspiel.game_parameters_from_string(asked)
        except pyspiel.SpielError as error:
            raise _refused(name, line(str(error))) from None
        short = given.get("name", "")
        if short.startswith(OURS):
            raise _refused(name, f"that is our own game: say --game {short.removeprefix(OURS)}")
        if short not in pyspiel.registered_names():
            known = [offer.name for offer in self.offers() if not offer.refused]
            raise UnknownRules(f"there is no game {name!r}: see arena games {PREFIX[:-1]}", name, known)
        parameters = pyspiel.game_parameters_to_string(given).removeprefix(short).removesuffix("()")
        from engine.bridges.spiel_rules import SpielRules

        try:
            return SpielRules(f"{PREFIX}{short}{parameters}", given)
        except ValueError as error:
            raise _refused(name, str(error)) from None

    def offers(self) -> Sequence[Offer]:
        """Return all games of OpenSpiel."""
        pyspiel = _library(PREFIX)
        from engine.bridges.spiel_rules import refusal_by_name

        found = []
        for kind in pyspiel.registered_games():
            if not kind.short_name.startswith(OURS):
                found.append(Offer(PREFIX + kind.short_name, refusal_by_name(kind) or ""))
        return found


PROVIDER: Provider = OpenSpiel()


def _library(name: str) -> ModuleType:
    try:
        with quiet():
            import pyspiel
    except ImportError as error:
        why = "" if error.name == "pyspiel" else f" ({error})"
        raise _refused(name, f"OpenSpiel is not installed{why}: pip install 'bot-arena[openspiel]'") from None
    return pyspiel  # type: ignore[no-any-return]


def _refused(name: str, why: str) -> UnknownRules:
    return UnknownRules(f"{name}: {why}", name)
