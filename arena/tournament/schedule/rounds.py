"""Turn the rounds of a tournament's format into games with ids, seeds and an order.

The games depend only on the format, the field events, the seed and the results. Each game of a block is dealt anew,
and who begins is dealt evenly (`arena.tournament.schedule.deals`). Where partners are drawn, all bots have all others
about as often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import combinations, groupby, islice, permutations
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from arena.formats import Block, Field, Format, FormatError
from arena.game.spec import GameSpec
from arena.ledger import BlockRecord, Dealing, FieldEvent, Seeds
from arena.tournament.schedule.deals import seed_of_attempt
from arena.tournament.schedule.history import TournamentHistory

OnDrawn = Callable[[list[BlockRecord]], object]


class Schedule:
    """The rounds of a format. Each is drawn only once, when it is first needed."""

    def __init__(
        self,
        format: Format,
        players: Sequence[int],
        events: Sequence[FieldEvent],
        history: TournamentHistory,
        recorded: Sequence[BlockRecord] = (),
        on_drawn: OnDrawn = lambda _: None,
        dealing: Dealing | None = None,
        places: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Begin at the first round.

        Args:
            format: the format; it must not have drawn a round yet.
            players: how many entrants a block has, for each player count that the plan asks for.
            events: which bots joined and left the field, in order.
            history: the results so far. The caller adds to it, and the schedule reads it before it draws a round.
            recorded: blocks drawn in earlier runs; they are used unchanged.
            on_drawn: called with the blocks of each newly drawn round.
            dealing: who holds the seats of a team.
            places: where bots run, if those in one place never meet those in another.
        """
        self._format = format
        self._players = players
        self._events = events
        self._history = history
        self._recorded = {round: list(blocks) for round, blocks in groupby(recorded, key=lambda block: block.round)}
        self._on_drawn = on_drawn
        self._partnerships = Partnerships(dealing or Dealing())
        self._places = places
        self._rounds: list[list[BlockRecord]] = []
        self._blocks: list[BlockRecord] = []
        self._numbers: Counter[int] = Counter()
        """How many blocks there are, by player count."""
        self._given = 0
        """The number of rounds whose results were passed to the format."""
        self.is_over = False
        """Whether no further round can be drawn, because the format has ended or too few bots are left."""

    def block(self, number: int) -> BlockRecord | None:
        """Return a block by its number, counted from 0.

        Return None if there is no such block (then `is_over` is set), or if its round depends on unknown results.
        """
        while number >= len(self._blocks):
            if self.is_over or not self._next_round():
                return None
        return self._blocks[number]

    def begin_of(self, round: int) -> int | None:
        """Return the place of a round's first game; the next round to be drawn has one too, later ones have None."""
        return self._behind(round) if round <= len(self._rounds) else None

    @property
    def drawn(self) -> int:
        """Return how many blocks have been drawn."""
        return len(self._blocks)

    def round_of(self, number: int) -> int:
        """Return the round of a block, counted from 0; the next block to be drawn counts as well."""
        return self._blocks[number].round if number < len(self._blocks) else len(self._rounds)

    @property
    def end(self) -> int:
        """Return the place that follows the last game drawn."""
        return self._blocks[-1].place + len(self._blocks[-1].bots) if self._blocks else 0

    @property
    def read(self) -> int:
        """Return the place up to which the format has the results."""
        return self._behind(self._given)

    def field(self, round: int) -> Field:
        """Return the field of a round: all bots that have joined, except those whose suspension the format knows of."""
        bots: set[str] = set()
        for event in self._events:
            if event.round <= round:
                (bots.add if event.kind == "join" else bots.discard)(event.bot)
        known, begin = self._behind(self._given), self._behind(round)
        living = tuple(sorted(bot for bot in bots if not self._history.is_suspended(bot, begin, known)))
        apart: dict[str, set[str]] = {}
        for bot in living:
            if bot in self._places:
                apart.setdefault(self._places[bot], set()).add(bot)
        counts = tuple(count for count in self._players if count <= len(living))
        return Field(living, counts, tuple((place, frozenset(apart[place])) for place in sorted(apart)))

    def _next_round(self) -> bool:
        """Add the next round, if there is one. Return False if it depends on results that are not known yet."""
        number, begin = len(self._rounds), self.end
        while self._given < number and self._behind(self._given + 1) <= begin - self._format.delay:
            if self._history.reached < self._behind(self._given + 1):
                return False
            blocks = self._rounds[self._given]
            self._given += 1
            self._format.on_results(self._given - 1, self._history.take_blocks(blocks))
        field = self.field(number)
        blocks = self._recorded.pop(number, []) or self._draw(number, field, begin)
        if not blocks:
            self.is_over = True
            return True
        self._format.on_round(number, field, [Block(block.bots) for block in blocks])
        for block in blocks:
            self._numbers[len(block.bots)] += 1
            self._partnerships.count_block(block.bots)
        self._rounds.append(blocks)
        self._blocks += blocks
        return True

    def _draw(self, number: int, field: Field, begin: int) -> list[BlockRecord]:
        """Draw a round, up to where a change of the field cut it short. The list is empty if there is no such round."""
        if not field.counts:
            return []
        end = min((event.place for event in self._events if event.round == number + 1), default=None)
        numbers, partnerships = self._numbers.copy(), deepcopy(self._partnerships)
        drawn = []
        for block in self._format.draw(number, field):
            if begin == end:
                break
            _check(block, number, field)
            players = len(block.bots)
            drawn.append(BlockRecord(begin, number, numbers[players], partnerships.arranged(block.bots)))
            partnerships.count_block(drawn[-1].bots)
            numbers[players] += 1
            begin += players
        self._on_drawn(drawn)
        return drawn

    def _behind(self, rounds: int) -> int:
        """Return the place that follows the last game of the first `rounds` rounds."""
        if rounds == 0:
            return 0
        last = self._rounds[rounds - 1][-1]
        return last.place + len(last.bots)


