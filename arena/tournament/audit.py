"""Compare a ledger with the schedule that its field and results give: draw every round again."""

from __future__ import annotations

from arena.ledger import Ledger, LedgerError, committed_seeds
from arena.tournament.fixtures import Fixtures, set_aside
from arena.tournament.formats import FormatError, recorded_format
from arena.tournament.schedule import specs


def audit(ledger: Ledger) -> list[str]:
    """Draw the tournament again, and return in words what in the ledger does not fit.

    That is: rounds drawn otherwise, games that were not drawn, games with another place, seed or seating, and in a
    tournament that is finished games that are missing.
    """
    try:
        seeds = committed_seeds(ledger)
        recorded = ledger.blocks()
        damaged: list[str] = []
        outcomes = ledger.outcomes(damaged)
    except LedgerError as error:
        return [str(error)] if ledger.ids() else []
    settings = ledger.settings
    fixtures = Fixtures(
        recorded_format(settings, seeds.schedule),
        settings.players,
        seeds,
        ledger.field_events(),
        outcomes,
        set_aside(ledger.voids()) | set(damaged),  # to say what is damaged is up to what replays them
    )
    games = {outcome.id: outcome for outcome in outcomes}
    end = (settings.rated.games or 0) if settings.finished else 0
    found: list[str] = []
    for number, was in enumerate(recorded):
        try:
            block = fixtures.look(number)
        except FormatError as error:
            return [*found, str(error)]
        if block is None:
            break
        if block != was:
            place = f"its block at place {was.place}"
            return [*found, f"round {was.round} was drawn otherwise: {place} is not the one that is drawn now"]
        for spec in specs(block, seeds.at(block.place)):
            game = games.get(spec.id)
            if game is not None and (game.index, game.seed, game.bots) != (spec.index, spec.seed, spec.bots):
                found.append(f"{spec.id} has another place, seed or seating than the schedule gives it")
            elif game is None and spec.index < end and fixtures.is_open(spec.index):
                found.append(f"{spec.id} is missing")
    found += [f"{game_id} is not in the schedule" for game_id in sorted(fixtures.unscheduled())]
    suspended = fixtures.history.suspensions.suspended(end)
    return found + [
        f"{bot} is said to be suspended, which does not follow from the games"
        for bot, place in sorted(settings.rated.suspended.items())
        if settings.finished and suspended.get(bot) != place
    ]
