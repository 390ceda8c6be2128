"""The chances to win as a game goes on, by what lies open, and the turns that changed them most.

A game that is `engine.picture.Explained` says how strong each position is. Its formula was fitted to finished games, so
the chances are those of the bots in `bots/` in such a position, not of the bots that play here. A turning point says
what in a turn changed them: whose decision, or a draw or a die.

A turn is looked into move by move. The chance of a seat can change in the turn of another one, by its own mistake or by
what others do to it, so a turning point says apart whose chance it is and who decided.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from copy import deepcopy
from math import exp
from typing import Any, Final, NamedTuple

from engine.picture import CHANCE, Explained, follow
from engine.rules import Data

WHOLE: Final = 1000
"""Chances are counted in parts of this."""
Chances = list[int]
Turn = tuple[int, Chances]
"""The number of public steps at the end of a turn, and each seat's chance there."""


def shares(strengths: Sequence[float]) -> Chances:
    """Return the chances of seats of these strengths, in parts of `WHOLE`."""
    top = max(strengths)
    powers = [exp(max(each - top, -50.0)) for each in strengths]
    return [round(WHOLE * each / sum(powers)) for each in powers]


def final(ranks: Sequence[int]) -> Chances:
    """Return the chances when the game is over: all for the winner, or divided among those who share the first rank."""
    best = min(ranks)
    winners = sum(rank == best for rank in ranks)
    return [round(WHOLE / winners) if rank == best else 0 for rank in ranks]


TURNING: Final = 120
"""The least change of a chance that makes a turn a turning point, in parts of a thousand."""
MOST: Final = 4
"""The most turning points of a game."""
_LOOKED_INTO: Final = 3 * MOST
"""Turns of which the cause is looked for. One of those that are left is an own mistake, if there is any."""
_OWN: Final = 0.5
"""Who decided is named first if its own chance changed by this part of the greatest change."""
_TOGETHER: Final = 0.25
"""Moves that made at least this part of a turn's change are all named, besides those that changed a place."""


class TurnMove(NamedTuple):
    """Public steps that people are shown at once."""

    steps: Sequence[int]
    """Their indices, without those of mere bookkeeping."""
    by: int | None
    """Whose decision it was; None: nobody's."""
    by_chance: bool
    """Whether a draw or a die had a part in it."""
    chances: Chances
    """The chances after it."""
    until: int
    """The number of steps up to its last one."""
    moved: bool
    """Whether somebody's place changed."""


TurnMoves = Callable[[int, int], list[TurnMove]]
"""Gives the moves of the steps behind the first of these up to the second; called for turns in ascending order."""


def turning_points(turns: Sequence[Turn], moves: TurnMoves, end: Chances | None = None) -> list[Data]:
    """Return the turns that changed the chances most, in their order.

    Args:
        turns: The chances at the ends of all turns.
        moves: The moves of a turn.
        end: The chances that the end of the game made; None: it is not over.

    Returns:
        For each its `step`, the number of steps up to its end; `at`, the number of steps after the move
        that changed most; `seat`, whose chance changed, from `before` to `after`; `other`, the seat whose chance
        changed most the other way, with both its chances, or None; `why`, the indices of the steps of all moves that
        changed a place or much of the chance, none if it was the end of the game or that the turn passed on; `by`, the
        seat that decided, or None; and `by_chance`, whether a draw or a die had a part in it.
    """
    changed = [
        (max(abs(now - then) for then, now in zip(before, after, strict=True)), number)
        for number, ((begin, before), (last, after)) in enumerate(itertools.pairwise(turns))
        if last > begin
    ]
    most = sorted((each for each in changed if each[0] >= TURNING), key=lambda each: -each[0])[:_LOOKED_INTO]
    found = []
    for change, number in sorted(most, key=lambda each: each[1]):
        before, after = turns[number], turns[number + 1]
        made = moves(before[0], after[0])
        if end is not None and number == len(turns) - 2:
            made.append(TurnMove((), None, False, end, after[0], False))
        if made:
            found.append((change, _point(before[1], after, made)))
    found.sort(key=lambda each: -each[0])
    kept, rest = found[:MOST], found[MOST:]
    mistake = next((each for each in rest if _is_mistake(each[1])), None)
    if mistake is not None and not any(_is_mistake(point) for _, point in kept):
        kept[-1] = mistake
    return sorted((point for _, point in kept), key=lambda point: int(point["step"]))


def _is_mistake(point: Data) -> bool:
    """Return whether a seat's own decision made its chance less."""
    return point["by"] == point["seat"] and not point["by_chance"] and bool(point["after"] < point["before"])


