"""Run a league: take in submissions, try them, play the rounds that are due, and say how things stand.

There are two lanes, each with one child process at a time: submissions on their way, and the rounds. What is under way
when this process ends is done again by the next one, from what the league's state says.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack, closing, contextmanager, suppress
from logging.handlers import RotatingFileHandler
from multiprocessing import connection
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from arena.common.errors import ArenaError
from arena.common.printable import printable
from arena.common.regular_files import MOST_TOML_BYTES, read_regular
from arena.isolation.probe import choose
from arena.ledger.errors import LedgerError
from arena.ledger.lock import LedgerBusy, locked
from arena.serve import LeagueError
from arena.serve.children import Child, lanes
from arena.serve.disk import LeagueDisk
from arena.serve.intake import SUBMISSIONS
from arena.serve.intake.intake import Intake
from arena.serve.intake.submissions import SubmissionWay
from arena.serve.intake.turns import next_turn
from arena.serve.league import League, name_of, read_league
from arena.serve.league_hooks import LeagueHooks
from arena.serve.pages.actions import StoreActions
from arena.serve.pages.app import LeaguePages, league_server
from arena.serve.round_lane import RoundLane
from arena.serve.rounds import Season
from arena.serve.stands import Stands
from arena.serve.store import LeagueStore, State, Submission

LOG: Final = "serve.log"
_LOG_BYTES: Final = 1 << 20
_LOGS: Final = 5
"""Files of that size that are kept of what was said before."""
TICK: Final = 1.0
"""Seconds between two looks, if nothing happens before."""
_PRIVATE: Final = (SUBMISSIONS, "seasons", "repositories", "cache")
"""Folders that other users of the machine cannot look into: programs of submitters, and hands."""
Say = Callable[[str], None]


class TrialLane:
    """Takes one submission after the other a step further."""

    def __init__(self, store: LeagueStore, say: Say) -> None:
        """Begin with none under way."""
        self._store, self._say = store, say
        self._way: SubmissionWay | None = None
        self._last: str | None = None
        self.child: Child | None = None

    def take(self, league: League, season: Season) -> None:
        """Go by a league's file as it is now, from the next submission on."""
        self._league, self._season = league, season

    def step(self, now: float, may_begin: bool) -> None:
        """Begin or end what there is to begin or end. Never waits."""
        if self.child is not None:
            assert self._way is not None
            if self.child.poll() is None:
                self._way.look()
                return
            child, self.child = self.child, None  # first: what cannot be recorded now is done again
            self._way.finished(child)
        if not may_begin:
            return
        if self._way is None or self._way.is_ended:
            self._way = None
            rules = self._league.settings.submissions
            found = next_turn(self._store, rules, now, self._last, self._season.is_parted)
            if found is None:
                return
            self._last = found.submitter
            chosen, _ = lanes(rules.cores)
            self._way = SubmissionWay(self._league, self._store, found, self.note, self._season.is_parted, chosen)
        self.child = self._way.next_child()

    def note(self, submission: Submission, state: State, text: str) -> None:
        """Say what has become of a submission."""
        said = f": {text}" if text else ""
        self._say(f"{submission.submitter}: submission {submission.id} {state}{said}")


