"""What a format is: it draws a tournament round by round, from the field and from results of earlier rounds.

To add one, implement `Format` in a module of its own beside this one and enter it in `FORMATS` of this package, from
which `--format`, plans and help know it. Options of its own go into `FormatOptions`, what it says at the end
into `arena.formats.conclusions`, and a paragraph into `docs/formats.md`.
`tests/arena/tournament/test_second_format.py` adds one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, NamedTuple, Protocol

import msgspec

from arena.common.errors import ArenaError
from arena.ledger import FINISHES, Measure
from arena.rating.rated_table import finish, rating_input


class Field(NamedTuple):
    """Who plays in a round, and in games of how many players."""

    bots: tuple[str, ...]
    """Labels of versions, such as `greedy` or `mine@3`, sorted."""
    counts: tuple[int, ...]
    """Player counts, ascending; none exceeds the number of bots."""
    apart: tuple[tuple[str, frozenset[str]], ...] = ()
    """By place, bots that never meet those of another place. The others meet all."""

    def tables(self) -> dict[str, tuple[str, ...]]:
        """Return by place who play among themselves: the whole field, if nobody is kept apart."""
        others = set(self.bots).difference(*(own for _, own in self.apart))
        found = {place: tuple(bot for bot in self.bots if bot in own | others) for place, own in self.apart}
        return found or {"": self.bots}


class Block(NamedTuple):
    """A group of bots that plays as many games as it has bots, one from each rotation of this order."""

    bots: list[str]


class GameOutcome(NamedTuple):
    """What a format may know of a game. Lists are by seat."""

    bots: Sequence[str]
    ranks: Sequence[int]
    """1 is best, equal numbers tie."""
    scores: Sequence[Mapping[str, float]]
    retired: Sequence[int]
    """Seats whose bots retired."""

    def finishes(self, measure: Measure = FINISHES) -> list[float]:
        """Return where each seat finished, from 0 (first) to 1: by its rank, or by its score."""
        if measure.name:
            return [measure.finish(row.get(measure.name, measure.worst)) for row in self.scores]
        return [finish(self.ranks, seat) for seat in range(len(self.ranks))]

    def by_entrant(self) -> GameOutcome:
        """Return the same with each entrant once, if one holds all seats of a team: lists are by team then."""
        game = rating_input(self.bots, self.ranks, self.scores, (len(self.bots), 0))
        if len(game.bots) == len(self.bots):
            return self
        there = {bot for seat, bot in enumerate(self.bots) if seat not in self.retired}
        return GameOutcome(*game[:3], [place for place, bot in enumerate(game.bots) if bot not in there])


class PlayedBlock(NamedTuple):
    """A block and those of its games that count, in the order of the schedule.

    Games that a bot was to play after it was suspended or left, and games that failed twice through the arena's own
    fault, are left out.
    """

    bots: list[str]
    games: list[GameOutcome]

    @property
    def is_whole(self) -> bool:
        """Whether all its games count."""
        return len(self.games) == len(self.bots)


class Format(Protocol):
    """Draws the rounds of one tournament. It is made from the tournament's seed and its own options.

    The schedule calls `draw(n, field)`, then `on_round(n, field, blocks)` with what is kept of the round, for n = 0, 1,
    and so on. A tournament that goes on calls `on_round` alone for the rounds that its ledger has. `on_results(n, ...)`
    is called once for each round, in order: before a round is drawn, for every earlier round whose last game lies at
    least `delay` games before the first game of the round to be drawn. A format depends on nothing but these calls, so
    its rounds are a function of seed, field and results: `draw` must not change what a later `draw` returns.
    """

    @property
    def delay(self) -> int:
        """How many games lie at least between the last result that a round is drawn from and its own first game.

        0: a round is drawn from the results of all earlier ones, so workers wait at its end. 1: all but the round
        before, which is played meanwhile. More: also rounds before that one, if they are short.
        """

    @property
    def ends(self) -> bool:
        """Whether it comes to an end by itself, so that no number of games has to be asked for."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw round `number`, counted from 0. An empty list ends the tournament for this field."""

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Note the blocks of a round. They are fewer than drawn if a change of the field ended the round early."""

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Note the results of a round: its blocks, in the order of `on_round`."""

    def may_end(self, bots: Sequence[str]) -> bool:
        """Return whether the last round noted may end as it is, for a new field of which these bots stay.

        If not, the rest of the round is played first. A format whose next round makes up for what was not drawn allows
        an end at any time, which is what this does.
        """
        return True

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        """Return how many blocks each bot of the field must have played at each count when `games` are asked for.

        Empty, as here, if bots do not get equal shares and the number of games alone decides.
        """
        return {}


