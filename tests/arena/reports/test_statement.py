"""The statement: what may be claimed follows from the figures, and everything that does not count is said."""

from __future__ import annotations

import dataclasses
from random import Random

import msgspec
import pytest

from arena.formats import DECISIVE, PAIRED
from arena.ledger import EntrantRecord, FieldEvent, Ledger, NeighbourVerdict, Resolution, VoidRecord
from arena.rating.held_out import Estimate
from arena.reports.claims import ALONE, NOTHING, pairs_apart
from arena.reports.statement import TOO_FEW, Statement, make_statement
from arena.reports.statement_text import omissions, statement_text
from arena.standings import leaderboard, rated_results
from arena.standings.compute import calibration
from arena.standings.lead import resolution_in_words
from tests.arena.ledgers import Play


def stated(ledger: Ledger) -> Statement:
    results = ledger.results()
    rated = rated_results(ledger, results)
    return make_statement(ledger, leaderboard(ledger, results=rated), results, rated, calibration(rated))


def play_by_strength(play: Play, blocks: int, strengths: dict[str, float]) -> None:
    random = Random(5)
    for block in range(blocks):
        group = random.sample(sorted(strengths), 2)
        for seats in (group, group[::-1]):
            order = sorted(seats, key=lambda bot: -random.gauss(strengths[bot], 1))
            play(*seats, ranks=[1 + order.index(bot) for bot in seats], block=block)


def test_equal_bots_are_never_told_apart_and_nobody_is_called_the_best(ledger: Ledger, play: Play) -> None:
    play_by_strength(play, 40, {"ant": 0, "bee": 0, "cat": 0})
    found = stated(ledger)
    assert (found.pairs.pairs, found.pairs.apart) == (3, 0)
    best, order, where = found.claims
    assert best.startswith("It may not be claimed of any of these 3 bots")
    assert order.startswith("No two bots are told apart")
    assert "the results are not final" in where
    assert {row.place for row in found.tables[0].rows} == {"1–3"}
    assert found.calibration is not None
    assert found.calibration["games"] == 80


def test_a_suspended_bot_is_in_no_claim_however_well_it_did(ledger: Ledger, play: Play) -> None:
    play_by_strength(play, 40, {"ant": 0, "bee": 0, "cat": 9})
    ledger.set_meta("rated", {"games": None, "suspended": {"cat": 500}, "absent": {"cat": [(500, None)]}})
    found = stated(ledger)
    assert (found.pairs.pairs, found.pairs.apart) == (1, 0)
    assert found.claims[0].startswith("It may not be claimed of any of these 2 bots")
    assert not any("cat" in sentence for sentence in found.claims)
    assert not any("cat" in (each.one, each.other) for each in found.differences)
    for table in found.tables:
        assert [(row.bot in ("ant", "bee"), row.place, row.suspended) for row in table.rows] == [
            (True, "1–2", False),
            (True, "1–2", False),
            (False, "–", True),
        ]
    ledger.set_meta("rated", {"games": None, "suspended": {"cat": 500, "bee": 501}})
    assert stated(ledger).claims == [ALONE]


@pytest.mark.slow
def test_a_clear_order_may_be_claimed_and_one_that_is_not_is_named(ledger: Ledger, play: Play) -> None:
    play_by_strength(play, 60, {"ant": 6, "bee": 3, "cat": 0})
    ledger.set_meta("finished", True)
    found = stated(ledger)
    best, order, where = found.claims
    assert "that ant is the best of these 3 bots" in best
    assert "120 rated games" in best
    assert order.startswith("All 3 pairs of bots are told apart")
    assert "not final" not in where
    assert "seed was given" in where
    assert [(each.one, each.other, each.apart) for each in found.differences] == [
        ("ant", "bee", True), ("ant", "cat", True), ("bee", "cat", True),
    ]  # fmt: skip
    assert all(each.low is not None and 0 < each.low < each.difference for each in found.differences)
    assert all(each.high is None or each.difference < each.high for each in found.differences)


@pytest.mark.slow
def test_what_a_tournament_that_ends_by_results_knows_of_its_order_is_stated(ledger: Ledger, play: Play) -> None:
    play_by_strength(play, 20, {"ant": 0, "bee": 0, "cat": 0})
    reserve = "results decided when to stop"
    assert reserve not in stated(ledger).claims[2]
    for format, options in ((DECISIVE, {}), (PAIRED, {}), ("balanced", {"until": "resolved"})):
        ledger.set_meta("format", format)
        ledger.set_meta("options", options)
        assert reserve in stated(ledger).claims[2]
    resolution = Resolution(0.05, 0.1, [NeighbourVerdict("ant", "bee", "apart", 40, 0.25)])
    ledger.set_meta("resolution", msgspec.to_builtins(resolution))
    found = stated(ledger)
    assert found.settings.order == resolution_in_words(resolution)
    assert f"Order: {found.settings.order[0]}" in statement_text(found)


