"""The joint TrueSkill while games are played: at a cost that does not grow with the number of games.

Games are taken in the order in which they come, in chunks. All games of a chunk are fitted together, given what is
known from the chunks before it; then only what they say of the skills is kept. The skills and their covariance stay
joint, so that all that is missing is what later games would change in the reading of earlier ones. The table of the
end, which fits all games anew, differs by little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.rating.base import Bound, RankBand, RatingColumns, RatingInput, Values

if TYPE_CHECKING:
    from arena.rating.gaussian_tails import Floats
    from arena.rating.joint_fit import JointFit

_CHUNK: Final = 200
"""Games that are fitted together."""
_PAIRS: Final = 2_000_000
"""So many pairs of bots are drawn for the bands at most, unless that makes too few draws."""


class _State(NamedTuple):
    """The ratings after some games."""

    mean: Floats
    model: Floats
    """The covariance that the model gives."""
    errors: Floats
    """The covariance of the errors."""


class RunningJoint:
    """The joint TrueSkill, in chunks of games. What it says follows from the games and their order alone."""

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
        self._known: dict[int, tuple[Floats, Floats]] = {}
        """What earlier chunks say, by number of players."""
        self._met: Floats | None = None
        """Who met whom in them."""
        self._shown, self._expected = 0.0, 0.0
        """How much blocks of earlier chunks differed, and how much they should by the model."""
        self._chunk: list[RatingInput] = []
        self._groups: dict[tuple[str, ...], int] = {}
        """Which bots play together in the chunk."""
        self._played: set[str] = set()
        self._state: _State | None = None

    def add(self, bots: Sequence[str], ranks: Sequence[int]) -> None:
        """Take in one more game."""
        for bot in bots:
            self._numbers.setdefault(bot, len(self._numbers))
        self._played.update(bots)
        # Games of the same bots in one chunk are mostly of one block.
        group = self._groups.setdefault(tuple(sorted(bots)), len(self._groups))
        self._chunk.append(RatingInput(bots, ranks, (), (len(bots), group)))
        self._state = None
        if len(self._chunk) == _CHUNK:
            fit = self._fit()
            self._shown, self._expected = self._scatter(fit)
            self._known = {players: fit.said(players) for players in fit.counts}
            self._met = fit.meetings()
            self._chunk, self._groups = [], {}

    def values(self, bot: str) -> Values:
        """Return the values of a bot, which need not have played."""
        import numpy as np

        state, number = self._now(), self._numbers[bot]
        share = self._shares()
        shared = state.errors @ share
        variance = float(state.errors[number, number] - 2 * shared[number] + share @ shared)
        mean = float(state.mean[number])
        return {
            "error": max(variance, 0.0) ** 0.5,
            "mu": self._middle + mean,
            "sigma": float(np.sqrt(state.model[number, number])),
            "rating": self._middle + mean - float(share @ state.mean),
        }

    def rank(self, bots: Iterable[str]) -> None:
        """Give places to these bots alone from now on. The mean of those that have played is theirs."""
        self._placed = set(bots)

    def bands(self) -> Mapping[str, RankBand]:
        """Return between which places the bots stand that have one."""
        import numpy as np

        from arena.rating.rank_bands import rank_bands

        state = self._now()
        played = sorted(self._played & self._placed)
        those = [self._numbers[bot] for bot in played]
        found = rank_bands(state.mean[those], state.errors[np.ix_(those, those)], pairs=_PAIRS)
        return dict.fromkeys(self._placed, RankBand(1, len(self._placed))) | dict(zip(played, found, strict=True))

    def bounds(self) -> Mapping[str, Bound]:
        """Return nothing so far."""
        return {}

    def _shares(self) -> Floats:
        """Return by bot its share in the mean of those that have played."""
        import numpy as np

        those = self._played & self._placed or set(self._numbers)
        return np.array([float(bot in those) for bot in self._numbers]) / max(1, len(those))

    def _now(self) -> _State:
        if self._state is None:
            fit = self._fit()
            shown, expected = self._scatter(fit)
            bots = len(self._numbers)
            model = fit.overall_covariance()
            self._state = _State(fit.mean, model, model * ((shown + bots) / (expected + bots)))
        return self._state

    def _fit(self) -> JointFit:
        import numpy as np

        from arena.rating.joint_fit import JointFit

        bots = len(self._numbers)
        known = {}
        for players, (matrix, vector) in self._known.items():
            more = bots - len(vector)  # bots that came since: nothing is known of them
            known[players] = np.pad(matrix, (0, more)), np.pad(vector, (0, more))
        met = None if self._met is None else np.pad(self._met, (0, bots - len(self._met)))
        fit = JointFit(list(self._numbers), known, met)
        fit.add(self._chunk)
        return fit

    def _scatter(self, fit: JointFit) -> tuple[float, float]:
        """Return how much the blocks of all chunks differ, and how much they should by the model."""
        shown, expected = fit.scatter()
        return self._shown + shown, self._expected + expected
