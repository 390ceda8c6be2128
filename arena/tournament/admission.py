"""Which bots take part: each is built, and started once before the first game.

What fails is tried once more, alone: on a busy machine a bot can be too slow to say hello, or be killed when memory
runs out, through no fault of its own.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time as clock
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

import psutil

from arena.common.progress import Progress
from arena.entrants import BuildFailed, Built, Entrant, EntrantError, build, is_built
from arena.entrants.manifest import read_avatar
from arena.entrants.shortage import is_shortage
from arena.game.clock import TimeControl
from arena.isolation.settings import NONE, Isolation
from arena.ledger import EntrantRecord
from arena.referee.config import RefereeConfig, StartReport
from arena.referee.referee import Referee

_log = logging.getLogger(__name__)

_LOOK_SECONDS: Final = 0.05

_Bot = TypeVar("_Bot", Entrant, Built)
_Found = TypeVar("_Found")


def admit(
    entrants: Sequence[Entrant],
    game: str,
    edition: dict[str, Any],
    time: TimeControl,
    progress: Progress,
    isolation: Isolation = NONE,
) -> tuple[dict[str, Built], list[EntrantRecord]]:
    """Build and check every bot, side by side: those that can play, and what the ledger keeps of all of them.

    Raises `OSError` if the system has not what that takes: no bot is left out for that.
    """
    made = _build_all([entrant for entrant in entrants if not entrant.fault], progress, isolation)
    # Only now: while others are still compiled, a bot would be slow to say hello.
    whole = {name: each for name, each in made.items() if isinstance(each, Built)}
    reports = _start_all(list(whole.values()), game, edition, time, progress)
    records = [_record(entrant, made.get(entrant.name), reports.get(entrant.name)) for entrant in entrants]
    for each in records:
        why = None if each.left_out is None else each.left_out.partition("\n")[0]
        _log.info("%s %s", each.name, "takes part" if why is None else f"is left out: {why}")
    return {each.name: whole[each.name] for each in records if each.left_out is None}, records


def avatars_of(entrants: Sequence[Entrant]) -> dict[str, bytes]:
    """Return the pictures of the authors of these bots, by the names that the authors give.

    Raises:
        EntrantError: A picture is another one than when the bot was found.
        OSError: One cannot be read.
    """
    found = {}
    for entrant in entrants:
        if entrant.author is None or entrant.avatar is None:
            continue
        name, data = read_avatar(entrant.path / entrant.avatar)
        if name != entrant.author.avatar:
            raise EntrantError(f"{entrant.path / entrant.avatar} was changed meanwhile: run the command again")
        found[name] = data
    return found


def rebuild(
    entrants: Sequence[Entrant],
    on_failed: Callable[[str, str], None],
    progress: Progress,
    isolation: Isolation = NONE,
) -> dict[str, Built]:
    """Build the bots of a tournament that goes on. `on_failed` gets the name of one that fails, and the reason."""
    found = {}
    for name, each in _build_all(entrants, progress, isolation).items():
        if isinstance(each, Built):
            found[name] = each
        else:
            on_failed(name, str(each))
    return found


def _build_all(entrants: Sequence[Entrant], progress: Progress, isolation: Isolation) -> dict[str, Built | BuildFailed]:
    """By name."""

    def make(entrant: Entrant, stop: threading.Event) -> Built | BuildFailed:
        if entrant.build is not None and not is_built(entrant):
            progress.begin(entrant.name)
        try:
            return build(entrant, stop=stop, say=progress.say, isolation=isolation)
        except BuildFailed as error:
            return error
        except OSError as error:
            if not is_shortage(error):
                raise
            raise OSError(error.errno, f"{entrant.name}: could not be built: {error.strerror}") from error

    found = _side_by_side("building", entrants, make, progress)
    made = {entrant.name: each for entrant, each in zip(entrants, found, strict=True)}
    killed = [entrant for entrant in entrants if isinstance(each := made[entrant.name], BuildFailed) and each.killed]
    if killed:
        again = _side_by_side("building once more, alone", killed, make, progress, at_once=1)
        made |= {entrant.name: each for entrant, each in zip(killed, again, strict=True)}
    return made


def _start_all(
    bots: Sequence[Built], game: str, edition: dict[str, Any], time: TimeControl, progress: Progress
) -> dict[str, StartReport]:
    """By name. Raises `OSError` for a bot that we could not start, also alone."""

    def start_once(built: Built, _: threading.Event) -> StartReport:
        name = built.entrant.name
        progress.begin(name)
        try:
            with Referee(RefereeConfig(game, edition, time, {name: built}), pin=False) as referee:
                return referee.check(name)
        except OSError as error:
            if not is_shortage(error):
                raise
            return StartReport(name, False, f"no referee could be started: {error.strerror}", shortage=error.errno or 0)

    reports = {each.name: each for each in _side_by_side("starting each bot once", bots, start_once, progress)}
    # One that said hello, and that it does not play this game, says the same again.
    failed = [each for each in bots if not (report := reports[each.entrant.name]).ok and report.hello is None]
    if failed:
        again = _side_by_side("starting once more, alone", failed, start_once, progress, at_once=1)
        reports |= {each.name: each for each in again}
    for each in reports.values():
        if each.shortage:
            raise OSError(each.shortage, f"{each.name}: {each.reason}")
    return reports


def _side_by_side(
    stage: str,
    bots: Sequence[_Bot],
    work: Callable[[_Bot, threading.Event], _Found],
    progress: Progress,
    at_once: int | None = None,
) -> list[_Found]:
    """Return what `work` finds out about each bot, in their order."""
    progress.stage(stage, len(bots))

    def one(bot: _Bot, stop: threading.Event) -> _Found:
        found = work(bot, stop)
        progress.advance(bot.entrant.name if isinstance(bot, Built) else bot.name)
        return found

    return side_by_side(bots, one, at_once)


def _record(entrant: Entrant, made: Built | BuildFailed | None, report: StartReport | None) -> EntrantRecord:
    hello = None if report is None else report.hello
    return EntrantRecord(
        name=entrant.name,
        path=str(entrant.path),
        fingerprint=entrant.fingerprint,
        language=entrant.language or (hello.language if hello else ""),
        declared_version=hello.version if hello else "",
        deterministic=hello.deterministic if hello else False,
        parallel=hello.parallel if hello else 1,
        left_out=_left_out(entrant, made, report),
        builds=[made.digest] if isinstance(made, Built) and made.digest else [],
        author=entrant.author,
    )


def _left_out(entrant: Entrant, made: Built | BuildFailed | None, report: StartReport | None) -> str | None:
    """Why a bot does not take part, the cause in the first line; None: it does."""
    if entrant.fault:
        return entrant.fault
    if isinstance(made, BuildFailed):
        return f"could not be built: {made}"
    assert report is not None
    if report.ok:
        return None
    said = report.stderr.strip()
    if report.why:
        return "\n".join(filter(None, [f"{report.reason}: {report.why}", said]))
    # Most write what is wrong last: the end of a traceback.
    cause = f"{report.reason}: {said.splitlines()[-1].strip()}" if said else report.reason
    return f"{cause}\n{said}" if "\n" in said else cause


Work = Callable[[_Bot, threading.Event], _Found]
"""Work for one bot. It also gets an event, which is set once the result is no longer wanted.

