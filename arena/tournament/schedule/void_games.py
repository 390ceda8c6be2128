"""Decide what becomes of a void game: with which deal it is played again, without whom, or that it is set aside.

`arena.ledger.records.VoidRecord` says when an attempt is void.

Nobody sees who kills a worker. But a game that is played by itself has no other suspects than its bots, and a bot that
kills workers is there each time, with other bots around it. So the second such failure at which a bot was, and no other
bot of that game as often, is charged to it: the game is played without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from arena.game.spec import GameSpec
from arena.ledger import Seeds, VoidRecord, is_set_aside
from arena.tournament.schedule.deals import seed_of_attempt

_CHARGED: Final = 2
"""A bot is charged from this number of failures on."""


class VoidGames:
    """The attempts at games that failed so far."""

    def __init__(self, voids: Iterable[VoidRecord] = ()) -> None:
        """Add these, in the order in which they were recorded."""
        self._of: dict[str, list[VoidRecord]] = {}
        self.uncharged = 0
        """How often a worker ended over a single game, or a game was set aside, and nobody was charged."""
        self._single: list[list[str]] = []
        """The bots at failures that may be charged to one of them."""
        self._known: set[str] = set()
        """Who was charged."""
        self._there: Counter[str] = Counter()
        """By bot: at how many of those failures it was that no other bot explains which was charged."""
        for void in voids:
            self.add(void)

    def of(self, game: str) -> Sequence[VoidRecord]:
        """Return the attempts at a game that failed."""
        return self._of.get(game, ())

    def whom_to_charge(self, game: str, bots: Iterable[str], lost: int) -> str | None:
        """Return the bot to which one more failure is charged, which is not added by this.

        Only failures count in which a worker ended over a single game.

        Args:
            game: The id of the game that failed.
            bots: Its bots.
            lost: As in `VoidRecord`.
        """
        if lost != 1:
            return None
        there = {bot: self._there[bot] + 1 for bot in self._suspected(self._present(game, bots))}
        most = max(there.values(), default=0)
        suspects = [bot for bot, times in there.items() if times == most]
        return suspects[0] if most >= _CHARGED and len(suspects) == 1 else None

    def add(self, void: VoidRecord) -> None:
        """Add a failure."""
        if void.lost == 1:
            self._single.append(self._present(void.game, void.bots))
            self._there.update(self._suspected(self._single[-1]))
        if void.charged is not None and void.charged not in self._known:
            self._known.add(void.charged)
            self._there = Counter(bot for bots in self._single for bot in self._suspected(bots))
        attempts = self._of.setdefault(void.game, [])
        attempts.append(void)
        self.uncharged += void.charged is None and (void.lost == 1 or is_set_aside(attempts))

    def set_aside(self) -> set[str]:
        """Return the ids of the games that will not be played any more."""
        return {game for game, voids in self._of.items() if is_set_aside(voids)}

    def _suspected(self, bots: Iterable[str]) -> Iterable[str]:
        """Return the bots to which a failure points: those of them that were charged already, or else all."""
        return self._known & set(bots) or bots

    def _present(self, game: str, bots: Iterable[str]) -> list[str]:
        """Return the bots with which a game is played next: it is played without those that were charged before."""
        gone = {void.charged for void in self.of(game)}
        return [bot for bot in dict.fromkeys(bots) if bot not in gone]


def next_attempt(spec: GameSpec, voids: Sequence[VoidRecord], seeds: Seeds) -> GameSpec:
    """Return a game as it is to be played after these failures of it: with another deal, without who was charged."""
    if not voids:
        return spec
    seed = seed_of_attempt(spec, seeds, len(voids))
    gone = {void.charged for void in voids}
    return replace(spec, seed=seed, forfeits=tuple(seat for seat, bot in enumerate(spec.bots) if bot in gone))
