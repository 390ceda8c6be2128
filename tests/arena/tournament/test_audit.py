"""A ledger whose games are not those of its schedule is found out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ledger import Ledger
from arena.tournament.audit import audit

if TYPE_CHECKING:
    from conftest import Lab


def alter(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as connection, connection:
        assert connection.execute(sql).rowcount > 0


def audited(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return audit(ledger)


def test_an_honest_ledger_passes_also_with_a_suspension_and_gaps(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.void = {"p2-b0001-r0": 2}
    assert audited(lab.run(games=40, jobs=3).folder) == []


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
    found = audited(folder)
    if "field_events" in sql or "meta" in sql:
        assert any(each.startswith(words) for each in found)
        return
    assert [each for each in found if not each.endswith("is missing")] == [found[-1]]
    assert found[-1].startswith(words)
