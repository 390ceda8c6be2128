"""A ledger whose games are not those of its schedule is found out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ledger import Ledger
from arena.tournament.verification.audit import audit
from tests.arena.forging import alter, rechain

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


def audited(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return audit(ledger).differences


def test_an_honest_ledger_passes_also_with_a_suspension_and_gaps(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.void = {"p2-b0001-r0": 2}
    lab.void["p3-b0002-r0"] = 1
    folder = lab.run(games=40, jobs=3).folder
    assert audited(folder) == []
    with Ledger.open(folder) as ledger:
        notes = audit(ledger).notes
        (bots,) = [block.bots for block in ledger.blocks() if (len(block.bots), block.number) == (2, 1)]
    assert any("failed again" in each and "p2-b0001-r0" in each and f"{bots[0]} 1" in each for each in notes)
    assert any("another deal" in each and "p3-b0002-r0" in each for each in notes)


def test_a_void_that_is_hidden_is_named(lab: Lab) -> None:
    lab.void = {"p2-b0001-r0": 2}
    folder = lab.run(games=20).folder
    alter(folder, "DELETE FROM voids")
    assert "attempt 1 at p2-b0001-r0 is recorded as void otherwise than it was" in audited(folder)
    rechain(folder)
    assert audited(folder) == ["p2-b0001-r0 is missing"]


def test_a_run_of_minutes_is_said_to_have_ended_by_the_clock(lab: Lab) -> None:
    folder = lab.run(minutes=0.4).folder
    with Ledger.open(folder) as ledger:
        differences, notes, _ = audit(ledger)
    assert differences == []
    assert any("ended by the clock, after 0.4 minutes" in each for each in notes)


def test_a_run_that_asks_for_less_than_the_one_before_is_said(lab: Lab) -> None:
    lab.run(games=20)
    folder = lab.run(games=10).folder
    with Ledger.open(folder) as ledger:
        differences, notes, _ = audit(ledger)
        entries = len(ledger.chain.texts())
    assert differences == []
    assert any("20 games, then 10 games" in each for each in notes)
    assert any("played beyond what is rated" in each for each in notes)
    lab.run(games=10)
    with Ledger.open(folder) as ledger:
        assert len(ledger.chain.texts()) == entries, "a run with nothing to do records nothing"


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE games SET seed = '00' WHERE id = 'p2-b0001-r0'", "p2-b0001-r0 has another"),
        ("UPDATE seats SET bot = 'd' WHERE game = 'p2-b0002-r1' AND bot != 'd'", "p2-b0002-r1 has another"),
        ("UPDATE games SET ord = 900 WHERE id = 'p3-b0001-r0'", "p3-b0001-r0 has another place"),
        ("UPDATE field_events SET place = 1 WHERE bot = 'b'", "b cannot join at place 1"),
        ("INSERT INTO field_events (round, place, kind, bot) VALUES (0, 0, 'join', 'b')", "b cannot join"),
        ("INSERT INTO field_events (round, place, kind, bot) VALUES (0, 0, 'join', 'x')", "x is in the field"),
        (
            "UPDATE meta SET value = json_set(value, '$.absent', json('{\"b\": [[1, null]]}')) WHERE key = 'rated'",
            "games of b are left out otherwise",
        ),
        ("UPDATE games SET id = 'p3-b9999-r0' WHERE id = 'p3-b0001-r0'", "p3-b9999-r0 is not in the schedule"),
    ],
)
def test_what_was_altered_is_named(lab: Lab, sql: str, words: str) -> None:
    folder = lab.run(games=20).folder
    if "SET id" in sql:
        alter(folder, "UPDATE seats SET game = 'p3-b9999-r0' WHERE game = 'p3-b0001-r0'")
    alter(folder, sql)
    assert audited(folder), "the chain alone names it"
    rechain(folder)
    found = audited(folder)
    if "field_events" in sql or "meta" in sql:
        assert any(each.startswith(words) for each in found)
        return
    (named,) = [each for each in found if not each.endswith("is missing")]
    assert named.startswith(words)
