"""Runs a tournament: admits bots, plays what the schedule asks for and the ledger lacks, and says how it ended."""

from __future__ import annotations

import logging
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, takewhile
from pathlib import Path

import msgspec

from arena.common.progress import Progress, said_if_long
from arena.entrants import Built, Entrant, EntrantError, expand
from arena.ledger import (
    Ledger,
    MatchRecord,
    MatchResult,
    RatedGames,
    TournamentSettings,
    commit_seed,
    committed_seed,
    locked,
    reveal_seed,
)
from arena.ledger.database import FILE as LEDGER_FILE
from arena.match.spec import MatchSpec
from arena.referee.config import RefereeConfig
from arena.tournament.admission import admit, rebuild
from arena.tournament.capacity import check_capacity, kept_bots
from arena.tournament.dispatch import Dispatcher
from arena.tournament.formats import DEFAULT_FORMAT, Field, GameResult, make_format
from arena.tournament.history import TournamentHistory
from arena.tournament.identity import (
    Identity,
    choose_folder,
    differences,
    fingerprints,
    has_ledger,
    tournament_seed,
)
from arena.tournament.plan import DEFAULT_GAMES, Plan, PlanError, player_counts
from arena.tournament.schedule import EVERYTHING, Budget, Schedule
from arena.tournament.suspension import IN_A_ROW, Suspensions
from arena.tournament.workers import LocalWorker, MakeExecutor, PlayedMatch
from engine import catalog

_log = logging.getLogger(__name__)

_ATTEMPTS = 2
"""A game that is void this often is set aside."""

Clock = Callable[[], float]


@dataclass
class RunOutcome:
    """How a run ended."""

    folder: Path
    played: int = 0
    """Games played by this run."""
    rated: int = 0
    """Length of the schedule's beginning that the tables are made of."""
    set_aside: list[str] = field(default_factory=list)
    """Games that failed twice through our own fault."""
    suspended: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """Bots that take no part since this tournament began, and why: the cause in the first line."""
    interrupted: bool = False


def run(
    plan: Plan,
    progress: Progress,
    make: MakeExecutor = LocalWorker,
    clock: Clock = time.monotonic,
    format: str = DEFAULT_FORMAT,
) -> RunOutcome:
    """Play what is asked for, in one of the `FORMATS`.

    Raises `PlanError`, `EntrantError`, `LedgerError`, `FormatError` or an edition's error for bad input.
    """
    with said_if_long(progress, "reading the bots' files"):
        entrants = _entrants(plan, progress)
    identity = _identity(plan, entrants, format)
    players = max((count for count in identity.players if count <= len(entrants)), default=0)
    check_capacity(_most_at_once(plan, players), players)
    folder, why = choose_folder(identity, plan.out, plan.fresh)
    if why:
        progress.say(why)
    with locked(folder):
        built: dict[str, Built] | None = None
        if not has_ledger(folder):
            built = _begin(plan, identity, entrants, folder, progress)
        with Ledger.open(folder, writing=True) as ledger:
            if found := differences(identity, ledger):  # somebody else was quicker
                raise PlanError(f"{folder} holds another tournament: {'; '.join(found)}")
            if built is None:
                _recall(plan, ledger, progress)
            return _Run(plan, ledger, entrants, built, progress, make, clock).go()


def _most_at_once(plan: Plan, players: int) -> int:
    """How many games at the same time there can be: not more than there are games at all."""
    if plan.minutes is not None or plan.rounds is not None:
        return plan.workers()
    return min(plan.workers(), (plan.games or DEFAULT_GAMES) + players)


def _entrants(plan: Plan, progress: Progress) -> list[Entrant]:
    if not plan.bots:
        raise PlanError("no bots: name them, as in  arena tournament bots/*.py")
    expansion = expand(plan.bots, catalog.game(plan.game).name, keep_faulty=True)
    for path, reason in expansion.skipped:
        if plan.strict:
            raise EntrantError(f"{path} is no bot: {reason}")
        progress.say(f"skipped {path}: {reason}")
    for entrant in expansion.found:
        if plan.strict and entrant.fault:
            raise EntrantError(entrant.fault)
    return expansion.found


def _identity(plan: Plan, entrants: list[Entrant], format: str) -> Identity:
    rules = catalog.game(plan.game)
    name = plan.edition if plan.edition is not None else rules.editions()[0]
    return Identity(
        game=rules.name,
        edition=rules.edition(Path(name) if name.endswith(".toml") or "/" in name else name),
        players=player_counts(plan.players, rules.players),
        time=plan.time(),
        seed=None if plan.seed is None else tournament_seed(plan.seed),
        entrants=fingerprints(entrants),
        format=format,
    )


