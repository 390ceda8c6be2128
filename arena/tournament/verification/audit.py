"""Compare a ledger with the schedule that its field and results give: draw every round again, and count what is rated.

What no comparison can show is in the notes: for example that games were void, or that a run was ended by the clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final, NamedTuple

from arena.common.labels import bot_name, version_label, version_number
from arena.common.printable import counted
from arena.formats import Format, FormatError, placings, recorded_format
from arena.game.spec import GameSpec
from arena.ledger import (
    Beacon,
    BlockRecord,
    ChainContents,
    FieldEvent,
    Ledger,
    LedgerError,
    PlaceRange,
    RatedGames,
    RunBudget,
    chain_differences,
    committed_seeds,
    is_set_aside,
)
from arena.standings.machine_losses import losses_by_machine
from arena.tournament.schedule.budget import Demand, most_failures, rated_end, rated_games
from arena.tournament.schedule.fixtures import Fixtures
from arena.tournament.schedule.history import MOST_VOID
from arena.tournament.schedule.order import recorded_resolution
from arena.tournament.schedule.rounds import specs
from arena.tournament.schedule.void_games import VoidGames

_NAMED: Final = 5
"""So many games are named in a note; the others are counted."""


class Audit(NamedTuple):
    """What an audit found, in words."""

    differences: list[str]
    """What in the ledger does not fit."""
    notes: list[str]
    """What fits and is worth knowing, because nothing proves that it had to be so."""
    hashes: dict[str, str]
    """By game: the hash of its record, as it was recorded."""


def audit(ledger: Ledger) -> Audit:
    """Derive the schedule again, and count what is rated.

    Differences are: tables that are not what the chain recorded, changes of the field that cannot have been, rounds
    drawn otherwise, games that were not drawn, games with another place, seed or seating; and in a tournament that is
    finished games that are missing, suspensions that do not follow from the games, and other games rated than were
    asked for.
    """
    found = Audit([], [], {})
    with ledger.snapshot():  # it may be played meanwhile
        try:
            chain = ChainContents(ledger.chain.entries())
            found.hashes.update(chain.games)
            found.differences.extend(chain_differences(ledger, chain))
            _Auditor(ledger, chain, found).compare_all()
        except LedgerError as error:
            found.differences.extend([str(error)] if ledger.ids() else [])
        except FormatError as error:
            found.differences.append(str(error))
    return found


def circumstances(chain: ChainContents) -> list[str]:
    """Say what was not the same for all games, and which dates cannot all be right."""
    found, games = [], len(chain.games)
    if isolated := {level: count for level, count in chain.isolation.items() if count != games and count}:
        counts = [f"{level} for {counted(count, 'game')}" for level, count in isolated.items()]
        if unknown := games - chain.isolation.total():
            counts.append(f"not recorded for {counted(unknown, 'game')}")
        found.append(f"bots were not kept apart in one way: {', '.join(counts)}")
    found += [*_repeatable(chain), *_published(chain)]
    return found + [
        f"a date goes back from {before} to {day}: the machine's clock was set back, or the dates are invented"
        for day, before in chain.backwards
    ]


def _repeatable(chain: ChainContents) -> list[str]:
    """Say which bots need not choose the same again, so that other games could have been played from the same start."""
    played = sorted({str(event[1]) for event in chain.events})
    free = [bot for bot in played if not chain.bots.get(bot, {}).get("deterministic")]
    if not free or not chain.games:
        return []
    do = "does not call itself" if len(free) == 1 else "do not call themselves"
    return [
        f"{_first(free)} {do} deterministic: played again from the same start, other games may come of it, and asking "
        "again cannot show which were first"
    ]


def _published(chain: ChainContents) -> list[str]:
    """Say how many heads were published while it was played, and over what time."""
    if not chain.games:
        return []
    runs = f", in {len(chain.runs)} runs" if len(chain.runs) > 1 else ""
    during = [(moment, games) for moment, games in chain.published if games]
    if not during:
        return [
            f"no head was published between its first game and its last{runs}: it may have been played several times "
            "from the same start, and the one that suited kept"
        ]
    times = [moment for moment, _ in chain.published]
    counts = [0, *(games for _, games in chain.published), len(chain.games)]
    most = max(after - before for before, after in pairwise(counts))
    heads = f"{counted(len(times), 'head')} {'was' if len(times) == 1 else 'were'}"
    return [
        f"{heads} published while it was played{runs}, from {times[0]} to {times[-1]}, with {counted(most, 'game')} at "
        "most between two or after the last: look up whether they were seen then, as only such games could be played "
        "again until they suited"
    ]


def beacon_in_words(source: str | None, beacon: Beacon) -> str:
    """Say what people have to look up about a public value that went into a seed."""
    others = ", ".join(beacon.contributions) or "nothing else"
    return (
        f"into its seed went the public value {beacon.value!r} ({source}) and {others}: look up whether that is "
        f"right, and whether this head was published before: {beacon.head}"
    )


class _Auditor:
    """One audit."""

    def __init__(self, ledger: Ledger, chain: ChainContents, found: Audit) -> None:
        self._ledger = ledger
        self._chain = chain
        self._differences, self._notes = found.differences, found.notes
        self._settings = ledger.settings
        self._seeds = committed_seeds(ledger)
        self._events = ledger.field_events()
        self._voids = ledger.voids()
        self._damaged: list[str] = []
        """Games that cannot be read: to say what is damaged is up to what replays them."""
        self._format: Format = recorded_format(self._settings, self._seeds.schedule)
        self._fixtures = Fixtures(ledger, self._format, self._seeds, end=0, damaged=self._damaged)
        self._games = self._fixtures.unscheduled()
        self._missing: list[GameSpec] = []
        self._set_aside: list[GameSpec] = []

    def compare_all(self) -> None:
        versions = {each.name for each in self._ledger.entrants()}
        self._differences += _impossible(self._events, versions)
        self._differences += [
            f"{label} is among the entrants, but no version before it"
            for label in sorted(versions)
            if (number := version_number(label)) > 1 and version_label(bot_name(label), number - 1) not in versions
        ]
        for number, was in enumerate(self._ledger.blocks()):
            block = self._fixtures.block(number)
            if block != was:
                self._differences.append(_drawn_otherwise(was, block))
                return
            self._compare(block)
        self._differences += [
            f"{event.bot} cannot {event.kind} at place {event.place}: round {event.round} does not begin there"
            for event in self._events
            if event.place != self._fixtures.schedule.begin_of(event.round)
        ]
        self._differences += [f"{game_id} is not in the schedule" for game_id in sorted(self._fixtures.unscheduled())]
        is_whole = self._count_missing() and not self._damaged
        self._count_voids()
        self._say_void_by_crash()
        self._say_without()
        self._say_seeds()
        self._notes += circumstances(self._chain)
        if self._settings.finished and is_whole:
            self._count_rated()

    def _compare(self, block: BlockRecord) -> None:
        """Compare the games of a block with those that are drawn."""
        for drawn in specs(block, self._seeds):
            spec = self._fixtures.as_due(drawn)
            game = self._games.get(spec.id)
            voids = self._fixtures.void_games.of(spec.id)
            gone = is_set_aside(voids)
            if any(void.bots != spec.bots for void in voids):
                self._differences.append(f"{spec.id}: its failures name other bots than the schedule")
            if game is not None:
                if gone:
                    self._differences.append(f"{spec.id} is said to be void {len(voids)} times and is there")
                elif (game.index, game.seed, game.bots) != (spec.index, spec.seed, spec.bots):
                    self._differences.append(f"{spec.id} has another place, seed or seating than the schedule gives it")
                elif not set(spec.forfeits) <= set(game.retired):
                    self._differences.append(f"{spec.id} was played with a bot that was charged with its failure")
            elif gone:
                self._set_aside.append(spec)
            elif self._fixtures.is_open(spec.index):
                self._missing.append(spec)

    def _count_missing(self) -> bool:
        """Name the games that are missing from what is rated. Without an end, they may be still to be played.

        Return whether none is missing.
        """
        if self._settings.finished:
            end = self._settings.rated.games or 0
            missing = [f"{spec.id} is missing" for spec in self._missing if spec.index < end]
            self._differences += missing
            return not missing
        last = max((game.index for game in self._games.values()), default=-1)
        gaps = [spec.id for spec in self._missing if spec.index < last]
        self._notes.append(
            "it is not finished: that games are missing cannot be told from their being still to be played"
            + (f"; {_some(gaps, 'game')} would come before the last one that was" if gaps else "")
        )
        return not gaps

    def _count_voids(self) -> None:
        failures, again = VoidGames(), list[str]()
        for void in self._voids:
            if void.charged != failures.whom_to_charge(void.game, void.bots, void.lost):
                to_whom = void.charged or "nobody"
                self._differences.append(f"{void.game}: its failure {void.attempt} is charged to {to_whom} wrongly")
            failures.add(void)
            if void.attempt == 1:
                again.append(void.game)
        if again := [game for game in again if not is_set_aside(failures.of(game))]:
            self._notes.append(f"failed, and to be played again with another deal: {_some(again, 'game')}")
        if charged := Counter(void.charged for void in self._voids if void.charged is not None):
            of_whom = ", ".join(f"{bot} {times}" for bot, times in sorted(charged.items()))
            self._notes.append(f"failures that were charged to the bot that was there each time: {of_whom}")
        if self._set_aside:
            bots = Counter(bot for spec in self._set_aside for bot in set(spec.bots))
            of_whom = ", ".join(f"{bot} {times}" for bot, times in sorted(bots.items()))
            games = _some([spec.id for spec in self._set_aside], "game")
            self._notes.append(f"failed again and so not rated: {games} (by bot: {of_whom})")

    def _say_without(self) -> None:
        self._notes += [
            f"games of a machine do not count because the organiser left it out, {each}"
            for each in losses_by_machine(self._ledger)
            if each.name in self._settings.without_machines
        ]

    def _say_void_by_crash(self) -> None:
        if void := self._settings.rated.void:
            counts = ", ".join(f"{bot} {len(places)}" for bot, places in void.items())
            self._notes.append(
                f"games that do not count because bots crashed there, at most {MOST_VOID} for each bot: {counts}"
            )

    def _say_seeds(self) -> None:
        settings = self._settings
        if settings.beacon is not None:
            self._notes.append(beacon_in_words(settings.beacon_source, settings.beacon))
        elif settings.seed_given:
            self._notes.append("its seed was given, so it was known before the games")
        else:
            self._notes.append("its seed was drawn by the organiser: that no other was tried before is not proved")
        for each in settings.later_seeds:
            self._notes.append(f"games from place {each.place} on have a seed that was drawn later, by the organiser")

    def _count_rated(self) -> None:
        """Compare which games are rated with what was asked for."""
        runs, rated = self._chain.runs, self._settings.rated
        if not runs:
            self._differences.append("how many games were asked for is not recorded")
            return
        asked = runs[-1]
        demand = Demand(asked, sorted(self._settings.entrants), self._events, self._format.due)
        end, blocks = rated_end(demand, self._fixtures)
        expected = rated_games(self._fixtures, self._ledger.field(), end, asked.games)
        if expected.games != rated.games:
            self._differences.append(
                f"the first {rated.games} games of the schedule are rated, of {asked} that were asked for; "
                f"it must be the first {expected.games}"
            )
        self._differences += _not_following(rated, expected)
        if recorded_resolution(self._ledger) != self._settings.resolution:
            self._differences.append("what is said to be known of the order does not follow from the games")
        schedule = self._fixtures.schedule
        is_short = not demand.is_met(schedule.round_of(blocks))
        if is_short:
            self._fixtures.block(blocks)  # the format finds out that it is over when it draws no more
        if placings(self._format, schedule.field(schedule.round_of(schedule.drawn))) != self._settings.placings:
            self._differences.append("the placing does not follow from the games")
        if is_short:
            self._say_short(asked, blocks, demand.games)
        if len({str(run) for run in runs}) > 1:
            self._notes.append(f"its runs were asked for {', then '.join(_in_turn(runs))}: the last one counts")
        if beyond := sum(game.index >= end for game in self._games.values()):
            self._notes.append(f"{beyond} {'game was' if beyond == 1 else 'games were'} played beyond what is rated")

    def _say_short(self, asked: RunBudget, blocks: int, counting: int) -> None:
        """Say why a run ended before all that was asked for had been played."""
        if self._fixtures.block(blocks) is None and self._fixtures.schedule.is_over:
            return
        if asked.minutes is not None:
            self._notes.append(f"it was ended by the clock, after {asked}: nothing shows that it ended then")
        elif (failures := self._fixtures.void_games.uncharged) > most_failures(asked.games):
            self._notes.append(f"it ended because games failed {failures} times with nobody to be charged")
        else:
            self._differences.append(f"it was asked for {asked}, and ended without a reason when {counting} counted")


def _drawn_otherwise(was: BlockRecord, now: BlockRecord | None) -> str:
    if now is None:
        return f"round {was.round} cannot be drawn: games that it depends on are missing"
    return f"round {was.round} was drawn otherwise: its block at place {was.place} is not the one that is drawn now"


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


def _not_following(rated: RatedGames, expected: RatedGames) -> list[str]:
    """Name the bots of which the settings say otherwise than the games where their games are left out."""
    wrong: set[str] = set()
    for now, then in ((rated.absent, expected.absent), (rated.suspended, expected.suspended)):
        wrong |= _different(now, then)
    wrong |= _different(rated.void, expected.void) | _different(rated.without, expected.without)
    found = [f"games of {bot} are left out otherwise than follows from the games" for bot in sorted(wrong)]
    is_same = (rated.asked, rated.expected) == (expected.asked, expected.expected)
    return found + ([] if is_same else [f"{rated.asked} games are said to have been asked for"])


def _different(
    now: Mapping[str, int | list[PlaceRange] | list[int]], then: Mapping[str, int | list[PlaceRange] | list[int]]
) -> set[str]:
    return {bot for bot in now.keys() | then.keys() if now.get(bot) != then.get(bot)}


def _in_turn(runs: Iterable[RunBudget]) -> list[str]:
    """Return what the runs were asked for, without what was only repeated."""
    found: list[str] = []
    for run in runs:
        if found[-1:] != [str(run)]:
            found.append(str(run))
    return found


def _some(games: Sequence[str], what: str) -> str:
    """Count games, and name the first ones."""
    return f"{counted(len(games), what)} ({_first(games)})"


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
