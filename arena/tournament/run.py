"""Run a tournament: find its folder, begin it or change its field, and have it played."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from arena.common.labels import bot_name
from arena.common.progress import Progress, said_if_long
from arena.entrants import Built, Entrant, EntrantError, expand
from arena.entrants.recall import recall
from arena.ledger import (
    EntrantRecord,
    Ledger,
    TournamentSettings,
    commit_seed,
    committed_seeds,
    locked,
)
from arena.ledger.database import FILE as LEDGER_FILE
from arena.tournament import field
from arena.tournament.admission import admit
from arena.tournament.capacity import check_capacity
from arena.tournament.formats import make_format
from arena.tournament.identity import Identity, choose_folder, differences, edition_of, has_ledger, tournament_seed
from arena.tournament.plan import DEFAULT_GAMES, Plan, PlanError, player_counts
from arena.tournament.play import Clock, Player, RunOutcome
from arena.tournament.workers import LocalWorker, MakeExecutor
from engine import catalog


def run(
    plan: Plan,
    progress: Progress,
    make: MakeExecutor = LocalWorker,
    clock: Clock = time.monotonic,
) -> RunOutcome:
    """Play what is asked for.

    Raises `PlanError`, `EntrantError`, `LedgerError`, `FormatError` or an edition's error for bad input.
    """
    with said_if_long(progress, "reading the bots' files"):
        entrants = _entrants(plan, progress)
    identity = _identity(plan)
    players = max((count for count in identity.players if count <= len(entrants)), default=0)
    check_capacity(_most_at_once(plan, players), players)
    folder, why = choose_folder(identity, plan.out, plan.fresh)
    if why:
        progress.say(why)
    with locked(folder):
        begins = not has_ledger(folder)
        if begins:
            built = _begin(plan, identity, entrants, folder, progress)
        with Ledger.open(folder, writing=True) as ledger:
            if found := differences(identity, ledger):  # somebody else was quicker
                raise PlanError(f"{folder} holds another tournament: {'; '.join(found)}")
            stay: Sequence[Entrant] = []
            changes: Sequence[str] = []
            if not begins:
                built, stay, changes = _change_field(plan, ledger, entrants, progress)
            return Player(plan, ledger, built, stay, progress, make, clock, changes).go()


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


def _identity(plan: Plan) -> Identity:
    rules = catalog.game(plan.game)
    make_format(plan.format_name(), bytes(16), plan.format_options())  # says what is wrong before anything begins
    return Identity(
        game=rules.name,
        edition=edition_of(rules, plan.edition),
        players=player_counts(plan.players, rules.players),
        time=plan.time(),
        seed=None if plan.seed is None else tournament_seed(plan.seed),
        format=plan.format_name(),
        options=plan.format_options(),
    )


def _begin(
    plan: Plan, identity: Identity, entrants: list[Entrant], folder: Path, progress: Progress
) -> dict[str, Built]:
    """Admit the bots and write the new ledger; the bots that take part."""
    built, records = admit(entrants, identity.game, identity.edition, identity.time, progress)
    _say_left_out(plan, records, progress)
    if len(built) < 2 or len(built) < min(identity.players):
        some = "1 bot" if len(built) == 1 else f"{len(built)} bots"
        raise PlanError(f"{some} can take part, the games are for {min(identity.players)} at least")
    create_ledger(folder, identity, records)
    return built


def create_ledger(folder: Path, identity: Identity, records: Sequence[EntrantRecord]) -> None:
    """Write the ledger of a new tournament."""
    seed = identity.seed if identity.seed is not None else secrets.token_bytes(16)
    settings = TournamentSettings(
        game=identity.game,
        edition=identity.edition,
        players=identity.players,
        time=msgspec.to_builtins(identity.time),
        seed_hash=commit_seed(folder, seed),
        seed_given=identity.seed is not None,
        format=identity.format,
        options=identity.recorded_options(),
    )
    unfinished = folder / ".new"
    shutil.rmtree(unfinished, ignore_errors=True)  # of a run that was killed
    with Ledger.create(unfinished, settings.entries()) as ledger:
        ledger.set_entrants(records)
    # Whole or not at all: a ledger without its bots could never go on.
    (unfinished / LEDGER_FILE).rename(folder / LEDGER_FILE)
    unfinished.rmdir()


def _change_field(
    plan: Plan, ledger: Ledger, entrants: Sequence[Entrant], progress: Progress
) -> tuple[dict[str, Built], list[Entrant], list[str]]:
    """Let bots join and leave. Return those that joined, what else is in the field, and what happened in words."""
    settings = ledger.settings
    wish = field.wish(plan, ledger, field.named_as_before(entrants, ledger.entrants()))
    if plan.fixed and (found := field.differences(wish)):
        raise PlanError(
            f"the field of {ledger.folder} is fixed, and not what was named: {'; '.join(found)}. Name the bots that "
            "it began with, or leave out --fixed"
        )
    built: dict[str, Built] = {}
    records: list[EntrantRecord] = []
    if wish.join:
        built, records = admit(wish.join, settings.game, settings.edition, plan.time(), progress)
    for line in wish.lines:
        progress.say(line)
    _say_left_out(plan, records, progress)
    stay = list(wish.stay)
    for record in records:
        if record.left_out is not None:
            stay += _kept(wish, record.name, ledger)
    with said_if_long(progress, "looking through the games that were played"):
        change = field.change(ledger, wish, records, committed_seeds(ledger))
    ledger.change_field(records, change.events, change.place)
    return built, stay, change.lines


def _kept(wish: field.Wish, label: str, ledger: Ledger) -> list[Entrant]:
    """Return the versions that stay because the one that was to replace them cannot take part."""
    versions = {each.name: each for each in ledger.entrants()}
    old = [versions[each] for each in wish.replaced[label]]
    return [replace(recall(bot_name(each.name), each.fingerprint, each.path), name=each.name) for each in old]


def _say_left_out(plan: Plan, records: Sequence[EntrantRecord], progress: Progress) -> None:
    for record in records:
        if record.left_out is not None:
            if plan.strict:
                raise EntrantError(f"{record.name}: {record.left_out}")
            progress.say(f"left out: {record.name}: {record.left_out}")
