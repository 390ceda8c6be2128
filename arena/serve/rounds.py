"""Seasons and their rounds: who plays, the plan that `arena tournament` plays by, and whether a round is complete.

Who plays in a round depends on when bots came in, not on how fast they were tried: the newest submission of each
submitter that was received before the round was due, and that got through. So a league that was killed, or was slow,
has the same rounds as one that was not.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.common.labels import bot_name
from arena.common.regular_files import write_atomic
from arena.entrants import expand
from arena.ledger import DEFAULT_FORMAT, Ledger
from arena.ledger.commitment import FILE as SEED
from arena.ledger.database import FILE as LEDGER
from arena.serve import LeagueError
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.remote import connected
from arena.serve.intake.submissions import SOURCE
from arena.serve.intake.turns import waits
from arena.serve.league import League
from arena.serve.schedule import next_due
from arena.serve.store import LeagueRound, LeagueStore, Submission
from arena.serve.toml_text import toml_text
from arena.tournament.identity import differences
from arena.tournament.plan import player_counts
from arena.tournament.run import identity_of
from engine import catalog

SITE: Final = "site"
MARKS: Final = "marks.csv"
FAIRNESS: Final = "fairness.json"
"""In a season's folder: what `arena report --fair` found after its last round, for organisers alone."""
FINAL: Final = "final"
"""The folder of the final in that of the season, and in its site."""


