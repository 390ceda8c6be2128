"""Play what is asked for of a tournament and not yet recorded, record it, and say which games count."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile
from pathlib import Path
from typing import Final

import msgspec

from arena.common.progress import Progress, said_if_long
from arena.entrants import Built, Entrant, EntrantError
from arena.ledger import BlockRecord, Ledger, RatedGames, committed_seeds, renew_seed, reveal_seeds
from arena.match.spec import MatchSpec
from arena.referee.config import RefereeConfig
from arena.tournament.admission import rebuild
from arena.tournament.budget import Budget, Demand
from arena.tournament.capacity import kept_bots
from arena.tournament.dispatch import Dispatcher
from arena.tournament.fixtures import ATTEMPTS, recorded_fixtures, set_aside
from arena.tournament.formats import recorded_format
from arena.tournament.formats.conclusions import conclusions
from arena.tournament.plan import DEFAULT_GAMES, Plan
from arena.tournament.suspension import IN_A_ROW
from arena.tournament.workers import MakeExecutor, PlayedMatch

_log = logging.getLogger(__name__)

Clock = Callable[[], float]

_FEW_FAILURES: Final = 8
ENOUGH: Final = 0.5
"""The share of the games asked for that must count if a run is to be called complete."""


@dataclass
class RunOutcome:
    """How a run ended."""

    folder: Path
    played: int = 0
    """Games played by this run."""
    rated: int = 0
    """Length of the schedule's beginning that the tables are made of."""
    counting: int = 0
    """Games that count of those that were asked for, which are between bots of the field."""
    asked: int | None = None
    """Games that were asked for; None: not a number of games."""
    set_aside: list[str] = field(default_factory=list)
    """Games that failed twice through our own fault."""
    suspended: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """Bots that take no part, and why: the cause in the first line."""
    interrupted: bool = False
    conclusions: list[str] = field(default_factory=list)
    """What the format has found out, in a line each."""

    @property
    def is_short(self) -> bool:
        """Return whether most of the games that were asked for could not be played."""
        return not self.interrupted and self.asked is not None and self.counting < ENOUGH * self.asked