def test_forecasts_that_are_hardly_too_sure_are_called_so_with_by_how_much(ledger: Ledger, play: Play) -> None:
    play_by_strength(play, 20, {"ant": 0, "bee": 0, "cat": 0})
    results = ledger.results()
    found = calibration(results)
    assert found is not None
    found = dataclasses.replace(found, forecast=0.62, observed=Estimate(0.611, 0.002))
    statement = make_statement(ledger, leaderboard(ledger, results=results), results, results, found)
    assert "too sure, by 0.9 percentage points (the" in statement.claims[2]
    assert "61.1 % of the pairs and not in 62.0 %" in statement.claims[2]
    assert "too sure, by 0.9 percentage points." in statement_text(statement).replace("\n", " ")


@pytest.mark.slow
def test_two_that_lead_are_named_together_and_their_pair_is_the_example(ledger: Ledger, play: Play) -> None:
    play_by_strength(play, 60, {"ant": 4, "bee": 4, "cat": 0})
    found = stated(ledger)
    assert "one of ant and bee" in found.claims[0].replace("bee and ant", "ant and bee")
    assert "but not which of them" in found.claims[0]
    assert (found.pairs.pairs, found.pairs.apart) == (3, 2)
    assert found.pairs.example is not None
    assert set(found.pairs.example) == {"ant", "bee"}
    assert found.claims[1].startswith("2 of 3 pairs of bots are told apart")


@pytest.mark.slow
def test_many_bots_are_counted_by_pairs_and_listed_by_neighbours(ledger: Ledger, play: Play) -> None:
    names = [f"b{number:02}" for number in range(12)]
    ledger.set_entrants([EntrantRecord(name, "bot.py", "00") for name in names])
    play_by_strength(play, 80, dict(zip(names, range(12), strict=True)))
    found = stated(ledger)
    rows = leaderboard(ledger).overall or []
    by_hand = sum(
        one.band.worst < other.band.best
        for one in rows
        for other in rows
        if one.band is not None and other.band is not None
    )
    assert pairs_apart(rows).apart == by_hand > 0
    assert found.pairs.pairs == 66
    assert len(found.differences) == 11 + 10  # with the next one, and with the first


def test_without_a_rated_game_nothing_is_claimed(ledger: Ledger) -> None:
    found = stated(ledger)
    assert found.claims == [NOTHING]
    assert (found.calibration, found.uncalibrated, found.differences) == (None, TOO_FEW, [])
    assert found.commitment.days == []
    assert NOTHING in statement_text(found)


def test_all_that_does_not_count_is_said(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    play("ant", "bee")
    ledger.change_field(
        [EntrantRecord("dog", "dog.py", "00", left_out="exit code 1\nTraceback of many lines")],
        [FieldEvent("leave", "cat", 0, 0)],
        0,
    )
    ledger.set_meta("rated", {"games": 1, "asked": 5, "suspended": {"bee": 1}, "absent": {"bee": [(1, None)]}})
    ledger.set_meta("players", [2, 6])
    for attempt in (1, 2):
        ledger.record_void(VoidRecord("2-0-7", attempt, ["ant", "bee"], "/secret/path"))
    ledger.record_void(VoidRecord("2-0-8", 1, ["ant", "bee"], "lost", 1, charged="bee"))
    found = stated(ledger).omissions
    assert (found.beyond, found.unplayed, found.skipped) == (1, 5, [6])
    assert (found.set_aside, found.charged, found.failed) == (["2-0-7"], {"bee": 1}, 3)
    said = "; ".join(omissions(found))
    for part in ("dog could not take part: exit code 1;", "bee was suspended", "2-0-7", "1 to bee", "games of 6"):
        assert part in said
    assert "Traceback" not in said
    assert "secret" not in said


@pytest.mark.parametrize("width", [None, 60])
def test_what_others_wrote_stays_within_its_line(ledger: Ledger, play: Play, width: int | None) -> None:
    name = "a\nforged\x1b[2J" + "n" * 90
    ledger.set_entrants([EntrantRecord(name, "a.py", "00", "L\n", "1\nforged"), EntrantRecord("bee", "b.py", "00")])
    play_by_strength(play, 5, {name: 3, "bee": 0})
    ledger.note_machine({"processor": "p\nforged"})
    text = statement_text(stated(ledger), width)
    assert "\x1b" not in text
    assert not any(line.strip().startswith("forged") for line in text.splitlines())
