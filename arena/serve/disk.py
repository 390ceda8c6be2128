"""The room that a league takes: what is thrown away first when it is too much, and when nothing new may begin.

Always thrown away: built copies of bots that neither play nor are on their way, with what a build that was ended has
left. If it is still too much, the oldest first: trials that have ended; sources that were unpacked and do not play;
pages of earlier seasons, which `arena publish` makes again; and what came but never joined. Never ledgers, the state,
what has played or is on its way, or the steps of a submission.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final

from arena.common.removal import remove
from arena.serve.intake.archives import entries
from arena.serve.intake.incoming import RECEIVED, submission_folder
from arena.serve.intake.submissions import SOURCE, TRIAL
from arena.serve.league import League
from arena.serve.rounds import FINAL, SITE, Season
from arena.serve.store import ENDS, LeagueStore, Submission

_COPY: Final = re.compile(r"(.+-[0-9a-f]{32})(?:\..*)?")
"""A bot's copy in the cache, or what lies beside it: its name and fingerprint, and more."""
_AT_ONCE: Final = 500
"""Files and folders that are counted at each look."""
_MOST_THROWN: Final = 10
"""Folders that are thrown away at each look."""


class LeagueDisk:
    """Counts what a league takes, a little at each look, and throws away what is too much."""

    def __init__(self, league: League, store: LeagueStore) -> None:
        """Begin to count."""
        self._league, self._store, self._season = league, store, Season(league, store)
        self._walk, self._sum = entries(league.folder), 0
        self.used = 0
        """Bytes that the league takes, when it was counted last."""
        self._is_over = False

    def look(self) -> None:
        """Count further; after all of it, throw away what is too much. Raises `LedgerError`."""
        counted = [512 * status.st_blocks for _, status in islice(self._walk, _AT_ONCE)]
        self._sum += sum(counted)
        if len(counted) == _AT_ONCE:
            return
        self.used, self._sum, self._walk = self._sum, 0, entries(self._league.folder)
        thrown = [path for path in islice(chain(self._old(), self._copies()), _MOST_THROWN) if self._throw(path)]
        quota = self._league.settings.disk.quota_gb * 1e9
        for path in self._expendable():
            if self.used <= quota or len(thrown) >= _MOST_THROWN:
                break
            thrown += [path] if self._throw(path) else []
        self._is_over = self.used > quota and not thrown

    def lacks(self) -> str:
        """Return why nothing new may begin. Empty: there is room."""
        rules = self._league.settings.disk
        if (free := shutil.disk_usage(self._league.folder).free) < rules.free_gb * 1e9:
            return f"only {free / 1e9:.2f} GB of its disk are free, and [disk] free_gb is {rules.free_gb:g}"
        if self._is_over:
            return f"it takes {self.used / 1e9:.2f} GB, [disk] quota_gb is {rules.quota_gb:g}, and all of it is needed"
        return ""

    def _throw(self, path: Path) -> bool:
        size = sum(512 * status.st_blocks for _, status in entries(path))
        if size:
            remove(str(path))
            self.used -= size
        return bool(size)

    def _ended(self) -> list[Submission]:
        return [each for each in self._store.submissions() if each.state in ENDS]

    def _old(self) -> Iterator[Path]:
        """Generate what is there of each submitter's submissions beyond those that are kept."""
        seen: dict[str, int] = {}
        for each in reversed(self._ended()):
            seen[each.submitter] = seen.get(each.submitter, 0) + 1
            if seen[each.submitter] > self._league.settings.submissions.kept and each.state != "joined":
                yield from self._parts(each, TRIAL, SOURCE, RECEIVED)

    def _copies(self) -> Iterator[Path]:
        """Generate the copies of submitted bots in the cache of which none is needed."""
        submissions, season = self._store.submissions(), self._league.settings.season.name
        joined = {each.submitter: each.id for each in submissions if each.state == "joined"}
        last = [self._store.last_round(name) for name in (season, f"{season}/{FINAL}")]
        fields = (what.field.values() for what in last if what is not None)
        playing = self._season.playing().union(joined.values(), *fields)
        copies = {each.id: f"{each.submitter}-{each.fingerprint}" for each in submissions}
        needed = {copies[each.id] for each in submissions if each.state not in ENDS or each.id in playing}
        gone = {*copies.values()} - needed
        for path in sorted(self._league.cache.glob("*")):
            if (found := _COPY.fullmatch(path.name)) is not None and found[1] in gone:
                yield path

    def _expendable(self) -> Iterator[Path]:
        """Generate what may be thrown away and is there, in the order in which it is."""
        ended, season = self._ended(), self._league.settings.season.name
        local = {each.submitter: each.id for each in ended if each.state == "joined" and each.via != "remote"}
        played = {} if (last := self._store.last_round(season)) is None else last.field
        for each in ended:
            yield from self._parts(each, TRIAL)
        for each in ended:
            if each.state != "joined":
                yield from self._parts(each, SOURCE)
        playing = self._season.playing()
        for each in ended:  # a later round has in its field what came later
            newer = min(local.get(each.submitter, 0), played.get(each.submitter, 0))
            if each.state == "joined" and each.id < newer and each.id not in playing:
                yield from self._parts(each, SOURCE)
        yield from sorted(
            each for each in (self._league.folder / "seasons").glob(f"*/{SITE}") if each.parent.name != season
        )
        for each in ended:
            if each.state != "joined":
                yield from self._parts(each, RECEIVED)

    def _parts(self, submission: Submission, *names: str) -> Iterator[Path]:
        folder = submission_folder(self._league.folder, submission.id)
        return (folder / name for name in names if (folder / name).exists())
