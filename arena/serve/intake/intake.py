"""All sources of bots of a league, looked at together."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Final

from arena.serve import LeagueError
from arena.serve.intake.archives import UnpackBounds
from arena.serve.intake.drop_folder import DropFolder, note
from arena.serve.intake.incoming import OnState, Say, clear, coming, receive
from arena.serve.intake.remote import RemoteSource
from arena.serve.intake.repositories import WatchedRepository
from arena.serve.league import League
from arena.serve.store import LeagueStore, Submission

MOST_UNDER_WAY: Final = 20
"""Submissions of one submitter, who could fill the disk for all; what comes meanwhile is taken later, or refused."""
_AT_ONCE: Final = 2
"""How many repositories are read at the same time."""


class Intake:
    """The sources of bots of a league. Close it at the end."""

    def __init__(
        self, league: League, store: LeagueStore, say: Say = lambda _: None, on_state: OnState = lambda *_: None
    ) -> None:
        """Prepare to look. Raises `LeagueError` for a repository with an address that is not taken."""
        self._league, self._store, self._on_state = league, store, on_state
        rules = league.settings.submissions
        self._drop = None
        if (folder := drop_folder(league)) is not None:
            bounds = UnpackBounds(int(rules.size_mb * 1e6), rules.files)
            self._drop = DropFolder(folder, league.folder, bounds, say)
        self.repositories = [
            WatchedRepository(each, league.folder, rules.unpacked_mb, say) for each in league.settings.repositories
        ]
        clear(league.folder)
        self._remote = RemoteSource(league, say) if league.settings.remote.allowed else None

    def look(self) -> int:
        """Look at all sources, and record what has come. Return how many submissions that are. Never waits."""
        now = time.monotonic()
        submitters = {each.name for each in self._store.members() if each.kind == "submitter" and not each.is_removed}
        under_way = self._under_way()
        if self._drop is not None:
            self._drop.look({name: MOST_UNDER_WAY - under_way[name] for name in submitters}, now)
        if self._remote is not None:
            self._remote.look(self._store, submitters)
        for each in self.repositories:
            if under_way[each.rule.submitter] >= MOST_UNDER_WAY:
                each.trouble = f"{MOST_UNDER_WAY} submissions of {each.rule.submitter} are on their way already"
            elif each.rule.submitter in submitters:
                came = [made.digest for made in self._store.submissions(each.rule.submitter) if made.via == "git"]
                each.look(came[-1] if came else None, now, sum(other.is_busy for other in self.repositories) < _AT_ONCE)
            else:
                each.trouble = f"{each.rule.submitter} is no submitter of this league: arena serve --add adds one"
        return len(self._receive())

    @property
    def troubles(self) -> list[str]:
        """Why which repositories are not read."""
        return [
            f"the repository of {each.rule.submitter}: {each.trouble}" for each in self.repositories if each.trouble
        ]

    def upload(self, submitter: str, name: str, file: Path) -> int:
        """Receive a file that was uploaded, which is moved, and return the number of the submission. Raises `OSError`.

        `name`: what it is called at theirs, or `bot.py` for what was pasted. Raises `LeagueError` if too many wait.
        """
        if self._under_way()[submitter] >= MOST_UNDER_WAY:
            raise LeagueError(f"{MOST_UNDER_WAY} submissions of yours are on their way: wait, or take some back")
        name = Path(name.replace("\\", "/")).name[-100:]
        name = "".join(char if char.isascii() and (char.isalnum() or char in " ._-") else "_" for char in name)
        with coming(self._league.folder, submitter, "upload") as folder:
            file.replace(folder / (name.strip(" .") or "bot"))
        return self._receive()[-1].id

    def _under_way(self) -> Counter[str]:
        """Return how many submissions of each are on their way."""
        return Counter(each.submitter for each in self._store.submissions(is_open=True))

    def _receive(self) -> list[Submission]:
        received = receive(self._league, self._store)
        for submission in received:
            note_for(self._league, submission, "received", submission.received)
            self._on_state(submission, "received", "")
        return received

    def close(self) -> None:
        """End what runs."""
        for each in self.repositories:
            each.close()
        if self._remote is not None:
            self._remote.close()


def drop_folder(league: League) -> Path | None:
    """Return the drop folder of a league. None: it has none."""
    drop = league.settings.submissions.drop
    return league.folder / drop if drop else None


def note_for(league: League, submission: Submission, text: str, moment: float) -> None:
    """Note something for a submitter in their part of the drop folder, if there is one."""
    drop = drop_folder(league)
    if drop is not None and (drop / submission.submitter).is_dir():
        note(drop / submission.submitter, f"submission {submission.id}: {text}", moment)
