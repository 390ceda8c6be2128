"""Compare a ledger with the schedule that its field and results give: draw every round again."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from arena.ledger import FieldEvent, Ledger, LedgerError, RatedGames, committed_seeds
from arena.tournament.fixtures import Fixtures, set_aside
from arena.tournament.formats import FormatError, recorded_format
from arena.tournament.schedule import specs
from arena.tournament.suspension import Suspensions


def audit(ledger: Ledger) -> list[str]:
    """Draw the tournament again, and return in words what in the ledger does not fit.

    That is: changes of the field that cannot have been, rounds drawn otherwise, games that were not drawn, games with
    another place, seed or seating, and in a tournament that is finished games that are missing, and suspensions that do
    not follow from the games.
    """
    with ledger.still():  # it may be played meanwhile
        try:
            return _audit(ledger)
        except LedgerError as error:
            return [str(error)] if ledger.ids() else []
        except FormatError as error:
            return [str(error)]


def _audit(ledger: Ledger) -> list[str]:
    settings, seeds, recorded, events = ledger.settings, committed_seeds(ledger), ledger.blocks(), ledger.field_events()
    damaged: list[str] = []
    outcomes = ledger.outcomes(damaged)
    fixtures = Fixtures(
        recorded_format(settings, seeds.schedule),
        settings.players,
        seeds,
        events,
        outcomes,
        set_aside(ledger.voids()) | set(damaged),  # to say what is damaged is up to what replays them
    )
    games = {outcome.id: outcome for outcome in outcomes}
    end = (settings.rated.games or 0) if settings.finished else 0
    found = _impossible(events, {each.name for each in ledger.entrants()})
    for number, was in enumerate(recorded):
        block = fixtures.look(number)
        if block is None:
            return [*found, f"round {was.round} cannot be drawn: games that it depends on are missing"]
        if block != was:
            place = f"its block at place {was.place}"
            return [*found, f"round {was.round} was drawn otherwise: {place} is not the one that is drawn now"]
        for spec in specs(block, seeds):
            game = games.get(spec.id)
            if game is not None and (game.index, game.seed, game.bots) != (spec.index, spec.seed, spec.bots):
                found.append(f"{spec.id} has another place, seed or seating than the schedule gives it")
            elif game is None and spec.index < end and fixtures.is_open(spec.index):
                found.append(f"{spec.id} is missing")
    found += [
        f"{event.bot} cannot {event.kind} at place {event.place}: round {event.round} does not begin there"
        for event in events
        if event.place != fixtures.schedule.begin_of(event.round)
    ]
    found += [f"{game_id} is not in the schedule" for game_id in sorted(fixtures.unscheduled())]
    return found + (_not_following(settings.rated, fixtures.history.suspensions) if settings.finished else [])


def _impossible(events: Sequence[FieldEvent], known: AbstractSet[str]) -> list[str]:
    """Name events of bots that are unknown, that join although they are there, or leave although they are not."""
    there: set[str] = set()
    found = []
    for event in events:
        if event.bot not in known:
            found.append(f"{event.bot} is in the field, but not among the entrants")
        elif (event.kind == "join") == (event.bot in there):
            found.append(f"{event.bot} cannot {event.kind} at place {event.place}")
        (there.add if event.kind == "join" else there.discard)(event.bot)
    return found


def _not_following(rated: RatedGames, suspensions: Suspensions) -> list[str]:
    """Name the bots of which the settings say otherwise than the games where their games are left out."""
    absent = suspensions.absent_before(rated.games or 0)
    return [
        f"games of {bot} are left out otherwise than follows from the games"
        for bot in sorted(absent.keys() | rated.absent.keys())
        if absent.get(bot, []) != rated.absent.get(bot, [])
    ]
