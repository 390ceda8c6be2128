"""A term of a league in minutes: submissions of all kinds, kills, full disks and changed files, beside a quiet term.

`python -m benchmarks.league_term` plays the same term twice and prints JSON: as it should go, and with kills and full
disks. Who sends what is drawn from a seed. The league's clock stands still while anything is under way, so that all is
received at the same moments in both; then the tables must be the same, game by game. `--submitters 4 --submissions 20
--kills 4` is a small one. `--only quiet` or `--only disturbed` plays one, into `FOLDER/NAME.json`; `--compare` reads
both. A full disk takes root, for a file system of its own in memory.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

import msgspec
import typer

from arena.ledger import Ledger
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import TRIAL, trial_record
from arena.serve.league import read_league
from arena.serve.rounds import Season
from arena.serve.stands import Stands
from arena.serve.store import ENDS
from benchmarks.league_process import LEAGUE, LeagueProcess
from benchmarks.league_submissions import BROKEN, FLOOD, HOSTILE, WAYS, Plan, Sent, drawn

BEGIN: Final = 1_800_000_000.0
HOUR: Final = 3600.0
DAY: Final = 86_400.0
PATIENCE: Final = 1800.0
"""Seconds in which what is under way must end."""


class Term:
    """The course of a term: what is sent, and what befalls the league."""

    def __init__(self, league: LeagueProcess, plan: Plan, kills: int, full_disks: int, seed: int) -> None:
        """Draw what befalls it."""
        self.league, self.plan = league, plan
        self.chance, self.phases = random.Random(seed + 1), 2 * len(plan)
        self.kills = Counter(self.chance.randrange(self.phases) for _ in range(kills))
        self.full = Counter(self.chance.sample(range(self.phases), full_disks) if league.is_mounted else ())
        """By phase: the trials and the round of each window."""
        self.pending: list[tuple[Callable[[], None], float]] = []
        """What is done at which moment, the next at the end."""
        self.is_last = False

    def begin(self, phase: int) -> None:
        """Draw when it is killed, and the disk is full, in a phase: the trials, or the round, of a window."""
        self.is_last = phase == self.phases - 1
        long = 20.0 * len(self.league.names) if phase % 2 == 0 else 40.0
        acts = [act for act, _ in self.pending]
        acts += [self.league.kill] * self.kills[phase] + [self.league.fill] * self.full[phase]
        drawn = [(act, time.monotonic() + self.chance.uniform(0, long)) for act in acts]
        self.pending = sorted(drawn, key=lambda each: -each[1])

    def tend(self) -> None:
        """Do what has been drawn for this moment, and see that the league runs."""
        self.league.look()
        if self.pending and time.monotonic() > self.pending[-1][1]:
            act, _ = self.pending.pop()
            act()
        time.sleep(0.1)

    def settle(self) -> None:
        """Wait until all was received and nothing is under way."""
        ends = time.monotonic() + PATIENCE
        while True:
            self.tend()
            status = json.loads((self.league.folder / "status").read_text())
            if status["quiet"] == self.league.clock and self.league.submissions() >= self.league.expected:
                if not (self.pending and self.is_last):
                    return
                self.pending.pop()[0]()
            if time.monotonic() > ends:
                raise RuntimeError(
                    f"it does not come to an end: {self.league.submissions()} of {self.league.expected} received"
                )

    def change(self, window: int) -> None:
        """Change the league's file, if it is time, and see that it is applied; a wrong one is not."""
        changes: list[tuple[str, Any]] = [
            ("trial_games", 3),
            ("more", '[[mark]]\nname = "good"\ntop = 0.25\n'),
            ("more", '[[mark]]\nname = "pass"\nbeats = "random_bot"\n'),
        ]
        for number, (key, value) in enumerate(changes):
            if window == max(1, (number + 1) * len(self.plan) // (len(changes) + 1)):
                self.league.rewrite("this is wrong", "what it said before holds")
                self.league.settings[key] = f"{self.league.settings[key]}{value}" if key == "more" else value
                self.league.rewrite(LEAGUE.format(**self.league.settings), "has changed")
                self.league.done["changes of the file"] += 1

    def play(self) -> None:
        """Play a term."""
        self.league.start()
        for window, moments in enumerate(self.plan):
            begin = BEGIN + window * DAY + HOUR
            self.change(window)
            self.begin(2 * window)
            for number, sent in enumerate(moments):
                self.league.set_clock(begin + 600 * number)
                for each in sent:
                    self.league.send(each)
                while self.league.submissions() < self.league.expected:
                    self.tend()
            self.settle()
            while self._is_open() and self.league.clock < begin + DAY - 4 * HOUR:
                self.league.set_clock(self.league.clock + HOUR)  # until those that wait may be tried
                self.settle()
            self.league.sample()
            self.league.set_clock(BEGIN + (window + 1) * DAY)
            self.begin(2 * window + 1)
            self.settle()
            self.league.sample()
            print(
                f"window {window}: {self.league.expected} sent, {dict(self.league.done)}, {self.league.samples[-1]}",
                file=sys.stderr,
            )
        self.league.stop()

    def _is_open(self) -> bool:
        with self.league.store() as store:
            return bool(store.submissions(is_open=True))

    def found(self) -> dict[str, Any]:
        """Return how the term ended."""
        sent: dict[str, list[Sent]] = {}
        for each in (each for window in self.plan for moment in window for each in moment):
            sent.setdefault(each.submitter, []).extend([each] * (FLOOD if each.kind == "flood" else 1))
        league, ends, faults = read_league(self.league.league / "league.toml"), Counter[str](), list[str]()
        notes: dict[int, str] = {}
        with self.league.store() as store:
            season = Season(league, store)
            rounds = store.rounds(season.name)
            marks = store.marks(season.name, len(rounds))
            table = msgspec.to_builtins(Stands(season, store).facts(self.league.clock).public.standings)
            for submission in store.submissions():
                each = sent[submission.submitter].pop(0)
                notes[submission.id] = each.note
                kind = "hostile" if each.kind in HOSTILE else "broken" if each.kind in BROKEN else each.kind
                ends[f"{kind}, {submission.state}"] += 1
                is_well = submission.state == "superseded" or (submission.state == "joined") == (kind == "honest")
                if (
                    submission.state not in ENDS
                    or not is_well
                    or (submission.state == "refused" and not submission.reason)
                ):
                    faults.append(f"{each}: {submission.state}: {submission.reason}")
        faults += [f"{each} was not received" for those in sent.values() for each in those]
        with Ledger.open(season.folder) as ledger:
            games = [[each.id, list(each.bots), list(each.ranks), len(each.faults)] for each in ledger.results()]
        return {
            "submissions": self.league.expected,
            "ends": dict(sorted(ends.items())),
            "otherwise than due": faults,
            "done": dict(self.league.done),
            "left": self.league.left(),
            "faults in rounds": sum(cast(int, each[3]) for each in games),
            "samples": [
                self.league.samples[0],
                self.league.samples[len(self.league.samples) // 2],
                self.league.samples[-1],
            ],
            "rounds": [
                [each.number, each.outcome, {name: notes[number] for name, number in each.field.items()}]
                for each in rounds
            ],
            "table": table,
            "marks": marks,
            "games": games,
        }


def first_results(term: Term, count: int = 6) -> list[float]:
    """Return how many seconds it takes at idle from a submission to the result of its first trial game."""
    league, found = term.league, list[float]()
    for number in range(count):
        name = league.names[(0, 2)[number % 2]]
        before = league.submissions()
        league.send(Sent(name, WAYS[(0, 2)[number % 2]], "honest", f"idle {number}", 0.5))
        began = time.monotonic()
        trial = submission_folder(league.league, before + 1) / TRIAL
        while not trial_record(trial, name).games:
            time.sleep(0.05)
        found.append(round(time.monotonic() - began, 1))
        term.settle()
        league.set_clock(league.clock + HOUR)
    return found


def compared(quiet: Mapping[str, Any], disturbed: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether two terms ended alike, and what else is to be said of them."""
    alike = ("table", "marks", "games", "rounds")
    return {
        "alike": {key: quiet[key] == disturbed[key] for key in alike},
        "quiet": {key: value for key, value in quiet.items() if key not in alike} | {"games": len(quiet["games"])},
        "disturbed": {key: value for key, value in disturbed.items() if key not in alike},
    }


def play(name: str, folder: Path, shape: tuple[int, int, int, int], kills: int, full_disks: int) -> dict[str, Any]:
    """Play one term in a new folder, and write how it ended to `FOLDER/NAME.json`."""
    submitters, submissions, windows, seed = shape
    plan, began = drawn(submitters, submissions, windows, seed), time.monotonic()
    league = LeagueProcess(folder / name, submitters, BEGIN + HOUR, on_own_disk=full_disks > 0)
    term = Term(league, plan, kills, full_disks, seed)
    try:
        term.play()
        found = term.found() | {"minutes": round((time.monotonic() - began) / 60, 1)}
        if not kills:
            league.start()
            found["seconds to the first trial result"] = first_results(term)
            league.stop()
    finally:
        league.close()
    (folder / f"{name}.json").write_text(json.dumps(found, indent=1))
    return found


def main(
    folder: Path = Path("term"),
    submitters: int = 30,
    submissions: int = 300,
    windows: int = 5,
    kills: int = 20,
    full_disks: int = 2,
    seed: int = 1,
    only: str = "",
    compare: bool = False,
) -> None:
    """Play a term twice, and compare."""
    folder, shape = folder.absolute(), (submitters, submissions, windows, seed)
    if not compare and only != "disturbed":
        play("quiet", folder, shape, 0, 0)
    if not compare and only != "quiet":
        play("disturbed", folder, shape, kills, full_disks)
    if not only:
        quiet, disturbed = (json.loads((folder / f"{name}.json").read_text()) for name in ("quiet", "disturbed"))
        print(json.dumps(compared(quiet, disturbed), indent=1))


if __name__ == "__main__":
    typer.run(main)
