"""Which games a tournament plays, in which order: the rounds of its format, laid out as matches with ids and seeds.

A function of format, field events, seed and results alone. Each game of a block has a deal of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from arena.ledger import BlockRecord, FieldEvent, Seeds
from arena.match.spec import MatchSpec
from arena.tournament.formats import Block, Field, Format, FormatError
from arena.tournament.history import TournamentHistory
from engine.chance import derive

OnDrawn = Callable[[list[BlockRecord]], object]


class Schedule:
    """The rounds of a format. Each is drawn once, when it is first asked for."""

    def __init__(
        self,
        format: Format,
        players: Sequence[int],
        events: Sequence[FieldEvent],
        history: TournamentHistory,
        recorded: Sequence[BlockRecord] = (),
        on_drawn: OnDrawn = lambda _: None,
    ) -> None:
        """Begin at the first round.

        Args:
            format: one that has not drawn anything yet.
            players: the player counts that are asked for.
            events: who joined and left the field, in order.
            history: gets results while the schedule is asked for blocks, and is read when a round is drawn.
            recorded: the blocks that were drawn before; they are taken as they are.
            on_drawn: gets the blocks of each round that is drawn.
        """
        self._format = format
        self._players = players
        self._events = events
        self._history = history
        self._recorded = {round: list(blocks) for round, blocks in groupby(recorded, key=lambda block: block.round)}
        self._on_drawn = on_drawn
        self._rounds: list[list[BlockRecord]] = []
        self._blocks: list[BlockRecord] = []
        self._numbers: Counter[int] = Counter()
        """By count: how many blocks there are."""
        self._given = 0
        """Of so many rounds the format has the results."""
        self.is_over = False
        """Whether no further round can be drawn: the format has come to its end, or too few bots are left."""

    def block(self, number: int) -> BlockRecord | None:
        """Return a block, counted from 0.

        None: there is none (`is_over`), or the round to which it belongs depends on results that are not known yet.
        """
        while number >= len(self._blocks):
            if self.is_over or not self._next_round():
                return None
        return self._blocks[number]

    def begin_of(self, round: int) -> int | None:
        """Return where a round begins, also the next one to be drawn. None: it is a later one."""
        return self._behind(round) if round <= len(self._rounds) else None

    @property
    def drawn(self) -> int:
        """Return how many blocks have been drawn."""
        return len(self._blocks)

    def round_of(self, number: int) -> int:
        """Return the round of a block, counted from 0, also of the next one to be drawn."""
        return self._blocks[number].round if number < len(self._blocks) else len(self._rounds)

    @property
    def end(self) -> int:
        """Return the place behind the last game that was drawn."""
        return self._blocks[-1].place + len(self._blocks[-1].bots) if self._blocks else 0

    def field(self, round: int) -> Field:
        """Return who plays in a round: who has joined, without those of whose suspension the format knows."""
        bots: set[str] = set()
        for event in self._events:
            if event.round <= round:
                (bots.add if event.kind == "join" else bots.discard)(event.bot)
        known, begin = self._behind(self._given), self._behind(round)
        suspensions = self._history.suspensions
        living = tuple(sorted(bot for bot in bots if not suspensions.is_suspended(bot, begin, known)))
        return Field(living, tuple(count for count in self._players if count <= len(living)))

    def change_at(self, place: int, may_end: Callable[[], bool]) -> tuple[int, int]:
        """Find the first round for which a change of the field can hold, and where it begins.

        `place` is where a block begins, behind all that has been played. If that is within a round, the round ends
        there if `may_end` says so, and else is played to its end without those that leave.
        """
        number = next((number for number, block in enumerate(self._blocks) if block.place >= place), len(self._blocks))
        if number == len(self._blocks):
            return len(self._rounds), self.end
        round = self._blocks[number].round
        if self._rounds[round][0].place == place:
            return round, place
        return (round + 1, place) if may_end() else (round + 1, self._behind(round + 1))

    def _next_round(self) -> bool:
        """Add the next round, if there is one. Return False if results that it depends on are not known yet."""
        number, begin = len(self._rounds), self.end
        while self._given < number and self._behind(self._given + 1) <= begin - self._format.delay:
            if not self._history.is_known(self._behind(self._given + 1)):
                return False
            blocks = self._rounds[self._given]
            self._given += 1
            self._format.on_results(self._given - 1, self._history.take(blocks))
        field = self.field(number)
        blocks = self._recorded.pop(number, []) or self._draw(number, field, begin)
        if not blocks:
            self.is_over = True
            return True
        self._format.on_round(number, field, [Block(block.bots) for block in blocks])
        for block in blocks:
            self._numbers[len(block.bots)] += 1
        self._rounds.append(blocks)
        self._blocks += blocks
        return True

    def _draw(self, number: int, field: Field, begin: int) -> list[BlockRecord]:
        """Draw a round, up to where a change of the field ended it. It is empty if there is none."""
        if not field.counts:
            return []
        end = min((event.place for event in self._events if event.round == number + 1), default=None)
        numbers = self._numbers.copy()
        drawn = []
        for block in self._format.draw(number, field):
            if begin == end:
                break
            _check(block, number, field)
            players = len(block.bots)
            drawn.append(BlockRecord(begin, number, numbers[players], list(block.bots)))
            numbers[players] += 1
            begin += players
        self._on_drawn(drawn)
        return drawn

    def _behind(self, rounds: int) -> int:
        """Return the place behind the last game of so many rounds."""
        if rounds == 0:
            return 0
        last = self._rounds[rounds - 1][-1]
        return last.place + len(last.bots)


def game_ids(block: BlockRecord) -> list[str]:
    """Return the ids of the games of a block, by rotation."""
    return [f"p{len(block.bots)}-b{block.number:04d}-r{rotation}" for rotation in range(len(block.bots))]


def specs(block: BlockRecord, seeds: Seeds) -> Iterator[MatchSpec]:
    """Yield the games of a block, one for each rotation of its bots. `seeds`: the tournament's."""
    players = len(block.bots)
    for rotation, game_id in enumerate(game_ids(block)):
        yield MatchSpec(
            id=game_id,
            index=block.place + rotation,
            players=players,
            block=block.number,
            rotation=rotation,
            seed=derive(seeds.at(block.place + rotation), "game", game_id).hex(),
            bots=block.bots[rotation:] + block.bots[:rotation],
        )


def _check(block: Block, number: int, field: Field) -> None:
    bots = set(block.bots)
    if len(bots) < len(block.bots) or not bots <= set(field.bots) or len(bots) not in field.counts:
        raise FormatError(
            f"round {number} has a block of {', '.join(block.bots)}: it must have different bots of the field, "
            f"{' or '.join(map(str, field.counts))} of them"
        )
