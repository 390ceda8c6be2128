"""Turn what happens in a run into events for its hooks: with how the bots stand, the same for any number of workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from arena.common.printable import counted, printable, shorten
from arena.common.progress import Progress, said_if_long
from arena.ledger import GameSummary, Ledger, brief_results
from arena.standings import leaderboard, rated_results
from arena.standings.compute import PLACES, own_system
from arena.standings.lead import lead_in_words, running_lead, running_lead_in_words
from arena.standings.rows import Leaderboard, LeaderboardRow
from arena.standings.running import RunningRow, RunningTable
from arena.tournament.hooks.commands import Hooks
from arena.tournament.hooks.events import (
    MOST_FAULTS,
    MOST_ROWS,
    FaultEvent,
    FinishedEvent,
    GamesSoFar,
    HeadEvent,
    HookEvent,
    HookFault,
    Move,
    RankChangedEvent,
    RoundEvent,
    StandingsRow,
    SuspendedEvent,
    TournamentEvent,
    TournamentFacts,
)
from arena.tournament.hooks.runner import HookRunner
from arena.tournament.observer import PublishedHead, RunObserver, RunOutcome, RunStart
from arena.tournament.schedule.history import IN_A_ROW

_CHUNK: Final = 200
"""Games that are read and rated at once."""
_SHARE: Final = 4
"""After a chunk follows a pause of this many times as long as it took, because the bots need the cores more."""
_NAMED: Final = 3
"""Bots that a text names."""


@dataclass(frozen=True)
class AfterRound:
    """How the bots stand after a round."""

    standings: list[StandingsRow]
    order: list[str]
    """All bots of the field that have played, best first."""
    order_before: list[str]
    """The same after the round before."""
    leaders: list[str]
    """All that may be the best, or the one with the best rating if nothing is known about that; best first."""
    leaders_before: list[str]
    """The same after the round before."""
    words: str
    """Who leads."""

    @property
    def moves(self) -> list[Move]:
        """Return who has another rank than before. A bot that had not played is among them if others had."""
        before = {bot: rank for rank, bot in enumerate(self.order_before, start=1)}
        after = enumerate(self.order, start=1)
        return [Move(bot, before.get(bot), rank) for rank, bot in after if before.get(bot) != rank]

    def moves_in_words(self) -> str:
        """Return whose rank has changed."""
        if set(self.leaders) != set(self.leaders_before):
            return f"{self.words} (before: {', '.join(self.leaders_before)})"
        up = [move for move in self.moves if move.before is None or move.after < move.before]
        texts = [f"{move.bot} is {_rank(move.after)} (before: {_rank(move.before)})" for move in up[:_NAMED]]
        more = f" and {len(up) - _NAMED} more have moved up" if len(up) > _NAMED else ""
        return "by rating, " + ", ".join(texts) + more


class RoundCourse:
    """Reads the games of a ledger in the order of the schedule, round after round."""

    def __init__(self, folder: Path, pause: Callable[[float], bool]) -> None:
        """Begin before the first game. `pause` waits that many seconds, and returns whether to go on."""
        self._folder = folder
        self._pause = pause
        self._read = 0
        self._table: RunningTable | None = None
        self._order: list[str] = []
        self._leaders: list[str] = []

    def catch_up(self, end: int) -> list[HookEvent]:
        """Read the games before a place, in pieces with pauses between them. Return no event."""
        if self._read_to(end) and self._table is not None:
            rows = self._table.rows()
            self._order, self._leaders = _order(rows), _leaders(rows)
        return []

    def advance(self, end: int) -> AfterRound | None:
        """Read on up to the end of a round, and return how the bots stand there. None: there is no time for that."""
        if not self._read_to(end) or self._table is None:
            return None
        with Ledger.open(self._folder) as ledger:
            self._table.suspend(ledger.settings.rated.suspended)
        rows = self._table.rows()
        before, self._order = self._order, _order(rows)
        led, self._leaders = self._leaders, _leaders(rows)
        words = running_lead_in_words(rows, str) or "nobody leads"
        standings = [_standing(rank, row) for rank, row in enumerate(rows[:MOST_ROWS], start=1)]
        return AfterRound(standings, self._order, before, self._leaders, led, words)

    def _read_to(self, end: int) -> bool:
        while self._read < end:
            began = time.monotonic()
            upto = min(end, self._read + _CHUNK)
            with Ledger.open(self._folder) as ledger:
                if self._table is None:
                    self._table = RunningTable(ledger.field(), own_system(ledger))
                rated = ledger.settings.rated
            for game in brief_results(self._folder, self._read, upto):
                if rated.counts(game.bots, game.index):
                    self._table.add(game)
            self._table.rate()
            self._read = upto
            if self._read < end and not self._pause(_SHARE * (time.monotonic() - began)):
                return False
        return True


def final_standings(board: Leaderboard) -> list[StandingsRow]:
    """Return the rows of a leaderboard over all player counts."""
    return [_standing(rank, row) for rank, row in enumerate((board.overall or [])[:MOST_ROWS], start=1)]


def _standing(rank: int, row: RunningRow | LeaderboardRow) -> StandingsRow:
    values = {name: round(value, PLACES) for name, value in row.values.items()}
    finish, wins = (None if value is None else round(value, PLACES) for value in (row.mean_finish, row.wins))
    faults = {code: count for code, count in row.faults.items() if count}
    place = rank if row.in_field else None
    return StandingsRow(place, row.band, row.bot, values, row.bound, row.games, finish, wins, faults, row.suspended)


def _order(rows: Sequence[RunningRow]) -> list[str]:
    return [row.bot for row in rows if row.games and row.in_field]


def _leaders(rows: Sequence[RunningRow]) -> list[str]:
    found = running_lead(rows)
    return [] if found is None else found.bots


def _rank(rank: int | None) -> str:
    if rank is None:
        return "new"
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


_TEXT: Final = 300
"""The most characters of a text about a fault."""

Make = Callable[[GamesSoFar], Sequence[HookEvent]]


@contextmanager
def hooked(
    hooks: Hooks | None, commands: Mapping[str, Sequence[str]], progress: Progress
) -> Iterator[list[RunObserver]]:
    """Run the hooks while a tournament is played in the block, and what is left of them behind it.

    `commands`: see `Hooks.commands`.
    """
    if hooks is None or not commands:
        yield []
        return
    runner = HookRunner(commands, hooks.place(), hooks.timeout, progress.say)
    observer = HookObserver(runner, commands)
    try:
        yield [observer]
        if observer.outcome is None:
            return  # interrupted
        try:
            with said_if_long(progress, "waiting for the hooks"):
                runner.close(observer.last())
        except KeyboardInterrupt:
            observer.outcome.interrupted = True
    finally:
        runner.kill()


class HookObserver(RunObserver):
    """Follows a run, and submits events. What takes longer than a moment is done in the thread of the hooks."""

    def __init__(self, runner: HookRunner, wanted: Collection[str]) -> None:
        """Begin without results. `wanted`: the events that have a command."""
        self._runner = runner
        self._wanted = set(wanted)
        self._played = 0
        self._kept: dict[str, _KeptFaults] = {}
        """By bot that has committed a fault since the last round: those of which no event was made."""
        self._start: RunStart | None = None
        self._course: RoundCourse | None = None
        self.outcome: RunOutcome | None = None
        """None: the run has not come to its end."""

    def on_begin(self, start: RunStart) -> None:
        """Have the games of earlier runs read, when there is time."""
        self._start = start
        if self._wanted & {"round", "rank_changed"}:
            self._course = RoundCourse(start.folder, self._runner.pause)
            self._runner.submit(partial(self._course.catch_up, start.complete))

    def on_game(self, game: GameSummary) -> None:
        """Send the first faults of a bot in a round at once, and keep the others."""
        self._played += 1
        if "fault" not in self._wanted:
            return
        found: dict[str, _KeptFaults] = {}
        for fault in game.faults:
            if fault.seat is not None:
                text = shorten(printable(fault.text), _TEXT)
                found.setdefault(game.bots[fault.seat], _KeptFaults()).add(
                    HookFault(game.id, fault.code, fault.turn, text)
                )
        for bot, faults in found.items():
            if bot in self._kept:
                self._kept[bot].extend(faults)
            else:
                self._kept[bot] = _KeptFaults()
                self._submit(partial(self._fault_event, bot, faults))

    def on_suspended(self, bot: str) -> None:
        """Send that a bot is suspended."""
        if "suspended" in self._wanted:
            self._submit(partial(self._suspended_event, bot))

    def on_round(self, number: int, end: int) -> None:
        """Send the faults that were kept, and how the bots stand."""
        self._submit_kept()
        if self._course is not None:
            self._submit(partial(self._round_events, self._course, number, end))

    def on_head(self, head: PublishedHead) -> None:
        """Send a published head."""
        if "head" in self._wanted:
            self._submit(partial(self._head_event, head))

    def on_end(self, outcome: RunOutcome) -> None:
        """Send the faults that were kept, and remember how it ended."""
        self._submit_kept()
        self.outcome = outcome

    def last(self) -> Callable[[], Sequence[HookEvent]] | None:
        """Return what makes the event of the end. Return None if it is not wanted, or nothing was played."""
        outcome = self.outcome
        if outcome is None or "finished" not in self._wanted or not (outcome.played or outcome.set_aside):
            return None
        return partial(self._finished_event, outcome, self._games())

    def _submit_kept(self) -> None:
        for bot, faults in self._kept.items():
            if faults.count:
                self._submit(partial(self._fault_event, bot, faults))
        self._kept = {}

    def _submit(self, make: Make) -> None:
        self._runner.submit(partial(make, self._games()))

    def _games(self) -> GamesSoFar:
        assert self._start is not None
        played = self._start.recorded + self._played
        return GamesSoFar(played, None if self._start.expected is None else max(self._start.expected, played))

    # In the thread of the hooks

    def _facts(self) -> TournamentFacts:
        assert self._start is not None
        folder = self._start.folder
        with Ledger.open(folder) as ledger:
            settings = ledger.settings
        return TournamentFacts(
            folder=str(folder.absolute()),
            game=settings.game,
            edition=settings.edition_name,
            format=settings.format,
            players=settings.players,
            bots=len(self._start.field),
        )

    def _event(self, kind: type[TournamentEvent], text: str, games: GamesSoFar, **said: Any) -> HookEvent:
        return kind(text=printable(text), tournament=self._facts(), games=games, **said)

    def _fault_event(self, bot: str, faults: _KeptFaults, games: GamesSoFar) -> list[HookEvent]:
        first = faults.first[0]
        what = f"{first.code} in {first.game} ({first.text})"
        text = (
            f"{bot}: {what}" if faults.count == 1 else f"{bot} has committed {faults.count} faults, the first: {what}"
        )
        return [self._event(FaultEvent, text, games, bot=bot, count=faults.count, faults=faults.first)]

    def _suspended_event(self, bot: str, games: GamesSoFar) -> list[HookEvent]:
        text = f"{bot} retired in {IN_A_ROW} games in a row and is suspended"
        return [self._event(SuspendedEvent, text, games, bot=bot, retired_in_a_row=IN_A_ROW)]

    def _head_event(self, head: PublishedHead, games: GamesSoFar) -> list[HookEvent]:
        text = f"head {head.head} after {counted(head.games, 'game')}, {head.moment}"
        return [self._event(HeadEvent, text, games, head=head.head, moment=head.moment, entries=head.entries)]

    def _round_events(self, course: RoundCourse, number: int, end: int, games: GamesSoFar) -> list[HookEvent]:
        after = course.advance(end)
        if after is None:
            return []
        found, said = list[HookEvent](), {"round": number + 1, "standings": after.standings}
        if "round" in self._wanted:
            found.append(self._event(RoundEvent, f"round {number + 1}: {after.words}", games, **said))
        if "rank_changed" in self._wanted and after.order_before and after.moves:
            text = f"after round {number + 1}, {after.moves_in_words()}"
            led = {"leaders": after.leaders, "leaders_before": after.leaders_before, "moves": after.moves}
            found.append(self._event(RankChangedEvent, text, games, **led, **said))
        return found

    def _finished_event(self, outcome: RunOutcome, games: GamesSoFar) -> list[HookEvent]:
        with Ledger.open(outcome.folder) as ledger:
            results = rated_results(ledger)
            board, rated = leaderboard(ledger, results=results), len(results)
        lead = lead_in_words(board.overall or [], board.columns, str)
        return [
            self._event(
                FinishedEvent,
                f"finished after {games.played} games: {lead or 'nobody leads'}",
                games,
                rated=rated,
                complete=not (outcome.is_short or outcome.set_aside or board.uncontested.are_most),
                set_aside=outcome.set_aside,
                suspended=outcome.suspended,
                left_out=sorted(outcome.left_out),
                standings=final_standings(board),
            )
        ]


class _KeptFaults:
    """Counts faults, and keeps the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[HookFault] = []

    def add(self, fault: HookFault) -> None:
        self.count += 1
        if len(self.first) < MOST_FAULTS:
            self.first.append(fault)

    def extend(self, others: _KeptFaults) -> None:
        self.count += others.count
        self.first += others.first[: MOST_FAULTS - len(self.first)]
