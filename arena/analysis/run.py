"""Analyse recorded games: ask what each seat was asked, have worker processes weigh it, and keep what was found."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cache
from hashlib import blake2b
from pathlib import Path
from time import process_time
from typing import Any, Final, Self

import msgspec

from arena.analysis.analysis import AnalysedDecision, Choice, GameAnalysis
from arena.analysis.playouts import Budget, WeighedChoices, WeighingTask, results, sign_of, unit_of, weigh
from arena.common.errors import ArenaError
from arena.common.printable import counted
from arena.common.source_hash import source_hash
from arena.game.game import teams_of
from arena.game.replay import RecordedDecision, decisions
from arena.ledger import GameRecord
from arena.ledger.page_data_cache import PageDataCache
from arena.ledger.records import PageDataRecord
from arena.replays.cache import packages_of
from arena.replays.page_data import encode
from arena.replays.words import Words
from engine import catalog
from engine.picture import Illustrated
from engine.rules import Data, Rules

CACHE: Final = "analysis.sqlite"
_PLACES: Final = 4
_LONGEST: Final = 8 << 20
"""Bytes of what was found of one game."""
_TRIED: Final = 100
"""Playouts by which it is measured how long one takes."""
_MINUTES: Final = 3
"""From so many on, a time is said in minutes."""
_KEPT: Final = 16
"""After so many decisions what was found is kept, so that an analysis that was broken off goes on there."""
Named = Mapping[tuple[int, int], Mapping[str, int]]
"""By seat and turn: what each bot that was asked would play."""
NOBODY: Final[Named] = {}


def cost(tasks: Sequence[WeighingTask], budget: Budget, processes: int) -> str:
    """Say what it will cost to weigh this; if a number of playouts is given, by how long some of them take."""
    if not tasks:
        return "no time: all of it is known from before"
    each, what = budget.seconds, "of processor time"
    if each is None:
        tried = min(_TRIED, budget.playouts)
        began = process_time()
        weigh(tasks[len(tasks) // 2], Budget(tried))
        each, what = (process_time() - began) / tried * budget.playouts, f"for {budget.playouts} playouts"
    total = len(tasks) * each / processes
    long = f"{total:.0f} seconds" if total < _MINUTES * 60 else f"{total / 60:.0f} minutes"
    work = f"{counted(len(tasks), 'decision')}, {each:.2g} seconds {what} each"
    return f"{work}: about {long} on {counted(processes, 'core')}"


class NoAnalysis(ArenaError):
    """A game that cannot be analysed; the message says why."""


def refusal(rules: Rules) -> str | None:
    """Return why games of these rules cannot be analysed; None: they can."""
    if rules.capabilities.worlds:
        return None
    return f"{rules.name} cannot be analysed: its rules draw no worlds that a seat could not tell from the real one"


class Analyst:
    """Analyses games of one tournament."""

    def __init__(
        self,
        rules: Rules,
        edition: Data,
        budget: Budget,
        names: Sequence[str] = (),
        cache: AnalysisCache | None = None,
    ) -> None:
        """Take the rules, how much is spent on a decision, the bots that are asked, and where what was found is kept.

        Raises `NoAnalysis` if these games cannot be analysed.
        """
        if (why := refusal(rules)) is not None:
            raise NoAnalysis(why)
        self._rules, self._edition, self._names, self._cache = rules, edition, [*names], cache
        self.budget: Final = budget

    def known(self, record: GameRecord) -> GameAnalysis | None:
        """Return what was found before with the same budget and bots."""
        found = None if self._cache is None else self._cache.get(record, self._rules, self._edition)
        return found if found is not None and (found.budget, found.named) == (self.budget, self._names) else None

    def missing(self, record: GameRecord, seats: Sequence[int], named: Named = NOBODY) -> list[WeighingTask]:
        """Return what is to be weighed of some seats and was not yet. Raises `ReplayError`."""
        return [task for _, task in self._missing(record, seats, named, self.known(record))]

    def analyse(
        self, record: GameRecord, seats: Sequence[int], pool: Executor, named: Named = NOBODY
    ) -> Iterator[GameAnalysis]:
        """Weigh the decisions of some seats, except those that were weighed before.

        Args:
            record: The game.
            seats: The seats.
            pool: Where choices are weighed.
            named: What the bots that were asked would play.

        Yields:
            What was found so far after each decision, and in the end all of it.

        Raises:
            ReplayError: The game cannot be played again.
        """
        found = self.known(record) or self._begun(record)
        missing = self._missing(record, seats, named, found)
        words = Words(self._rules, record.bots)
        futures = [pool.submit(weigh, task, self.budget) for _, task in missing]
        for number, ((asked, _), future) in enumerate(zip(missing, futures, strict=True), start=1):
            found = _with(found, asked, future.result(), named.get((asked.seat, asked.turn), {}), words, self._rules)
            if number % _KEPT == 0:
                self._keep(record, found)
            if number < len(missing):
                yield found
        found = msgspec.structs.replace(found, seats=sorted({*found.seats, *seats}))
        self._keep(record, found)
        yield found

    def _missing(
        self, record: GameRecord, seats: Sequence[int], named: Named, found: GameAnalysis | None
    ) -> list[tuple[RecordedDecision, WeighingTask]]:
        known = set() if found is None else {*found.unweighed, *((each.seat, each.turn) for each in found.decisions)}
        return [
            (asked, self._task(record, asked, tuple(named.get((asked.seat, asked.turn), {}).values())))
            for asked in decisions(record, self._rules, self._edition)
            if asked.step.kind == "play" and asked.step.by == "bot"
            if asked.seat in seats and (asked.seat, asked.turn) not in known
        ]

    def _task(self, record: GameRecord, asked: RecordedDecision, others: tuple[int, ...]) -> WeighingTask:
        return WeighingTask(
            game=self._rules.name,
            players=record.players,
            edition=self._edition,
            view=asked.state.view(asked.seat),
            seat=asked.seat,
            options=len(asked.offered),
            played=_played(asked),
            named=others,
            label=f"{record.id} {asked.seat} {asked.turn}",
        )

    def _begun(self, record: GameRecord) -> GameAnalysis:
        return GameAnalysis(
            game=record.id,
            bots=record.bots,
            unit=unit_of(self._rules),
            sign=sign_of(self._rules),
            budget=self.budget,
            named=self._names,
            seats=[],
            results=results(self._rules, record.ranks, record.scores, teams_of(self._rules, record.players)),
            decisions=[],
            unweighed=[],
        )

    def _keep(self, record: GameRecord, analysis: GameAnalysis) -> None:
        if self._cache is not None:
            self._cache.put(record, self._rules, self._edition, analysis)


def _with(
    before: GameAnalysis,
    asked: RecordedDecision,
    weighed: WeighedChoices | None,
    named: Mapping[str, int],
    words: Words,
    rules: Rules,
) -> GameAnalysis:
    """Return what was found with one more decision."""
    if weighed is None:
        return msgspec.structs.replace(before, unweighed=[*before.unweighed, (asked.seat, asked.turn)])
    choices = [
        Choice(
            action=each.action,
            text=words.named(words.action(asked.offered[each.action])),
            value=round(each.value, _PLACES),
            lost=round(each.lost, _PLACES),
            error=round(each.error, _PLACES),
            by=[bot for bot, index in named.items() if index == each.action],
            **(_shown(rules, asked, each.action) if each.lost > 0 else {}),
        )
        for each in weighed.values
    ]
    decision = AnalysedDecision(
        place=asked.place,
        seat=asked.seat,
        turn=asked.turn,
        step=asked.public,
        phase=asked.state.phase,
        options=len(asked.offered),
        played=_played(asked),
        choices=choices,
        chances=[round(each, _PLACES) for each in weighed.chances],
        random=round(weighed.random, _PLACES),
        spread=round(weighed.spread, _PLACES),
    )
    return msgspec.structs.replace(before, decisions=sorted([*before.decisions, decision], key=lambda each: each.place))


def _played(asked: RecordedDecision) -> int:
    assert asked.step.index is not None
    return asked.step.index


def _shown(rules: Rules, asked: RecordedDecision, index: int) -> dict[str, Any]:
    """Return what of a choice can be shown on a board and in a hand."""
    if not isinstance(rules, Illustrated):
        return {}
    after = asked.state.copy()
    after.play(index)
    place, to = (rules.scene(state.view(None))["at"][asked.seat] for state in (asked.state, after))
    held = Counter(rules.hand(asked.state.view(asked.seat))) - Counter(rules.hand(after.view(asked.seat)))
    return {"way": None if None in (place, to) or place == to else (place, to), "cards": sorted(held.elements())}


class AnalysisCache:
    """What was found of a tournament's games, in a file beside its ledger that may be removed at any time.

    It is a file like that of page data, and another one, so that no running tournament waits for it.
    """

    def __init__(self, folder: Path, writing: bool = False) -> None:
        """Take the ledger's folder. Nothing is opened before it is needed."""
        self._kept = PageDataCache(folder, writing, CACHE)

    def get(self, record: GameRecord, rules: Rules, edition: Data) -> GameAnalysis | None:
        """Return what was found of a game, if it still holds."""
        kept = self._kept.get(record.id)
        if kept is None or kept.key != _key(record, rules, edition):
            return None
        try:
            data = zlib.decompressobj().decompress(kept.data, _LONGEST)
            return msgspec.json.decode(data, type=GameAnalysis)
        except (zlib.error, msgspec.DecodeError, RecursionError):  # a ledger may come from anybody
            return None

    def mark(self, game_id: str) -> str:
        """Return what changes with all that was found of a game; empty if nothing was."""
        kept = self._kept.get(game_id)
        return "" if kept is None else blake2b(kept.data, digest_size=8).hexdigest()

    def put(self, record: GameRecord, rules: Rules, edition: Data, analysis: GameAnalysis) -> None:
        """Keep what was found of a game, if that is possible."""
        data = zlib.compress(encode(analysis))
        self._kept.put(record.id, PageDataRecord(_key(record, rules, edition), data), at_once=True)

    def close(self) -> None:
        """Close the file."""
        self._kept.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()


@cache
def _sources(rules: str, packages: tuple[str, ...]) -> str:
    return source_hash(("arena.analysis", *packages), catalog.version(rules))


def _key(record: GameRecord, rules: Rules, edition: Data) -> str:
    """Hash all that an analysis follows from."""
    digest = blake2b(_sources(rules.name, packages_of(rules)).encode(), digest_size=16)
    digest.update(encode([edition, record]))
    return digest.hexdigest()
