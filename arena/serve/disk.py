"""The room that a league takes: what is thrown away first when it is too much, and when nothing new may begin.

Thrown away, the oldest first: trials that have ended; sources that were unpacked and do not play; pages of earlier
seasons, which `arena publish` makes again; and what came but never joined. Never ledgers, the state, what has played or
is on its way, or the steps of a submission.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from arena.common.removal import remove
from arena.serve.intake.archives import entries
from arena.serve.intake.incoming import RECEIVED, submission_folder
from arena.serve.intake.submissions import SOURCE, TRIAL
from arena.serve.league import League
from arena.serve.rounds import SITE
from arena.serve.store import ENDS, LeagueStore, Submission

_AT_ONCE: Final = 500
"""Files and folders that are counted at each look."""
_MOST_THROWN: Final = 10
"""Folders that are thrown away at each look."""


class LeagueDisk:
    """Counts what a league takes, a little at each look, and throws away what is too much."""

    def __init__(self, league: League, store: LeagueStore) -> None:
        """Begin to count."""
        self._league, self._store = league, store
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
        thrown = [path for path in islice(self._old(), _MOST_THROWN) if self._throw(path)]
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

    def _expendable(self) -> Iterator[Path]:
        """Generate what may be thrown away and is there, in the order in which it is."""
        ended, season = self._ended(), self._league.settings.season.name
        local = {each.submitter: each.id for each in ended if each.state == "joined" and each.via != "remote"}
        played = {name: number for each in self._store.rounds(season)[-1:] for name, number in each.field.items()}
        for each in ended:
            yield from self._parts(each, TRIAL)
        for each in ended:
            if each.state != "joined":
                yield from self._parts(each, SOURCE)
        for each in ended:  # a later round has in its field what came later
            if each.state == "joined" and each.id < min(local.get(each.submitter, 0), played.get(each.submitter, 0)):
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
