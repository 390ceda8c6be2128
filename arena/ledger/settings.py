"""What a ledger says of its tournament: what was fixed when it began, and how it stands."""

from __future__ import annotations

from typing import Any, Final

import msgspec

DEFAULT_FORMAT: Final = "balanced"
"""The format of a tournament whose ledger names none."""


class RatedGames(msgspec.Struct, frozen=True):
    """Which games count."""

    games: int | None = None
    """So many from the beginning of the schedule; None: all that were played."""
    suspended: dict[str, int] = {}
    """By bot: the place in the schedule from which on its games are left out."""


class TournamentSettings(msgspec.Struct, frozen=True):
    """The `meta` of a ledger."""

    game: str
    edition: dict[str, Any]
    players: list[int]
    """The player counts that were asked for."""
    counts: list[int]
    """Those that there are enough bots for."""
    time: dict[str, Any]
    """The fields of a `TimeControl`, which says whether they are right."""
    seed_hash: str
    seed_given: bool
    """Whether the user gave the seed, so that it is no secret."""
    rated: RatedGames = RatedGames()
    finished: bool = False
    format: str = DEFAULT_FORMAT
    seed: str | None = None
    """In hex, once the results are final."""
    last_run: str | None = None
    """When a run last began, ended or played a game, in UTC as text that sorts."""

    @property
    def edition_name(self) -> str | None:
        """Return the name of the edition; None if it has none."""
        return self.edition.get("name")

    def entries(self) -> dict[str, Any]:
        """Return the entries of `meta`, by key; a key that says nothing is left out."""
        found = msgspec.to_builtins(self)
        if self.format == DEFAULT_FORMAT:
            del found["format"]
        return {key: found[key] for key in sorted(found) if found[key] is not None}