By then its child processes are being killed, and the work has to return as soon as they have ended.
"""


def side_by_side(bots: Sequence[_Bot], work: Work[_Bot, _Found], at_once: int | None = None) -> list[_Found]:
    """Return the result of `work` for each bot, in the order of `bots`.

    Args:
        bots: the bots.
        work: runs in a thread, once for each bot.
        at_once: how many threads run in parallel; None for one per core.

    Raises:
        BaseException: what a call of `work` raised, or `KeyboardInterrupt`; by then all threads have ended.
    """
    stop = threading.Event()
    busy: set[int] = set()
    """The ids of the threads at work. The futures do not suffice: an interrupt may come before one is in the list."""

    def one(bot: _Bot) -> _Found:
        thread = threading.get_ident()
        busy.add(thread)
        try:
            if stop.is_set():
                raise CancelledError
            return work(bot, stop)
        finally:
            busy.discard(thread)

    others = set(psutil.Process().children(recursive=True))
    with ThreadPoolExecutor(max_workers=max(1, min(len(bots), at_once or os.cpu_count() or 1))) as pool:
        looks: list[Future[_Found]] = []
        try:
            looks.extend(pool.submit(one, bot) for bot in bots)
            return [each.result() for each in looks]
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            _end_children(others, busy)
            raise


def _end_children(others: set[psutil.Process], busy: set[int]) -> None:
    """Kill the child processes that the threads started, until no thread is busy: one whose child has died returns."""
    while busy:
        for child in set(psutil.Process().children(recursive=True)) - others:
            with contextlib.suppress(psutil.Error):
                child.kill()
        clock.sleep(_LOOK_SECONDS)