class CountTurns:
    """Counts games by player count, in all and since the field last changed, so that all counts get equally many."""

    def __init__(self) -> None:
        """Begin without a game."""
        self._field: Field | None = None
        self._of_field: Counter[int] = Counter()
        self._in_all: Counter[int] = Counter()

    def note_blocks(self, field: Field, blocks: Sequence[Block]) -> None:
        """Add the games of a round."""
        if field != self._field:
            self._field = field
            self._of_field.clear()
        for block in blocks:
            self.add(len(block.bots))

    def add(self, count: int) -> None:
        """Add a block of that count."""
        self._of_field[count] += count
        self._in_all[count] += count

    def copy(self, field: Field) -> CountTurns:
        """Return an independent one that goes on with that field."""
        clone = CountTurns()
        clone._field = field
        clone._of_field = self._of_field.copy() if field == self._field else Counter()
        clone._in_all = self._in_all.copy()
        return clone

    def next(self, counts: Sequence[int]) -> int:
        """Return the count with the fewest games in this field; of equal ones that with the fewest in all."""
        return min(counts, key=lambda count: (self._of_field[count], self._in_all[count], count))


ERROR: Final = 0.05
MARGIN: Final = 0.05
"""Of a comparison."""
RANKING_MARGIN: Final = 0.1
"""Of the neighbours of an order."""
SCORE_MARGIN: Final = 0.01
"""Of either, as a share of the span of what is played for."""
HEAT_BLOCKS: Final = 4


class FormatError(ArenaError):
    """A format that does not exist, an option that it does not take, or a field that it cannot draw."""


class FormatOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of all formats; each format takes some of them. None, or an empty list: not given."""

    challengers: tuple[str, ...] = ()
    """`gauntlet`: entrants by name, of which every version takes the place of the one before it, or by label."""
    until: Literal["resolved"] | None = None
    """`balanced`, `swiss`: `resolved` to end when the order is known, as `decisive` does."""
    error: float | None = None
    """`decisive` and `until`: with which probability anything that is said of the order may be wrong. Default `ERROR`.

    `paired`: likewise of a comparison.
    """
    margin: float | None = None
    """`decisive` and `until`: two bots are tied if their mean finishes differ by less. Default `RANKING_MARGIN`.

    `paired`: the difference that matters. Default `MARGIN`.
    """
    groups: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """`groups+knockout`: how many groups there are. Default: as many as have six bots or more."""
    blocks: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """`knockout`, `groups+knockout`: how many blocks decide a heat. Default `HEAT_BLOCKS`."""

    sides: tuple[str, ...] = ()
    """`paired`: the old bot and the new one, by label."""
    score: Measure | None = None
    """`decisive`, `until`, `paired`: what is played for, if ranks are not all. A margin is then a share of its span."""

    def __post_init__(self) -> None:
        """Raise `FormatError` for a value that is not allowed."""
        for name in ("error", "margin"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 0.5:
                raise FormatError(f"{name}: {value:g} is not a probability between 0 and 0.5, such as 0.05")

    def resolving(self) -> tuple[float, float, Measure]:
        """Return error and margin of a tournament that ends when the order is known, and of what order."""
        return self.error or ERROR, self.margin or RANKING_MARGIN, self.score or FINISHES

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        return [name for name in self.__struct_fields__ if getattr(self, name) not in (None, ())]
