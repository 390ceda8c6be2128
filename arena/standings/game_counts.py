"""Count the games of a tournament, in one way for all who say how many were asked for, played and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from arena.common.printable import counted, printable
from arena.ledger import GameResult, Ledger, is_absent, set_aside

MOST_UNCONTESTED: Final = 0.5
"""If more than this share of the games that count are uncontested, tables say nothing about who plays better."""


class GameCounts(msgspec.Struct, frozen=True):
    """How many games there are. `played` is the sum of `counted`, `void`, `absent`, `beyond` and `repeated`."""

    asked: int | None
    """Games between bots of the field that the last run was asked for; None: not a number of games."""
    played: int
    """Games that are recorded."""
    counted: int
    """Games of which the tables are made."""
    of_field: int
    """Those of them, and of the repeated ones, between bots that are in the field now: so many of the games asked for
    have been played."""
    void: int
    """Played, but not counted, because a bot crashed there or their machine is left out."""
    absent: int
    """Played, but not counted, because one of their bots was suspended or had left."""
    beyond: int
    """Played, but not counted, because they lie beyond what was asked for, or behind a game that is missing."""
    repeated: int = 0
    """Played, but not counted, because an earlier game is the same, action for action."""

    @property
    def words(self) -> str:
        """Say how many were played, are in the tables and were asked for."""
        said = f"{counted(self.played, 'game')} played, {self.counted:,} in the tables"
        if self.repeated:
            said += f" (the other {self.repeated:,} are the same games again, action for action)"
        if self.asked is None:
            return said
        found = "all" if self.of_field >= self.asked else f"{self.of_field:,}"
        blocks = " (blocks are played whole)" if self.of_field > self.asked else ""
        return f"{said}, with {found} of the {self.asked:,} asked for{blocks}"


class UncontestedGames(msgspec.Struct, frozen=True):
    """Walkovers among the games that count in which at most one bot ever answered."""

    games: int
    of: int
    """How many games count."""
    bots: dict[str, int]
    """By bot, those with most of them first: in how many of them it retired without an answer."""

    @property
    def are_most(self) -> bool:
        """Whether the tables say nothing about who plays better."""
        return self.games > MOST_UNCONTESTED * self.of

    @property
    def gist(self) -> str:
        """Say how many there are; empty: none."""
        what = "is a walkover" if self.games == 1 else "are walkovers"
        of = counted(self.of, "game")
        return f"{self.games:,} of {of} {what} in which at most one bot ever answered" if self.games else ""

    @property
    def words(self) -> str:
        """Say how many there are, and by whose failing; empty: none."""
        each = ", ".join(f"{printable(bot)} {games}" for bot, games in self.bots.items())
        return f"{self.gist}; retired there without an answer: {each}" if self.games else ""


def game_counts(ledger: Ledger, results: Sequence[GameResult], rated: Sequence[GameResult]) -> GameCounts:
    """Count the games of a tournament. `results`: all that were played; `rated`: those that count."""
    which = ledger.settings.rated
    field = set(which.in_field(ledger.field()))
    beyond = absent = 0
    for result in results:
        if which.games is not None and result.index >= which.games:
            beyond += 1
        elif is_absent(which.absent, result.bots, result.index):
            absent += 1
    once = [result for result in results if which.counts(result.bots, result.index)]
    return GameCounts(
        asked=which.asked,
        played=len(results),
        counted=len(rated),
        of_field=sum(field.issuperset(result.bots) for result in once),
        void=len(results) - len(once) - beyond - absent,
        absent=absent,
        beyond=beyond,
        repeated=len(once) - len(rated),
    )


def different_games(ledger: Ledger, results: list[GameResult]) -> list[GameResult]:
    """Leave out games that are the same as an earlier one, action for action: rules without chance can have such."""
    dealing = ledger.settings.dealing
    if dealing is None or dealing.has_chance:
        return results
    digests = ledger.digests()
    first: dict[tuple[str, ...], GameResult] = {}
    for result in results:
        first.setdefault((digests[result.id], *result.bots), result)
    return list(first.values())


def uncontested_games(rated: Iterable[GameResult]) -> UncontestedGames:
    """Count the walkovers in which at most one bot answered. `rated`: the games that count."""
    games = of = 0
    bots: Counter[str] = Counter()
    for result in rated:
        of += 1
        if result.is_uncontested:
            games += 1
            bots.update(result.bots[seat] for seat in result.retired if seat not in result.answered)
    return UncontestedGames(games, of, dict(sorted(bots.items(), key=lambda each: (-each[1], each[0]))))


def left_out_by_suspension(ledger: Ledger, rated: int) -> int:
    """Count the games that were drawn and are left out because of suspended bots, whether they were played or not.

    How many there are of each kind depends on the number of workers, but their sum does not. `rated`: the number of
    games that count.
    """
    settings = ledger.settings
    if settings.dealing is not None and not settings.dealing.has_chance:
        rated = sum(settings.rated.counts(result.bots, result.index) for result in ledger.results())
    drawn = settings.rated.games
    if drawn is None or not settings.rated.absent or not settings.finished:
        return 0
    lost = len(set_aside(ledger.voids()) - set(ledger.ids(drawn)))
    return drawn - lost - len(settings.rated.uncounted()) - rated
