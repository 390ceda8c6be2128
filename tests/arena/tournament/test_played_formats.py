"""Formats that read results, in whole tournaments: workers, interrupts and resumption change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.formats import FormatError
from arena.ledger import GameResult, Ledger
from arena.standings import rated_results
from arena.tournament.verification.audit import audit
from tests.marking import mostly_slow

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


def counted(folder: Path) -> list[GameResult]:
    with Ledger.open(folder) as ledger:
        return rated_results(ledger)


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(["groups+knockout", "gauntlet", "swiss", "decisive", "knockout"]))
def test_workers_interrupts_and_suspensions_change_nothing(lab: Lab, name: str) -> None:
    lab.retires = {"d"}
    lab.void = {"p2-b0001-r0": 100}

    def play(out: str, jobs: int) -> Path:
        asked = {"challengers": ["a"]} if name == "gauntlet" else {}
        return lab.run("a b c d e f", out=out, players="2-3", games=60, format=name, jobs=jobs, **asked).folder

    folder = play("whole", 1)
    whole = counted(folder)
    assert len(whole) > 20
    with Ledger.open(folder) as ledger:
        assert audit(ledger).differences == []
    assert counted(play("three", 3)) == whole
    for more in (3, 8, 13):
        lab.interrupt_after = lab.played.total() + more
        play("pieces", 2)
    lab.interrupt_after = None
    assert counted(play("pieces", 2)) == whole


def test_a_challenger_plays_in_every_block_and_its_next_version_after_it(lab: Lab) -> None:
    lab.run("a b c d e", players="2-3", games=30, challengers=["a"])
    Path(lab.bots("a")[0]).write_text("# better\n")
    folder = lab.run("a b c d e", players="2-3", games=30, challengers=["a"]).folder
    with Ledger.open(folder) as ledger:
        assert ledger.settings.format == "gauntlet"
        assert all({"a", "a@2"} & set(block.bots) for block in ledger.blocks())
        assert any("a@2" in block.bots for block in ledger.blocks())


def test_a_knockout_says_who_came_how_far(lab: Lab) -> None:
    places = lab.run("a b c d e f", out="cup", players="2-3", format="knockout").placings
    assert {each.bot for each in places} == set("abcdef")
    assert places[0].place == 1
    assert lab.run(out="plain", games=10).placings == []
    lab.retires.add("c")
    faulty = lab.run(out="faulty", players="2-3", format="knockout")
    assert (
        [each.bot for each in faulty.placings if each.withdrew]
        == [faulty.placings[-1].bot]
        == faulty.suspended
        == ["c"]
    )


def test_other_options_are_another_tournament(lab: Lab) -> None:
    first = lab.run(challengers=["a"], games=10).folder
    assert lab.run(challengers=["b"], games=10).folder != first
    assert lab.run(games=10).folder != first


@pytest.mark.parametrize(
    "options", [{"format": "chess"}, {"format": "swiss", "groups": 2}, {"challengers": ["nobody"]}, {"error": 0.7}]
)
def test_what_a_format_does_not_take_is_an_error(lab: Lab, options: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        lab.run(games=10, **options)
    assert not lab.played