def _point(before: Chances, turn: Turn, moves: Sequence[TurnMove]) -> Data:
    step, after = turn
    total = [now - then for then, now in zip(before, after, strict=True)]
    parts = [
        [now - then for then, now in zip(one, other, strict=True)]
        for one, other in itertools.pairwise([before, *(move.chances for move in moves)])
    ]
    main = max(range(len(moves)), key=lambda each: max(map(abs, parts[each])))
    seat = max(range(len(total)), key=lambda each: (abs(total[each]), total[each]))
    by = moves[main].by
    if by is not None and not moves[main].by_chance and abs(total[by]) >= _OWN * abs(total[seat]):
        seat = by
    way = 1 if total[seat] > 0 else -1
    gains = [part[seat] * way for part in parts]
    if gains[main] <= 0:  # others changed it more
        main = max(range(len(moves)), key=gains.__getitem__)
    named = _done_together(moves, gains, main, _TOGETHER * abs(total[seat]))
    other = min(range(len(total)), key=lambda each: total[each] * way)
    together = [each for each in moves if each.moved or each in named] if named and named[0].steps else []
    return {
        "step": step,
        "at": moves[main].until if together else step,
        "seat": seat,
        "before": before[seat],
        "after": after[seat],
        "other": [other, before[other], after[other]] if total[other] * way < 0 else None,
        "why": [each for move in together for each in move.steps],
        "by": named[0].by if named else None,
        "by_chance": any(move.by_chance for move in named),
    }


def _done_together(moves: Sequence[TurnMove], gains: Sequence[int], main: int, much: float) -> list[TurnMove]:
    """Return the main move and those by the same seat that gained much. None if none gained: the turn passed on."""
    best = moves[main]
    if gains[main] <= 0:
        return []
    if not best.steps:  # the end of the game, which is nobody's move
        return [best]
    least = min(much, gains[main])
    return [move for move, gain in zip(moves, gains, strict=True) if gain >= least and move.by == best.by]


class TurnWalk:
    """Goes through a game again, for the chances after each move of some of its turns."""

    def __init__(
        self, start: Data, steps: Sequence[Sequence[Any]], events: Sequence[Data], explains: Explained, edition: Data
    ) -> None:
        """Begin at the start.

        Args:
            start: The scene before the first step.
            steps: The public steps, as in the page data.
            events: Their events.
            explains: The game.
            edition: The resolved edition.
        """
        self._scene = deepcopy(start)
        self._done = 0
        self._steps = steps
        self._events = events
        self._explains = explains
        self._edition = edition

    def moves(self, begin: int, end: int) -> list[TurnMove]:
        """Return the moves of a turn: of the steps behind index `begin`, with which it was begun, up to index `end`.

        The chances at the end of a turn are those after the step that begins the next one, so that one belongs to it.
        """
        stop = min(end + 1, len(self._steps))
        while self._done <= begin or (self._done < end and self._only_announces(self._done)):
            self._follow()
        turn, found = self._scene["turn"], list[TurnMove]()
        first = begin if self._done < stop and self._goes_on() else self._done
        causes, places = list[int | str](), self._scene["at"][:]
        while self._done < stop:
            causes.append(self._explains.cause(self._scene, self._events[self._done]))
            self._follow()
            if self._done < stop and self._goes_on():
                continue
            # That the turn passes on is no merit of the seat that moved last.
            chances = shares(self._explains.strengths({**self._scene, "turn": turn}, self._edition))
            by = next((each for each in causes if isinstance(each, int)), None)
            said, moved = self._said_steps(first, self._done), self._scene["at"] != places
            found.append(TurnMove(said, by, CHANCE in causes, chances, self._done, moved))
            first, causes, places = self._done, [], self._scene["at"][:]
        return found

    def _follow(self) -> None:
        follow(self._scene, self._steps[self._done][3])
        self._done += 1

    def _goes_on(self) -> bool:
        """Return whether the next step is shown together with the last one."""
        return self._explains.begins(self._events[self._done - 1]) or self._explains.follows(self._events[self._done])

    def _only_announces(self, step: int) -> bool:
        """Return whether a step and the one before it say nothing but whose turn begins."""
        some = self._events[step - 1 : step + 1]
        return all(self._explains.begins(each) and self._explains.bookkeeping(each) for each in some)

    def _said_steps(self, first: int, end: int) -> list[int]:
        """Return the indices of steps that say something of what was decided, or else of the last one."""
        return [each for each in range(first, end) if not self._explains.bookkeeping(self._events[each])] or [end - 1]
