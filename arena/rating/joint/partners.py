"""What games say of skills where partners are drawn: a team performs as the mean of its bots' skills, with one luck.

`OutcomeApproximation` is given the teams that came about in place of bots. A team's skill is a linear function of those
of its bots, so the means and covariances of teams follow from those of bots, and what games say of teams is said of
bots by the same function turned round. How far apart two partners are is known from their games with others alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from arena.rating.base import RatingInput
from arena.rating.joint.approximation import OutcomeApproximation
from arena.rating.joint.block_errors import BlockScores, blocks_of_games
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.outcomes import Outcomes

_SWEEPS: Final = 2


class PartnersApproximation:
    """As `OutcomeApproximation`, for games in which the teams of so many players have drawn partners."""

    def __init__(self, players: int, teams: int, bots: int) -> None:
        """Begin without a game. `bots`: how many there are in all."""
        self.outcomes = Outcomes(players)
        """By bot: partners tie, which says that neither is ahead of the other."""
        self._bots = bots
        self._numbers: dict[str, int] = {}
        """By team, as text: the numbers of its bots."""
        self._members: list[list[int]] = []
        self._teams = OutcomeApproximation(Outcomes(teams), 0)
        self._means: Floats = np.zeros((0, bots))
        """By team and bot: the bot's share in it."""

    def __len__(self) -> int:
        """Return how many different outcomes there are."""
        return len(self._teams)

    @property
    def margin(self) -> float:
        """The difference of performances below which teams tie."""
        return self._teams.margin

    def add(self, game: RatingInput, numbers: Mapping[str, int]) -> None:
        """Add a game. `numbers`: of the bots, by name."""
        self.outcomes.add(game, numbers)
        names = []
        for team in game.teams:
            members = sorted(numbers[game.bots[seat]] for seat in team)
            names.append(" ".join(map(str, members)))
            if names[-1] not in self._numbers:
                self._numbers[names[-1]] = len(self._members)
                self._members.append(members)
        ranks = [game.ranks[team[0]] for team in game.teams]
        self._teams.outcomes.add(RatingInput(names, ranks, (), game.block), self._numbers)

    def extend(self) -> int:
        """Take in outcomes that were added since, and return the number of the first of them."""
        self._means = np.zeros((len(self._members), self._bots))
        for team, members in enumerate(self._members):
            self._means[team, members] = 1 / len(members)
        return self._teams.extend(len(self._members))

    def information(self, first: int = 0, end: int | None = None) -> tuple[Floats, Floats]:
        """Return what outcomes say of the skills of bots: precisions, and precisions times means."""
        matrix, vector = self._teams.information(first, end)
        return self._means.T @ matrix @ self._means, self._means.T @ vector

    def meetings(self) -> Floats:
        """Return by bot and bot how often they met as opponents; all opponents in a game count as one."""
        met = self._means.T @ self._teams.meetings() @ (self._means > 0)
        return np.asarray((met + met.T) / 2)

    def update(
        self, mean: Floats, covariance: Floats, first: int = 0, sweeps: int = _SWEEPS, share: float = 1.0
    ) -> None:
        """Make factors fit what is known of the skills of bots now."""
        means = self._means
        self._teams.update(means @ mean, means @ covariance @ means.T, first, sweeps, share)

    def update_roughly(self, mean: Floats, precision: Floats) -> None:
        """Make all factors fit for the first time. `precision`: the inverse of the covariance."""
        self.update(mean, np.asarray(np.linalg.inv(precision), dtype=np.float64), sweeps=1)

    def block_scores(self, mean: Floats) -> BlockScores:
        """Return what each block says at these skills, by bot."""
        places, slopes, precision = self._teams.said_at(self._means @ mean)
        bots = np.array([[bot for team in outcome for bot in self._members[team]] for outcome in places.tolist()])
        bots = bots.astype(np.int64).reshape(-1, self.outcomes.players)
        shares = self._means[places[:, None, :], bots[:, :, None]]
        game = self._teams.outcomes.of_game
        of_bots = np.einsum("gbt,gt->gb", shares, slopes)
        together = np.einsum("gbt,gtu,gcu->gbc", shares, precision, shares)
        return blocks_of_games(bots[game], of_bots[game], together[game], self.outcomes.block_of_game)
