"""Workers of other machines come and go: whoever is lost costs no game, and none is blamed for it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Any

import pytest

from arena.common.processes import NeverBegun
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.ledger import Ledger
from arena.referee.config import RefereeConfig
from arena.tournament.dispatch import MOST_MACHINES_LOST, Dispatcher
from arena.tournament.plan import Plan, PlanError
from arena.tournament.run import run
from arena.tournament.workers import RemoteWorker, WorkerLost, Workforce, WorkforceError, play_games
from tests.arena.tournament.conftest import Lab, LabExecutor


class LabWorker(RemoteWorker):
    """Plays in this process, until it is lost."""

    def __init__(self, force: LabForce) -> None:
        self._force = force
        self._within = LabExecutor(force.lab)

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        if call is not play_games:
            return self._within.submit(call, *arguments)
        specs: list[GameSpec] = arguments[1]
        self._force.issued.append([spec.id for spec in specs])
        if self._force.never_begin:
            self._force.never_begin -= 1
            ended: Future[Any] = Future()
            ended.set_exception(NeverBegun("it has ended"))
            return ended
        doomed = next((spec.id for spec in specs if self._force.loses.get(spec.id)), None)
        if doomed is None:
            played: Future[Any] = Future()
            games = self._within.submit(call, *arguments).result()
            played.set_result([each._replace(machine=self._force.machine(each.summary.id)) for each in games])
            return played
        self._force.loses[doomed] -= 1
        lost: Future[Any] = Future()
        lost.set_exception(WorkerLost("its machine burns"))
        self._force.arrive()
        return lost

    def renew(self) -> None:
        self._force.renewed += 1
        self._within = LabExecutor(self._force.lab)

    def kill(self) -> None:
        self._force.killed += 1


class LabForce(Workforce):
    """Has so many workers, and another one for each that is lost."""

    def __init__(self, lab: Lab, workers: int = 2) -> None:
        self.lab, self._workers = lab, workers
        self.never_begin = 0
        """How many processes end before they are told what to play."""
        self.loses: dict[str, int] = {}
        """How often a game still takes its machine with it."""
        self.issued: list[list[str]] = []
        self.killed = 0
        self.renewed = 0
        self.most: int | None = None
        self.without: set[str] = set()

    def begin(
        self, config: RefereeConfig, most: int | None, arrived: Callable[[RemoteWorker | Exception], object]
    ) -> None:
        self.most, self._arrived = most, arrived
        for _ in range(self._workers):
            self.arrive()
        if not self._workers:
            arrived(WorkforceError("nobody is there"))

    def leave_out(self, machines: Collection[str]) -> None:
        self.without = set(machines)

    def machine(self, game: str) -> dict[str, str] | None:
        """On what machine a game is played: each has those of one rotation."""
        return {"speed": game.rpartition("-")[2]}

    def arrive(self) -> None:
        self._arrived(LabWorker(self))


def plan(lab: Lab, **options: Any) -> Plan:
    return Plan(bots=lab.bots("a", "b", "c"), **{"seed": 1, "players": "2", "games": 12, **options})


def games(folder: Any) -> list[tuple[str, str, list[int]]]:
    with Ledger.open(folder) as ledger:
        return [(each.id, each.seed, each.ranks) for each in ledger.games()]


def test_games_of_lost_machines_are_played_again_as_they_were(lab: Lab) -> None:
    local = run(plan(lab, out="local"), lab, make=lab.make)
    force = LabForce(lab)
    for game in lab.played:
        force.loses[game] = 1
    lab.played.clear()
    far = run(plan(lab, out="far"), lab, make=force)
    assert games(far.folder) == games(local.folder)
    assert set(lab.played.values()) == {1}
    assert force.most is None
    with Ledger.open(far.folder) as ledger:
        assert ledger.voids() == []


def test_before_each_game_of_another_machine_the_ledger_names_it(lab: Lab) -> None:
    outcome = run(plan(lab), lab, make=LabForce(lab))
    with Ledger.open(outcome.folder) as ledger:
        assert [each["speed"] for each in ledger.settings.machines] == ["r0", "r1"]
        machine = None
        for entry in ledger.chain.entries():
            if entry[0] == "machine":
                machine = entry[1]["speed"]
            elif entry[0] == "game":
                assert entry[1].endswith(machine)


def test_a_game_over_which_machine_after_machine_is_lost_counts_as_one_that_ends_its_worker(lab: Lab) -> None:
    force = LabForce(lab)
    force.loses["p2-b0001-r0"] = MOST_MACHINES_LOST
    outcome = run(plan(lab), lab, make=force)
    with Ledger.open(outcome.folder) as ledger:
        assert [(void.game, void.lost) for void in ledger.voids()] == [("p2-b0001-r0", 1)]
    assert outcome.played >= 12


def test_a_game_is_issued_by_itself_once_a_machine_was_lost_over_it(lab: Lab) -> None:
    force = LabForce(lab)
    lab.seconds_a_game = 0.0
    force.loses["p2-b0003-r1"] = 1
    run(plan(lab, games=60), lab, make=force)
    assert [batch for batch in force.issued if "p2-b0003-r1" in batch][-1] == ["p2-b0003-r1"]


def test_a_game_that_was_played_alone_is_played_alone_again_after_its_machine_was_lost(lab: Lab) -> None:
    force, spec = LabForce(lab), GameSpec("p2-b0001-r0", 0, 2, 1, 0, "00", ["a", "b"])
    force.loses[spec.id] = 1
    dispatcher = Dispatcher(RefereeConfig("kosmos", {}, TimeControl(), {}), None, force)
    dispatcher.requeue(spec, alone=True)
    [[played]] = dispatcher.play(iter(()), 1, lambda _: True)
    assert played.summary.id == spec.id
    assert force.issued == [[spec.id], [spec.id]]
    assert force.renewed == 2  # each time in a new process, without the bots of other games


def test_a_game_that_is_to_be_played_alone_still_is_if_its_worker_ended_before_it_was_told(lab: Lab) -> None:
    force, spec = LabForce(lab), GameSpec("p2-b0001-r0", 0, 2, 1, 0, "00", ["a", "b"])
    force.never_begin = 1
    dispatcher = Dispatcher(RefereeConfig("kosmos", {}, TimeControl(), {}), None, force)
    dispatcher.requeue(spec, alone=True)
    [[played]] = dispatcher.play(iter(()), 1, lambda _: True)
    assert played.summary.id == spec.id
    assert force.issued == [[spec.id], [spec.id]]
    assert force.renewed == 3  # in place of the one that ended, and for each time that it is played alone


def test_without_anybody_to_play_the_run_ends_and_says_why(lab: Lab) -> None:
    with pytest.raises(WorkforceError, match="nobody is there"):
        run(plan(lab, out="far"), lab, make=LabForce(lab, workers=0))


def test_what_would_be_written_on_other_machines_is_refused(lab: Lab) -> None:
    with pytest.raises(PlanError, match="trace"):
        run(plan(lab, trace=True), lab, make=LabForce(lab))


@pytest.mark.parametrize(("workers", "games_at_once"), [(1, 4), (50, 4), (125, 10), (100_000, 64)])
def test_beyond_some_workers_each_is_given_more_games_at_once(lab: Lab, workers: int, games_at_once: int) -> None:
    """So the coordinator gets no more batches a second than from those, and workers that are few wait for few games."""
    dispatcher = Dispatcher(RefereeConfig("kosmos", {}, TimeControl(), {}), workers, lambda: LabExecutor(lab))
    dispatcher._seconds_a_game = 0.25
    specs = (GameSpec(f"p2-b{number:04}-r0", number, 2, number, 0, "00", ["a", "b"]) for number in range(1000))
    assert len(dispatcher._batch(specs, None, lambda spec: True)) == games_at_once
