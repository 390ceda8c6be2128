"""Formats that read results, in whole tournaments: workers, interrupts and resumption change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ledger import Ledger, MatchResult
from arena.standings import rated_results
from arena.tournament import formats
from arena.tournament.audit import audit
from arena.tournament.formats import FormatOptions

if TYPE_CHECKING:
    from conftest import Lab


@pytest.fixture(autouse=True)
def against_a(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = formats.FORMATS["gauntlet"]
    options = FormatOptions(challengers=("a",))
    monkeypatch.setitem(formats.FORMATS, "gauntlet", entry._replace(make=lambda seed, _: entry.make(seed, options)))


def counted(folder: Path) -> list[MatchResult]:
    with Ledger.open(folder) as ledger:
        return rated_results(ledger)


@pytest.mark.parametrize("name", ["gauntlet", "swiss", "decisive", "knockout", "groups+knockout"])
def test_workers_interrupts_and_suspensions_change_nothing(lab: Lab, name: str) -> None:
    lab.retires = {"d"}
    lab.void = {"p2-b0001-r0": 100}

    def play(out: str, jobs: int) -> Path:
        return lab.run("a b c d e f", out=out, players="2-3", games=60, format=name, jobs=jobs, seed=1).folder

    folder = play("whole", 1)
    whole = counted(folder)
    assert len(whole) > 20
    with Ledger.open(folder) as ledger:
        assert audit(ledger) == []
    assert counted(play("three", 3)) == whole
    for more in (3, 8, 13):
        lab.interrupt_after = lab.played.total() + more
        play("pieces", 2)
    lab.interrupt_after = None
    assert counted(play("pieces", 2)) == whole