class Service:
    """A league that runs."""

    def __init__(self, league: League, store: LeagueStore, say: Say, lock: threading.RLock) -> None:
        """Prepare all that the file asks for. Raises `LeagueError`."""
        self._store, self._say, self.lock = store, say, lock
        self._trials = TrialLane(store, say)
        self._take(league)
        self.pages = LeaguePages(league, self._stands.facts(store.now()))
        self.actions = StoreActions(store, lock, lambda *what: self._intake.upload(*what), self._play_again)

    def _take(self, league: League) -> None:
        """Begin to go by a file, and keep what it says with the moment. Raises `LeagueError` or `IsolationError`."""
        league.check()
        self._say_isolation(league)
        if both := {each.name for each in self._store.members()} & set(map(name_of, league.settings.references)):
            raise LeagueError(f"{league.file}: references: {min(both)} is a submitter: name it NAME=PATH")
        season = Season(league, self._store)
        if found := season.differences():
            what = f"{league.file}: season {season.name} goes on with games that are fixed, and {'; '.join(found)}"
            raise LeagueError(f"{what}. For other games, say another [season] name")
        intake = Intake(
            league, self._store, self._say, self._trials.note
        )  # raises, as what follows does: then nothing is taken
        if self._hooks is not None:
            self._hooks.close()
        self._hooks = LeagueHooks(league, self._store, self._say)
        if self._store.get("settings") != league.text:
            self._store.put("settings", league.text)
        self.league, self._season, self._intake = league, season, intake
        self._stands = Stands(self._season, self._store)
        self._trials.take(league, season)
        self._disk = LeagueDisk(league, self._store)
        self._rounds = RoundLane(self._season, self._store, self._stands, self._say)

    def _say_isolation(self, league: League) -> None:
        """Refuse to run strangers' programs with nothing between, unless the file says so. Raises as `_take`."""
        asked = league.plan.isolation
        if choose(asked).level != "none":
            return
        if asked.level != "none":
            raise LeagueError(
                f"{league.file}: nothing keeps bots apart on this machine, so submissions could read and change all "
                "that you can. `arena doctor` says how to do better. If you know every submitter, write "
                'isolation = "none" under [plan]'
            )
        self._say("isolation: none. Submissions can read and change all that you can, secrets of the league included")

    def tick(self) -> None:
        """Look at everything once. Never waits. What fails, as on a full disk, is said once and tried again."""
        with suppress(Exception):  # it is tried again when the round is ended, and said then
            self._rounds.rate()  # before the lock is taken: nobody's request waits for this
        with self.lock:
            trouble, now = set[str](), self._store.now()
            for part in (self._read_again, self._look_at_disk, self._look, self._try, self._play, self._show):
                try:
                    part(now)
                except (ArenaError, OSError) as error:
                    trouble.add(f"{error}: it is tried again")
                except Exception:  # whatever is wrong with one thing, the others go on
                    trouble.add(f"a defect of the arena, which is tried again:\n{traceback.format_exc()}")
            said = trouble | ({f"nothing new is begun: {self._lacks}"} if self._lacks else set())
            for text in sorted(said - self._said):
                self._say(text)
            self._trouble, self._said = trouble, said

    def _look_at_disk(self, now: float) -> None:
        self._disk.look()

    def _look(self, now: float) -> None:
        lacks, self._lacks = self._lacks, self._disk.lacks()
        if lacks and not self._lacks:
            self._say("there is room again, and the league goes on")
        if not self._lacks:
            self._intake.look()

    def _try(self, now: float) -> None:
        self._trials.step(now, not self._lacks)

    def _play(self, now: float) -> None:
        self._rounds.step(now, not self._lacks)
        if self._hooks is not None:
            self._hooks.look()

    def _show(self, now: float) -> None:
        facts = self._stands.facts(now)
        quota = int(self.league.settings.disk.quota_gb * 1e9)
        trouble = [text.splitlines()[0] for text in sorted(self._trouble)]
        faults = (*filter(None, self._wrong[1:]), *trouble, *self._intake.troubles, *facts.organiser.faults)
        room = replace(facts.organiser, disk_bytes=self._disk.used, quota_bytes=quota, lacks=self._lacks, faults=faults)
        self.pages.show(replace(facts, organiser=room))
        self.pages.follow(self._season.folder)

    def wait(self, seconds: float = TICK) -> None:
        """Wait until a child has something to say, at most so long."""
        children = [child.fileno() for child in (self._trials.child, self._rounds.child) if child is not None]
        connection.wait(children, seconds)

    def close(self) -> None:
        """End all that runs; the same command goes on with it."""
        for child in (self._trials.child, self._rounds.child):
            if child is not None:
                child.end()
        if self._hooks is not None:
            self._hooks.close()
        self._intake.close()

    def _read_again(self, now: float) -> None:
        """Go by the file as it is now, unless it is wrong: then what held goes on."""
        if self._rounds.child is not None:
            return  # what is under way ends as it began, as a submission does
        try:
            text = read_regular(self.league.file, MOST_TOML_BYTES).decode("utf-8")  # as read_league does
            if text == self.league.text:
                self._wrong = ("", "")
            if text in (self.league.text, self._wrong[0]):
                return
            league = read_league(self.league.file, self.league.cluster)
            self._intake.close()
            before = self.league.settings.web
            self._take(league)
            self._wrong = ("", "")
            self._say(f"{self.league.file} has changed: what it says holds from now on")
            self.pages.league = self.league
            if replace(self.league.settings.web, replays=before.replays) != before:
                self._say("but for [web], of which only replays does: the rest holds when the league is begun again")
        except LedgerError:  # the disk is full
            raise
        except (ArenaError, OSError, ValueError) as error:
            wrong = (text if "text" in locals() else "", f"{error}; what it said before holds")
            if wrong != self._wrong:
                self._wrong = wrong
                self._say(wrong[1])

    _hooks: LeagueHooks | None = None
    _wrong = ("", "")
    """A text of the file that was refused, and why."""
    _trouble: Set[str] = frozenset()
    """What went wrong at the last look."""
    _said: Set[str] = frozenset()
    """What was said of the last look."""
    _lacks = ""
    """Why nothing new is begun."""

    def _play_again(self, who: str, number: int) -> None:
        last = self._season.last()
        if last is None or last.number != number or last.outcome in (None, "complete"):
            raise LeagueError(f"round {number} is not the last one, or it is complete or being played")
        self._store.reopen_round(last.season, number, who)


@contextmanager
def _logged(file: Path, say: Say) -> Iterator[Say]:
    """Give what says something and writes it to a file, too: a full disk takes nothing but a line of that."""
    file.touch(mode=0o600)
    handler = RotatingFileHandler(file, maxBytes=_LOG_BYTES, backupCount=_LOGS, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s  %(message)s"))
    handler.handleError = lambda record: None  # type: ignore[method-assign]
    logger = logging.Logger(file.name)
    logger.addHandler(handler)

    def both(text: str) -> None:
        logger.info(printable(text, keep="\n").replace("\n", "\n    "))
        say(text)

    with closing(handler):
        yield both


@contextmanager
def served(
    file: Path, say: Say, clock: Callable[[], float] = time.time, cluster: str | None = None
) -> Iterator[tuple[Service, str]]:
    """Run a league while the context lasts: yields it with the address of its pages. Call `tick` and `wait` in turn.

    `cluster`: as of `read_league`.

    Raises `LeagueError`, `PlanError`, `LedgerError` or `WebError`.
    """
    league = read_league(file, cluster)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(league.folder / "running"))
        except LedgerBusy:
            raise LeagueError(f"{file}: another process runs this league: end it first") from None
        for name in _PRIVATE:
            (league.folder / name).mkdir(mode=0o700, exist_ok=True)
            (league.folder / name).chmod(0o700)  # a copy that was put here may say otherwise
        say = stack.enter_context(_logged(league.folder / LOG, say))
        store = stack.enter_context(LeagueStore(league.folder, clock))
        service = Service(league, store, say, threading.RLock())
        stack.callback(service.close)
        server = stack.enter_context(league_server(service.pages, service.actions))
        server.start()
        yield service, server.address
