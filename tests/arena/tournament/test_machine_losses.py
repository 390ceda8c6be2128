"""Machines of a cluster on which bots lose on time far more often than elsewhere: named, and left out if one likes."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ledger import FaultRecord, GameRecord, Ledger
from arena.reports.statement import make_statement
from arena.reports.statement_text import omissions
from arena.standings import leaderboard, rated_results
from arena.standings.machine_losses import MachineLosses, is_slow, slow_machines, upper_tail
from arena.tournament.plan import Plan, PlanError
from arena.tournament.run import run
from arena.tournament.verification.audit import audit
from tests.arena.forging import alter, rechain
from tests.arena.tournament.test_workforce import LabForce

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


class NamedForce(LabForce):
    """Has three machines, of which each plays the games with another remainder of their block."""

    slow = "m1"

    def machine(self, game: str) -> dict[str, str] | None:
        name = name_of(game)
        return {"name": "m0" if name in self.without else name, "speed": game.rpartition("-")[2]}


def name_of(game: str) -> str:
    return f"m{int(game.split('-b')[1][:4]) % 3}"


@pytest.fixture
def slow(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A laboratory in which somebody answers late in each game on the slow machine, and in one of 40 elsewhere."""
    play = lab.game

    def with_late_answers(spec: Any) -> GameRecord:
        record = play(spec)
        if name_of(record.id) != NamedForce.slow and record.index % 40:
            return record
        return msgspec.structs.replace(record, faults=[FaultRecord(record.index % 2, 3, "late", "too late")])

    monkeypatch.setattr(lab, "game", with_late_answers)
    return lab


def played(lab: Lab, **options: Any) -> Path:
    plan = Plan(bots=lab.bots("a", "b", "c"), **{"seed": 1, "players": "2", "games": 60, "out": "t", **options})
    return run(plan, lab, make=NamedForce(lab)).folder


def test_a_machine_that_loses_on_time_far_more_often_is_named(slow: Lab) -> None:
    folder = played(slow)
    with Ledger.open(folder) as ledger:
        [found] = slow_machines(ledger)
        board, results = leaderboard(ledger), ledger.results()
        said = " ".join(omissions(make_statement(ledger, board, results, rated_results(ledger), None).omissions))
    assert (found.name, found.late) == ("m1", found.games)
    assert found.elsewhere > found.games
    assert f"m1: {found.late} of {found.games} games were lost on time, elsewhere" in said
    assert "--without-machine m1" in said


def test_its_games_do_not_count_if_it_is_left_out_and_others_are_played_in_their_stead(slow: Lab) -> None:
    folder = played(slow)
    force = NamedForce(slow)
    plan = Plan(bots=slow.bots("a", "b", "c"), seed=1, players="2", games=60, out="t", without_machines=["m1"])
    outcome = run(plan, slow, make=force)
    assert force.without == {"m1"}
    with Ledger.open(folder) as ledger:
        machines = ledger.machines_of_games()
        names = {each.index: machines[each.id] for each in ledger.results()}
        counting = {names[each.index] for each in rated_results(ledger)}
        found = audit(ledger)
        rated = ledger.settings.rated
        board = leaderboard(ledger)
        assert slow_machines(ledger) == []
    assert counting == {"m0", "m2"}
    assert outcome.counting >= 60
    assert found.differences == []
    assert any("because the organiser left it out, m1: " in note for note in found.notes)
    assert rated.without == {"m1": [place for place in sorted(names) if names[place] == "m1" and place < rated.games]}
    assert board.without_machines == {"m1": len(rated.without["m1"])}
    assert board.suspended_games == 0
    run(msgspec.structs.replace(plan, without_machines=[]), slow, make=force)
    assert force.without == {"m1"}, "it stays so"


def test_a_machine_that_is_not_known_cannot_be_left_out(slow: Lab) -> None:
    folder = played(slow)
    with pytest.raises(PlanError, match=f"no game in {folder} was played on a machine 'm7': known are m0, m1, m2"):
        played(slow, without_machines=["m7"])


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("INSERT OR REPLACE INTO meta VALUES ('without_machines', '[\"m0\"]')", "machines whose games do not count"),
        (
            "UPDATE meta SET value = json_set(value, '$.without', json('{\"m1\": [0]}')) WHERE key = 'rated'",
            "games of m1 are left out otherwise",
        ),
    ],
)
def test_what_is_left_out_can_be_computed_again(slow: Lab, sql: str, words: str) -> None:
    played(slow)
    folder = played(slow, without_machines=["m1"])
    alter(folder, sql)
    with Ledger.open(folder) as ledger:
        assert any(words in each for each in audit(ledger).differences)
    rechain(folder)
    with Ledger.open(folder) as ledger:
        assert audit(ledger).differences, "no chain makes it fit"


@given(st.data())
def test_the_chance_is_the_exact_tail_of_the_hypergeometric_distribution(data: st.DataObject) -> None:
    everything = data.draw(st.integers(1, 60))
    drawn, marked = data.draw(st.integers(0, everything)), data.draw(st.integers(0, everything))
    found = data.draw(st.integers(0, min(drawn, marked)))
    ways = sum(
        comb(marked, k) * comb(everything - marked, drawn - k)
        for k in range(found, min(drawn, marked) + 1)
        if drawn - k <= everything - marked
    )
    exact = Fraction(ways, comb(everything, drawn))
    assert upper_tail(found, drawn, marked, everything) == pytest.approx(float(exact), rel=1e-9)


def test_what_chance_explains_is_not_far_more_often() -> None:
    assert not is_slow(MachineLosses("a", 10, 3, 100, 10), 2), "few games"
    assert is_slow(MachineLosses("a", 100, 30, 1000, 100), 2), "the same shares of many"
    assert not is_slow(MachineLosses("a", 10_000, 1300, 100_000, 10_000), 2), "sure, and not far more often"
    assert not is_slow(MachineLosses("a", 100, 0, 100, 0), 2)
    assert not is_slow(MachineLosses("a", 100, 100, 0, 0), 1), "there is no other"
    just = MachineLosses("a", 20, 6, 100, 6)
    assert is_slow(just, 1) > is_slow(just, 20), "of many machines one is far off by chance"
