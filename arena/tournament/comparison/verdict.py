"""What a comparison has shown so far, from its ledger alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum

import msgspec

from arena.formats import PAIRED, Block, Field, FormatOptions, Paired, PlayedBlock
from arena.formats.base import ERROR, MARGIN
from arena.formats.paired import PlayedPair
from arena.ledger import Ledger, LedgerError, Measure, Seeds
from arena.rating.base import Finding
from arena.rating.rated_table import standard_error
from arena.tournament.schedule.fixtures import Fixtures


class CountDifference(msgspec.Struct, frozen=True):
    """How the two bots did in games of so many players."""

    players: int
    pairs: int
    old: float
    """Mean finish of the old bot, from 0, always first, to 1; or its mean score."""
    new: float
    difference: float
    """Above 0: the new bot is better."""
    error: float | None
    """Standard error of the difference. None with fewer than two pairs."""


class Comparison(msgspec.Struct, frozen=True):
    """Two bots, and what is known of their difference. Only rounds count that were played to their end."""

    old: str
    """Its label, as of `new`."""
    new: str
    margin: float
    """The difference that matters."""
    error: float
    """The probability that the verdict is wrong."""
    verdict: Finding
    difference: float | None
    """By how much the new bot is better, in mean finish or in score. None before the first round."""
    low: float
    """The least that the true difference may be."""
    high: float
    """The most."""
    pairs: int
    games: int
    """Games of these pairs, of both bots together."""
    players: list[CountDifference]
    unit: str
    """Of the score that is compared; empty: finishes are."""
    suspended: list[str]
    """Which of the two are suspended, because they kept failing. If it is one, that one is the worse."""


def comparison(ledger: Ledger) -> Comparison:
    """Look through the games of a comparison. Raises `LedgerError` for another tournament."""
    settings = ledger.settings
    if settings.format != PAIRED:
        raise LedgerError(f"{ledger.folder} is no comparison: its format is {settings.format}")
    options = msgspec.convert(settings.options, FormatOptions)
    old, new = options.sides
    margin, error = options.margin or MARGIN, options.error or ERROR
    played = _Played(b"", options)
    fixtures = Fixtures(ledger, played, Seeds(b"", dealing=settings.dealing))
    number = 0
    while fixtures.block(number) is not None:
        number += 1
    test, pairs = played.test, played.pairs
    suspended = sorted({old, new} & fixtures.history.suspended(fixtures.history.reached).keys())
    measure, scale = played.measure, played.measure.scale
    low, high = test.interval()
    return Comparison(
        old=old,
        new=new,
        margin=margin * scale,
        error=error,
        verdict=_verdict(test.verdict, suspended, new),
        difference=test.difference and test.difference * scale,
        low=low * scale,
        high=high * scale,
        pairs=len(pairs),
        games=2 * sum(pair.games for pair in pairs),
        players=_by_count(pairs, measure),
        unit=measure.unit,
        suspended=suspended,
    )


def _verdict(found: Finding, suspended: Sequence[str], new: str) -> Finding:
    if len(suspended) != 1:
        return found
    return "worse" if suspended == [new] else "better"


def _by_count(pairs: Sequence[PlayedPair], measure: Measure) -> list[CountDifference]:
    by_count = defaultdict(list)
    for pair in pairs:
        by_count[pair.players].append(pair)
    found = []
    for players, some in sorted(by_count.items()):
        games = sum(pair.games for pair in some)
        old = fsum(pair.old * pair.games for pair in some) / games
        new = fsum(pair.new * pair.games for pair in some) / games
        error = standard_error([[(pair.old - pair.new) * measure.scale] * pair.games for pair in some])
        by = (old - new) * measure.scale
        found.append(CountDifference(players, len(some), measure.value(old), measure.value(new), by, error))
    return found


class _Played(Paired):
    """The format of a comparison, which draws no more, and keeps the pairs of all rounds that are recorded."""

    delay = 0

    def __init__(self, seed: bytes, options: FormatOptions) -> None:
        super().__init__(seed, options)
        self.pairs: list[PlayedPair] = []

    def draw(self, number: int, field: Field) -> list[Block]:
        return []

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        super().on_results(number, blocks)
        self.pairs += self.played(blocks)
