"""The way of one submission: unpacked, built, checked, tried against reference bots; then it joins or is refused.

Each step is a child process whose result lies in a file before the step is recorded. What was under way when the league
ended is done again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import disk_usage
from typing import Final, NamedTuple

import msgspec

from arena.common.labels import bot_name
from arena.common.printable import counted, printable
from arena.common.regular_files import read_regular, write_atomic
from arena.common.removal import remove
from arena.entrants.expand import placed
from arena.ledger import Ledger
from arena.ledger.database import FILE as LEDGER
from arena.ledger.errors import LedgerError
from arena.serve.children import ARENA, MOST_OUTPUT, Child
from arena.serve.intake.incoming import RECEIVED, OnState, is_coming, size_of, submission_folder
from arena.serve.intake.intake import note_for
from arena.serve.intake.programs import Verdict
from arena.serve.league import League, name_of, path_of
from arena.serve.store import ENDS, LeagueStore, State, Submission
from arena.serve.toml_text import toml_text
from arena.tournament.plan import player_counts
from engine import catalog

SOURCE: Final = "source"
TRIAL: Final = "trial"
LOG: Final = "steps.log"
_LOG_BYTES: Final = 128 << 10
_LINES: Final = 30
"""Of what a step wrote last, those that are kept in the log."""
_UNPACK_SECONDS: Final = 120.0
_CHECK_SECONDS: Final = 180.0
_TRIAL_SECONDS: Final = 120.0
_DECISIONS: Final = 500
"""How many decisions of a game are reckoned with for the most that a trial may take."""
_ATTEMPTS: Final = 3
"""How often a step is done that ends early without a result, before the submission is refused."""


class _Step(NamedTuple):
    """A step. `done`: the state after it; `failed`: how a reason begins."""

    name: str
    done: State
    failed: str


_STEPS: Final[Mapping[State, _Step]] = {
    "received": _Step("unpack", "unpacked", "it cannot be unpacked"),
    "unpacked": _Step("build", "built", "it cannot be built"),
    "built": _Step("check", "checked", "arena check found a fault"),
    "checked": _Step("trial", "tried", "its trial games failed"),
}
"""By the state before it."""


class SubmissionWay:
    """The way of a submission from the state in which it is."""

    def __init__(
        self,
        league: League,
        store: LeagueStore,
        submission: Submission,
        on_state: OnState = lambda *_: None,
        is_parted: Callable[[float, float], bool] = lambda *_: False,
        cores: Sequence[int] | None = None,
    ) -> None:
        """Take the submission.

        Args:
            league: The league.
            store: Its state.
            submission: What came.
            on_state: Gets each state that it reaches, with what there is to say about it.
            is_parted: Whether a round is due between two moments.
            cores: Where it is built and tried. None: on all cores.
        """
        self.league, self._store, self.submission = league, store, submission
        self._on_state, self._is_parted, self._cores = on_state, is_parted, cores
        self._rules = league.settings.submissions
        self.folder = submission_folder(league.folder, submission.id)
        self._counts = player_counts(league.plan.players, catalog.rules(league.plan.game).players)
        self._games = max(self._rules.trial_games, sum(self._counts))  # one block at each number of players at least
        self._attempts = 0
        self._has_result = False

    @property
    def is_ended(self) -> bool:
        """Whether it has joined or never will."""
        return self.submission.state in ENDS

    def next_child(self) -> Child | None:
        """Begin the next step. Return None if there is none, or if it was one without a process."""
        state = self._refreshed()
        if state in ENDS:
            return None
        if state == "tried":
            self._join()
            return None
        if state == "received" and not (self.folder / RECEIVED).exists():
            if not is_coming(self.league.folder, self.submission.submitter):
                self._refuse("its files are no longer here: submit it again")
            return None
        if state == "received" and (why := self._too_large()):
            self._refuse(why)
            remove(str(self.folder / RECEIVED))
            return None
        step = _STEPS[state]
        log, output = self.folder / f"{step.name}.log", self.folder / f"{step.name}.json"
        words, seconds = self._command(step.name)
        return Child(words, self.folder, log, seconds, self.league.environment, output=output, cores=self._cores)

    def finished(self, child: Child) -> None:
        """Record how the step ended, or that it is to be done again."""
        code = child.poll()
        assert code is not None
        if (state := self._refreshed()) in ENDS:  # it was withdrawn meanwhile
            return
        step = _STEPS[state]
        said = child.last_lines(_LINES)
        last = said.splitlines()[-1] if said else child.reason
        why = None
        try:
            why = self._tried(code) if step.done == "tried" else self._verdict(step.name)
        except (OSError, ValueError, LedgerError):
            self._attempts += 1
            if not child.left:
                why = f"it takes more than {child.seconds / 60:g} minutes, which is the most"
            elif self._attempts >= _ATTEMPTS:
                why = last
            else:
                self._log(f"{step.name}: to be done again, because it ended without a result: {last}", said)
                return
        if why is not None and disk_usage(self.folder).free < self.league.settings.disk.free_gb * 1e9:
            self._log(f"{step.name}: to be done again, because the disk is full: {why}", said)
            return
        self._attempts = 0
        self._log(step.name if why is None else f"{step.name}: {why}", said)
        if why is not None:
            self._refuse(f"{step.failed}: {why}")
        elif step.done == "unpacked" and (same := self._same()) is not None:
            self._move("superseded", f"nothing changed: it is the same as submission {same.id}")
        else:
            self._move(step.done, "")

    def look(self) -> None:
        """Say the first result of its trial while this runs, once it is there."""
        if not self._has_result and self._refreshed() == "checked":
            with suppress(LedgerError):  # it may be just begun
                if (record := self.trial).games:
                    self._has_result = True
                    self._move("checked", f"so far: {record.words}")

    def _refreshed(self) -> State:
        """Return its state as it is kept, which others may have changed."""
        kept = self._store.submissions(self.submission.submitter)
        self.submission = next(each for each in kept if each.id == self.submission.id)
        return self.submission.state

    @property
    def trial(self) -> TrialRecord:
        """What is known of its trial, which may be under way. Raises `LedgerError`."""
        return trial_record(self.folder / TRIAL, self.submission.submitter)

    def _same(self) -> Submission | None:
        """Return the one that plays if it has the same source."""
        plays = [each for each in self._store.submissions(self.submission.submitter) if each.state == "joined"]
        return plays[-1] if plays and plays[-1].fingerprint == self.submission.fingerprint else None

    def _join(self) -> None:
        for each in self._store.submissions(self.submission.submitter, is_open=True):
            if each.id < self.submission.id and not self._is_parted(each.received, self.submission.received):
                SubmissionWay(self.league, self._store, each, self._on_state)._move(
                    "superseded", f"submission {self.submission.id} came before its turn"
                )
        self._move("joined", self.trial.words)

    def _refuse(self, why: str) -> None:
        why = self._shortened(why)
        self._move("refused", why, reason=why)

    def _move(self, state: State, text: str, reason: str | None = None) -> None:
        text = printable(text, keep="\n")
        self._store.move(self.submission.id, state, text, reason=reason, fingerprint=self.submission.fingerprint)
        self.submission = msgspec.structs.replace(self.submission, state=state, reason=reason)
        self._log(f"{state}: {text}" if text else state)
        if state in ENDS or (state == "checked" and text):
            moment = self._store.steps(self.submission.id)[-1].moment
            note_for(self.league, self.submission, f"{state}: {text}".replace("\n", " "), moment)
        self._on_state(self.submission, state, text)

    def _log(self, text: str, lines: str = "") -> None:
        """Add to the log of the submission, which its submitter may read."""
        when = datetime.now(UTC).isoformat(" ", "seconds")
        shown = "\n".join([f"{when}  {printable(text, keep=chr(10))}", *(f"    {line}" for line in lines.splitlines())])
        shown = self._shortened(shown)
        try:
            before = read_regular(self.folder / LOG, 4 * _LOG_BYTES)
        except (OSError, ValueError):
            before = b""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomic(self.folder / LOG, before[-_LOG_BYTES:] + f"{shown}\n".encode("utf-8", "replace"))

    def _shortened(self, text: str) -> str:
        """Return a text without the paths of the league, which are not the submitter's business."""
        return text.replace(f"{self.folder}/", "").replace(f"{self.league.folder}/", "")

    def _too_large(self) -> str | None:
        """Return what is said of what is too large."""
        most = self._rules.unpacked_mb if self.submission.via == "git" else self._rules.size_mb
        if size_of(self._content(), most * 1e6) <= most * 1e6:
            return None
        return f"it has more than {most:g} MB, hidden files counted: leave out what a build makes, and environments"

    def _content(self) -> Path:
        return next((self.folder / RECEIVED).iterdir(), self.folder / RECEIVED)

    # The steps

    def _command(self, name: str) -> tuple[Sequence[str], float]:
        """Return the words of a step, and the most seconds that it may take."""
        program, time = [ARENA[0], "-m", "arena.serve.intake.programs"], self.league.plan.time()
        if name == "unpack":
            remove(str(self.folder / TRIAL))  # it may be tried again
            bounds = [str(int(self._rules.unpacked_mb * 1e6)), str(self._rules.files)]
            return [*program, "unpack", str(self._content()), str(self.folder / SOURCE), *bounds], _UNPACK_SECONDS
        plan = str(self._write_plan())
        if name == "build":
            return [*program, "check", plan, "1"], self._rules.build_minutes * 60
        if name == "check":
            return [*program, "check", plan], _CHECK_SECONDS + 2 * (time.start + time.bank)
        words = ["tournament", "--plan", plan, "--trust-plan", "--json", "--jobs", str(self._rules.cores)]
        return [*ARENA, *words], _TRIAL_SECONDS + 4 * self._games * (time.bank + _DECISIONS * time.move)

    def _verdict(self, name: str) -> str | None:
        found = msgspec.json.decode(read_regular(self.folder / f"{name}.json", MOST_OUTPUT), type=Verdict)
        if found.fingerprint is not None:
            self.submission = msgspec.structs.replace(self.submission, fingerprint=found.fingerprint)
        return found.refused

    def _write_plan(self) -> Path:
        """Write the plan that it is built, checked and tried by, and return its file."""
        league, name = self.league, self.submission.submitter
        words = league.settings.references
        bots = {name: str(self.folder / SOURCE), **{name_of(word): path_of(word) for word in words}}
        for number in range(len(bots), self._counts[-1]):  # at each table others than the bot itself, if copies
            word = words[number % len(words)]
            bots[f"copy-{number}-of-{name_of(word)}"] = path_of(word)
        plan = {
            **league.settings.plan,
            "bots": [f"{key}={placed(path, league.folder)}" for key, path in bots.items()],
            "challengers": [name],
            "games": self._games,
            "network": [each for each in league.plan.network if each.partition("=")[0] in bots],
            "out": str(self.folder / TRIAL),
            **league.remote_plan([name] if self.submission.via == "remote" else []),
        }
        plan.pop("cluster", None)  # it is tried here, within what builds and trials may take
        file, text = self.folder / "trial.toml", toml_text(plan).encode()
        if not file.is_file() or file.read_bytes() != text:
            remove(str(self.folder / TRIAL))  # games by another plan
            write_atomic(file, text)
        return file

    def _tried(self, code: int) -> str | None:
        record = self.trial
        if code not in (0, 3, 4) or (code and not record.games and record.left_out is None):
            raise ValueError("no result")
        if record.left_out is None and record.games and 2 * record.retired >= record.games:
            return f"it was retired in {record.retired} of them. {record.words}"
        self._log(f"places: {', '.join(record.places)}")
        return record.left_out


