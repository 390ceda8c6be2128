"""Run a tournament: find its folder, begin it or change its field, and have it played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.common.garbage import collected_seldom
from arena.common.labels import bot_name
from arena.common.progress import Progress, said_if_long
from arena.entrants import Built, Entrant, EntrantError, alike, expand, kept_within
from arena.entrants.plan_bot import PlanBot, entered
from arena.formats import DECISIVE, DEFAULT_FORMAT, make_format, recorded_format
from arena.formats.base import SCORE_MARGIN
from arena.game.opening import check_openings
from arena.isolation.probe import choose
from arena.isolation.settings import Isolation, check_named
from arena.ledger import EntrantRecord, Ledger, committed_seeds, settle_beacon
from arena.ledger.dates import now
from arena.tournament import field_changes
from arena.tournament.admission import admit, avatars_of
from arena.tournament.capacity import check_capacity, helpers_of_bots
from arena.tournament.coordinator import Clock, TournamentRun, budget_of, commitment, note_conditions
from arena.tournament.folders import check_is_apart
from arena.tournament.head_publisher import append_head, check_heads_file
from arena.tournament.hooks.commands import HookError
from arena.tournament.hooks.observer import hooked
from arena.tournament.identity import Identity, dealing_of, edition_of, measure_of, tournament_seed, with_partners
from arena.tournament.observer import PublishedHead, RunObserver, RunOutcome
from arena.tournament.open_ledger import create_ledger, open_ledger
from arena.tournament.plan import DEFAULT_GAMES, Plan, PlanError, player_counts
from arena.tournament.plan_trust import check_readable
from arena.tournament.workers import LocalWorker, MakeExecutor, Workforce
from engine import catalog


def run(
    plan: Plan,
    progress: Progress,
    make: MakeExecutor | Workforce = LocalWorker,
    clock: Clock = time.monotonic,
    observers: Sequence[RunObserver] = (),
    *,
    says_head: bool = True,
) -> RunOutcome:
    """Play what is asked for. `observers` follow it, as the hooks of the plan do; `says_head`: as in `TournamentRun`.

    Raises `PlanError`, `EntrantError`, `LedgerError`, `FormatError` or an edition's error for bad input.
    """
    if plan.trace and isinstance(make, Workforce):
        raise PlanError("trace: messages are written where games are played, not on other machines: play without it")
    if plan.remote is not None and isinstance(make, Workforce):
        raise PlanError("remote: bots elsewhere are reached from this machine alone: play without a cluster", "remote")
    is_apart = plan.remote is not None and plan.remote.tables == "apart"
    if is_apart and (plan.format_name() != DEFAULT_FORMAT or plan.until):
        raise PlanError("remote: tables are apart only in the format balanced, without until", "remote")
    check_readable(plan)
    check_heads_file(plan)
    with said_if_long(progress, "reading the bots' files"):
        entrants = _entrants(plan, progress)
    check_is_apart(plan.out, entrants, plan.fresh)
    identity = identity_of(plan)
    isolation = choose(plan.isolation, plan.build_network, plan.network, plan.remote)
    needed = {count: identity.dealing.entrants(count) for count in identity.players}
    players = max((count for count in needed if needed[count] <= len(entrants)), default=0)
    here = 1 if isinstance(make, Workforce) else _most_at_once(plan, players)
    check_capacity(here, players, helpers_of_bots(isolation, entrants))
    commands = _hook_commands(plan)
    with (
        collected_seldom(),
        hooked(
            plan.hooks, commands, progress
        ) as hooks,  # outside: when the last one runs, the ledger is free for others
        open_ledger(
            identity,
            plan.out,
            plan.fresh,
            progress,
            lambda folder: _begin(plan, identity, entrants, folder, progress, isolation),
        ) as (ledger, begun),
    ):
        observers = [*observers, *hooks]
        if (line := settle(plan, ledger, isolation, make)) is not None:
            published = PublishedHead(ledger.chain.head(), now(), ledger.chain.length(), 0)
            append_head(None if plan.heads is None else Path(plan.heads), published, progress.say)
            return RunOutcome(ledger.folder, commitment=line, head=ledger.chain.head())
        leave_out(plan, ledger, make)
        stay: list[Entrant] = []
        changes: list[str] = []
        built = begun
        if built is None:
            built, stay, changes = _change_field(plan, ledger, entrants, progress, isolation)
        _keep_apart(plan, ledger)
        return TournamentRun(
            plan, ledger, built, stay, progress, make, clock, changes, observers, isolation, says_head=says_head
        ).play_games()


def check_beginning(plan: Plan) -> None:
    """Raise `PlanError` if a plan for a new tournament has the public value already."""
    if plan.beacon is not None or plan.contributions:
        raise PlanError(
            "nothing was committed to that a public value could be added to: begin with --commit SOURCE alone, publish "
            "the line that it prints, and add --beacon VALUE when the value is known"
        )


def settle(plan: Plan, ledger: Ledger, isolation: Isolation, make: MakeExecutor | Workforce) -> str | None:
    """Add the public value to the seed if the tournament waits for it.

    Args:
        plan: What is asked for.
        ledger: The ledger, open to write.
        isolation: How bots are kept apart.
        make: Who will play.

    Returns:
        The line to publish if the value is still to come, so that nothing can be played; None: play.

    Raises:
        PlanError: The plan says otherwise than the ledger, or the value is missing.
    """
    settings, folder = ledger.settings, ledger.folder
    source, beacon = settings.beacon_source, settings.beacon
    if plan.commit is not None and plan.commit != source:
        said = "without --commit" if source is None else f"with --commit {source!r}"
        raise PlanError(f"the tournament in {folder} began {said}. Choose another --out, or add --fresh to begin anew")
    if source is None:
        if plan.beacon is not None or plan.contributions:
            raise PlanError(f"the tournament in {folder} began without --commit: no public value goes into its seed")
        return None
    if beacon is not None:
        if plan.beacon not in (None, beacon.value) or plan.contributions not in ([], beacon.contributions):
            raise PlanError(f"the seed of the tournament in {folder} has another public value: {beacon.value!r}")
        return None
    if plan.beacon is not None:
        settle_beacon(ledger, plan.beacon, plan.contributions)
        return None
    if plan.commit is None:
        raise PlanError(f"the tournament in {folder} waits for a public value ({source}): add it with --beacon")
    note_conditions(ledger, isolation, make)
    budget = msgspec.to_builtins(budget_of(plan, recorded_format(settings, bytes(16)).ends))
    if ledger.chain.last("run") != ["run", budget]:
        ledger.begin_run(budget)
    return commitment(ledger)


def leave_out(plan: Plan, ledger: Ledger, make: MakeExecutor | Workforce) -> None:
    """Record machines whose games do not count, and use them no more. Raises `PlanError` for one that is not known."""
    known = ledger.named_machines()
    for name in plan.without_machines:
        if name not in known:
            played = f"known are {', '.join(known)}" if known else "without a cluster, machines have no names"
            raise PlanError(
                f"no game in {ledger.folder} was played on a machine {name!r}: {played}", "without_machines"
            )
        ledger.leave_out_machine(name)
    if isinstance(make, Workforce):
        make.leave_out(ledger.settings.without_machines)


def _hook_commands(plan: Plan) -> dict[str, list[str]]:
    """Return the command of each event. Raises `PlanError` for one that does not exist."""
    try:
        return {} if plan.hooks is None else plan.hooks.commands()
    except HookError as error:
        raise PlanError(f"hooks: {error}", "hooks") from None


def _most_at_once(plan: Plan, players: int) -> int:
    """How many games at the same time there can be: not more than there are games at all."""
    if plan.minutes is not None or plan.rounds is not None:
        return plan.workers()
    return min(plan.workers(), (plan.games or DEFAULT_GAMES) + players)


def _entrants(plan: Plan, progress: Progress) -> list[Entrant]:
    if not plan.bots:
        raise PlanError("no bots: name them, as in  arena tournament bots/*.py")
    words = [entered(each) if isinstance(each, PlanBot) else each for each in plan.bots]
    expansion = expand(words, catalog.rules(plan.game).name, keep_faulty=True)
    for path, reason in expansion.skipped:
        if plan.strict:
            raise EntrantError(f"{path} is no bot: {reason}")
        progress.say(f"skipped {path}: {reason}")
    for entrant in expansion.found:
        if plan.strict and entrant.fault:
            raise EntrantError(entrant.fault)
    return kept_within(expansion.found, plan.limits, progress.say)


def identity_of(plan: Plan) -> Identity:
    """Return what a plan fixes for the whole tournament. Raises `PlanError`, `UnknownRules` or `EditionError`."""
    rules = catalog.rules(plan.game)
    make_format(plan.format_name(), bytes(16), plan.format_options())  # says what is wrong before anything begins
    players = player_counts(plan.players, rules.players)
    dealing = with_partners(dealing_of(rules, plan.deals, plan.openings), rules, players, plan.partners)
    if dealing.partners == "drawn" and (plan.until is not None or plan.format_name() == DECISIVE):
        raise PlanError(
            "partners: an order is resolved for bots that play for themselves: leave out --until, or --partners drawn",
            "partners",
        )
    edition, options = edition_of(rules, plan.edition), plan.format_options()
    if (plan.until is not None or plan.format_name() == DECISIVE) and (score := measure_of(rules, players, True)):
        options = msgspec.structs.replace(options, score=score, margin=options.margin or SCORE_MARGIN)
    if dealing.openings:
        check_openings(rules, edition, players)
    return Identity(
        game=rules.name,
        edition=edition,
        players=players,
        time=plan.time(),
        seed=None if plan.seed is None else tournament_seed(plan.seed),
        format=plan.format_name(),
        options=options,
        limits=plan.limits,
        network=sorted(plan.network),
        dealing=dealing,
    )


def _begin(
    plan: Plan,
    identity: Identity,
    entrants: list[Entrant],
    folder: Path,
    progress: Progress,
    isolation: Isolation,
) -> dict[str, Built]:
    """Admit the bots and write the new ledger; the bots that take part."""
    check_beginning(plan)
    if not plan.leave:  # else a bot may be away now
        check_named(plan.network, [entrant.name for entrant in entrants])
    field_changes.check_pins(plan, [entrant.name for entrant in entrants])
    for line in alike(entrants):
        progress.say(line)
    built, records = admit(entrants, identity.game, identity.edition, identity.time, progress, isolation)
    _say_left_out(plan, records, progress)
    needed = min(map(identity.dealing.entrants, identity.players))
    if len(built) < 2 or len(built) < needed:
        some = "1 bot" if len(built) == 1 else f"{len(built)} bots"
        least = f"the games are for {needed} at least"
        raise PlanError(f"{some} can take part, {least}. Add some, such as @random_bot")
    create_ledger(folder, identity, records, avatars_of(entrants), plan.note or "", plan.commit)
    return built


def _change_field(
    plan: Plan, ledger: Ledger, entrants: Sequence[Entrant], progress: Progress, isolation: Isolation
) -> tuple[dict[str, Built], list[Entrant], list[str]]:
    """Let bots join and leave. Return those that joined, what else is in the field, and what happened in words."""
    settings = ledger.settings
    entrants = field_changes.named_as_before(entrants, ledger.entrants())
    if not plan.leave:
        there = [each.name for each in entrants] + [bot_name(each.name) for each in ledger.entrants()]
        check_named(plan.network, there)
    for line in alike(entrants):
        progress.say(line)
    request = field_changes.request_field(plan, ledger, entrants)
    if plan.fixed and (found := field_changes.differences(request)):
        raise PlanError(
            f"the field of {ledger.folder} is fixed, and not what was named: {'; '.join(found)}. Name the bots that "
            "it began with, or leave out --fixed"
        )
    built: dict[str, Built] = {}
    records: list[EntrantRecord] = []
    if request.join:
        built, records = admit(request.join, settings.game, settings.edition, plan.time(), progress, isolation)
    for line in request.lines:
        progress.say(line)
    _say_left_out(plan, records, progress)
    with said_if_long(progress, "looking through the games that were played"):
        change = field_changes.change_field(ledger, request, records, committed_seeds(ledger))
    ledger.change_field(records, change.events, change.place, plan.note or "", avatars_of(request.join))
    stay = kept_within(change.stay, plan.limits, lambda _: None)  # said when they joined
    return built, stay, change.lines


def _keep_apart(plan: Plan, ledger: Ledger) -> None:
    """Record of bots that have not been drawn yet where they run, if tables are apart. Raises `PlanError`."""
    remote = plan.remote
    if remote is not None and remote.tables == "apart":
        known = ledger.settings.tables.keys() | {bot for block in ledger.blocks() for bot in block.bots}
        named = {label: bot_name(label) for label in ledger.field() if label not in known}
        ledger.keep_apart(
            {
                label: "elsewhere" if name in remote.bots else "here"
                for label, name in named.items()
                if name not in remote.both
            }
        )
    if ledger.settings.tables and plan.rounds is None and plan.minutes is None:
        raise PlanError("remote: where tables are apart, ask for rounds or minutes, not for a number of games")


def _say_left_out(plan: Plan, records: Sequence[EntrantRecord], progress: Progress) -> None:
    for record in records:
        if record.left_out is not None:
            if plan.strict:
                raise EntrantError(f"{record.name}: {record.left_out}")
            progress.say(f"left out: {record.name}: {record.left_out}")