class Season:
    """A season of a league, with its tournament."""

    def __init__(self, league: League, store: LeagueStore) -> None:
        """Take what the league's file says of it, and the state. Raises `LeagueError` if `continues` is wrong."""
        self.league, self._store = league, store
        self.rules = league.settings.season
        self.name = self.rules.name
        self.folder = league.folder / "seasons" / self.name
        """The folder of its tournament."""
        earlier = self.rules.continues
        if earlier is not None and not any(
            (self.folder.with_name(each) / LEDGER).is_file() for each in (self.name, earlier)
        ):
            raise LeagueError(f"{league.file}: season.continues: there is no season {earlier!r} that was played")

    @property
    def begins(self) -> float:
        """The moment from which rounds are due."""
        return self._seen if self.rules.begins is None else self.rules.begins.timestamp()

    @property
    def _seen(self) -> float:
        """The moment at which the file first said its name: it is kept."""
        key = f"begin of {self.name}"
        if (kept := self._store.get(key)) is None:
            kept = self._store.now()
            self._store.put(key, kept)
        return float(kept)

    def due_since(self, last: LeagueRound | None, now: float) -> float | None:
        """Return the moment after which the round that follows is due. None: any since the season's begin."""
        if last is not None and last.due > now:  # the clock was ahead
            return max((each.due for each in self._store.rounds(self.name) if each.due <= now), default=None)
        if last is not None:
            return last.due
        return self._seen if self._seen > self.begins else None

    @property
    def ends(self) -> float:
        """The moment after which no further round is due."""
        return float("inf") if self.rules.ends is None else self.rules.ends.timestamp()

    @property
    def _freezes(self) -> float:
        return float("inf") if self.rules.freezes is None else self.rules.freezes.timestamp()

    # How far it is: `begun`, `frozen`, `final`, `over`, as hooks get it

    @property
    def is_over(self) -> bool:
        """Whether all is played, and nothing of it will be changed any more."""
        return bool(self._store.get(f"season {self.name}") == "over")

    def is_hidden(self, now: float) -> bool:
        """Return whether standings are shown to organisers alone."""
        hidden = self.rules.hidden_from
        return hidden is not None and hidden.timestamp() <= now and not self.is_over

    def go_on(self, now: float) -> None:
        """Record that it has begun, that submissions are closed, or that the season before ends as it stands."""
        if (before := self._store.get("season")) != self.name:
            if before is not None:
                self.end(before)
            self._store.put("season", self.name)
        key = f"season {self.name}"
        if now >= self.begins and self._store.get(key) is None:
            self._store.put(key, "begun")
        if now >= self._freezes and self._store.get(key) == "begun":
            self._store.put(key, "frozen")

    def end(self, name: str) -> None:
        """Record that a season is over. What it has stays, for reading alone."""
        if self._store.get(f"season {name}") != "over":
            self._store.put(f"season {name}", "over")
        for path in (self.league.folder / "seasons" / name).rglob("*"):
            with suppress(OSError):  # it belongs to another user, who wrote something there
                if not path.is_symlink():
                    path.chmod(path.stat().st_mode & ~0o222)

    # Who plays

    def is_parted(self, first: float, second: float) -> bool:
        """Return whether what comes at one moment may play in another round than what comes at a later one."""
        rules, begins = self.league.settings.rounds, self.begins
        due = next_due(rules, begins, max(first, begins - 1))
        return (due is not None and first < due <= second) or first < self._freezes <= second

    def waited_for(self, due: float) -> list[Submission]:
        """Return the submissions that came before a round was due and are on their way, which nothing holds up."""
        closed, now, rules = min(due, self._freezes), self._store.now(), self.league.settings.submissions
        came, out = self._store.submissions(is_open=True), self._out()
        held = waits(self._store, rules, came, now)
        return [each for each in came if each.received < closed and each.submitter not in out and each.id not in held]

    def _out(self) -> set[str]:
        return {each.name for each in self._store.members() if each.is_paused or each.is_removed}

    def is_late(self, submission: Submission) -> bool:
        """Return whether a submission came too late for this season."""
        return submission.received >= min(self._freezes, self.ends) and submission.state not in ("refused", "withdrawn")

    def field(self, due: float) -> dict[str, int]:
        """Return the submission of each submitter that plays in a round."""
        found: dict[str, int] = {}
        for each in self._store.submissions():
            is_allowed = each.via != "remote" or self.league.settings.remote.allowed
            if each.state == "joined" and each.received < min(due, self._freezes) and is_allowed:
                found[each.submitter] = each.id
        out = self._out()
        return {submitter: number for submitter, number in found.items() if submitter not in out}

    # Rounds

    def last(self) -> LeagueRound | None:
        """Return the final if it has begun, else the last round. None: there is none."""
        return self._store.last_round(f"{self.name}/{FINAL}") or self._store.last_round(self.name)

    def is_final(self, what: LeagueRound) -> bool:
        """Return whether this is the final."""
        return what.season != self.name

    def place(self, what: LeagueRound) -> Path:
        """Return the folder of the tournament in which a round is played."""
        return self.folder / FINAL if self.is_final(what) else self.folder

    def earlier(self) -> LeagueRound | None:
        """Return the last round of the season with which this one goes on."""
        return None if self.rules.continues is None else self._store.last_round(self.rules.continues)

    def marks_before(self, what: LeagueRound) -> dict[str, list[str]]:
        """Return who had which marks before a round, the last one or the final."""
        before = self._store.last_round(self.name, before=what.number) or self.earlier()
        return {} if before is None else self._store.marks(before.season, before.number)

    def next_round(self, due: float) -> LeagueRound:
        """Return the round that is due, as it is recorded before it is played."""
        own, blocks = self._store.last_round(self.name), self.league.settings.rounds.blocks
        last, number = own or self.earlier(), 1 if own is None else own.number + 1
        self._begin_ledger()
        asked, games = (0, 0) if last is None else (self._asked(last), last.games)
        field = self.present(due)
        return LeagueRound(self.name, number, due, field, games, blocks=blocks, target=blocks + asked)

    def finalists(self, order: Sequence[str], *, are_present: bool = False) -> dict[str, int]:
        """Return the versions that play of those that are best, or of those that are present. Empty: too few."""
        field, playing, plan = self.field(self.ends), self._versions(), self.league.plan
        left = {name: playing[name] for name in order if name in field and name in playing}
        away = self.away(left) if are_present else []
        best = [name for name in left if name not in away][: self.rules.finalists]
        is_enough = len(best) >= player_counts(plan.players, catalog.rules(plan.game).players)[0]
        return {name: left[name] for name in best} if is_enough else {}

    def final(self, field: dict[str, int]) -> LeagueRound:
        """Return the final, as it is recorded before it is played."""
        last = self._store.last_round(self.name)
        return LeagueRound(f"{self.name}/{FINAL}", 1 if last is None else last.number + 1, self.ends, field)

    def staying(self, what: LeagueRound) -> dict[str, int]:
        """Return the field of a round that is begun or gone on with: of a final without who was removed since."""
        out = self._out() if self.is_final(what) else ()
        return {name: number for name, number in what.field.items() if name not in out}

    def remote(self, field: Mapping[str, int]) -> list[str]:
        """Return whose bots of a field run elsewhere."""
        via = {each.id: each.via for each in self._store.submissions()}
        return [name for name, number in sorted(field.items()) if via[number] == "remote"]

    def away(self, field: Mapping[str, int]) -> list[str]:
        """Return whose bots of a field run elsewhere and are not connected: what begins now is without them."""
        here = connected(self.league)
        return [name for name in self.remote(field) if name not in here]

    def present(self, due: float) -> dict[str, int]:
        """Return the field without those that are away."""
        field = self.field(due)
        away = self.away(field)
        return {name: number for name, number in field.items() if name not in away}

    def is_complete(self, what: LeagueRound) -> bool:
        """Return whether all games of a round were played."""
        if not (self.place(what) / LEDGER).is_file():
            return False
        with Ledger.open(self.place(what)) as ledger:
            run, is_finished = ledger.chain.last("run"), ledger.settings.finished
        asked = None if self.is_final(what) else self._asked(what)
        return is_finished and run is not None and run[1].get("rounds") == asked

    def is_resolved(self) -> bool:
        """Return whether the order of all in the field is known, so that further rounds decide nothing."""
        with Ledger.open(self.folder) as ledger:
            found = ledger.settings.resolution
        return found is not None and found.are_neighbours_known

    def write_plan(self, what: LeagueRound, *, is_again: bool = False) -> Path:
        """Write the plan of a round, and return its file.

        `is_again`: whether it was tried before: who was left out then does not join in this round any more.
        """
        settings, folder = self.league.settings, self.place(what)
        plan: dict[str, Any] = {**settings.plan, "out": str(folder), "leave": True, "note": _note(what)}
        field = self.staying(what)
        bots = self._submitted(field)
        if self.is_final(what):
            plan["format"] = self.rules.final
        else:
            bots |= self._references()
            known = self._known()
            if is_again:
                bots = self._without_left_out(bots, known)
            is_joined = any(not known.get((name, each.fingerprint)) for name, each in bots.items())
            plan["rounds"] = what.blocks if is_joined else self._asked(what)
            if settings.rounds.without_end:  # as it was when the season began: `differences`
                plan |= {"format": DEFAULT_FORMAT, "until": "resolved"}
        plan["bots"] = [f"{name}={each.path}" for name, each in sorted(bots.items())]
        plan |= self.league.remote_plan(self.remote(field), is_round=not self.is_final(what))
        if settings.hooks:
            plan["hooks"] = {**settings.hooks, "folder": str(self.league.folder)}
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = folder.with_name(f"{folder.name}.toml")
        write_atomic(file, toml_text(plan).encode())
        return file

    def _submitted(self, field: Mapping[str, int]) -> dict[str, _Named]:
        prints = {each.id: each.fingerprint for each in self._store.submissions()}
        return {
            name: _Named(str(submission_folder(self.league.folder, number) / SOURCE), prints[number])
            for name, number in field.items()
        }

    def _references(self) -> dict[str, _Named]:
        found = expand(self.league.references, self.league.plan.game, keep_faulty=True).found
        return {each.name: _Named(str(each.path), each.fingerprint) for each in found}

    def _without_left_out(
        self, bots: Mapping[str, _Named], known: Mapping[tuple[str, str | None], bool]
    ) -> dict[str, _Named]:
        """Return the bots with the version that is in the field for one that was left out, if there is one."""
        kept = {name: each for name, each in bots.items() if known.get((name, each.fingerprint), True)}
        before = self._versions()
        return self._submitted({name: before[name] for name in bots.keys() & before.keys() - kept.keys()}) | kept

    def _versions(self) -> dict[str, int]:
        playing = self.playing()
        return {each.submitter: each.id for each in self._store.submissions() if each.id in playing}

    def playing(self) -> set[int]:
        """Return the submissions in the field of the tournament: older ones too, where the newest was left out."""
        known = self._known()
        return {each.id for each in self._store.submissions() if known.get((each.submitter, each.fingerprint))}

    def _known(self) -> dict[tuple[str, str | None], bool]:
        """Return by name and fingerprint which versions are in the field, true, or were left out, false."""
        if not (self.folder / LEDGER).is_file():
            return {}
        with Ledger.open(self.folder) as ledger:
            field, entrants = ledger.field(), ledger.entrants()
        return {
            (bot_name(each.name), each.fingerprint): each.name in field
            for each in entrants
            if each.name in field or each.left_out is not None
        }

    def _asked(self, what: LeagueRound) -> int:
        """Return how many rounds the tournament is asked for, which counts them since a bot joined last."""
        folder = self.league.folder / "seasons" / what.season
        if not (folder / LEDGER).is_file():
            return what.blocks
        with Ledger.open(folder) as ledger:
            events = zip(ledger.field_events(), ledger.field_notes(), strict=True)
            [*_, note] = [note.note for event, note in events if event.kind == "join"]
        return what.blocks if note == _note(what) else what.target

    def differences(self) -> list[str]:
        """Return in words what the file says otherwise than when the season's games began."""
        folders = [self.folder, *([self.folder.parent / self.rules.continues] if self.rules.continues else [])]
        if not (begun := [each for each in folders if (each / LEDGER).is_file()]):
            return []
        with Ledger.open(begun[0]) as ledger:
            return differences(identity_of(self.league.round_plan), ledger)

    def _begin_ledger(self) -> None:
        """Begin with the ledger of the season with which this one goes on, if there is one."""
        if self.rules.continues is None or (self.folder / LEDGER).is_file():
            return
        earlier, new = self.folder.with_name(self.rules.continues), self.folder / ".new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        with Ledger.open(earlier) as ledger:
            ledger.copy_to(new)
        if (earlier / SEED).is_file():
            (self.folder / SEED).touch(0o600)
            (self.folder / SEED).write_bytes((earlier / SEED).read_bytes())
        (new / LEDGER).rename(self.folder / LEDGER)
        new.rmdir()


class _Named(NamedTuple):
    """A bot that a plan names."""

    path: str
    fingerprint: str | None


def _note(what: LeagueRound) -> str:
    """Return what the tournament notes of those that join, so that it is known in which round they did."""
    return f"{what.season}, round {what.number}"
