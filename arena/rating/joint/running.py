"""The joint TrueSkill while games are played: at any moment that of the table which fits these games at once.

A look fits the games that came since the last one, and all others again, from where that fit ended, which takes a few
rounds. With many games a single one changes little, and then a look shows the fit of a beginning of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from arena.rating.base import Bound, RankBand, RatingColumns, RatingInput, Scores, Values
from arena.rating.joint.table import JointTable, overall

if TYPE_CHECKING:
    from arena.rating.joint.fit import JointFit

_FEW: Final = 1000
"""Games that are all fitted whenever somebody looks."""
_GROWTH: Final = 1.02
"""With more, they are fitted anew when there are so many times as many."""
_CHUNK: Final = 200
"""Games of the same bots among so many are mostly of one block."""
_PAIRS: Final = 2_000_000
"""So many pairs of bots are drawn for the bands at most, unless that makes too few draws."""


class RunningJoint:
    """The joint TrueSkill of the games so far. What it says does not depend on when somebody looks."""

    def __init__(self, bots: Iterable[str], columns: RatingColumns, middle: float) -> None:
        """Begin without a game.

        Args:
            bots: Those that have a place. Others may play, too, such as versions that left.
            columns: The columns of the values.
            middle: The mean rating of the bots that have played.
        """
        self.columns = columns
        self._middle = middle
        self._numbers = {bot: number for number, bot in enumerate(sorted(set(bots)))}
        self._placed = set(self._numbers)
        self._games: list[RatingInput] = []
        self._groups: dict[tuple[int, tuple[str, ...]], int] = {}
        """Which bots play together, by chunk."""
        self._fit: JointFit | None = None
        self._fitted = 0
        """How many of the games are in the fit."""
        self._played: set[str] = set()
        self._table: JointTable | None = None

    def add(
        self, bots: Sequence[str], ranks: Sequence[int], teams: Sequence[Sequence[int]] = (), scores: Scores = ()
    ) -> None:
        """Rate one more game. `teams`: the seats of partners that were drawn; `scores`: as in `RatingInput`."""
        if new := [bot for bot in bots if bot not in self._numbers]:
            self._numbers |= {bot: len(self._numbers) + number for number, bot in enumerate(dict.fromkeys(new))}
            self._fit, self._fitted, self._table = None, 0, None
        if not self._played.issuperset(bots):
            self._played.update(bots)
            self._table = None
        chunk = len(self._games) // _CHUNK
        group = self._groups.setdefault((chunk, tuple(sorted(bots))), len(self._groups))
        self._games.append(RatingInput(bots, ranks, scores, (len(bots), group), teams))

    def values(self, bot: str) -> Values:
        """Return the values of a bot, which need not have played."""
        return self._now().values[bot]

    def rank(self, bots: Iterable[str]) -> None:
        """Give places to these bots alone from now on. Ratings are distances from those of them that have played."""
        self._placed, self._table = set(bots), None

    def bands(self) -> Mapping[str, RankBand]:
        """Return between which places the bots stand that have one."""
        return self._now().bands

    def bounds(self) -> Mapping[str, Bound]:
        """Return on which side ratings are known that are known on one side alone."""
        return self._now().bounds

    def _now(self) -> JointTable:
        """Return the table of so many games as a look shows."""
        from arena.rating.joint.fit import JointFit

        shown = shown_games(len(self._games))
        if self._fit is None or self._fitted < shown:
            self._fit = self._fit or JointFit(list(self._numbers))
            self._fit.add(self._games[self._fitted : shown], roughly=True)
            self._fitted, self._table = shown, None
        if self._table is None:
            self._table = JointTable(
                list(self._numbers),
                self._played,
                overall(self._fit),
                self._middle,
                sorted(self._placed),
                with_model=True,
                pairs=_PAIRS,
            )
        return self._table


def shown_games(games: int) -> int:
    """Return how many of so many games are fitted."""
    if games <= _FEW:
        return games
    return int(_FEW * _GROWTH ** int(math.log(games / _FEW, _GROWTH)))