def _begin(
    plan: Plan, identity: Identity, entrants: list[Entrant], folder: Path, progress: Progress
) -> dict[str, Built]:
    """Admit the bots and write the new ledger; the bots that take part."""
    built, records = admit(entrants, identity.game, identity.edition, identity.time, progress)
    for record in records:
        if record.left_out is not None:
            if plan.strict:
                raise EntrantError(f"{record.name}: {record.left_out}")
            progress.say(f"left out: {record.name}: {record.left_out}")
    counts = [count for count in identity.players if count <= len(built)]
    if len(built) < 2 or not counts:
        some = "1 bot" if len(built) == 1 else f"{len(built)} bots"
        raise PlanError(f"{some} can take part, the games are for {min(identity.players)} at least")
    seed = identity.seed if identity.seed is not None else secrets.token_bytes(16)
    settings = TournamentSettings(
        game=identity.game,
        edition=identity.edition,
        players=identity.players,
        counts=counts,
        time=msgspec.to_builtins(identity.time),
        seed_hash=commit_seed(folder, seed),
        seed_given=identity.seed is not None,
        format=identity.format,
    )
    unfinished = folder / ".new"
    shutil.rmtree(unfinished, ignore_errors=True)  # of a run that was killed
    with Ledger.create(unfinished, settings.entries()) as ledger:
        ledger.set_entrants(records)
    # Whole or not at all: a ledger without its bots could never go on.
    (unfinished / LEDGER_FILE).rename(folder / LEDGER_FILE)
    unfinished.rmdir()
    return built


def _recall(plan: Plan, ledger: Ledger, progress: Progress) -> None:
    """Say once more, in a line each, who was left out when the tournament began."""
    for each in ledger.entrants():
        if each.left_out is not None:
            if plan.strict:
                text = f"{each.name}: {each.left_out}"
                raise EntrantError(f"{text}\nThis tournament began without it: begin anew with --fresh")
            progress.say(f"left out since this tournament began: {each.name}: {each.left_out.partition(chr(10))[0]}")


