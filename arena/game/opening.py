"""The opening of a game that has no chance of its own: some actions are drawn, so that not all games are the same.

They are steps of the referee, before the first decision that a bot is asked for. All games of a block have one seed
and so one opening: every bot plays it from every seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
        yield from _listed(rules, state, lines, chance.below("line", len(lines)))
        return
    for _ in range(plies):
        indices = list(range(len(state.actions())))
        chance.shuffle("ply", indices)
        index = next((each for each in indices if not _ends(state, each)), None)
        if index is None:
            return
        yield index


def check_openings(rules: Rules, edition: Data, players: Iterable[int]) -> None:
    """Play the openings that the edition lists, with each number of players. Raises `EditionError` for a bad one."""
    lines = edition.get(LINES) or []
    for count in players:
        for number in range(len(lines)):
            state = rules.start(count, edition, Seeded(derive(b"openings", number)))
            try:
                for index in _listed(rules, state, lines, number):
                    state.play(index)
                if state.to_act is None:
                    raise EditionError(f"{LINES}: entry {number + 1} ends the game with {count} players")
            except EditionError as error:
                raise EditionError(f"{error}. Change it in the edition, or play with --openings 0") from None


def _listed(rules: Rules, state: State, lines: Sequence[Sequence[str]], number: int) -> Iterator[int]:
    for ply, words in enumerate(lines[number], 1):
        offered = [] if state.to_act is None else [rules.words(action) for action in state.actions()]
        if words not in offered:
            raise EditionError(
                f"{LINES}: entry {number + 1}, ply {ply}: {words!r} is not allowed there with {len(state.ranks())} "
                f"players, only {', '.join(offered) or 'nothing: the game is over'}"
            )
        yield offered.index(words)


def _ends(state: State, index: int) -> bool:
    after = state.copy()
    after.play(index)
    return after.to_act is None
