"""Play what is asked for of a tournament and not yet recorded, record it, and say which games count."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, takewhile

import msgspec

from arena.common.machine import machine
from arena.common.progress import Progress, said_if_long
from arena.entrants import Built, Entrant, EntrantError
from arena.formats import conclusions, placings, recorded_format
from arena.game.spec import GameSpec
from arena.isolation.settings import NONE, Isolation
from arena.ledger import (
    GameSummary,
    Ledger,
    RunBudget,
    committed_seeds,
    is_set_aside,
    renew_seed,
    reveal_seeds,
)
from arena.referee.config import RefereeConfig
from arena.tournament.admission import rebuild
from arena.tournament.capacity import helpers_of_bots, kept_bots
from arena.tournament.dispatch import Dispatcher
from arena.tournament.game_recorder import GameRecorder
from arena.tournament.head_publisher import HeadPublisher
from arena.tournament.observer import RunObserver, RunOutcome, RunStart
from arena.tournament.open_ledger import check_place
from arena.tournament.plan import DEFAULT_GAMES, Plan
from arena.tournament.schedule.budget import Demand, add_block, most_failures, rated_end, rated_games
from arena.tournament.schedule.fixtures import Fixtures
from arena.tournament.schedule.history import IN_A_ROW
from arena.tournament.schedule.order import OrderProgress, recorded_resolution
from arena.tournament.schedule.void_games import next_attempt
from arena.tournament.spectator_feed import watchable
from arena.tournament.workers import MakeExecutor, Workforce

_log = logging.getLogger(__name__)

Clock = Callable[[], float]


class TournamentRun:
    """One run over an open ledger."""

    def __init__(
        self,
        plan: Plan,
        ledger: Ledger,
        built: Mapping[str, Built],
        stay: Sequence[Entrant],
        progress: Progress,
        make: MakeExecutor | Workforce,
        clock: Clock,
        changes: Sequence[str] = (),
        observers: Sequence[RunObserver] = (),
        isolation: Isolation = NONE,
        *,
        says_head: bool = True,
    ) -> None:
        """Read the ledger.

        Args:
            plan: says how much is asked for.
            ledger: open to write.
            built: bots that are ready to play, by label.
            stay: the other bots of the field, each named by its label.
            progress: gets what happens.
            make: makes an executor for each worker; or a workforce that has them.
            clock: for a plan with minutes; in seconds.
            changes: of the field, in a line each, to be said before play.
            observers: follow the run.
            isolation: how the bots are kept apart.
            says_head: whether the chain's head is said, which nobody publishes of a comparison.
        """
        self._says_head = says_head
        self._plan = plan
        self._ledger = ledger
        self._built = built
        self._stay = stay
        self._progress = progress
        self._make = make
        self._clock = clock
        self._changes = changes
        self._observers = observers
        self._isolation = isolation
        self._settings = ledger.settings
        self._events = ledger.field_events()
        self._field = ledger.field()
        seeds = committed_seeds(ledger)
        self._format = recorded_format(self._settings, seeds.schedule)
        self._budget = budget_of(plan, self._format.ends)
        self._left_out = {each.name: each.left_out for each in ledger.left_out() if each.left_out is not None}
        self._out = RunOutcome(ledger.folder, asked=self._budget.games, left_out=self._left_out)
        with said_if_long(progress, "reading the games played so far"):
            self._fixtures = Fixtures(ledger, self._format, seeds, ledger.add_blocks)
        self._recorder = GameRecorder(ledger, self._fixtures.void_games)
        self._heads = HeadPublisher(plan, ledger, observers, progress.say, clock)
        self._order = OrderProgress(self._format, progress)
        self._demand, self._number = self._new_demand(), 0
        """Of the blocks that have been looked at for games to play, and how many these are."""
        self._expected: int | None = None
        self._recorded = 0
        """Games of earlier runs."""
        self._uncharged = self._fixtures.void_games.uncharged
        """Failures of earlier runs that were charged to nobody."""
        self._failures = 0
        """Failures of this run that were charged to nobody."""
        self._closed = 0
        """Rounds of whose end the observers know."""
        self._skipped = 0
        """Player counts for which there were too few bots when that was said last."""

    def play_games(self) -> RunOutcome:
        """Play, and return how it ended."""
        self._say_too_few()
        with said_if_long(self._progress, f"drawing the schedule of {len(self._field)} bots"):
            to_play = self._to_play()
            first = next(to_play, None)
            if first is not None:
                note_conditions(self._ledger, self._isolation, self._make)
            recorded = self._ledger.played()
            left = self._left()
            self._recorded = recorded
            self._expected = None if left is None else recorded + left
            self._rate(None)
            budget = msgspec.to_builtins(self._budget)
            if first is not None or not self._settings.finished or self._ledger.chain.last("run") != ["run", budget]:
                self._ledger.begin_run(budget)
            self._ledger.set_meta("finished", False)  # perhaps it was, and goes on
            if self._settings.resolution is not None:
                self._ledger.set_meta("resolution", None)
            if self._settings.placings:
                self._ledger.set_meta("placings", [])
            self._ledger.note_run()
        if self._says_head:
            is_new = not recorded and self._settings.beacon is None
            head = f"head so far: {self._ledger.chain.head()}"
            for_others = f"to publish if others are to check this: {commitment(self._ledger)}"
            self._progress.say(for_others if is_new else head)
        to_come = "" if left is None else f"; {left} games to play"
        for line in self._changes:
            self._progress.say(line + (to_come if line is self._changes[-1] else ""))
        self._begin_observing(recorded)
        if first is not None:
            self._heads.begin()
        if first is None:
            self._progress.say("nothing is left to play")
        else:
            self._play(chain([first], to_play), left)
        if not self._out.interrupted:
            with said_if_long(self._progress, "looking through the games that were played"):
                self._finish()
        self._out.head = self._ledger.chain.head()
        self._heads.end()
        if not self._out.interrupted:
            for observer in self._observers:
                observer.on_end(self._out)
        return self._out

    def _begin_observing(self, recorded: int) -> None:
        complete = max((end for _, end in self._complete_rounds()), default=0)
        drawn = self._fixtures.schedule.end
        game = self._settings.game
        start = RunStart(self._ledger.folder, self._field, drawn, complete, recorded, self._expected, game)
        if self._settings.dealing is not None:
            start = start._replace(dealing=self._settings.dealing)
        for observer in self._observers:
            observer.on_begin(start)

    def _complete_rounds(self) -> Iterator[tuple[int, int]]:
        """Yield each round all of whose games are known by now, with the place behind it; each round once."""
        reached = self._fixtures.history.reached
        while (end := self._fixtures.schedule.begin_of(self._closed + 1)) is not None and end <= reached:
            self._closed += 1
            yield self._closed - 1, end

    def _new_demand(self) -> Demand:
        return Demand(self._budget, sorted(self._settings.entrants), self._events, self._format.due)

    def _left(self) -> int | None:
        """Return about how many games there are to play, before the first is played."""
        demand, number, open_games = self._demand.copy(), self._number, 0
        while number < self._fixtures.schedule.drawn and not demand.is_met(self._fixtures.schedule.round_of(number)):
            block = add_block(demand, self._fixtures, number)
            open_games += 0 if block is None else self._fixtures.unknown(block)
            number += 1
        return None if demand.left is None else demand.left + open_games

    def _to_play(self) -> Iterator[GameSpec | None]:
        """Yield the games that are to be played, and None if the next one depends on games that are being played.

        Which games those are is found out anew when a game turns out to be missing or suspends a bot, because others
        are played in their stead.
        """
        fixtures = self._fixtures
        surprises, self._demand, self._number = fixtures.surprises, self._new_demand(), 0
        while True:
            if surprises != fixtures.surprises:
                surprises, self._demand, self._number = fixtures.surprises, self._new_demand(), 0
            enough = self._demand.is_met(fixtures.schedule.round_of(self._number))
            enough = enough or self._failures > most_failures(self._budget.games)
            block = None if enough else fixtures.block(self._number)
            if block is None:
                if not fixtures.pending:
                    return
                yield None
                continue
            if fixtures.seeds.is_public and not self._settings.seed_given and fixtures.unknown(block):
                fixtures.seeds = renew_seed(self._ledger, fixtures.first_open(block))
            yield from fixtures.open_games(block)
            add_block(self._demand, fixtures, self._number)
            self._number += 1
            playing = fixtures.pending or self._out.played
            if playing and self._number == fixtures.schedule.drawn and (left := self._demand.left) is not None:
                expected = self._out.played + fixtures.pending + left  # more exactly than was thought
                self._progress.expect(expected)
                self._expected = self._recorded + expected

    def _play(self, to_play: Iterator[GameSpec | None], left: int | None) -> None:
        plan = self._plan
        stay = rebuild(self._stay, self._cannot_go_on, self._progress, self._isolation) if self._stay else {}
        built = {**self._built, **stay}
        self._note_builds(stay)
        trace = self._ledger.folder / "trace" if plan.trace else None
        helpers = helpers_of_bots(self._isolation, [each.entrant for each in built.values()])
        kept = kept_bots(plan.workers(), max(self._settings.players), helpers)
        config = RefereeConfig(self._settings.game, self._settings.edition, plan.time(), built, trace=trace, kept=kept)
        ends = None if plan.minutes is None else self._clock() + 60 * plan.minutes
        asked = "all games that can be played" if left is None else f"{left} games"
        _log.info("%s: %s are to be played by %s", self._ledger.folder, asked, ", ".join(built))
        is_remote = isinstance(self._make, Workforce)
        if len(built) > kept and not is_remote:
            self._progress.say(
                f"each job keeps {kept} of the {len(built)} bots running: when it needs another, "
                "the one that has rested longest is ended"
            )
        self._progress.stage("playing", left)
        asked_workers = plan.jobs if is_remote else plan.workers()
        workers = asked_workers if left is None or asked_workers is None else max(1, min(asked_workers, left))
        one_by_one = any(void.lost for void in self._ledger.voids())
        specs: dict[str, GameSpec] = {}

        def playable(spec: GameSpec) -> bool:
            if ends is not None and self._clock() >= ends:
                return False
            if self._fixtures.history.excludes(spec.bots, spec.index):
                self._say_suspended(self._fixtures.missing(spec.index))
                return False
            specs[spec.id] = spec
            return True

        issued = to_play if ends is None else takewhile(lambda _: self._clock() < ends, to_play)
        with watchable(self._ledger.folder) as watched:
            here = None if is_remote else watched
            dispatcher = Dispatcher(config, workers, self._make, one_by_one, here)
            self._play_all(dispatcher, issued, left, playable, specs)

    def _play_all(
        self,
        dispatcher: Dispatcher,
        issued: Iterator[GameSpec | None],
        left: int | None,
        playable: Callable[[GameSpec], bool],
        specs: dict[str, GameSpec],
    ) -> None:
        """Play games until there are no more, and end the workers however that ends."""
        try:
            for ended in dispatcher.play(issued, left, playable):
                self._out.played += self._recorder.record(ended)
                check_place(self._ledger, self._fixtures.seeds.secret)
                for played in ended:
                    self._follow(played.summary, specs.pop(played.summary.id), dispatcher)
                self._heads.go_on()
            with said_if_long(self._progress, "ending the bots"):
                dispatcher.close()
        except KeyboardInterrupt:
            _log.info("interrupted: the workers are ended")
            self._out.interrupted = True
            dispatcher.kill()
        except BaseException:
            dispatcher.kill()
            raise

    def _note_builds(self, stay: Mapping[str, Built]) -> None:
        """Record what the builds of bots made that played before, and say which of them differ."""
        for name, each in stay.items():
            before = next((entrant.builds for entrant in self._ledger.entrants() if entrant.name == name), [])
            if each.digest and each.digest not in before:
                self._ledger.note_build(name, each.digest)
                if before:
                    self._progress.say(f"{name}: its build made something else of the same source than before")

    def _follow(self, game: GameSummary, spec: GameSpec, dispatcher: Dispatcher) -> None:
        """Tell what follows from a game that was recorded; play a void one again, or set it aside."""
        if game.ending == "void":
            self._follow_void(game, spec, dispatcher)
            return
        for observer in self._observers:
            observer.on_game(game)
        self._progress.advance(game.id)
        void = self._fixtures.history.void_games
        self._say_suspended(self._fixtures.played(game))
        if self._fixtures.history.void_games > void:
            self._rate(None)
        self._note_rounds()

    def _follow_void(self, game: GameSummary, spec: GameSpec, dispatcher: Dispatcher) -> None:
        """Play a game that failed again with another deal, or set it aside."""
        why = _last_line(game.error)
        attempts = self._fixtures.void_games.of(game.id)
        self._count_failures()
        if is_set_aside(attempts):
            _log.warning("%s failed again and is set aside", game.id)
            self._say_suspended(self._fixtures.missing(game.index))
            self._progress.say(f"{game.id} failed again and is set aside: {why}")
            self._note_rounds()
            return
        if (charged := attempts[-1].charged) is not None:
            _log.warning("%s is played again without %s", game.id, charged)
            how = f"failed, as other games with {charged} had, and is played without it"
        else:
            _log.info("%s is played again", game.id)
            how = "failed and is played again with another deal"
        self._progress.say(f"{game.id} {how}: {why}")
        dispatcher.requeue(next_attempt(spec, attempts, self._fixtures.seeds), alone=attempts[-1].lost <= 1)

    def _count_failures(self) -> None:
        """Count failures that nobody is charged with, and say so when there are too many."""
        before, self._failures = self._failures, self._fixtures.void_games.uncharged - self._uncharged
        if before <= most_failures(self._budget.games) < self._failures:
            self._progress.say(
                f"games failed {self._failures} times, and no single bot was always there: no more are begun until "
                "the cause is found"
            )

    def _note_rounds(self) -> None:
        """Tell the observers which rounds are complete now."""
        for number, end in self._complete_rounds():
            for observer in self._observers:
                observer.on_round(number, end)
            self._order.note_knowledge(self._fixtures.schedule.field(number), end)

    def _say_suspended(self, suspended: list[str]) -> None:
        for bot in suspended:
            _log.info("%s is suspended", bot)
            self._progress.say(f"{bot} retired in {IN_A_ROW} games in a row and is suspended")
            for observer in self._observers:
                observer.on_suspended(bot)
        if suspended:
            self._rate(None)
            self._say_too_few()

    def _say_too_few(self) -> None:
        """Say which games cannot be played because too few bots are left."""
        suspensions = self._fixtures.history
        suspended = suspensions.suspended(suspensions.reached)
        living = sum(bot not in suspended for bot in self._field)
        possible = self._settings.counts(living)
        skipped = [count for count in self._settings.players if count not in possible]
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
        demand, schedule = self._new_demand(), self._fixtures.schedule
        end, number = rated_end(demand, self._fixtures)
        if demand.is_over:  # however far the workers came: the rest of what can be drawn is left out
            while self._fixtures.block(number) is not None:
                number += 1
        self._rate(end)
        _log.info("%s is finished: the first %d games of the schedule are rated", self._ledger.folder, end)
        self._out.rated = end
        self._out.counting = demand.games
        self._out.set_aside = sorted(self._fixtures.void_games.set_aside())
        self._out.suspended = sorted(set(self._fixtures.history.suspended(end)) & set(self._field))
        now = schedule.field(schedule.round_of(schedule.drawn))
        self._out.conclusions = conclusions(self._format, now)
        self._out.placings = placings(self._format, now)
        if self._out.placings:
            self._ledger.set_meta("placings", msgspec.to_builtins(self._out.placings))
        if self._fixtures.is_gapless():  # else some game whose seed would be known is still to be played
            reveal_seeds(self._ledger)
        if (resolution := recorded_resolution(self._ledger)) is not None:
            self._ledger.set_meta("resolution", msgspec.to_builtins(resolution))
        self._ledger.end_run()

    def _rate(self, end: int | None) -> None:
        """Write which games count: those before `end`, or all so far."""
        rated = rated_games(self._fixtures, self._field, end, self._budget.games, self._expected)
        self._ledger.set_meta("rated", msgspec.to_builtins(rated))


def note_conditions(ledger: Ledger, isolation: Isolation, make: MakeExecutor | Workforce) -> None:
    """Add to the ledger how bots are kept apart, and on what machine, if that was otherwise in the run before.

    A head that is published before the first game stands for both. What holds limits on other machines, and what these
    are, is known when they play: each game says it.
    """
    if isinstance(make, Workforce):
        ledger.note_isolation(msgspec.structs.replace(isolation, groups=None).recorded)
        return
    ledger.note_isolation(isolation.recorded)
    ledger.note_machine(machine())


def commitment(ledger: Ledger) -> str:
    """Return a line to publish before the first game: its head stands for settings, bots and the hash of the seed."""
    settings, chain = ledger.settings, ledger.chain
    _, budget = chain.last("run") or ("run", {})
    what = f"{settings.game} {settings.edition_name}, {settings.format}, {RunBudget(**budget)}"
    value = "" if settings.beacon_source is None else f", seed with the public value of {settings.beacon_source}"
    return f"{what}, {len(ledger.field())} bots{value}, head {chain.head()}"


def budget_of(plan: Plan, ends: bool) -> RunBudget:
    """Return how much is asked for, as the ledger keeps it. `ends`: see `Format.ends`."""
    if plan.minutes is not None or plan.rounds is not None:
        return RunBudget(rounds=plan.rounds, minutes=plan.minutes)
    return RunBudget() if ends and plan.games is None else RunBudget(games=plan.games or DEFAULT_GAMES)


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1] if text.strip() else "unknown"