class Player:
    """One run over an open ledger."""

    def __init__(
        self,
        plan: Plan,
        ledger: Ledger,
        built: Mapping[str, Built],
        stay: Sequence[Entrant],
        progress: Progress,
        make: MakeExecutor,
        clock: Clock,
        changes: Sequence[str] = (),
    ) -> None:
        """Read the ledger.

        Args:
            plan: says how much is asked for.
            ledger: open to write.
            built: bots that are ready to play, by label.
            stay: the other bots of the field, each named by its label.
            progress: gets what happens.
            make: makes an executor for each worker.
            clock: for a plan with minutes; in seconds.
            changes: of the field, in a line each, to be said before play.
        """
        self._plan = plan
        self._ledger = ledger
        self._built = built
        self._stay = stay
        self._progress = progress
        self._make = make
        self._clock = clock
        self._changes = changes
        self._settings = ledger.settings
        self._events = ledger.field_events()
        self._field = ledger.field()
        seeds = committed_seeds(ledger)
        self._format = recorded_format(self._settings, seeds.schedule)
        self._budget = _budget(plan, self._format.ends)
        self._left_out = {each.name: each.left_out for each in ledger.left_out() if each.left_out is not None}
        self._out = RunOutcome(ledger.folder, asked=self._budget.games, left_out=self._left_out)
        with said_if_long(progress, "reading the games played so far"):
            self._fixtures = recorded_fixtures(ledger, self._format, seeds, ledger.add_blocks)
        self._asked: int | None = None
        self._failures = 0
        """Games that this run has set aside."""
        self._skipped = 0
        """Player counts for which there were too few bots when that was said last."""

    def go(self) -> RunOutcome:
        """Play, and return how it ended."""
        self._say_too_few()
        with said_if_long(self._progress, f"drawing the schedule of {len(self._field)} bots"):
            to_play = self._to_play()
            first = next(to_play, None)
            recorded = len(self._ledger.ids())
            left = self._left()
            self._asked = None if left is None else recorded + left
            self._rate(None)
            self._ledger.set_meta("finished", False)  # perhaps it was, and goes on
            self._ledger.note_run()
        to_come = "" if left is None else f"; {left} games to play"
        for line in self._changes:
            self._progress.say(line + (to_come if line is self._changes[-1] else ""))
        if first is None:
            self._progress.say("nothing is left to play")
        else:
            self._play(chain([first], to_play), left)
        if not self._out.interrupted:
            with said_if_long(self._progress, "looking through the games that were played"):
                self._finish()
        return self._out

    def _new_demand(self) -> Demand:
        return Demand(self._budget, self._settings.players, self._events, self._format.due)

    def _left(self) -> int | None:
        """Return about how many games there are to play."""
        demand, number = self._new_demand(), 0
        open_games = 0
        while number < self._fixtures.schedule.drawn and not demand.is_met(self._fixtures.schedule.round_of(number)):
            block = self._add(demand, number)
            open_games += 0 if block is None else self._fixtures.unknown(block)
            number += 1
        return None if demand.left is None else demand.left + open_games

    def _add(self, demand: Demand, number: int) -> BlockRecord | None:
        """Add a block to what is demanded, and return it. None: it is not known yet."""
        block = self._fixtures.look(number)
        if block is not None:
            gone = self._fixtures.history.suspensions.gone(block.place + len(block.bots))
            demand.add(block, self._fixtures.counting(block), gone)
        return block

    def _to_play(self) -> Iterator[MatchSpec | None]:
        """Yield the games that are to be played, and None if the next one depends on games that are being played.

        Which games those are is found out anew when a game turns out to be missing or suspends a bot, because others
        are played in their stead.
        """
        fixtures = self._fixtures
        news, demand, number = fixtures.news, self._new_demand(), 0
        while True:
            if news != fixtures.news:
                news, demand, number = fixtures.news, self._new_demand(), 0
            enough = demand.is_met(fixtures.schedule.round_of(number))
            enough = enough or self._failures > self._most_failures()
            block = None if enough else fixtures.look(number)
            if block is None:
                if not fixtures.pending:
                    return
                yield None
                continue
            if fixtures.seeds.is_public and not self._settings.seed_given and fixtures.unknown(block):
                fixtures.seeds = renew_seed(self._ledger, fixtures.first_open(block))
            yield from fixtures.open_games(block)
            self._add(demand, number)
            number += 1
            if number == fixtures.schedule.drawn and demand.left is not None:  # more exactly than was thought
                self._progress.expect(self._out.played + fixtures.pending + demand.left)

    def _play(self, to_play: Iterator[MatchSpec | None], left: int | None) -> None:
        plan = self._plan
        stay = rebuild(self._stay, self._cannot_go_on, self._progress) if self._stay else {}
        built = {**self._built, **stay}
        trace = self._ledger.folder / "trace" if plan.trace else None
        kept = kept_bots(plan.workers(), max(self._settings.players))
        config = RefereeConfig(self._settings.game, self._settings.edition, plan.time(), built, trace=trace, kept=kept)
        ends = None if plan.minutes is None else self._clock() + 60 * plan.minutes
        asked = "all games that can be played" if left is None else f"{left} games"
        _log.info("%s: %s are to be played by %s", self._ledger.folder, asked, ", ".join(built))
        self._progress.stage("playing", left)
        workers = plan.workers() if left is None else max(1, min(plan.workers(), left))
        dispatcher = Dispatcher(config, workers, self._make)
        specs: dict[str, MatchSpec] = {}

        def playable(spec: MatchSpec) -> bool:
            if ends is not None and self._clock() >= ends:
                return False
            if self._fixtures.history.suspensions.excludes(spec.bots, spec.index):
                self._say_suspended(self._fixtures.missing(spec.index))
                return False
            specs[spec.id] = spec
            return True

        issued = to_play if ends is None else takewhile(lambda _: self._clock() < ends, to_play)
        try:
            for played in dispatcher.play(issued, left, playable):
                self._record(played, specs.pop(played.record.id), dispatcher)
            with said_if_long(self._progress, "ending the bots"):
                dispatcher.close()
        except KeyboardInterrupt:
            _log.info("interrupted: the workers are ended")
            self._out.interrupted = True
            dispatcher.kill()
        except BaseException:
            dispatcher.kill()
            raise

    def _record(self, played: PlayedMatch, spec: MatchSpec, dispatcher: Dispatcher) -> None:
        """Write a game that has ended to the ledger, with its page data; play a void one again, or set it aside."""
        record = played.record
        self._ledger.record(record, played.page_data)
        if record.ending != "void":
            self._out.played += 1
            self._progress.advance(record.id)
            self._say_suspended(self._fixtures.played(record))
        elif self._ledger.voids()[record.id] < ATTEMPTS:
            why = _last_line(record.error)
            _log.info("%s is played again", record.id)
            self._progress.say(f"{record.id} failed through no fault of the bots and is played again: {why}")
            dispatcher.again(spec)
        else:
            _log.warning("%s was void twice and is set aside", record.id)
            self._failures += 1
            if self._failures == self._most_failures() + 1:
                self._progress.say(f"{self._failures} games failed twice: no more are begun until the cause is found")
            self._say_suspended(self._fixtures.missing(record.index))
            self._progress.say(f"{record.id} failed again and is set aside: {_last_line(record.error)}")

    def _most_failures(self) -> int:
        """Return how many games of this run may be set aside before it ends: each is made up for by another."""
        return max(_FEW_FAILURES, (self._budget.games or 0) // 20)

    def _say_suspended(self, suspended: list[str]) -> None:
        for bot in suspended:
            _log.info("%s is suspended", bot)
            self._progress.say(f"{bot} retired in {IN_A_ROW} games in a row and is suspended")
        if suspended:
            self._rate(None)
            self._say_too_few()

    def _say_too_few(self) -> None:
        """Say which games cannot be played because too few bots are left."""
        suspensions = self._fixtures.history.suspensions
        suspended = suspensions.suspended(suspensions.reached)
        living = sum(bot not in suspended for bot in self._field)
        skipped = [count for count in self._settings.players if count > living]
        if len(skipped) > self._skipped:
            self._skipped = len(skipped)
            there = "there is 1 bot" if living == 1 else f"there are {living} bots"
            if skipped == self._settings.players:
                need = f"the games are for {min(skipped)} at least"
                self._progress.say(f"no game can be played any more: {there}, {need}")
            else:
                self._progress.say(f"skipped games of {', '.join(map(str, skipped))}: {there}")

    def _cannot_go_on(self, name: str, reason: str) -> None:
        raise EntrantError(f"{name} took part in this tournament and cannot be built any more: {reason}")

    def _finish(self) -> None:
        """Say which games the final tables are made of: those asked for, or the longest beginning without a gap."""
        demand, number, end = self._new_demand(), 0, 0
        schedule = self._fixtures.schedule
        while number < schedule.drawn and not demand.is_met(schedule.round_of(number)):
            block = self._fixtures.look(number)
            if block is None or self._fixtures.unknown(block):
                break
            self._add(demand, number)
            if self._fixtures.counting(block):
                end = block.place + len(block.bots)
            number += 1
        self._rate(end)
        _log.info("%s is finished: the first %d games of the schedule are rated", self._ledger.folder, end)
        self._out.rated = end
        self._out.counting = demand.games
        self._out.set_aside = sorted(set_aside(self._ledger.voids()))
        self._out.suspended = sorted(set(self._fixtures.history.suspensions.suspended(end)) & set(self._field))
        self._out.conclusions = conclusions(self._format, schedule.field(schedule.round_of(schedule.drawn)))
        if self._fixtures.is_gapless():  # else some game whose seed would be known is still to be played
            reveal_seeds(self._ledger)
        self._ledger.set_meta("finished", True)
        self._ledger.note_run()

    def _rate(self, end: int | None) -> None:
        """Write which games count: those before `end`, or all so far. What follows from later games is left out."""
        suspensions = self._fixtures.history.suspensions
        place = suspensions.reached if end is None else end
        suspended = suspensions.suspended(place)
        rated = RatedGames(
            games=end,
            suspended={bot: suspended[bot] for bot in sorted(suspended) if bot in self._field},
            absent=suspensions.absent_before(place),
            asked=self._asked if end is None else end,
        )
        self._ledger.set_meta("rated", msgspec.to_builtins(rated))


def _budget(plan: Plan, ends: bool) -> Budget:
    if plan.minutes is not None or (ends and plan.rounds is None and plan.games is None):
        return Budget()
    return Budget(rounds=plan.rounds) if plan.rounds is not None else Budget(games=plan.games or DEFAULT_GAMES)


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1] if text.strip() else "unknown"
