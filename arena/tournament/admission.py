"""Which bots take part: each is built, and started once before the first game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from arena.entrants import BuildFailed, Built, Entrant, build
from arena.ledger import EntrantRecord
from arena.protocol.messages import Hello
from arena.referee.clock import TimeControl
from arena.referee.host import Host
from arena.referee.orders import Setup
from arena.tournament.progress import Progress
from arena.tournament.side_by_side import side_by_side

_Bot = TypeVar("_Bot", Entrant, Built)
_Found = TypeVar("_Found")


def admit(
    entrants: Sequence[Entrant],
    game: str,
    edition: dict[str, Any],
    time: TimeControl,
    progress: Progress,
) -> tuple[dict[str, Built], list[EntrantRecord]]:
    """Build and check every bot, side by side: those that can play, and what the ledger keeps of all of them."""

    def look(built: Built, _: threading.Event) -> EntrantRecord:
        return _look_at(built, game, edition, time)

    made = _side_by_side("building", entrants, _build, progress)
    # Only now: while others are still compiled, a bot would be slow to say hello.
    whole = {each.entrant.name: each for each in made if isinstance(each, Built)}
    seen = iter(_side_by_side("starting each bot once", list(whole.values()), look, progress))
    records = [
        next(seen) if isinstance(each, Built) else _record(entrant, None, f"could not be built: {each}")
        for entrant, each in zip(entrants, made, strict=True)
    ]
    return {each.name: whole[each.name] for each in records if each.left_out is None}, records


def rebuild(
    entrants: Sequence[Entrant], names: Sequence[str], failed: Callable[[str, str], None], progress: Progress
) -> dict[str, Built]:
    """The bots of a tournament that goes on; `failed` is told name and reason of one that cannot be built any more."""
    wanted = [entrant for entrant in entrants if entrant.name in names]
    found = {}
    for entrant, each in zip(wanted, _side_by_side("building", wanted, _build, progress), strict=True):
        if isinstance(each, Built):
            found[entrant.name] = each
        else:
            failed(entrant.name, str(each))
    return found


def _side_by_side(
    stage: str, bots: Sequence[_Bot], work: Callable[[_Bot, threading.Event], _Found], progress: Progress
) -> list[_Found]:
    """What `work` finds out about each bot, in their order."""
    progress.stage(stage, len(bots))

    def one(bot: _Bot, stop: threading.Event) -> _Found:
        found = work(bot, stop)
        progress.advance(bot.entrant.name if isinstance(bot, Built) else bot.name)
        return found

    return side_by_side(bots, one)


def _build(entrant: Entrant, stop: threading.Event) -> Built | BuildFailed:
    try:
        return build(entrant, stop=stop)
    except BuildFailed as error:
        return error


def _look_at(built: Built, game: str, edition: dict[str, Any], time: TimeControl) -> EntrantRecord:
    name = built.entrant.name
    with Host(Setup(game, edition, time, {name: built}), pin=False) as host:
        report = host.check(name)
    if report.ok:
        return _record(built.entrant, report.hello, None)
    reason = report.reason + (f"\n{report.stderr}" if report.stderr else "")
    return _record(built.entrant, report.hello, reason)


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
