"""A tournament without processes: bots are empty files, games are decided by their seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import Built, Entrant
from arena.game.game import final_ranks, void_record
from arena.game.spec import GameSpec
from arena.ledger import EntrantRecord, GameRecord, Ledger
from arena.standings import leaderboard
from arena.tournament import coordinator
from arena.tournament import run as run_module
from arena.tournament.comparison import question
from arena.tournament.observer import RunOutcome
from arena.tournament.plan import Plan
from arena.tournament.run import run
from arena.tournament.workers import PlayedGame, play_games


class Broken(BrokenExecutor):
    """What a lost worker process looks like."""


@dataclass
class Lab:
    """Plays tournaments of made-up games, and remembers what was played and said."""

    folder: Path
    played: Counter[str] = field(default_factory=Counter)
    """How often each game was played."""
    batches: list[list[str]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    retires: set[str] = field(default_factory=set)
    """Bots that retire in every game."""
    silent: set[str] = field(default_factory=set)
    """Bots that retire when they are asked first, so that a game with one other bot ends at once."""
    leads: set[str] = field(default_factory=set)
    """Bots that finish before all others."""
    void: dict[str, int] = field(default_factory=dict)
    """How often a game still fails."""
    breaks: dict[str, int] = field(default_factory=dict)
    """How often a game still takes its worker with it."""
    kills: set[str] = field(default_factory=set)
    """Bots that end their worker whenever they do not come first."""
    left_out: dict[str, str] = field(default_factory=dict)
    interrupt_after: int | None = None
    """Games after which somebody presses Ctrl-C."""
    now: float = 0.0
    """The injected clock."""
    seconds_a_game: float = 1.0
    workers: int = 0
    """Executors that were made."""
    killed: int = 0

    def bots(self, *names: str) -> list[Any]:
        """Bot files of these names."""
        paths = [self.folder / "entries" / f"{name}.py" for name in names]
        for path in paths:
            path.parent.mkdir(exist_ok=True)
            if not path.exists():
                path.write_text(f"# {path.stem}\n")
        return [str(path) for path in paths]

    def run(self, names: str = "a b c d", **options: Any) -> RunOutcome:
        """Run a plan with these bots."""
        plan = Plan(bots=self.bots(*names.split()), **{"seed": 1, "jobs": 1, "players": "2-3", **options})
        return run(plan, self, make=self.make, clock=lambda: self.now)

    def run_paths(self, paths: list[Any], **options: Any) -> RunOutcome:
        """Run a plan with these files."""
        return run(Plan(bots=paths, **options), self, make=self.make, clock=lambda: self.now)

    def entrant(self, name: str) -> Entrant:
        """A bot whose source was kept."""
        return Entrant(name, self.folder / "entries" / f"{name}.py", "python", (), "kept")

    def board(self, outcome: RunOutcome) -> dict[str, Any]:
        """The tables."""
        with Ledger.open(outcome.folder) as ledger:
            return leaderboard(ledger).data()

    def make(self) -> Executor:
        self.workers += 1
        return LabExecutor(self)

    def game(self, spec: GameSpec) -> GameRecord:
        if self.interrupt_after is not None and self.played.total() >= self.interrupt_after:
            raise KeyboardInterrupt
        self.now += self.seconds_a_game
        self.played[spec.id] += 1
        if self.breaks.get(spec.id):
            self.breaks[spec.id] -= 1
            raise Broken("a worker was lost")
        if self.void.get(spec.id):
            self.void[spec.id] -= 1
            return void_record(spec, "an error of our own")
        luck = [
            ("" if bot in self.leads else "luck ") + blake2b(f"{spec.seed}/{bot}".encode(), digest_size=4).hexdigest()
            for bot in spec.bots
        ]
        ranks = [1 + sorted(luck).index(each) for each in luck]
        if any(
            bot in self.kills and ranks[seat] > 1 for seat, bot in enumerate(spec.bots) if seat not in spec.forfeits
        ):
            raise Broken("a worker was killed")
        retired = [*spec.forfeits, *(seat for seat, bot in enumerate(spec.bots) if bot in self.retires)]
        mute, awake = silenced(spec.bots, self.silent)
        retired += [seat for seat in mute if seat not in retired]
        ranks = final_ranks(ranks, spec.forfeits)
        return GameRecord(
            **spec.planned(),
            ending="finished",
            ranks=ranks,
            scores=[{"gold": rank} for rank in ranks],
            steps=[],
            retired=retired,
            faults=[],
            times=[[1000] if seat in awake else [] for seat in range(len(ranks))],
            digest="",
            engine="made up",
        )

    # Progress

    def say(self, text: str) -> None:
        self.said.append(text)

    def stage(self, name: str, total: int | None) -> None:
        pass

    def expect(self, total: int) -> None:
        pass

    def begin(self, what: str) -> None:
        pass

    def advance(self, what: str) -> None:
        pass

    # In place of building and starting bots

    def admit(self, entrants: Sequence[Entrant], *_: object) -> tuple[dict[str, Built], list[EntrantRecord]]:
        left_out = {each.name: each.fault for each in entrants if each.fault} | self.left_out
        records = [
            EntrantRecord(each.name, str(each.path), each.fingerprint, left_out=left_out.get(each.name))
            for each in entrants
        ]
        built = {each.name: Built(each, self.folder, ()) for each in entrants if each.name not in left_out}
        return built, records

    def rebuild(self, entrants: Sequence[Entrant], *_: object) -> dict[str, Built]:
        return {each.name: Built(each, self.folder, ()) for each in entrants}


def silenced(bots: Sequence[str], silent: set[str]) -> tuple[list[int], list[int]]:
    """Return the seats that retire when they are asked first, and those that answer, until one seat is left."""
    mute: list[int] = []
    awake: list[int] = []
    for seat, bot in enumerate(bots):
        if len(mute) == len(bots) - 1:
            break
        (mute if bot in silent else awake).append(seat)
    return mute, awake


class LabExecutor(Executor):
    """Plays at once, in this process; broken for good after its worker was lost."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._broken = False

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        if self._broken:
            raise Broken("submitted to a broken executor")
        future: Future[Any] = Future()
        if call is not play_games:
            future.set_result(None)
            return future
        specs: list[GameSpec] = arguments[1]
        self._lab.batches.append([spec.id for spec in specs])
        try:
            future.set_result([PlayedGame.of(self._lab.game(spec)) for spec in specs])
        except Broken as error:
            self._broken = True
            future.set_exception(error)
        return future

    def kill(self) -> None:
        self._lab.killed += 1


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A laboratory whose current folder is its own."""
    monkeypatch.chdir(tmp_path)
    return make_lab(tmp_path, monkeypatch)


def make_lab(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Return a laboratory, and have it admit the bots of every tournament."""
    made = Lab(folder)
    monkeypatch.setattr(run_module, "admit", made.admit)
    monkeypatch.setattr(question, "admit", made.admit)
    monkeypatch.setattr(coordinator, "rebuild", made.rebuild)
    return made