def change_at(blocks: Sequence[BlockRecord], place: int, may_end: Callable[[], bool]) -> tuple[int, int]:
    """Return the first round in which a change of the field can take effect, and the place where it begins.

    Args:
        blocks: all blocks drawn so far.
        place: the start of a block or the end of the last one, after all games played so far.
        may_end: see `Format.may_end`. If it returns true, a round that `place` lies within ends there; otherwise it is
            played to its end without the bots that leave.
    """
    if not blocks:
        return 0, 0
    last = next((block for block in blocks if block.place >= place), blocks[-1])
    theirs = [block for block in blocks if block.round == last.round]
    if theirs[0].place == place:
        return last.round, place
    end = theirs[-1].place + len(theirs[-1].bots)
    return last.round + 1, place if place < end and may_end() else end


def game_ids(block: BlockRecord, dealing: Dealing | None) -> list[str]:
    """Return the ids of the games of a block, by rotation."""
    entrants = len(block.bots)
    players = entrants if dealing is None else dealing.players_of(entrants)
    return [f"p{players}-b{block.number:04d}-r{rotation}" for rotation in range(entrants)]


def specs(block: BlockRecord, seeds: Seeds) -> Iterator[GameSpec]:
    """Yield the games of a block, one for each rotation of its bots, with seeds of the tournament."""
    dealing = seeds.dealing
    for rotation, game_id in enumerate(game_ids(block, dealing)):
        spec = GameSpec(
            id=game_id,
            index=block.place + rotation,
            players=dealing.players_of(len(block.bots)),
            block=block.number,
            rotation=rotation,
            seed="",
            bots=dealing.seated(block.bots[rotation:] + block.bots[:rotation]),
            openings=dealing.openings,
            is_fresh=dealing.is_fresh,
        )
        yield replace(spec, seed=seed_of_attempt(spec, seeds, 0))


def _check(block: Block, number: int, field: Field) -> None:
    bots = set(block.bots)
    if len(bots) < len(block.bots) or not bots <= set(field.bots) or len(bots) not in field.counts:
        raise FormatError(
            f"round {number} has a block of {', '.join(block.bots)}: a block must have "
            f"{' or '.join(map(str, field.counts))} different bots of the field"
        )


_MOST_ORDERS: Final = 120
"""So many orders of a block are tried: all that differ in a game of six, in whose games all bots move on."""


class Partnerships:
    """How often each two bots were partners."""

    def __init__(self, dealing: Dealing) -> None:
        """Begin without a block."""
        self._dealing = dealing
        self._games: Counter[frozenset[str]] = Counter()

    def count_block(self, bots: Sequence[str]) -> None:
        """Count the games of a block."""
        self._games.update(map(frozenset, self._pairs(bots)))

    def arranged(self, bots: Sequence[str]) -> list[str]:
        """Return the bots of a block in the order in which those are partners that were least often."""
        if not any(self._pairs(bots)):
            return list(bots)
        orders = islice(permutations(bots[1:]), _MOST_ORDERS)
        return min(([bots[0], *order] for order in orders), key=self._cost)

    def _cost(self, bots: Sequence[str]) -> int:
        games = Counter(map(frozenset, self._pairs(bots)))
        return sum(more * (2 * self._games[pair] + more) for pair, more in games.items())

    def _pairs(self, bots: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Generate the partners of each game of a block, in which all bots move on by a seat each game."""
        teams = self._dealing.teams_of(len(bots)) if self._dealing.partners == "drawn" else []
        for team in teams:
            for one, other in combinations(team, 2):
                for rotation in range(len(bots)):
                    yield bots[(one + rotation) % len(bots)], bots[(other + rotation) % len(bots)]
