"""Seasons and their rounds: who plays, the plan that `arena tournament` plays by, and whether a round is complete.

Who plays in a round depends on when bots came in, not on how fast they were tried: the newest submission of each
submitter that was received before the round was due, and that got through. So a league that was killed, or was slow,
has the same rounds as one that was not.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.common.regular_files import write_atomic
from arena.ledger import Ledger
from arena.ledger.database import FILE as LEDGER
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.remote import connected
from arena.serve.intake.submissions import SOURCE
from arena.serve.league import League, name_of
from arena.serve.schedule import next_due
from arena.serve.store import LeagueRound, LeagueStore, Submission
from arena.serve.toml_text import toml_text

PLAN: Final = "plan.toml"
SITE: Final = "site"
FAIRNESS: Final = "fairness.json"
"""In a season's folder: what `arena report --fair` found after its last round, for organisers alone."""
_NOTE: Final = "round "
"""Begins what the tournament notes of those that join, so that the round is known in which they did."""


class Season:
    """A season of a league, with its tournament."""

    def __init__(self, league: League, store: LeagueStore) -> None:
        """Take what the league's file says of it, and the state."""
        self.league, self._store = league, store
        self.rules = league.settings.season
        self.name = self.rules.name
        self.folder = league.folder / "seasons" / self.name
        """The folder of its tournament."""

    @property
    def begins(self) -> float:
        """The moment from which rounds are due: it is kept, if the file does not say one."""
        if self.rules.begins is not None:
            return self.rules.begins.timestamp()
        key = f"begin of {self.name}"
        if (kept := self._store.get(key)) is None:
            kept = self._store.now()
            self._store.put(key, kept)
        return float(kept)

    @property
    def ends(self) -> float:
        """The moment after which no further round is due."""
        return float("inf") if self.rules.ends is None else self.rules.ends.timestamp()

    def is_parted(self, first: float, second: float) -> bool:
        """Return whether a round is due between two moments, so that what comes at each may play in another one."""
        rules, begins = self.league.settings.rounds, self.begins
        due = next_due(rules, begins, max(first, begins - 1))
        return due is not None and first < due <= second

    def waited_for(self, due: float) -> list[Submission]:
        """Return the submissions that came before a round was due, and whose way is not at its end."""
        return [each for each in self._store.submissions(is_open=True) if each.received < self._closed(due)]

    def field(self, due: float) -> dict[str, int]:
        """Return the submission of each submitter that plays in a round."""
        found: dict[str, int] = {}
        for each in self._store.submissions():
            is_allowed = each.via != "remote" or self.league.settings.remote.allowed
            if each.state == "joined" and each.received < self._closed(due) and is_allowed:
                found[each.submitter] = each.id
        out = {each.name for each in self._store.members() if each.is_paused or each.is_removed}
        return {submitter: number for submitter, number in found.items() if submitter not in out}

    def _closed(self, due: float) -> float:
        """Return when submissions for a round are closed: when it is due, or when the season freezes."""
        frozen = self.rules.freezes
        return due if frozen is None else min(due, frozen.timestamp())

    def next_round(self, due: float) -> LeagueRound:
        """Return the round that is due, as it is recorded before it is played."""
        away = self.away(due)
        field = {name: number for name, number in self.field(due).items() if name not in away}
        return LeagueRound(self.name, len(self._store.rounds(self.name)) + 1, due, field)

    def remote(self, field: Mapping[str, int]) -> list[str]:
        """Return whose bots of a field run elsewhere."""
        via = {each.id: each.via for each in self._store.submissions()}
        return [name for name, number in sorted(field.items()) if via[number] == "remote"]

    def away(self, due: float) -> list[str]:
        """Return whose bots run elsewhere and are not connected, so that a round that begins now is without them."""
        here = connected(self.league)
        return [name for name in self.remote(self.field(due)) if name not in here]

    def is_complete(self, what: LeagueRound) -> bool:
        """Return whether all games of a round were played."""
        if not (self.folder / LEDGER).is_file():
            return False
        with Ledger.open(self.folder) as ledger:
            run = ledger.chain.last("run")
            return ledger.settings.finished and run is not None and run[1].get("rounds") == self._rounds(what)

    def write_plan(self, what: LeagueRound) -> Path:
        """Write the plan of a round, and return its file."""
        settings = self.league.settings
        bots: list[Any] = [_reference(word) for word in settings.references]
        for submitter, number in sorted(what.field.items()):
            bots.append(f"{submitter}={submission_folder(self.league.folder, number) / SOURCE}")
        names = {*what.field, *map(name_of, settings.references)}
        plan = {
            **settings.plan,
            "bots": bots,
            "network": [each for each in self.league.plan.network if each.partition("=")[0] in names],
            "rounds": self._rounds(what),
            "out": str(self.folder),
            "leave": True,
            "note": f"{_NOTE}{what.number}",
            **self.league.remote_plan(self.remote(what.field)),
            **({"hooks": {**settings.hooks, "folder": str(self.league.folder)}} if settings.hooks else {}),
        }
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        file = self.folder.parent / f"{self.name}.toml"
        write_atomic(file, toml_text(plan).encode())
        return file

    def _rounds(self, what: LeagueRound) -> int:
        """Return how many rounds the tournament is asked for, which counts them since a bot joined last."""
        blocks, since = self.league.settings.rounds.blocks, 1
        if not (self.folder / LEDGER).is_file():
            return blocks
        with Ledger.open(self.folder) as ledger:
            field = ledger.field()
            known = {each.fingerprint for each in ledger.entrants() if each.name in field or each.left_out}
            events = zip(ledger.field_events(), ledger.field_notes(), strict=True)
            notes = [note.note for event, note in events if event.kind == "join"]
        kept = {each.id: each.fingerprint for each in self._store.submissions()}
        if any(kept[number] not in known for number in what.field.values()):
            since = what.number
        elif notes:
            since = int(notes[-1].removeprefix(_NOTE))
        return blocks * (what.number - since + 1)


def _reference(word: str) -> str:
    return word if "=" in word else f"{name_of(word)}={word}"
