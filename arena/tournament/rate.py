"""Rate a bot: it plays a gauntlet of the anchors of its game until its rating is known well enough."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.common.progress import Progress
from arena.entrants import Entrant
from arena.formats.base import SCORE_MARGIN
from arena.isolation.settings import leave_for
from arena.ledger import Ledger, LedgerError
from arena.reports.bot_rating import BotRating, bot_rating
from arena.standings import rated_results
from arena.tournament.anchors import AnchorField
from arena.tournament.folders import keyed_name
from arena.tournament.identity import edition_of
from arena.tournament.observer import RunOutcome
from arena.tournament.plan import Plan, PlanError, player_counts
from arena.tournament.run import run
from arena.tournament.workers import LocalWorker, MakeExecutor, Workforce
from engine import catalog

HOME: Final = "rate"
"""Where the games of rated bots lie if no other folder is asked for."""
SEED: Final = 1
"""So bots that are rated on other days play the same deals."""
MOST_GAMES: Final = 1000
"""After so many it ends, whatever is known."""
_USUAL: Final = 1.0
_FIRST: Final = 60
"""It is looked at what is known after so many games, and from then on when they are expected to be enough."""
_ENOUGH_FOR_BOUND: Final = 200
"""More games say hardly anything of a bot that won all of them, or lost all."""
_SPARE: Final = 1.05
"""So many times as many games as are expected to be enough are played."""
_MORE: Final = (1.15, 3.0)
"""By what factor games grow from one look to the next, at least and at most."""


def completed(plan: Plan) -> Plan:
    """Return a plan with what follows where nothing is said: the seed that all ratings share, the folder, the players.

    A bridge often has its games for more players than anybody trains for, so these are played by the fewest.
    """
    rules = catalog.rules(plan.game)
    players = str(rules.players[0]) if plan.players is None and ":" in rules.name else plan.players
    seed = SEED if plan.seed is None else plan.seed
    return msgspec.structs.replace(plan, players=players, seed=seed, out=plan.out or HOME)


def usual_error(plan: Plan) -> float:
    """Return to what a rating is to be known if nobody says so, in its unit. Raises `PlanError` if nothing is usual."""
    rules = catalog.rules(plan.game)
    score, span = rules.capabilities.score, rules.capabilities.span
    if score is None:
        return _USUAL
    counts = player_counts(plan.players, rules.players)
    if not all(span.get(count) for count in counts):
        raise PlanError(f"{rules.name} does not say how far {score.unit} go: say by --error how well to know a rating")
    return SCORE_MARGIN * max(high - low for low, high in map(span.__getitem__, counts))


class Rated(NamedTuple):
    """How the rating of a bot ended."""

    rating: BotRating | None
    """None: no game counts."""
    is_known: bool
    """Whether it is known as well as was asked for, or as well as it can be on one side alone."""
    outcome: RunOutcome


def next_look(games: int, half: float, wanted: float, most: int) -> int:
    """Return after how many games to look again, if after so many half of the interval is `half`."""
    least, greatest = _MORE
    return min(most, math.ceil(games * min(greatest, max(least, _SPARE * (half / wanted) ** 2))))


def is_enough(rating: BotRating | None, wanted: float) -> bool:
    """Return whether a rating is known well enough: to `wanted` on either side, or on one side alone by many games."""
    if rating is None:
        return False
    return rating.overall.games >= _ENOUGH_FOR_BOUND if rating.overall.bound else rating.half <= wanted


def folder_for(entrant: Entrant, field: AnchorField, plan: Plan) -> Path:
    """Return the folder of a bot's games, which is the same for the same content, rules, clock, anchors and seed."""
    rules = catalog.rules(plan.game)
    asked = [rules.name, edition_of(rules, plan.edition), plan.players, plan.time(), plan.seed]
    return Path(plan.out or HOME) / keyed_name(entrant.name, [asked, entrant.fingerprint, sorted(field.words)])


def look(folder: Path, bot: str, field: AnchorField) -> tuple[BotRating | None, int]:
    """Return what the games so far say of a bot, and how many count, also such as are the same as others."""
    try:
        with Ledger.open(folder) as ledger:
            results = ledger.results()
            games = sum(ledger.settings.rated.counts(each.bots, each.index) for each in results)
            return bot_rating(bot, field.anchors, rated_results(ledger, results)), games
    except (LedgerError, OSError):
        return None, 0  # who plays will say what is wrong with it


def rate(
    entrant: Entrant,
    field: AnchorField,
    plan: Plan,
    wanted: float,
    progress: Progress,
    make: MakeExecutor | Workforce = LocalWorker,
) -> Rated:
    """Play until half of the interval of 95 % is at most `wanted`; go on with what was played before.

    Args:
        entrant: The bot. Its name must be none of the anchors'.
        field: The anchors.
        plan: How to play; `games` are the most, and `out` is where the folder goes.
        wanted: In the unit of the rating.
        progress: Gets what happens.
        make: Makes workers.

    Raises:
        PlanError, EntrantError or LedgerError: Something asked for is of no use.
    """
    most, folder = plan.games or MOST_GAMES, folder_for(entrant, field, plan)
    plan = msgspec.structs.replace(
        plan,
        bots=[f"{entrant.name}={entrant.path}", *field.words.values()],
        challengers=[entrant.name],
        players=",".join(map(str, field.anchors.counts)),
        out=str(folder),
        strict=True,
        network=leave_for(plan.network, entrant.name),
    )
    known, played = (None, 0) if plan.fresh else look(folder, entrant.name, field)
    outcome = RunOutcome(folder)
    while played < most and not is_enough(known, wanted):
        games = _FIRST
        if known is not None:
            games = _ENOUGH_FOR_BOUND if known.overall.bound else next_look(played, known.half, wanted, most)
        games = min(most, max(_FIRST, games))
        outcome = run(msgspec.structs.replace(plan, games=games), progress, make, says_head=False)
        plan, before = msgspec.structs.replace(plan, fresh=False), played
        known, played = look(folder, entrant.name, field)
        if outcome.interrupted or played <= before or outcome.counting < games:
            break
    return Rated(known, is_enough(known, wanted), outcome)
