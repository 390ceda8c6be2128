"""The opening of a game that has no chance of its own: some actions are drawn, so that not all games are the same.

They are steps of the referee, before the first decision that a bot is asked for. All games of a block have one seed
and so one opening: every bot plays it from every seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.chance import Seeded, derive
from engine.rules import Data, EditionError, Rules, State

LINES: Final = "openings"
"""The field of an edition with a list of openings, each a list of actions in the words of `Rules.words`."""


def opening(rules: Rules, edition: Data, state: State, seed: bytes, plies: int) -> Iterator[int]:
    """Generate the index of each action of the opening; the caller plays it before the next is asked for.

    Args:
        rules: The rules.
        edition: Its resolved edition. If it lists openings, one of them is drawn, however many `plies` are asked for.
        state: The state before the first decision.
        seed: The game's.
        plies: How many actions are drawn at most; 0: no opening at all. None of them ends the game.

    Raises:
        EditionError: An action of a listed opening is not allowed there.
    """
    if plies == 0:
        return
    chance = Seeded(derive(seed, "opening"))
    if lines := edition.get(LINES):
        for words in lines[chance.below("line", len(lines))]:
            yield _index_of(rules, state, words)
        return
    for _ in range(plies):
        indices = list(range(len(state.actions())))
        chance.shuffle("ply", indices)
        index = next((each for each in indices if not _ends(state, each)), None)
        if index is None:
            return
        yield index


def _index_of(rules: Rules, state: State, words: str) -> int:
    offered = [rules.words(action) for action in state.actions()]
    if words not in offered:
        raise EditionError(f"{LINES}: {words!r} is not allowed there; allowed are {', '.join(offered)}")
    return offered.index(words)


def _ends(state: State, index: int) -> bool:
    after = state.copy()
    after.play(index)
    return after.to_act is None
