"""The joint normal distribution of the skills of all bots at all numbers of players, given what games say of them.

A bot has one skill, and for each number of players a deviation from it. Skills at one number of players follow the
skills at all numbers by a matrix, their `share`, and have a covariance of their own besides. With many bots all time
goes into inverting and multiplying matrices by bot and bot; so each is computed when it is asked for, and once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import numpy as np

from arena.rating.joint.gaussian_tails import Floats

_AT_ONCE: Final = 64
"""Rows of a matrix that is not divided any more."""
_NOTHING: Final = 1e-100
"""Less is taken for 0. Where only a long chain of games links two bots, numbers come out that are too small for a float
to hold all their digits, and a product with these takes eight times as long."""


class JointNormal:
    """The skills of some bots, by number of players, as one normal distribution around 0."""

    def __init__(self, prior: Floats, said: Mapping[int, tuple[Floats, Floats]], spreads: Mapping[int, float]) -> None:
        """Compute the distribution.

        Args:
            prior: The precision of the skills at all numbers of players before any game, by bot and bot.
            said: By number of players: what games say of the skills there, as precisions and as precisions times means.
            spreads: By number of players: the deviation of bots' skills there from those at all. With one number of
                players there are no deviations.
        """
        self.said = said
        self._spreads = spreads
        one = np.eye(len(prior))
        precision, shift = prior, np.zeros(len(prior))
        self._own: dict[int, Floats] = {}
        """By number of players: the covariance of skills there if the skills at all numbers were known."""
        self._shares: dict[int, Floats] = {}
        """By number of players: by how much skills there follow those at all numbers."""
        if len(said) <= 1:
            for players, (matrix, vector) in said.items():
                precision, shift = precision + matrix, shift + vector
                self._own[players], self._shares[players] = np.zeros_like(one), one
        else:
            for players, (matrix, vector) in said.items():
                tight = 1 / spreads[players] ** 2
                own = inverse(matrix + tight * one)
                precision = precision + tight * one - tight**2 * own
                shift = shift + tight * (own @ vector)
                self._own[players], self._shares[players] = own, tight * own
        self.common = inverse(precision)
        """The covariance of the skills at all numbers of players."""
        self.skill: Floats = self.common @ shift
        """By bot: the skill at all numbers of players."""
        self.means = {
            players: np.asarray(self._shares[players] @ self.skill + self._own[players] @ vector)
            for players, (_, vector) in said.items()
        }
        """By number of players and bot: the skill there."""
        self._with_common: dict[int, Floats] = {}
        self._covariances: dict[int, Floats] = {}

    def with_common(self, players: int) -> Floats:
        """Return the covariance of skills at a number of players with those at all numbers."""
        if players not in self._with_common:
            self._with_common[players] = self._shares[players] @ self.common
        return self._with_common[players]

    def covariance(self, players: int) -> Floats:
        """Return the covariance of the skills at a number of players."""
        if players not in self._covariances:
            found = self.with_common(players) @ self._shares[players].T
            found += self._own[players]
            self._covariances[players] = found
        return self._covariances[players]

    def covariances(self, players: int) -> dict[int, Floats]:
        """Return the covariance of skills at a number of players with those at each, by number of players."""
        first = self.with_common(players)
        return {
            other: self.covariance(players) if other == players else first @ share.T
            for other, share in self._shares.items()
        }

    @cached_property
    def overall_with_common(self) -> Floats:
        """The covariance of the mean skill over the numbers of players with the skills at all numbers."""
        return np.asarray(np.mean([self.with_common(players) for players in self._shares], axis=0))

    @cached_property
    def overall_covariances(self) -> dict[int, Floats]:
        """By number of players: the covariance of the mean skill over the numbers with the skills there."""
        counts = len(self._shares)
        return {
            players: self.overall_with_common @ share.T + self._own[players] / counts
            for players, share in self._shares.items()
        }

    def deviation_variances(self, players: int) -> Floats:
        """Return by bot the variance of the deviation of its skill at a number of players from that at all."""
        apart = self._shares[players] - np.eye(len(self.skill))
        return np.asarray(
            np.diag(self._own[players]) + np.sum((self.with_common(players) - self.common) * apart, axis=1)
        )

    def deviation_squares(self) -> tuple[Floats, Floats]:
        """Return the squares of the deviations that are expected, and how they follow the spreads.

        Returns:
            By number of players: the sum of the squares over all bots. By number and number: by how much the sum at the
            first falls for each unit by which the precision of the deviations at the second grows, that is one divided
            by the square of the spread.
        """
        counts = list(self.said)
        deviations = [self.means[players] - self.skill for players in counts]
        squares, falls = np.zeros(len(counts)), np.zeros((len(counts), len(counts)))
        pulled, products = [], []
        for number, players in enumerate(counts):
            with_common = self.with_common(players) - self.common
            own = self.covariance(players) - self.common
            own -= with_common
            own -= with_common.T
            squares[number] = deviations[number] @ deviations[number] + np.trace(own)
            falls[number, number] = np.vdot(own, own) + 2 * deviations[number] @ own @ deviations[number]
            pulled.append(with_common.T @ deviations[number])
            products.append(with_common.T @ self._shares[players] - with_common.T)
        for one, players in enumerate(counts):
            moved, turned = self._shares[players] @ deviations[one] - deviations[one], products[one].T.copy()
            for other in range(one):
                falls[one, other] = np.vdot(turned, products[other]) + 2 * moved @ pulled[other]
                falls[other, one] = falls[one, other]
        return squares, falls


def inverse(matrix: Floats) -> Floats:
    """Return the inverse of a symmetric positive definite matrix, by row and column. It is symmetric to the last bit.

    LAPACK, which numpy calls for it, takes almost three times as long as multiplying such matrices does. Made of
    products of halves, the inverse takes no longer than one product (Strassen 1969, "Gaussian elimination is not
    optimal").
    Such a matrix can be halved anywhere, as no part of its diagonal is singular.
    """
    size = len(matrix)
    if size <= _AT_ONCE:
        found: Floats = np.linalg.inv(matrix).astype(np.float64, copy=False)
        return (found + found.T) / 2
    half = size // 2
    first = inverse(matrix[:half, :half])
    below = matrix[half:, :half]
    pulled = below @ first
    last = inverse(matrix[half:, half:] - pulled @ below.T)
    together = last @ pulled
    found = np.empty((size, size))
    corner = pulled.T @ together
    found[:half, :half] = first + (corner + corner.T) / 2
    found[half:, :half] = -together
    found[:half, half:] = -together.T
    found[half:, half:] = last
    found[np.abs(found) < _NOTHING] = 0.0
    return found
