"""Which bots take part: each is built, and started once before the first game."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final

import psutil

from arena.entrants import BuildFailed, Built, Entrant, build
from arena.ledger import EntrantRecord
from arena.protocol.messages import Hello
from arena.referee.clock import TimeControl
from arena.referee.host import Host
from arena.referee.orders import Setup
from arena.tournament.progress import Progress

_GIVE_UP_SECONDS: Final = 0.1


def admit(
    entrants: Sequence[Entrant],
    game: str,
    edition: dict[str, Any],
    time: TimeControl,
    progress: Progress,
) -> tuple[dict[str, Built], list[EntrantRecord]]:
    """Build and check every bot, side by side: those that can play, and what the ledger keeps of all of them."""
    total = len(entrants)
    progress.stage("building and starting each bot once", total)

    def look(entrant: Entrant) -> tuple[Built | None, EntrantRecord]:
        built, record = _look_at(entrant, game, edition, time)
        progress.advance(entrant.name)
        return built, record

    others = set(psutil.Process().children(recursive=True))
    with ThreadPoolExecutor(max_workers=max(1, min(total, os.cpu_count() or 1))) as pool:
        looks = [pool.submit(look, entrant) for entrant in entrants]
        try:
            seen = [each.result() for each in looks]
        except BaseException:
            _give_up(pool, looks, others)
            raise
    return {record.name: built for built, record in seen if built is not None}, [record for _, record in seen]


def rebuild(entrants: Sequence[Entrant], names: Sequence[str], failed: Callable[[str, str], None]) -> dict[str, Built]:
    """The bots of a tournament that goes on; `failed` is told name and reason of one that cannot be built any more."""
    found = {}
    for entrant in entrants:
        if entrant.name in names:
            try:
                found[entrant.name] = build(entrant)
            except BuildFailed as error:
                failed(entrant.name, str(error))
    return found


def _give_up(pool: ThreadPoolExecutor, looks: Sequence[Future[Any]], others: set[psutil.Process]) -> None:
    """End what was begun: builds and bots are our children, and whoever waits for a dead child goes on at once.

    `others`: the children that there were before.
    """
    pool.shutdown(wait=False, cancel_futures=True)
    while wait(looks, timeout=_GIVE_UP_SECONDS).not_done:
        for child in set(psutil.Process().children(recursive=True)) - others:
            with contextlib.suppress(psutil.Error):
                child.kill()


def _look_at(
    entrant: Entrant, game: str, edition: dict[str, Any], time: TimeControl
) -> tuple[Built | None, EntrantRecord]:
    try:
        built = build(entrant)
    except BuildFailed as error:
        return None, _record(entrant, None, f"could not be built: {error}")
    setup = Setup(game, edition, time, {entrant.name: built})
    with Host(setup, pin=False) as host:
        report = host.check(entrant.name)
    if report.ok:
        return built, _record(entrant, report.hello, None)
    reason = report.reason + (f"\n{report.stderr}" if report.stderr else "")
    return None, _record(entrant, report.hello, reason)


def _record(entrant: Entrant, hello: Hello | None, left_out: str | None) -> EntrantRecord:
    return EntrantRecord(
        name=entrant.name,
        path=str(entrant.path),
        fingerprint=entrant.fingerprint,
        language=entrant.language or (hello.language if hello else ""),
        version=hello.version if hello else "",
        deterministic=hello.deterministic if hello else False,
        parallel=hello.parallel if hello else 1,
        left_out=left_out,
    )
