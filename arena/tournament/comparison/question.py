"""Ask which of two bots is better: a tournament of the format `paired` between them and their opponents.

It lies in a folder of its own, named after all that is fixed, so that the same question goes on where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final

import msgspec

from arena.common.labels import bot_name
from arena.common.progress import Progress
from arena.entrants import Built, Entrant, EntrantError, kept_within
from arena.formats import PAIRED, FormatOptions
from arena.formats.base import ERROR, MARGIN, SCORE_MARGIN
from arena.formats.paired import pair_counts
from arena.game.clock import TimeControl
from arena.isolation.probe import choose
from arena.isolation.settings import Isolation, check_named
from arena.ledger import Ledger, TournamentSettings
from arena.rating.betting.sequential import enough_rounds
from arena.tournament.admission import admit, avatars_of
from arena.tournament.capacity import check_capacity, helpers_of_bots
from arena.tournament.comparison.sides import Sides
from arena.tournament.coordinator import Clock, TournamentRun
from arena.tournament.folders import HOME, check_is_apart, keyed_name
from arena.tournament.identity import Identity, dealing_of, edition_of, measure_of, tournament_seed, with_partners
from arena.tournament.observer import RunOutcome
from arena.tournament.open_ledger import create_ledger, open_ledger
from arena.tournament.plan import Plan, PlanError, player_counts
from arena.tournament.workers import LocalWorker, MakeExecutor
from engine import catalog

_LIMITS: Final = ("start", "move", "bank", "strikes", "on_crash")
COMPARISONS: Final = HOME / "compare"
"""Where comparisons lie without `--out`."""


@dataclass(frozen=True)
class Question:
    """Two bots, and how they are compared."""

    sides: Sides
    identity: Identity
    counts: list[int]
    """The player counts for which there are opponents enough."""
    most: int
    """The games after which it ends without a verdict."""
    folder: Path

    @property
    def entrants(self) -> list[Entrant]:
        """Return all who play."""
        return self.entrants_within(lambda _: None)

    def entrants_within(self, say: Callable[[str], object]) -> list[Entrant]:
        """Return all who play with the limits that they get, and say who asked for more."""
        everybody = [self.sides.old.entrant, self.sides.new.entrant, *self.sides.opponents]
        return kept_within(everybody, self.identity.limits, say)


def make_question(plan: Plan, sides: Sides, margin: float | None = None, error: float = ERROR) -> Question:
    """Fill in what is not said: as the tournament has it of which a bot is a version, or else the defaults.

    Raises `PlanError`, or an edition's error.
    """
    settings = sides.settings
    if settings is not None and plan.game not in (None, settings.game):
        settings = None
    rules = catalog.rules(plan.game if settings is None else settings.game)
    if settings is None or plan.players is not None:
        players = player_counts(plan.players, rules.players)
    else:
        players = settings.players
    score = measure_of(rules, players, False)
    margin = margin or (MARGIN if score is None else SCORE_MARGIN)
    labels = (sides.old.entrant.name, sides.new.entrant.name)
    identity = Identity(
        game=rules.name,
        edition=edition_of(rules, plan.edition) if settings is None or plan.edition else settings.edition,
        players=players,
        time=_time(plan, settings),
        seed=None if plan.seed is None else tournament_seed(plan.seed),
        format=PAIRED,
        options=FormatOptions(sides=labels, margin=margin, error=error, score=score),
        network=sorted(plan.network),
        dealing=with_partners(dealing_of(rules, None, None), rules, players, None),
    )
    needed = [identity.dealing.entrants(count) for count in players]
    pairs = pair_counts(needed, len(sides.opponents))
    if not pairs:
        some = f"{len(sides.opponents)} opponents" if len(sides.opponents) != 1 else "1 opponent"
        raise PlanError(f"{some}: games of {min(players)} need {min(needed) - 1} (--against names some)")
    each = 2 * sum(pairs)
    most = enough_rounds(pairs, margin, error) if plan.games is None else ceil(plan.games / each)
    folder = COMPARISONS / _folder_name(identity, sides) if plan.out is None else Path(plan.out)
    counts = [count for count, number in zip(players, needed, strict=True) if number in pairs]
    return Question(sides, identity, counts, most * each, folder)


def play(
    question: Question,
    plan: Plan,
    progress: Progress,
    make: MakeExecutor = LocalWorker,
    clock: Clock = time.monotonic,
) -> RunOutcome:
    """Play until there is a verdict or all games are played; go on with what was played before.

    Raises `PlanError`, `EntrantError` or `LedgerError` for bad input.
    """
    check_is_apart(plan.out, question.entrants, plan.fresh)
    isolation = choose(plan.isolation, plan.build_network, plan.network)
    check_named(plan.network, [bot_name(entrant.name) for entrant in question.entrants])
    helpers = helpers_of_bots(isolation, question.entrants)
    check_capacity(plan.workers(), max(question.counts), helpers)
    identity = question.identity
    with open_ledger(
        identity,
        str(question.folder),
        plan.fresh,
        progress,
        lambda folder: _begin(question, folder, progress, isolation),
    ) as (ledger, begun):
        stay = _stayers(question, ledger) if begun is None else []
        plan = msgspec.structs.replace(plan, games=question.most, **msgspec.to_builtins(identity.time))
        return TournamentRun(
            plan, ledger, begun or {}, stay, progress, make, clock, isolation=isolation, says_head=False
        ).play_games()


def _begin(question: Question, folder: Path, progress: Progress, isolation: Isolation) -> dict[str, Built]:
    """Admit the bots and write the ledger. Return those that take part."""
    identity = question.identity
    built, records = admit(
        question.entrants_within(progress.say),
        identity.game,
        identity.edition,
        identity.time,
        progress,
        isolation,
    )
    typed = {side.entrant.name: side.typed for side in (question.sides.old, question.sides.new)}
    for record in records:
        if record.left_out is not None and record.name in typed:
            raise EntrantError(f"{typed[record.name]} cannot take part: {record.left_out}")
        if record.left_out is not None:
            progress.say(f"left out: {record.name}: {record.left_out}")
    needed = [identity.dealing.entrants(count) for count in identity.players]
    if not pair_counts(needed, len(built) - len(typed)):
        raise PlanError(f"too few opponents can take part: games of {min(identity.players)} cannot be played")
    create_ledger(folder, identity, records, avatars_of(question.entrants))
    return built


def _stayers(question: Question, ledger: Ledger) -> list[Entrant]:
    """Return the bots that the ledger began with. Raises `PlanError` if they are not those of the question."""
    asked = {entrant.name: entrant for entrant in question.entrants}
    before = {record.name: record.fingerprint for record in ledger.entrants()}
    if before != {name: entrant.fingerprint for name, entrant in asked.items()}:
        raise PlanError(
            f"{ledger.folder} holds another comparison, with other bots or other contents. Add --fresh to move it "
            "aside and begin anew, or choose another --out"
        )
    return [asked[name] for name in ledger.field()]


def _time(plan: Plan, settings: TournamentSettings | None) -> TimeControl:
    """Return the time control that is asked for; what is not said is as in the tournament."""
    given = {name: value for name in _LIMITS if (value := getattr(plan, name)) is not None}
    before = {} if settings is None else settings.time
    return msgspec.convert({**before, **given, "ponder": plan.ponder or before.get("ponder", False)}, TimeControl)


def _folder_name(identity: Identity, sides: Sides) -> str:
    """Return a name that is the same for the same question only."""
    bots = {entrant.name: entrant.fingerprint for entrant in (sides.old.entrant, sides.new.entrant, *sides.opponents)}
    return keyed_name(f"{sides.old.entrant.name}-{sides.new.entrant.name}", [identity, bots])
