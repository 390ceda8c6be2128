"""What a choice is worth: the chance to win after each of two actions, by playouts from what the seat knew.

A playout draws a world that the view allows, plays the action and goes on at random for some moves. Then a game that is
`engine.picture.Explained` says how the chances are by what lies open, with its formula that was fitted to finished
games of the packaged bots; of any other game the ranks count. Both actions are tried in the same worlds.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from arena.replays.chances import final, shares
from engine import catalog
from engine.chance import Seeded, derive
from engine.picture import Explained
from engine.rules import Data, State

STEP: Final = 32
"""Worlds between two looks at whether more are needed."""
WORLDS: Final = 5 * STEP
MOVES: Final = 8
"""Random moves for each seat after the action."""
HOW: Final = (
    f"by up to {WORLDS} playouts each: worlds that the seat's view allows, {MOVES} random moves of every seat, then "
    "the chances by what lies open; only differences of more than 3 standard errors are listed"
)


class Weighed(NamedTuple):
    """The chances of a seat to win after its action and after another one, in thousandths."""

    chance: int
    could: int
    error: float
    """The standard error of the difference."""


def weigh(game: str, edition: Data, view: Data, seat: int, actions: tuple[int, int], label: str) -> Weighed:
    """Compare two actions, and stop early if the second one is hardly better.

    Args:
        game: The game's name.
        edition: Its edition.
        view: What the seat knew.
        seat: The seat.
        actions: The indices of the action that was played and of the other one.
        label: The same label gives the same worlds.
    """
    rules = catalog.rules(game)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < WORLDS:
        for number in range(len(pairs), len(pairs) + STEP):
            seed = derive(label.encode(), "weighing", number)
            world = rules.determinize(view, edition, Seeded(seed))
            first, second = (_chance_after(rules, edition, world.copy(), index, seat, seed) for index in actions)
            pairs.append((first, second))
        differences = [second - first for first, second in pairs]
        error = stdev(differences) / sqrt(len(pairs))
        if fmean(differences) <= error:
            break
    chance, could = (round(fmean(each)) for each in zip(*pairs, strict=True))
    return Weighed(chance, could, error)


def _chance_after(rules: object, edition: Data, state: State, index: int, seat: int, seed: bytes) -> int:
    state.play(index)
    _play_on(state, Random(seed))
    return _chance(rules, edition, state, seat)


def _play_on(state: State, random: Random) -> None:
    moves = MOVES * len(state.ranks())
    while moves and state.to_act is not None:
        state.play(random.randrange(len(state.actions())))
        moves -= 1


def _chance(rules: object, edition: Data, state: State, seat: int) -> int:
    if state.to_act is not None and isinstance(rules, Explained):
        return shares(rules.strengths(rules.scene(state.view(None)), edition))[seat]
    return final(state.ranks())[seat]
