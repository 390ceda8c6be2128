"""Simulated tournaments of bots whose skills are known, with luck as in the games of the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from arena.rating import RatingInput

LUCK = 25 / 6
"""The deviation of luck in a game; the other deviations here are in units of it."""

Draw = Literal["even", "uneven", "neighbours", "versions"]


class SimulatedField(NamedTuple):
    """A field of bots, and how it plays."""

    bots: int
    games: int
    counts: Sequence[int]
    """Numbers of players, with equally many games each."""
    skills: float = 1.0
    """The deviation of skills; 0: all are equal."""
    apart: float = 0.0
    """The deviation of what a bot is better by at a number of players."""
    two: float = 1.0
    """By how much greater that deviation is with two players."""
    suits: float = 0.0
    """The deviation of what a block adds to the skill of each of its bots."""
    rounding: float = 0.1
    """Performances are rounded to its multiples, so that some bots tie."""
    draw: Draw = "even"
    """`uneven`: one bot plays eight times as much as another; `neighbours`: bots meet those of about their skill;
    `versions`: after half of the games every other bot is replaced by its next version, which is a little different."""
    wild: float = 1.0
    """By how much greater the luck of the first bot is than that of the others, which no rating system knows."""

    odd: float = 0.0
    """By how much better the first bot is at the largest number of players than at the others."""

    ahead: float = 0.0
    """By how much better the first bot is than its drawn skill."""
    tied: float = 0.0
    """The share of games in which all bots tie, however far apart they are: ties that are no margin."""
    tails: float = 0.0
    """Luck has a t distribution with so many degrees of freedom; 0: a normal one."""

    @property
    def names(self) -> list[str]:
        """The names of the bots."""
        return [f"b{number:02}" for number in range(self.bots)]


class Skills(NamedTuple):
    """The true skills of a field, by bot, in ratings."""

    all: NDArray[np.float64]
    """But for what depends on the number of players."""
    apart: dict[int, NDArray[np.float64]]
    """What is to be added at a number of players."""

    def true(self, field: SimulatedField, players: int | None = None) -> NDArray[np.float64]:
        """Return the skills at a number of players, or their mean over all, by the luck of a game.

        What a block adds differs from block to block, as luck does from game to game: together they are the luck that
        ratings know.
        """
        parts = list(self.apart.values()) if players is None else [self.apart[players]]
        return np.asarray((self.all + np.mean(parts, axis=0)) / np.hypot(1, field.suits))


def drawn_skills(field: SimulatedField, chance: RandomState) -> Skills:
    """Draw the skills of a field."""
    skills = chance.standard_normal(field.bots) * field.skills * LUCK
    if field.draw == "versions":
        half = field.bots // 2
        skills[half:] = skills[: field.bots - half] + chance.standard_normal(field.bots - half) * 0.25 * LUCK
    spreads = {count: field.apart * LUCK * (field.two if count == 2 else 1.0) for count in field.counts}
    apart = {count: chance.standard_normal(field.bots) * spread for count, spread in spreads.items()}
    apart[field.counts[-1]][0] += field.odd * LUCK
    skills[0] += field.ahead * LUCK
    return Skills(skills, apart)


def played(field: SimulatedField, skills: Skills, chance: RandomState) -> list[RatingInput]:
    """Play the games of a field, in blocks, in which a group of bots plays as many games as it has bots."""
    names = field.names
    found: list[RatingInput] = []
    for block, (count, group) in enumerate(_groups(field, skills, chance)):
        bonus = skills.apart[count][group] + chance.standard_normal(count) * field.suits * LUCK
        drawn = (
            chance.standard_t(field.tails, (count, count)) if field.tails else chance.standard_normal((count, count))
        )
        luck = drawn * np.where(group == 0, field.wild, 1.0) * LUCK
        shown = np.round((skills.all[group] + bonus + luck) / (field.rounding * LUCK))
        if field.tied:
            shown[chance.random_sample(count) < field.tied] = 0.0
        bots = [names[bot] for bot in group]
        for ranks in (1 + (shown[:, None, :] > shown[:, :, None]).sum(axis=2)).tolist():
            found.append(RatingInput(bots, ranks, [{}] * count, (count, block)))
    return found


def _groups(field: SimulatedField, skills: Skills, chance: RandomState) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Draw the groups of bots, each with its number of players."""
    shares = (8.0 if field.draw == "uneven" else 1.0) ** -np.linspace(0, 1, field.bots)
    order = np.argsort(-skills.all)
    games = dict.fromkeys(field.counts, 0)
    while sum(games.values()) < field.games:
        count = min(games, key=lambda each: (games[each], each))
        if field.draw == "neighbours":
            middle = chance.randint(field.bots)
            near = np.argsort(np.abs(np.arange(field.bots) - middle), kind="stable")[: count + 2]
            group = order[chance.permutation(near)[:count]]
        elif field.draw == "versions":
            half = field.bots // 2
            group = chance.permutation(half)[:count]
            if 2 * sum(games.values()) >= field.games:
                group = np.where(group % 2 == 0, group + half, group)
        else:
            group = chance.choice(field.bots, count, replace=False, p=shares / shares.sum())
        games[count] += count
        yield count, group
