"""Rate a bot by its games with anchors, whose ratings are known and stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from arena.rating.base import Bound, Ends, RatingInput, Ratings, SkillDifferences, of_players
from arena.rating.joint.systems import MEAN
from arena.rating.joint.table import Fitted, JointDifferences, JointTable, overall
from arena.rating.score_rating import ScoreRating
from arena.rating.systems import rating_system

if TYPE_CHECKING:
    from arena.rating.joint.fit import JointFit


class RatingRow(msgspec.Struct, frozen=True):
    """A bot's rating by its games with anchors, in games of so many players."""

    players: int | None
    """None: over all of them, each of which weighs the same."""
    rating: float
    error: float
    """The standard error that these games leave, if the anchors' ratings are taken for known."""
    interval: Ends
    """Of 95 %; None for the end of which nothing is known."""
    bound: Bound | None
    games: int


_Tables = tuple[Mapping[int | None, tuple[JointTable, float]], SkillDifferences]
"""Tables by number of players, with what is added to ratings there; and differences."""


class Anchors:
    """Some bots, and the games that they are rated by."""

    def __init__(self, bots: Sequence[str], games: Sequence[RatingInput], game: str) -> None:
        """Rate the anchors. `game`: the name of the rules, from which the rating system follows."""
        self.bots: Final = sorted(bots)
        self.games: Final = games
        self.counts: Final = sorted({game.block[0] for game in games})
        """The numbers of players at which they are rated."""
        self.system: Final = rating_system(game=game)

    @cached_property
    def ratings(self) -> Ratings:
        """What their games say of the anchors."""
        return self.system.rate(self.games, self.bots)

    @cached_property
    def _fit(self) -> JointFit:
        from arena.rating.joint.fit import JointFit  # numpy takes longer to import than most commands take to run

        fit = JointFit(self.bots)
        fit.add(self.games)
        return fit

    def rate(self, bot: str, games: Sequence[RatingInput]) -> tuple[list[RatingRow], SkillDifferences]:
        """Rate a bot by games with anchors, at least one of them, at numbers of players at which these played too.

        Returns:
            The rating over all numbers of players and at each, and the differences of the bot and the anchors, with the
            errors of these too.
        """
        tables, differences = (
            self._by_score(bot, games) if isinstance(self.system, ScoreRating) else self._by_rank(bot, games)
        )
        found, columns = [], self.system.columns
        for players, (table, shift) in tables.items():
            values, bound = {**table.values[bot]}, table.bounds.get(bot)
            values[columns.ranking] += shift
            ends = columns.known_ends(values, bound) or (None, None)
            shown = len(of_players(games, players))
            found.append(RatingRow(players, values[columns.ranking], values["error"], ends, bound, shown))
        return found, differences

    def _by_rank(self, bot: str, games: Sequence[RatingInput]) -> _Tables:
        import numpy as np

        from arena.rating.joint.held_fit import HeldFit

        fit = HeldFit(self._fit, bot, games)
        known: dict[int | None, Fitted] = {None: overall(fit)}
        for players, count in fit.counts.items():
            of_count = count.mean, fit.covariance(players), fit.errors(players), fit.support(players)
            known[players] = Fitted(*of_count, fit.reached())
        centre = JointTable(self.bots, self.bots, overall(self._fit), MEAN, self.bots).centre.bots
        tables: dict[int | None, tuple[JointTable, float]] = {}
        for shown, each in known.items():
            table = JointTable(fit.bots, fit.bots, each, MEAN, self.bots)
            # The bot's own games must not change what the anchors' ratings are distances from.
            tables[shown] = table, float(np.mean(each.mean[table.centre.bots]) - np.mean(each.mean[centre]))
        numbers = {name: number for number, name in enumerate(fit.bots)}
        return tables, JointDifferences(numbers, fit.mean, fit.errors_with_anchors(), fit.reached())

    def _by_score(self, bot: str, games: Sequence[RatingInput]) -> _Tables:
        """Rate by the mean score against the anchors, whom the bot meets equally often, however good they are."""
        assert isinstance(self.system, ScoreRating)
        system, names, all_games = self.system, sorted([*self.bots, bot]), [*self.games, *games]
        counts = (None, *sorted({game.block[0] for game in games}))
        tables = {players: (system.table(names, all_games, self.bots, players), 0.0) for players in counts}
        differences = tables[None][0].ratings().differences
        assert differences is not None
        return tables, differences
