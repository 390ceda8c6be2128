"""Compare a ledger's tables with its chain: with all that was recorded, in the order of recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from arena.ledger.chain import Entry, bot_entry, event_entry, heads, tournament_entry, void_entry
from arena.ledger.dates import day_of, is_date, is_day
from arena.ledger.ledger import Ledger
from arena.ledger.records import EntrantRecord, FieldNote

_EVENT_CELLS: Final = {"join": 4, "leave": 5}


class RunBudget(msgspec.Struct, frozen=True):
    """How much a run was asked for, in whole blocks; all None: what the format draws."""

    games: int | None = None
    """Games that count, between bots that are in the field at its end."""
    rounds: int | None = None
    """Rounds since a bot joined the field last."""
    minutes: float | None = None

    def __str__(self) -> str:
        """Describe the problem in words."""
        if self.minutes is not None:
            return f"{self.minutes:g} minutes"
        if self.rounds is not None:
            return f"{self.rounds} rounds"
        return "all that the format draws" if self.games is None else f"{self.games} games"


class ChainContents:
    """What the entries of a chain say."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Read the entries. Those that say nothing that is known are in `strange`."""
        self.tournament: list[Entry] = []
        self.bots: dict[str, dict[str, Any]] = {}
        """By label, as tried last."""
        self.events: list[Entry] = []
        self.notes: list[FieldNote] = []
        """For each of the events: when it was recorded, and what was said about it."""
        self.days: Counter[str] = Counter()
        """How many games were recorded on each day."""
        self.isolation: Counter[str] = Counter()
        """How many games were played with bots kept apart in each way, in the order in which they came."""
        self.machines: list[dict[str, Any]] = []
        """On which machines games were played, in the order in which they came."""
        self.without: list[str] = []
        """The names of machines whose games do not count."""
        self.tables: dict[str, str] = {}
        """Where bots run, if those in one place never meet those in another."""
        self.backwards: list[tuple[str, str]] = []
        """Dates that come after a later one, with that one before them."""
        self.games: dict[str, str] = {}
        """The hash of each game's record, by id."""
        self.voids: Counter[tuple[str, int, str]] = Counter()
        self.seeds: list[Entry] = []
        self.beacons: list[tuple[int, Any]] = []
        """How many entries there are before it, and what it says."""
        self.runs: list[RunBudget] = []
        self.published: list[tuple[str, int]] = []
        """When heads were published, and how many games there were."""
        self.ended: Any = None
        """So many games are rated by the last run, if it has ended."""
        self.strange: list[str] = []
        self._attempts: Counter[str] = Counter()
        self._dated = 0
        """So many of the events have a date."""
        self._day = self._level = self._latest = ""
        for number, entry in enumerate(entries, start=1):
            if entry[:1] == ["beacon"] and len(entry) == 2 and not self.games:
                self.beacons.append((number - 1, entry[1]))
            elif not self._read(entry):
                self.strange.append(f"entry {number} of the chain is none that an arena writes")

    def _read(self, entry: Entry) -> bool:
        match entry:
            case ["tournament", dict()]:
                self.tournament.append(entry)
            case ["bot", {"name": str(name)} as said]:
                self.bots[name] = dict(said)
            case ["join" | "leave", str(), *_] if len(entry) == _EVENT_CELLS[entry[0]]:
                self.events.append(entry)
                self.notes.append(FieldNote())
            case ["note", str(text)] if self._dated < len(self.notes):
                self._say_of_changes(note=text)
            case ["date", str(moment)] if self._dated < len(self.notes) and is_date(moment):
                self._say_of_changes(moment=moment)
                self._dated = len(self.notes)
                self._on(day_of(moment))
            case ["isolation", str(level)]:
                self._level = level
                self.isolation[level] += 0
            case ["machine", dict(machine)]:
                self.machines += [machine] if machine not in self.machines else []
            case ["day", str(day)] if is_day(day):
                self._day = day
                self._on(day)
            case ["game", str(game), str(hash_)] if game not in self.games and self._day:
                self.games[game] = hash_
                self.days[self._day] += 1
                if self._level:
                    self.isolation[self._level] += 1
            case ["void", str(game), int(attempt), str(hash_)]:
                self.voids[game, attempt, hash_] += 1
                self._attempts[game] += 1
            case ["without", str(name)] if name not in self.without:
                self.without.append(name)
            case ["table", str(bot), "elsewhere" | "here" as place] if bot not in self.tables:
                self.tables[bot] = place
            case ["head", str(moment)] if is_date(moment):
                self.published.append((moment, len(self.games)))
                self._on(day_of(moment))
            case ["seed", int(), str()]:
                self.seeds.append(entry)
            case ["run", dict(budget)]:
                try:
                    self.runs.append(msgspec.convert(budget, RunBudget))
                except msgspec.ValidationError:
                    return False
                self.ended = None
            case ["end", int(games)]:
                self.ended = games
            case _:
                return False
        return True

    def attempts(self, game: str) -> int:
        """Return how many attempts at a game were void."""
        return self._attempts[game]

    def _say_of_changes(self, **said: str) -> None:
        """Add to what is said of the changes that have no date yet."""
        self.notes[self._dated :] = [msgspec.structs.replace(each, **said) for each in self.notes[self._dated :]]

    def _on(self, day: str) -> None:
        if day < self._latest:
            self.backwards.append((day, self._latest))
        self._latest = day


