"""Turn what happens in a run into events for its hooks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from arena.common.printable import counted, printable, shorten
from arena.common.progress import Progress, said_if_long
from arena.ledger import GameSummary, Ledger
from arena.standings import leaderboard, rated_results
from arena.standings.lead import lead_in_words
from arena.tournament.hooks.commands import Hooks
from arena.tournament.hooks.course import RoundCourse, final_standings
from arena.tournament.hooks.events import (
    MOST_FAULTS,
    FaultEvent,
    FinishedEvent,
    GamesSoFar,
    HeadEvent,
    HookEvent,
    HookFault,
    RankChangedEvent,
    RoundEvent,
    SuspendedEvent,
    TournamentFacts,
)
from arena.tournament.hooks.runner import HookRunner
from arena.tournament.observer import PublishedHead, RunObserver, RunOutcome, RunStart
from arena.tournament.schedule.history import IN_A_ROW

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

    def _event(self, kind: type[HookEvent], text: str, games: GamesSoFar, **said: Any) -> HookEvent:
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