class TrialRecord(NamedTuple):
    """What is known of a trial so far."""

    games: int
    retired: int
    """In how many of them the bot was retired."""
    left_out: str | None
    """Why it took no part."""
    words: str
    """How the games went."""
    places: Sequence[str] = ()
    """In each game, such as `2 of 4`."""


def trial_record(trial: Path, submitter: str) -> TrialRecord:
    """Return what is known of a trial, which may be under way. Raises `LedgerError`."""
    if not (trial / LEDGER).is_file():
        return TrialRecord(0, 0, None, "")
    with Ledger.open(trial) as ledger:
        results = ledger.results()
        left_out = [each.left_out for each in ledger.entrants() if bot_name(each.name) == submitter]
    places, ranks, faults, retired = list[str](), list[int](), Counter[str](), 0
    for each in results:
        [seat, *_] = (seat for seat, bot in enumerate(each.bots) if bot_name(bot) == submitter)  # all are its games
        ranks.append(each.ranks[seat])
        places.append(f"{ranks[-1]} of {each.players}")
        retired += seat in each.retired
        faults.update(code for charged, code in each.faults if charged == seat)
    words = ""
    if ranks:
        mean = f"{ranks.count(1)} won, place {sum(ranks) / len(ranks):.1f} on average"
        words = f"{counted(len(ranks), 'trial game')}: {mean if len(ranks) > 1 else f'place {places[0]}'}"
    words += "".join(f"; {code}: {number}" for code, number in faults.items())
    return TrialRecord(len(results), retired, left_out[-1] if left_out else None, words, places)
