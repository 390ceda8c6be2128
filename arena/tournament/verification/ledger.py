"""Verify a tournament as far as its ledger allows: the schedule, every game, and heads that were published.

Whether games are missing or too many is found by `arena.tournament.verification.audit`; here each recorded game is
played again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from arena.common.decoding_words import in_words
from arena.common.printable import counted
from arena.common.progress import SILENT, Progress
from arena.game.clock import TimeControl
from arena.game.game import engine_version
from arena.game.replay import inconsistencies, verify
from arena.game.transcript import GameStep
from arena.ledger import DamagedLedger, Dealing, Ledger, LedgerError, heads, record_hash
from arena.replays.cache import verify_page_data
from arena.replays.game_file import GameFile
from arena.tournament.verification.audit import audit
from engine import catalog
from engine.rules import Data, Rules

NOT_PROVED: Final = (
    "a ledger alone does not prove who made these moves, how long that took, which faults there were beyond those that "
    "cost a strike, nor that it was not written anew as a whole: compare a published --head, and ask --bots again"
)

ONE_GAME: Final = (
    "a game's file alone proves that its seed and moves give these ranks and scores; not who made these moves, how "
    "long that took, nor that the game is one of a tournament: for that verify the whole export, or the ledger"
)


class Verification(NamedTuple):
    """What was found."""

    games: int
    """How many were verified."""
    head: str
    entries: int
    """Of the chain."""
    different: dict[str, list[str]]
    """By game, or `tournament` or `head`, or the file of a table: what does not fit."""
    notes: list[str]
    """What fits, and that somebody should know."""


def verify_ledger(ledger: Ledger, published: Sequence[str] = (), progress: Progress = SILENT) -> Verification:
    """Derive the schedule again, replay every recorded game, and compare.

    Args:
        ledger: The ledger.
        published: Heads that were published.
        progress: Gets to know which games were verified.
    """
    settings = ledger.settings
    rules = catalog.rules(settings.game)
    ids = ledger.ids()
    audited = audit(ledger)
    found, notes = {"tournament": audited.differences}, list(audited.notes)
    all_heads = list(heads(ledger.chain.texts()))
    if published:
        compare_heads(published, all_heads, found, notes)
    time, wrong = _time_control(settings.time)
    found["tournament"] += wrong
    progress.stage("verifying", len(ids))
    for game_id in ids:
        differences = _differences(ledger, game_id, rules, settings.edition, time, audited.hashes.get(game_id))
        found.setdefault(game_id, []).extend(differences)  # beside what is there: a forger may call a game `head`
        progress.advance(game_id)
    different = {name: differences for name, differences in found.items() if differences}
    notes += _other_engines(ledger.engines(), rules.name)
    return Verification(len(ids), all_heads[-1] if all_heads else "", len(all_heads), different, [*notes, NOT_PROVED])


def _other_engines(engines: Mapping[str, int], game: str) -> list[str]:
    """Say how many games were played by other versions of the arena or of the rules than this one."""
    ours = engine_version(game)
    others = {engine: count for engine, count in engines.items() if engine != ours}
    return [f"{counted(count, 'game')} played by {engine}, this is {ours}" for engine, count in others.items()]


def verify_game(game: GameFile) -> list[str]:
    """Play a game in a file again, and return how the result differs. A game of an older engine may replay the same."""
    rules = catalog.rules(game.game)
    time, wrong = _time_control(game.time)
    return wrong or verify(game.record, rules, game.edition) or inconsistencies(game.record, time)


def compare_heads(
    published: Sequence[str], all_heads: list[str], found: dict[str, list[str]], notes: list[str]
) -> None:
    """Add to `found` which published heads are none of these, and to `notes` what came after the last that is one."""
    given = [head.strip().lower() for head in published]
    places = {head: place for place, head in enumerate(all_heads)}
    wrong = [head for head in given if head not in places]
    if wrong:
        found["head"] = [
            f"{head} is no head that this ledger ever had: it is another's, or was written anew since" for head in wrong
        ]
    if len(wrong) < len(given):
        later = len(all_heads) - 1 - max(places[head] for head in given if head in places)
        since = "nothing was recorded since" if not later else f"{later} entries were added to it since"
        right = (
            "the head that was given is this tournament's"
            if len(given) == 1
            else f"{len(given) - len(wrong)} of the {len(given)} heads that were given are this tournament's; the last"
        )
        notes.append(f"{right}: {since}")


def _time_control(time: Mapping[str, Any]) -> tuple[TimeControl | None, list[str]]:
    """Return the time control, or why it is not known."""
    try:
        return msgspec.convert(time, TimeControl), []
    except msgspec.ValidationError as error:
        return None, [f"its time control is none: {in_words(error)}"]


def _differences(
    ledger: Ledger, game_id: str, rules: Rules, edition: Data, time: TimeControl | None, recorded: str | None
) -> list[str]:
    """Replay one game, and return how the result differs from its record. `recorded`: the hash of the record."""
    try:
        record = ledger.game(game_id)
        game_steps: list[GameStep] = []
        openings = (ledger.settings.dealing or Dealing()).openings
        found = verify(record, rules, edition, game_steps.append, openings) or inconsistencies(record, time)
        found = found or verify_page_data(record, rules, edition, ledger.page_data(game_id), game_steps)
        if not found and recorded is not None and record_hash(record) != recorded:
            return ["its record is not the one that was recorded: faults, times, notes or names changed"]
        return found
    except LedgerError as error:  # the other games are still worth knowing about
        return [error.what if isinstance(error, DamagedLedger) else str(error)]
