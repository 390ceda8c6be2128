"""Heats whose better half goes on, down to a final; if asked for, groups first.

A stage cuts who is left into heats of equal size, to within one, as large and as few as the counts allow. Those whom
these sizes leave out have a bye. As soon as all who are left fit into one game, that is the final. A heat plays some
blocks. Who goes on is decided by mean finish; between equals by who was ahead more often in their common games; then by
up to `EXTRA` further blocks, and at last by who stood higher before the stage: by mean finish in the stage before, at
first by lot.

Who takes part stands fixed with the first round. Who leaves or is suspended withdraws by that, and goes out behind the
others of the stage. Who joins later, also as a new version, waits for the next tournament.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from arena.formats.base import HEAT_BLOCKS, Block, Field, Format, FormatError, PlayedBlock
from arena.formats.heats import Heat, deal, draw_pass, heat_sizes, places_on
from arena.ledger import Placing
from engine.chance import Seeded, derive

EXTRA: Final = 3
"""At most so many further blocks are played because of a tie."""
_GROUP: Final = 6
"""Groups are so large or larger, unless their number is given."""


class _Stage(NamedTuple):
    """One stage while it is played."""

    number: int
    heats: list[Heat]
    byes: list[str]
    are_groups: bool


class _Out(NamedTuple):
    """Who went out in a stage, best first, with those together who share a place."""

    stage: int
    tiers: list[list[str]]
    withdrawn: list[str]


class _Position(NamedTuple):
    """Where the tournament stands: which heats are to play, and in how many blocks each."""

    stage: _Stage | None
    """None: it is over."""
    playing: list[tuple[Heat, int]]
    left: list[str]
    """Who can still win, best first."""
    out: list[_Out]
    """By stage."""


class Knockout(Format):
    """Each round is drawn from the results of all rounds before it, so that workers wait at its end. It ends."""

    delay: Final = 0
    ends: Final = True

    def __init__(
        self, seed: bytes, blocks: int = HEAT_BLOCKS, *, groups_first: bool = False, groups: int | None = None
    ):
        """Begin a draw. `seed`: the tournament's. `blocks`, `groups`: as in `FormatOptions`."""
        self._seed = seed
        self._blocks = blocks
        self._groups_first = groups_first
        self._groups = groups
        self._stage: _Stage | None = None
        self._out: list[_Out] = []
        self._byes: Counter[str] = Counter()
        self._met: set[frozenset[str]] = set()
        """Pairs that were in one heat of an earlier stage."""
        self._waiting: dict[int, list[Heat | None]] = {}
        """By round whose results are not known: the heat of each block."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw the blocks of all heats that are to play; the first of each heat come first."""
        chance = Seeded(derive(self._seed, "knockout", number))
        position = self._position(field)
        drawn: list[list[list[str]]] = []
        for heat, blocks in position.playing:
            bots = [bot for bot in heat.bots if bot in field.bots]
            if position.stage is not None and position.stage.are_groups:
                drawn.append(draw_pass(heat, bots, field.counts, chance))
            else:
                drawn.append([bots[:] for _ in range(blocks)])
                for group in drawn[-1]:
                    chance.shuffle("seats", group)
        longest = max(map(len, drawn), default=0)
        return [Block(groups[place]) for place in range(longest) for groups in drawn if place < len(groups)]

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Begin a stage if the one before is decided, and note which heats play."""
        position = self._position(field)
        stage = position.stage
        if stage is not None and (self._stage is None or stage.number > self._stage.number):
            if self._stage is not None:
                pairs = (combinations(heat.bots, 2) for heat in self._stage.heats)
                self._met.update(frozenset(pair) for heat in pairs for pair in heat)
            self._byes.update(stage.byes)
            self._out = position.out
            self._stage = stage
        for heat, _ in position.playing:
            heat.rounds += 1
        heats = {bot: heat for heat, _ in position.playing for bot in heat.bots}
        self._waiting[number] = [heats.get(block.bots[0]) for block in blocks]
        for each, block in zip(self._waiting[number], blocks, strict=True):
            if each is not None:
                each.count_block(block.bots)

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Add the results to the heats."""
        for heat, block in zip(self._waiting.pop(number), blocks, strict=True):
            if heat is not None:
                heat.add(block)

    def may_end(self, bots: Sequence[str]) -> bool:
        """Forbid an end: a heat is decided by all of its blocks."""
        return False

    def placings(self, field: Field) -> list[Placing]:
        """Return the places of all who are out, and of the winner, best first. `field`: as it is now."""
        position = self._position(field)
        found = []
        place = 1
        if position.stage is None:
            number = 0 if self._stage is None else self._stage.number
            found = [Placing(bot, 1, number, False) for bot in position.left]
        place += len(position.left)
        for out in reversed(position.out):
            for tier in out.tiers:
                found += [Placing(bot, place, out.stage, bot in out.withdrawn) for bot in tier]
                place += len(tier)
        return found

    def not_taking_part(self, field: Field) -> list[str]:
        """Return who is in the field and joined after the first round: it waits for the next tournament."""
        if self._stage is None:
            return []
        known = {bot for heat in self._stage.heats for bot in heat.bots} | set(self._stage.byes)
        known.update(bot for out in self._out for tier in out.tiers for bot in tier)
        return [bot for bot in field.bots if bot not in known]

    def _position(self, field: Field) -> _Position:
        """Return where the tournament stands by the results so far, without the bots that have left the field."""
        present = set(field.bots)
        stage, out = self._stage, self._out
        left: list[str] = []
        while True:
            if stage is None:
                left = list(field.bots)
                Seeded(derive(self._seed, "knockout")).shuffle("lots", left)
                stage = self._groups_of(left, field) if self._groups_first else self._stage_of(0, left, field)
            elif playing := self._playing(stage, field):
                left = [bot for bots in (stage.byes, *(heat.bots for heat in stage.heats)) for bot in bots]
                return _Position(stage, playing, [bot for bot in left if bot in present], out)
            else:
                left, went_out = _close(stage, present)
                left, out = _enough(left, [*out, went_out], field)
                if len(left) <= 1:
                    return _Position(None, [], left, out)
                stage = self._stage_of(stage.number + 1, left, field)

    def _playing(self, stage: _Stage, field: Field) -> list[tuple[Heat, int]]:
        """Return the heats that are not decided, each with the number of blocks that it plays next."""
        rounds = self._blocks if stage.are_groups else 1
        found = []
        for heat in stage.heats:
            bots = sum(bot in field.bots for bot in heat.bots)
            can_play = bots >= min(field.counts, default=bots + 1) if stage.are_groups else bots in field.counts
            if not can_play or (stage.are_groups and bots <= heat.places):
                continue
            if heat.rounds < rounds:
                found.append((heat, 1 if stage.are_groups else self._blocks))
            elif heat.rounds < rounds + EXTRA and heat.is_undecided(field.bots):
                found.append((heat, 1))
        return found

    def _groups_of(self, ranked: Sequence[str], field: Field) -> _Stage:
        """Return the stage of groups. Raises `FormatError` if they would be too small."""
        groups = self._groups or max(1, len(ranked) // _GROUP)
        size, larger = divmod(len(ranked), groups)
        if size < min(field.counts):
            raise FormatError(
                f"groups+knockout: {groups} groups of {len(ranked)} bots have fewer than the {min(field.counts)} that "
                f"a game needs; ask for at most {len(ranked) // min(field.counts)} groups"
            )
        sizes = [size + 1] * larger + [size] * (groups - larger)
        places = places_on(sizes, 0, min(field.counts), all_may=True)
        return _Stage(0, self._heats(ranked, sizes, places), [], True)

    def _stage_of(self, number: int, ranked: Sequence[str], field: Field) -> _Stage:
        """Return the next stage: the final if all fit into one game."""
        if len(ranked) in field.counts:
            return _Stage(number, [Heat(ranked, 1)], [], False)
        sizes = heat_sizes(len(ranked), field.counts)
        place = {bot: place for place, bot in enumerate(ranked)}
        byes = sorted(ranked, key=lambda bot: (self._byes[bot], place[bot]))[: len(ranked) - sum(sizes)]
        places = places_on(sizes, len(byes), min(field.counts), all_may=False)
        playing = [bot for bot in ranked if bot not in byes]
        return _Stage(number, self._heats(playing, sizes, places), sorted(byes, key=place.__getitem__), False)

    def _heats(self, ranked: Sequence[str], sizes: Sequence[int], places: Sequence[int]) -> list[Heat]:
        met = set(self._met)
        for heat in () if self._stage is None else self._stage.heats:
            met.update(frozenset(pair) for pair in combinations(heat.bots, 2))
        return [Heat(bots, on) for bots, on in zip(deal(ranked, sizes, met), places, strict=True)]


def _close(stage: _Stage, present: set[str]) -> tuple[list[str], _Out]:
    """Return who goes on, best first, and who goes out.

    Those with a bye stay in front, where they stood; the others follow by mean finish.
    """
    going_on: list[tuple[float, str]] = []
    tiers: defaultdict[int, list[str]] = defaultdict(list)
    for heat in stage.heats:
        names = heat.going_on(present)
        going_on += [(heat.mean_finish(bot), bot) for bot in names]
        reached = 0
        for tier in heat.tiers(present):
            tiers[max(reached, len(names))] += [bot for bot in tier if bot not in names]
            reached += len(tier)
    everybody = [bot for bots in (stage.byes, *(heat.bots for heat in stage.heats)) for bot in bots]
    withdrawn = [bot for bot in everybody if bot not in present]
    out = [*(tiers[reached] for reached in sorted(tiers)), withdrawn]
    ranked = [bot for bot in stage.byes if bot in present]
    ranked += [bot for _, bot in sorted(going_on, key=lambda each: each[0])]
    return ranked, _Out(stage.number, [tier for tier in out if tier], withdrawn)


def _enough(left: list[str], out: list[_Out], field: Field) -> tuple[list[str], list[_Out]]:
    """Let the best of those who went out return, if withdrawn have left too few for a game.

    If there are none either, the best of those left has won.
    """
    lacking = min(field.counts, default=2) - len(left)
    if len(left) <= 1 or lacking <= 0:
        return left, out
    losers = [bot for each in reversed(out) for tier in each.tiers for bot in tier if bot in field.bots]
    if len(losers) < lacking:
        return left[:1], [*out, _Out(out[-1].stage + 1, [[bot] for bot in left[1:]], [])]
    back = set(losers[:lacking])
    kept = [each._replace(tiers=[[bot for bot in tier if bot not in back] for tier in each.tiers]) for each in out]
    return left + losers[:lacking], kept
