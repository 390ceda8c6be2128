"""Games where the order is least certain, until it is known: as few as possible for a ranking.

The field is put in order by skill. A bot that is neither told apart from a neighbour nor known to be tied with it
plays, in groups of bots that stand near each other, the least certain neighbours first. When all are decided, the
tournament ends.

Skills are fitted to all games, as far as the order agrees with what is *known* of any two bots: only what tests say
that are right however often one looks (`arena.rating.betting.ranking_tests`). Bots that are better than each other in a
circle have no such order. Then neighbours agree with the tests, and others that do not are named as contradictions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final, Literal

from arena.formats.base import Block, CountTurns, Field, Format, PlayedBlock
from arena.ledger import FINISHES, Contradiction, Measure, NeighbourVerdict, Resolution
from arena.rating import OrderEstimate
from arena.rating.base import Finding
from arena.rating.betting.ranking_tests import Meetings, RankingTests
from engine.chance import Seeded, derive

_SKILL_PLACES: Final = 9
_PLACES: Final = 6
"""Decimal places of what is recorded."""


class OrderKnowledge:
    """Takes results in the order of the schedule."""

    def __init__(self, error: float, margin: float, measure: Measure = FINISHES) -> None:
        """Begin without results. The arguments are as in `FormatOptions.resolving`."""
        self.error: Final = error
        self.margin: Final = margin
        self.measure: Final = measure
        self.tests: Final = RankingTests(margin, error)
        self.estimate: Final = OrderEstimate()
        self._bots: set[str] = set()
        """All that have taken part."""

    def note_bots(self, bots: Iterable[str]) -> None:
        """Note that bots take part. The more do, the more is said that might be wrong."""
        self._bots.update(bots)

    def add(self, blocks: Sequence[PlayedBlock]) -> None:
        """Work in results. Tests take whole blocks only, in which every bot has had each place in the order of play."""
        games = [(game.bots, game.finishes(self.measure)) for block in blocks for game in block.games]
        self.estimate.add(games, bool(self.measure.name))
        for block in blocks:
            self.note_bots(block.bots)
            if block.is_whole:
                self.tests.add(block.bots, [(game.bots, game.finishes(self.measure)) for game in block.games])

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
        measure, margin = self._known.measure, self._known.margin
        return Resolution(self._known.error, margin * measure.scale, self.verdicts, contradictions, unit=measure.unit)

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
        return Contradiction(upper, lower, *self._meetings(upper, lower))

    def _meetings(self, upper: str, lower: str) -> Meetings:
        games, difference = self._known.tests.meetings(upper, lower)
        return Meetings(games, difference and round(difference * self._known.measure.scale, _PLACES))

    def _finding(self, upper: str, lower: str) -> Finding:
        return self._known.tests.finding(upper, lower, self._number)

    def _verdict(self, upper: str, lower: str) -> NeighbourVerdict:
        found = self._finding(upper, lower)
        kind: Literal["apart", "tied", "undecided"] = "undecided"
        if found in ("better", "within"):
            kind = "apart" if found == "better" else "tied"
        return NeighbourVerdict(upper, lower, kind, *self._meetings(upper, lower))


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


DECISIVE: Final = "decisive"
_BASE: Final = 12
"""Who has had fewer games is drawn before all others."""
_DELAY: Final = 24
_REACH: Final = 2
"""How many groups' lengths up and down the order the members of a group are looked for."""


class Decisive(Format):
    """Rounds are short, and each follows from all results but those of the last `delay` games or a few more."""

    delay: Final = _DELAY
    ends: Final = True

    def __init__(self, seed: bytes, known: OrderKnowledge) -> None:
        """Begin a draw. `seed`: the tournament's. `known`: what is known of the order, as yet without results."""
        self._seed = seed
        self._known = known
        self._turns = CountTurns()
        self._games: Counter[str] = Counter()
        """By bot: the games drawn for it that count, as far as is known."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw a block or more for everybody who has an undecided neighbour; none if all are decided."""
        chance = Seeded(derive(self._seed, "decisive", number))
        bots = list(field.bots)
        chance.shuffle("lots", bots)
        order = self._known.of(bots)
        asked = [place for place, verdict in enumerate(order.verdicts) if verdict.kind == "undecided"]
        turns = self._turns.copy(field)
        used: set[int] = set()
        blocks = []
        for place in sorted(asked, key=lambda place: (self._urgency(order, place), place)):
            if used.issuperset((place, place + 1)):
                continue
            count = turns.next(field.counts)
            turns.add(count)
            places = self._group(place, count, order, used)
            used.update(places)
            group = [order.bots[each] for each in sorted(places)]
            chance.shuffle("seats", group)
            blocks.append(Block(group))
        return blocks

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Count games."""
        self._known.note_bots(field.bots)
        self._turns.note_blocks(field, blocks)
        for block in blocks:
            self._games.update(dict.fromkeys(block.bots, len(block.bots)))

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Work in the results."""
        self._known.add(blocks)
        for block in blocks:
            self._games.subtract(dict.fromkeys(block.bots, len(block.bots) - len(block.games)))

    def resolution(self, field: Field) -> Resolution:
        """Return what is known of each two neighbours.

        It follows from the results that the last round was drawn from: when the tournament has ended, all are decided.
        """
        return self._known.of(field.bots).resolution()

    def _is_new(self, bot: str) -> bool:
        return self._games[bot] < _BASE

    def _urgency(self, order: KnownOrder, place: int) -> tuple[bool, float]:
        """Return a key for two neighbours: newcomers come first, then the least certain."""
        upper, lower = order.bots[place], order.bots[place + 1]
        return not (self._is_new(upper) or self._is_new(lower)), -order.doubt(upper, lower)

    def _group(self, place: int, count: int, order: KnownOrder, used: set[int]) -> list[int]:
        """Return the places of a group around two neighbours: those whose order with one of it is least certain.

        Who already plays in this round is taken only where the doubt is twice as great.
        """
        places: list[int] = []
        near = range(max(0, place + 1 - _REACH * count), min(len(order.bots), place + 1 + _REACH * count))
        doubts = dict.fromkeys(near, 0.0)
        for new in range(count):
            if new < 2:
                chosen = place + new
            else:
                chosen = min(doubts, key=lambda each: (-doubts[each] / (1 + (each in used)), abs(each - place), each))
            places.append(chosen)
            del doubts[chosen]
            for each in doubts:
                upper, lower = sorted((each, chosen))
                doubts[each] = max(doubts[each], order.doubt(order.bots[upper], order.bots[lower]))
        return places