class _Run:
    """One run over an open ledger."""

    def __init__(
        self,
        plan: Plan,
        ledger: Ledger,
        entrants: list[Entrant],
        built: dict[str, Built] | None,
        progress: Progress,
        make: MakeExecutor,
        clock: Clock,
    ) -> None:
        self._plan = plan
        self._ledger = ledger
        self._entrants = entrants
        self._built = built
        self._progress = progress
        self._make = make
        self._clock = clock
        self._settings = ledger.settings
        self._bots = [each.name for each in ledger.entrants() if each.left_out is None]
        self._counts = self._settings.counts
        self._results = TournamentHistory()
        self._suspensions = self._results.suspensions
        seed = committed_seed(ledger)
        format = make_format(self._settings.format, seed)
        field = Field(tuple(self._bots), tuple(self._counts))
        self._schedule = Schedule(format, field, seed, self._results)
        self._budget = _budget(plan)
        self._asked: int | None = None
        self._out = RunOutcome(ledger.folder)
        self._out.left_out = {each.name: each.left_out for each in ledger.entrants() if each.left_out is not None}
        with said_if_long(progress, "reading the games played so far"):
            self._known = {result.id: result for result in ledger.results()}
            voids = ledger.voids() if format.reads_results else {}
        self._given_up = {game for game, times in voids.items() if times >= _ATTEMPTS} - self._known.keys()
        """Games set aside by an earlier run from whose absence later rounds were drawn: they are not tried again."""

    def go(self) -> RunOutcome:
        skipped = [count for count in self._settings.players if count not in self._counts]
        if skipped:
            self._progress.say(f"skipped games of {', '.join(map(str, skipped))}: there are {len(self._bots)} bots")
        with said_if_long(self._progress, f"drawing the schedule of {len(self._bots)} bots"):
            wanted = self._asked = self._wanted()
            missing = self._missing()
            self._rate(wanted)
            self._ledger.set_meta("finished", False)  # perhaps it was, and goes on
            self._ledger.note_run()
            first = next(missing, None)
        if first is None:
            self._progress.say("nothing is left to play")
        else:
            self._play(chain([first], missing), wanted)
        if not self._out.interrupted:
            with said_if_long(self._progress, "looking through the games that were played"):
                self._finish(wanted)
        return self._out

    def _wanted(self) -> int | None:
        """How many games of the schedule are asked for. None: as the minutes allow, or as results will decide."""
        return None if self._plan.minutes is not None else self._schedule.length(self._budget)

    def _missing(self) -> Iterator[MatchSpec | None]:
        """Yield what the ledger lacks, and None as the schedule does; the results that it has are read on the way."""
        for spec in self._schedule.specs(self._budget):
            if len(self._bots) - len(self._suspensions.suspended) < min(self._counts):
                return  # too few are left for any game
            if spec is None:
                yield None
                continue
            known = self._known.get(spec.id)
            if known is not None:
                self._results.played(known.index, _result(known))
            elif self._suspensions.excludes(spec.bots, spec.index):
                self._results.missing(spec.index)
            elif spec.id in self._given_up:
                self._out.set_aside.append(spec.id)
                self._results.missing(spec.index)
            else:
                yield spec

    def _play(self, missing: Iterator[MatchSpec | None], wanted: int | None) -> None:
        plan = self._plan
        built = self._built or rebuild(self._entrants, self._bots, self._cannot_go_on, self._progress)
        trace = self._ledger.folder / "trace" if plan.trace else None
        kept = kept_bots(plan.workers(), max(self._counts))
        config = RefereeConfig(self._settings.game, self._settings.edition, plan.time(), built, trace=trace, kept=kept)
        left = None if wanted is None else wanted - sum(game.index < wanted for game in self._known.values())
        ends = None if plan.minutes is None else self._clock() + 60 * plan.minutes
        asked = "all games that can be played" if left is None else f"{left} games"
        _log.info("%s: %s are to be played by %s", self._ledger.folder, asked, ", ".join(self._bots))
        self._progress.stage("playing", left)
        workers = plan.workers() if left is None else max(1, min(plan.workers(), left))
        dispatcher = Dispatcher(config, workers, self._make)
        specs: dict[str, MatchSpec] = {}

        def playable(spec: MatchSpec) -> bool:
            if ends is not None and self._clock() >= ends:
                return False
            if self._suspensions.excludes(spec.bots, spec.index):
                self._told(self._results.missing(spec.index))
                return False
            specs[spec.id] = spec
            return True

        issued = missing if ends is None else takewhile(lambda _: self._clock() < ends, missing)
        try:
            for played in dispatcher.play(issued, left, playable):
                self._take(played, specs[played.record.id], dispatcher)
            with said_if_long(self._progress, "ending the bots"):
                dispatcher.close()
        except KeyboardInterrupt:
            _log.info("interrupted: the workers are ended")
            self._out.interrupted = True
            dispatcher.kill()
        except BaseException:
            dispatcher.kill()
            raise

    def _take(self, played: PlayedMatch, spec: MatchSpec, dispatcher: Dispatcher) -> None:
        record = played.record
        self._ledger.record(record, played.page_data)
        if record.ending != "void":
            self._out.played += 1
            self._progress.advance(record.id)
            self._told(self._results.played(record.index, _result(record)))
        elif self._ledger.voids()[record.id] % _ATTEMPTS:
            why = _last_line(record.error)
            _log.info("%s is played again", record.id)
            self._progress.say(f"{record.id} failed through no fault of the bots and is played again: {why}")
            dispatcher.again(spec)
        else:
            _log.warning("%s was void twice and is set aside", record.id)
            self._out.set_aside.append(record.id)
            self._told(self._results.missing(record.index))
            self._progress.say(f"{record.id} failed again and is set aside: {_last_line(record.error)}")

    def _told(self, suspended: list[str]) -> None:
        for bot in suspended:
            _log.info("%s is suspended", bot)
            self._progress.say(f"{bot} retired in {IN_A_ROW} games in a row and is suspended")
        if suspended:
            self._rate(self._asked)

    def _cannot_go_on(self, name: str, reason: str) -> None:
        raise EntrantError(f"{name} took part in this tournament and cannot be built any more: {reason}")

    def _finish(self, wanted: int | None) -> None:
        """The final tables: of the games asked for, or of the longest beginning without a gap."""
        if wanted is None and (wanted := self._wanted()) is None:
            wanted = self._gapless()
        suspensions = Suspensions()  # of exactly these games, whatever was played beyond them
        results = {result.index: result for result in self._ledger.results()}
        for index in range(wanted):
            result = results.get(index)
            if result is None:
                suspensions.missing(index)
            else:
                suspensions.played(index, result.bots, result.retired)
        self._suspensions = suspensions
        self._rate(wanted)
        _log.info("%s is finished: %d games are rated", self._ledger.folder, wanted)
        self._out.rated = wanted
        self._out.suspended = sorted(suspensions.suspended)
        reveal_seed(self._ledger)
        self._ledger.set_meta("finished", True)
        self._ledger.note_run()

    def _rate(self, wanted: int | None) -> None:
        rated = RatedGames(wanted, self._suspensions.suspended)
        self._ledger.set_meta("rated", msgspec.to_builtins(rated))

    def _gapless(self) -> int:
        """The length of the longest beginning of whole blocks in which no game is missing but those left out."""
        results = self._ledger.results()
        have = {result.id for result in results} | set(self._out.set_aside)
        last = max((result.index for result in results), default=-1)
        whole = 0
        for spec in self._schedule.specs():
            if spec is None or spec.index > last:
                return whole
            if spec.id not in have and not self._suspensions.excludes(spec.bots, spec.index):
                return whole
            if spec.rotation == spec.players - 1:
                whole = spec.index + 1
        return whole


def _budget(plan: Plan) -> Budget:
    if plan.minutes is not None:
        return EVERYTHING
    return Budget(rounds=plan.rounds) if plan.rounds is not None else Budget(games=plan.games or DEFAULT_GAMES)


def _result(game: MatchRecord | MatchResult) -> GameResult:
    return GameResult(game.bots, game.ranks, game.scores, game.retired)


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1] if text.strip() else "unknown"
