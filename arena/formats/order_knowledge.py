"""What is known of the order of bots while games are played: of every two neighbours, whether they are apart or tied.

Bots stand in the order of their skills, which are fitted to all games, as far as that agrees with what is *known* of
any two of them: only what tests say that are right however often one looks (`arena.rating.betting.ranking_tests`). Bots
that are better than each other in a circle have no such order. Then neighbours agree with the tests, and others that do
not are named as contradictions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final, Literal

from arena.formats.base import Block, Field, Format, PlayedBlock
from arena.ledger import Contradiction, NeighbourVerdict, Resolution
from arena.rating import OrderEstimate
from arena.rating.base import Finding
from arena.rating.betting.ranking_tests import RankingTests

_SKILL_PLACES: Final = 9
_PLACES: Final = 6
"""Decimal places of what is recorded."""


class OrderKnowledge:
    """Takes results in the order of the schedule."""

    def __init__(self, error: float, margin: float) -> None:
        """Begin without results. `error`, `margin`: as in `FormatOptions`."""
        self.error: Final = error
        self.margin: Final = margin
        self.tests: Final = RankingTests(margin, error)
        self.estimate: Final = OrderEstimate()
        self._bots: set[str] = set()
        """All that have taken part."""

    def note_bots(self, bots: Iterable[str]) -> None:
        """Note that bots take part. The more do, the more is said that might be wrong."""
        self._bots.update(bots)

    def add(self, blocks: Sequence[PlayedBlock]) -> None:
        """Work in results. Tests take whole blocks only, in which every bot has had each place in the order of play."""
        self.estimate.add((game.bots, game.ranks) for block in blocks for game in block.games)
        for block in blocks:
            self.note_bots(block.bots)
            if block.is_whole:
                self.tests.add(block.bots, [(game.bots, game.ranks) for game in block.games])

    def of(self, bots: Sequence[str]) -> KnownOrder:
        """Return what is known of a field. Equal bots stay in the order in which they are given."""
        return KnownOrder(self, bots, len(self._bots.union(bots)))


class KnownOrder:
    """What is known of the bots of a field."""

    def __init__(self, known: OrderKnowledge, bots: Sequence[str], number: int) -> None:
        """Put the bots in order. `number`: how many bots have ever taken part."""
        self._known = known
        self._number = number
        self.bots: Final[list[str]] = []
        """The best one first."""
        for bot in self._sorted(bots):
            place = len(self.bots)
            while place and self._finding(self.bots[place - 1], bot) == "worse":
                place -= 1
            self.bots.insert(place, bot)
        self.verdicts: Final = [self._verdict(upper, lower) for upper, lower in pairwise(self.bots)]
        """Of each two neighbours."""

    def doubt(self, upper: str, lower: str) -> float:
        """Return the probability that the order of two is wrong; 0 if they are told apart or known to be tied."""
        if self._finding(upper, lower) != "unknown":
            return 0.0
        return round(1 - self._known.estimate.difference(upper, lower).above(0), _SKILL_PLACES)

    def resolution(self) -> Resolution:
        """Return what is known, to be recorded."""
        contradictions = [self._contradiction(*pair) for pair in combinations(self.bots, 2) if self._is_worse(*pair)]
        return Resolution(self._known.error, self._known.margin, self.verdicts, contradictions)

    def _sorted(self, bots: Sequence[str]) -> list[str]:
        """Sort by skill, but nobody before a bot that is known to be better, unless both belong to a circle."""
        left = sorted(bots, key=lambda bot: -round(self._known.estimate.skill(bot), _SKILL_PLACES))
        better = {bot: {other for other in left if self._is_worse(bot, other)} for bot in left}
        found = []
        while left:
            chosen = next((bot for bot in left if not better[bot]), None)
            if chosen is None:  # the one with the fewest above it is in a circle that has nobody else above it
                chosen = min(left, key=lambda bot: len(_all_above(bot, better)))
            left.remove(chosen)
            for others in better.values():
                others.discard(chosen)
            found.append(chosen)
        return found

    def _is_worse(self, bot: str, other: str) -> bool:
        return self._finding(bot, other) == "worse"

    def _contradiction(self, upper: str, lower: str) -> Contradiction:
        games, difference = self._known.tests.meetings(upper, lower)
        return Contradiction(upper, lower, games, None if difference is None else round(difference, _PLACES))

    def _finding(self, upper: str, lower: str) -> Finding:
        return self._known.tests.finding(upper, lower, self._number)

    def _verdict(self, upper: str, lower: str) -> NeighbourVerdict:
        found = self._finding(upper, lower)
        kind: Literal["apart", "tied", "undecided"] = "undecided"
        if found in ("better", "within"):
            kind = "apart" if found == "better" else "tied"
        games, difference = self._known.tests.meetings(upper, lower)
        return NeighbourVerdict(upper, lower, kind, games, None if difference is None else round(difference, _PLACES))


class UntilResolved(Format):
    """Draws what another format draws, until every two neighbours are apart or tied."""

    ends: Final = True

    def __init__(self, format: Format, known: OrderKnowledge) -> None:
        """Begin a draw. `known`: what is known of the order, as yet without results."""
        self._format = format
        self._known = known

    @property
    def delay(self) -> int:
        """Return that of the format."""
        return self._format.delay

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw what the format draws; nothing once the order is known."""
        return [] if self.resolution(field).are_neighbours_known else self._format.draw(number, field)

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Pass the round on."""
        self._known.note_bots(field.bots)
        self._format.on_round(number, field, blocks)

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Work in the results, and pass them on."""
        self._known.add(blocks)
        self._format.on_results(number, blocks)

    def may_end(self, bots: Sequence[str]) -> bool:
        """Return what the format says."""
        return self._format.may_end(bots)

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        """Return what the format says."""
        return self._format.due(field, games)

    def resolution(self, field: Field) -> Resolution:
        """Return what is known of the order."""
        return self._known.of(field.bots).resolution()


def _all_above(bot: str, better: Mapping[str, set[str]]) -> set[str]:
    """Return all that are better than a bot, or than one of those."""
    found: set[str] = set()
    ahead = [bot]
    while ahead:
        new = better[ahead.pop()] - found
        found |= new
        ahead += sorted(new)
    return found
