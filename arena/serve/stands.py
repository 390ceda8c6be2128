"""How a league stands: ratings and marks after the last round, and the facts that its pages are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from arena.common.labels import bot_name, version_number
from arena.ledger import Ledger
from arena.ledger.database import FILE as LEDGER
from arena.ledger.errors import LedgerError
from arena.ledger.ledger import standing
from arena.ledger.records import GameResult
from arena.reports.fairness import FairReport
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import LOG, TRIAL, trial_record
from arena.serve.intake.turns import left, waits
from arena.serve.league import League, name_of
from arena.serve.marks import marks
from arena.serve.pages.facts import (
    LeagueBot,
    LeagueFacts,
    LeagueGame,
    LeagueStanding,
    LeagueState,
    MemberFacts,
    OrganiserFacts,
    PublicFacts,
    PublicRound,
    PublicSubmission,
    public_round,
)
from arena.serve.rounds import FAIRNESS, FINAL, SITE, Season
from arena.serve.schedule import next_due
from arena.serve.season_pages import REPORTS
from arena.serve.season_table import SeasonTable, season_table
from arena.serve.store import ENDS, LeagueRound, LeagueStore, Member, Submission
from arena.standings.compute import own_system, rated_results, whole_sheet
from engine import catalog

_MOST: Final = 20
"""Logs of a submitter, and faults, of which pages are told: the latest."""
_WAITING: Final = 5
"""Submissions of a submitter that are listed as waiting: the newest, which are tried first."""
_CHANCE: Final = 0.01
"""Favours are looked for after each round, so a field shows one by chance more often than at one look."""


class Stands:
    """Knows the standings of a season after its last round, and makes the facts for pages."""

    def __init__(self, season: Season, store: LeagueStore) -> None:
        """Read what the season's ledger has, when it is first asked for."""
        self._season, self._store = season, store
        self._rounds: tuple[list[LeagueRound], list[PublicRound]] = [], []
        """Those that were read: none of them changes any more but the last."""
        self._read: int | None = None
        """The round after which the ledger was read."""
        self._rated: LeagueRound | None = None
        """The round after which bots were rated before its marks are asked for."""
        self._table = SeasonTable([], None)
        self._results: list[GameResult] = []
        self._ranks: dict[str, list[int]] = {}
        self.waits_for: list[int] = []
        """What the round that is due waits for."""
        self._shown: tuple[int, tuple[LeagueGame, ...]] = (0, ())
        """The games of so many rounds."""
        self._fair: tuple[int, tuple[str, ...]] = (0, ())
        """What was read of a file that changed at a moment."""

    @property
    def league(self) -> League:
        """The league."""
        return self._season.league

    def rate(self, what: LeagueRound) -> None:
        """Read and rate the games of a season up to a round that was played, for `marks`. The state is not used."""
        self._rated = self._read = None  # it may have been played again
        self._load([msgspec.structs.replace(what, outcome="complete")])
        self._rated = what

    def marks(self, what: LeagueRound) -> dict[str, list[str]]:
        """Return who has which marks after a round that was played."""
        before = {**{name: list[str]() for name in what.field}, **self._season.marks_before(what)}
        if self._rated != what:
            self.rate(what)
        self._rated, table = None, self._table
        if table.differences is None:
            return before
        playing = {bot_name(each.row.bot): each.row.bot for each in table.rows}
        rules = [
            msgspec.structs.replace(rule, beats=playing.get(rule.beats or "", rule.beats))
            for rule in self.league.settings.marks
        ]
        return marks(rules, self._ranked(), table.differences, before, table.met)

    def order(self) -> list[str]:
        """Return the submitters in the order of the standings after the last round, best first."""
        self._load(self._all_rounds()[-2:])
        return list(self._ranked())

    def games(self) -> int:
        """Return how many games the season has."""
        return len(self._results)

    def facts(self, now: float) -> LeagueFacts:
        """Return what the pages may know now."""
        rounds = self._all_rounds()
        ended = rounds[:-1] if rounds and rounds[-1].outcome is None else rounds
        self._load(rounds[-2:])
        state = self._state(now)
        standings, site = self._standings(), self._season.folder / SITE
        found = self._store.marks(self._season.name, ended[-1].number) if ended else {}
        submissions, members = self._store.submissions(), self._store.members()
        public = PublicFacts(
            state,
            () if state.is_hidden else standings,
            self._bots(now),
            (*self._rounds[1], *self._final(state)),
            self._games(ended),
            tuple(
                PublicSubmission(each.id, each.submitter, each.via, each.received, each.state) for each in submissions
            ),
            {} if state.is_hidden else found,
        )
        return LeagueFacts(
            public,
            {each.name: self._member(each, submissions, now) for each in members if each.kind == "submitter"},
            self._organiser(standings, found, members, submissions, rounds, now),
            self._store.secret_hashes(),
            site if site.is_dir() else None,
            self._archive(),
            self._ranks,
        )

    def _all_rounds(self) -> list[LeagueRound]:
        """Return the rounds of the season: each is read once, but for the last one."""
        known, public = self._rounds
        new = self._store.rounds(self._season.name, since=known[-1].number if known else 0)
        if new != known[-1:]:
            known[-1:], public[-1:] = new, map(public_round, new)
        return known

    def _load(self, rounds: Sequence[LeagueRound]) -> None:
        """Read the games up to the end of the last round that has ended: not those of one that is under way."""
        number = max((each.number for each in rounds if each.outcome is not None), default=0)
        games = None if not rounds or rounds[-1].outcome == "complete" else rounds[-1].games
        if number == self._read or not (self._season.folder / LEDGER).is_file():
            return
        with Ledger.open(self._season.folder) as ledger:
            self._results = ledger.results()[:games]
            self._ranks = {each.id: list(each.ranks) for each in self._results}
            if self._results:
                last = None if games is None else self._results[-1].index
                sheet = whole_sheet(ledger, rated_results(ledger, self._results), own_system(ledger), last)
                self._table = season_table(sheet, set(map(name_of, self.league.settings.references)))
        self._read = number

    def _state(self, now: float) -> LeagueState:
        settings, begins = self.league.settings, self._season.begins
        due = next_due(settings.rounds, begins, max(begins - 1, now))
        played, expected = self._progress()
        return LeagueState(
            name=settings.name,
            game=catalog.rules(self.league.plan.game).name,
            season=self._season.name,
            season_ends=None if self._season.rules.ends is None else self._season.ends,
            is_season_over=self._season.is_over,
            is_hidden=self._season.is_hidden(now),
            has_final=self._season.is_over and (self._season.folder / SITE / FINAL).is_dir(),
            is_paused=bool(self._store.get("paused", False)),
            next_round=None if due is None or due > self._season.ends else due,
            played=played,
            expected=expected,
            waits_for=self.waits_for,
            takes_uploads=settings.submissions.upload,
            replays=settings.web.replays,
        )

    def _final(self, state: LeagueState) -> list[PublicRound]:
        """Return the final if it has begun: while standings are hidden, without who plays it."""
        last = self._season.last()
        if last is None or not self._season.is_final(last):
            return []
        return [public_round(msgspec.structs.replace(last, field={} if state.is_hidden else last.field))]

    def _progress(self) -> tuple[int | None, int | None]:
        """Return how many games of the round under way have been played, and about how many it will have."""
        what = self._season.last()
        if what is None or what.outcome is not None:
            return None, None
        before = 0 if self._season.is_final(what) else len(self._results)
        with suppress(LedgerError):
            now = standing(self._season.place(what))
            return now.played - before, None if now.expected is None else max(0, now.expected - before)
        return 0, None

    def _ranked(self) -> dict[str, str]:
        """Return by submitter the version that plays, best first."""
        return {bot_name(each.row.bot): each.row.bot for each in self._table.rows if each.place}

    def _standings(self) -> tuple[LeagueStanding, ...]:
        found = []
        for row, rating, versions, place in self._table.rows:
            low, high = row.interval or (None, None)
            half = None if low is None or high is None else round((high - low) / 2, 2)
            count = list(map(version_number, versions))
            found.append(LeagueStanding(place, bot_name(row.bot), round(rating, 2), half, row.games, not place, count))
        return tuple(found)

    def _bots(self, now: float) -> tuple[LeagueBot, ...]:
        references = [LeagueBot(name_of(word), True) for word in self.league.settings.references]
        field = self._season.field(now)
        remote = self._season.remote(field)
        bots = [LeagueBot(name, False, number, name in remote) for name, number in sorted(field.items())]
        return (*references, *bots)

    def _games(self, ended: Sequence[LeagueRound]) -> tuple[LeagueGame, ...]:
        if len(ended) != self._shown[0]:
            found, earlier = [], self._season.earlier()
            begin = 0 if earlier is None else earlier.games
            for each in ended:
                for game in self._results[begin : each.games]:
                    found.append(LeagueGame(game.id, tuple(game.bots), each.ended or 0.0))
                begin = max(begin, each.games)
            self._shown = len(ended), tuple(found)
        return self._shown[1]

    def _member(self, member: Member, submissions: Sequence[Submission], now: float) -> MemberFacts:
        own = tuple([each for each in submissions if each.submitter == member.name][: -_MOST - 1 : -1])
        rules = self.league.settings.submissions
        waiting = next(iter(waits(self._store, rules, own, now).values()), "")
        if own and self._season.is_late(own[0]):
            waiting = f"the next season: submission {own[0].id} came when those for this one were closed"
        if member.is_paused:
            waiting = "an organiser, who has paused it"
        folders = {each.id: submission_folder(self.league.folder, each.id) for each in own}
        logs = {f"submission {number}": folder / LOG for number, folder in folders.items()}
        report = self._season.folder / REPORTS / f"{member.name}.html"
        trial = ""
        with suppress(LedgerError):
            trial = next(
                (trial_record(folders[each.id] / TRIAL, member.name).words for each in own if each.state == "checked"),
                "",
            )
        return MemberFacts(
            own,
            {each.id: self._store.steps(each.id) for each in own},
            trial,
            *left(self._store, rules, member.name, now),
            waiting,
            {name: file for name, file in logs.items() if file.is_file()},
            None if self._season.is_hidden(now) or not report.is_file() else report,
        )

    def _organiser(
        self,
        standings: tuple[LeagueStanding, ...],
        found: Mapping[str, list[str]],
        members: Sequence[Member],
        submissions: Sequence[Submission],
        rounds: Sequence[LeagueRound],
        now: float,
    ) -> OrganiserFacts:
        rules = self.league.settings.submissions
        paused = {each.name for each in members if each.is_paused or each.is_removed}
        under_way = [each for each in submissions if each.state not in ENDS]
        queue = _few_of_each(under_way)
        held = waits(self._store, rules, queue, now)
        held |= {each.id: "paused" for each in queue if each.submitter in paused}
        waiting = [f"{each.submitter}, submission {each.id}: {held[each.id]}" for each in queue if each.id in held]
        last = self._season.last()
        ended = rounds if last is None or not self._season.is_final(last) else [*rounds, last]
        faults = [f"round {each.number}: {each.outcome}" for each in ended if each.outcome not in (None, "complete")]
        return OrganiserFacts(
            standings=standings,
            members=tuple(members),
            queue=queue,
            unlisted=len(under_way) - len(queue),
            refused=tuple(each for each in submissions if each.state == "refused")[: -_MOST - 1 : -1],
            waits=tuple(waiting),
            faults=tuple(faults[-_MOST:]),
            alike=(*_same_files(submissions), *self._found()),
            marks=found,
        )

    def _found(self) -> tuple[str, ...]:
        """Return in words what was found after the last round of copies and favours."""
        file = self._season.folder / FAIRNESS
        changed = file.stat().st_mtime_ns if file.is_file() else 0
        if changed and changed != self._fair[0]:
            try:
                found = msgspec.json.decode(file.read_bytes(), type=FairReport)
            except msgspec.DecodeError:  # a power cut can leave anything; the next round writes it anew
                found = FairReport(0, [], [], 0, [])
            alike = [each.in_words() for each in found.alike if not each.same_files]
            favours = [each.in_words() for each in found.favours if each.chance <= _CHANCE]
            self._fair = changed, (*alike, *favours, *found.notes)
        return self._fair[1]

    def _archive(self) -> dict[str, Path]:
        base = self._season.folder.parent
        return {
            each.name: each / SITE
            for each in (sorted(base.iterdir()) if base.is_dir() else ())
            if each.name != self._season.name and (each / SITE).is_dir()
        }


def _few_of_each(queue: Sequence[Submission]) -> tuple[Submission, ...]:
    """Leave out what waits behind the newest of a submitter, who can submit without end."""
    newer, found = Counter[str](), list[Submission]()
    for each in reversed(queue):
        newer[each.submitter] += 1
        if each.state != "received" or newer[each.submitter] <= _WAITING:
            found.append(each)
    return tuple(reversed(found))


def _same_files(submissions: Sequence[Submission]) -> list[str]:
    """Say of which submitters files were the same, whatever became of them."""
    found: dict[str, dict[str, int]] = {}
    for each in submissions:
        if each.fingerprint is not None:
            found.setdefault(each.fingerprint, {}).setdefault(each.submitter, each.id)
    named = [[f"{name} (submission {number})" for name, number in those.items()] for those in found.values()]
    return [f"the same files came from {' and '.join(names)}" for names in named if len(names) > 1]
