"""What most rules have in common, for rules to inherit: they write only what is special about them.

`engine.rules` says what is asked of rules and of their states. These classes answer what has an answer that suits most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Self

from engine.chance import Chance
from engine.editions import Editions, shown
from engine.rules import Capabilities, Data, EditionError, Event, ForcedMove, Parameter, State


class BaseState:
    """A state without forced moves and penalties, whose substitute takes the first action."""

    phase = "turn"

    def forced_moves(self) -> Sequence[ForcedMove]:
        """Return nothing: every move that is made for a seat is one that all know of."""
        return ()

    def copy(self) -> Self:
        """Return an independent state. Search bots copy often: write a faster one if they matter."""
        return deepcopy(self)

    def substitute_action(self) -> int:
        """Return the first action."""
        return 0

    def penalize(self, seat: int) -> list[Event]:
        """Charge nothing."""
        return []

    def retire(self, seat: int) -> list[Event]:
        """Note nothing: the game goes on with the substitute in this seat."""
        return []


class BaseRules:
    """Rules with editions as plain data."""

    name: str
    players: tuple[int, int]
    capabilities = Capabilities()
    """What the rules have beyond the least: by default chance, and nothing else."""
    named: Mapping[str, Data]
    """The resolved editions by name, the default one first."""

    def editions(self) -> list[str]:
        """Return the names of the editions, the default one first."""
        return list(self.named)

    def edition(self, name: str | Path) -> Data:
        """Return a copy of the whole edition of that name. Raises `EditionError`."""
        if name not in self.named:
            raise EditionError(f"{self.name} has no edition {name}: there are {', '.join(self.named)}")
        return deepcopy(self.named[str(name)])

    def parameters(self, name: str | Path) -> list[Parameter]:
        """Return the settings of that edition, for people. Raises `EditionError`."""
        settings = self.edition(name).items()
        return [Parameter(key, shown(value), "as the author set it") for key, value in settings if key != "name"]

    def strip_unknown(self, edition: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the rules does not know."""
        known = next(iter(self.named.values()))
        return {key: value for key, value in edition.items() if key in known}

    def check_players(self, players: int) -> None:
        """Raise `ValueError` unless the rules are for that many players."""
        low, high = self.players
        if not low <= players <= high:
            raise ValueError(f"{self.name} is for {low} to {high} players, not {players}")

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> State | None:
        """Return nothing: no world is known for any view."""
        return None

    def opening(self, view: Data) -> Sequence[Data]:
        """Return nothing: before the first move nothing happens that a spectator may see."""
        return []


class BaseRulesInFiles(BaseRules):
    """Rules with editions as TOML files, ours and those of users."""

    files: Editions

    def editions(self) -> list[str]:
        """Return the names of the editions, the default one first."""
        return list(self.files.named)

    def edition(self, name: str | Path) -> dict[str, Any]:
        """Return the whole resolved edition of that name or in that TOML file. Raises `EditionError`."""
        return self.files.resolve(name)[0]

    def parameters(self, name: str | Path) -> list[Parameter]:
        """Return the settings of that edition, for people. Raises `EditionError`."""
        return self.files.parameters(*self.files.resolve(name))

    def strip_unknown(self, edition: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the rules does not know."""
        return self.files.strip_unknown(edition)