def chain_differences(ledger: Ledger, chain: ChainContents) -> list[str]:
    """Return in words where the tables differ from the chain, apart from what is within a game's record."""
    found = list(chain.strange)
    now = tournament_entry(ledger.meta)
    if len(chain.tournament) != 1:
        found.append("the chain does not say once with which settings the tournament began")
    elif chain.tournament[0] != now:
        began = chain.tournament[0][1]
        changed = sorted(key for key in {*began, *now[1]} if began.get(key) != now[1].get(key))
        found.append(f"it did not begin with these settings: {', '.join(changed)} changed")
    entrants = ledger.entrants()
    found += _bots(entrants, chain)
    found += [
        f"the avatar of {each.name} is not the one that was recorded"
        for each in entrants
        if each.author is not None and each.author.avatar and ledger.avatar(each.author) is None
    ]
    if [event_entry(event) for event in ledger.field_events()] != chain.events:
        found.append("who joined and left the field is not what was recorded")
    found += _dates(ledger, chain)
    ids = ledger.ids()
    found += [f"{game} was recorded, and is not there any more" for game in sorted(chain.games.keys() - set(ids))]
    found += [f"{game} is there, but was never recorded" for game in ids if game not in chain.games]
    voids = Counter((game, attempt, hash_) for _, game, attempt, hash_ in map(void_entry, ledger.voids()))
    found += [
        f"attempt {attempt} at {game} is recorded as void otherwise than it was"
        for game, attempt in sorted(
            {(game, attempt) for game, attempt, _ in (voids - chain.voids) + (chain.voids - voids)}
        )
    ]
    settings = ledger.settings
    if [msgspec.to_builtins(settings.beacon)] * (settings.beacon is not None) != [said for _, said in chain.beacons]:
        found.append("the public value in its seed is not the one that was recorded, once and before the first game")
    elif settings.beacon is not None:
        before = chain.beacons[0][0]
        if (
            settings.beacon_source is None
            or [settings.beacon.head] != list(heads(ledger.chain.texts()))[before - 1 : before]
        ):
            found.append("the public value in its seed was not added to the head that it names")
    if settings.machines != chain.machines:
        found.append("the machines on which it is said to have been played are not those that were recorded")
    if settings.without_machines != chain.without:
        found.append("the machines whose games do not count are not those that were recorded")
    if settings.tables != chain.tables:
        found.append("where bots run that never meet is not what was recorded")
    if settings.isolation != list(chain.isolation):
        found.append(
            f"its bots are said to have been kept apart by {_list(settings.isolation)}, recorded was "
            f"{_list(chain.isolation)}"
        )
    if [["seed", each.place, each.hash] for each in settings.later_seeds] != chain.seeds:
        found.append("the later seeds are not those that were recorded")
    if settings.finished and settings.rated.games != chain.ended:
        found.append(f"{settings.rated.games} games are rated, recorded at the end of the last run were {chain.ended}")
    return found


def _dates(ledger: Ledger, chain: ChainContents) -> list[str]:
    found = []
    notes = ledger.field_notes()
    if ledger.settings.awaits_beacon:  # their date is recorded after the public value
        notes = [msgspec.structs.replace(each, moment=None) for each in notes]
    if [each.note for each in notes] != [each.note for each in chain.notes]:
        found.append("what was said about changes of the field is not what was recorded")
    if [each.moment for each in notes] != [each.moment for each in chain.notes]:
        found.append("the dates of changes of the field are not those that were recorded")
    days = ledger.days()
    found += [
        f"{days.get(day, 0)} games are said to have been played on {day}, recorded were {chain.days[day]}"
        for day in sorted(days.keys() | chain.days.keys())
        if days.get(day, 0) != chain.days[day]
    ]
    return found


def _list(levels: Iterable[str]) -> str:
    return ", ".join(levels) or "nothing"


def _bots(entrants: Iterable[EntrantRecord], chain: ChainContents) -> list[str]:
    found = []
    there = {each.name: bot_entry(each)[1] for each in entrants}
    for bot in sorted(there.keys() | chain.bots.keys()):
        was, now = chain.bots.get(bot), there.get(bot)
        if was is None or now is None:
            found.append(f"{bot} {'was never recorded' if was is None else 'was recorded, and is not there any more'}")
        elif was != now:
            changed = sorted(key for key in {*was, *now} if was.get(key) != now.get(key))
            found.append(f"{bot} was recorded otherwise: {', '.join(changed)} changed")
    return found
