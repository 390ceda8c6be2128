"""Compare a ledger's games with its schedule: none is invented, none has other seats or another seed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from arena.ledger import Ledger, LedgerError, committed_seed
from arena.tournament.formats import Field, GameResult, make_format
from arena.tournament.history import TournamentHistory
from arena.tournament.schedule import Schedule


class _Recorded(NamedTuple):
    """What is compared of a game, and what later rounds may depend on."""

    place: int
    seed: str
    result: GameResult


def audit(ledger: Ledger) -> list[str]:
    """Draw the tournament again, and say in words which games do not stand where the schedule puts them."""
    ids = ledger.ids()
    if not ids:
        return []
    try:
        seed = committed_seed(ledger)
    except LedgerError as error:
        return [str(error)]
    records = _readable(ledger, ids)
    last = max((record.place for record in records.values()), default=-1)
    bots = [each.name for each in ledger.entrants() if each.left_out is None]
    results = TournamentHistory()
    settings = ledger.settings
    format = make_format(settings.format, seed)
    found = []
    for spec in Schedule(format, Field(tuple(bots), tuple(settings.counts)), seed, results).specs():
        if spec is None or spec.index > last or not records:
            break
        record = records.pop(spec.id, None)
        if record is None:
            results.missing(spec.index)
            continue
        results.played(spec.index, record.result)
        if (record.place, record.seed, record.result.bots) != (spec.index, spec.seed, spec.bots):
            found.append(f"{spec.id} has another place, seed or seating than the schedule gives it")
    return found + [f"{game_id} is not in the schedule" for game_id in sorted(records)]


def _readable(ledger: Ledger, ids: Iterable[str]) -> dict[str, _Recorded]:
    """Read the games by id, without those that cannot be read: to say that is up to what replays them."""
    records = {}
    for game_id in ids:
        with suppress(LedgerError):
            game = ledger.game(game_id)
            result = GameResult(game.bots, game.ranks, game.scores, game.retired)
            records[game_id] = _Recorded(game.index, game.seed, result)
    return records
