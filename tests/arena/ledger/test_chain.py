"""What is recorded in the chain, and how it is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ledger import ChainContents, EntrantRecord, FieldEvent, FieldNote, Ledger, LedgerError, chain_differences
from tests.arena.forging import alter
from tests.arena.ledgers import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.ledger import GameRecord


def test_dates_notes_days_and_isolation_are_recorded_when_they_change(
    tmp_path: Path, a_game: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = [f"2026-03-0{day}T12:00:00.000000Z" for day in (1, 2)]
    now = moments[0]
    monkeypatch.setattr("arena.ledger.dates.now", lambda: now)
    with Ledger.create(tmp_path, SETTINGS.entries()) as ledger:
        ledger.set_entrants([EntrantRecord(bot, f"{bot}.py", "00") for bot in ("a", "b")], "the first ones")
        ledger.note_isolation("box")
        for cores in "224":
            ledger.note_machine({"cores": cores})
        ledger.record(a_game(0))
        ledger.record(a_game(1))
        now = moments[1]
        for level in ("none", "none", "box"):
            ledger.note_isolation(level)
        ledger.record(a_game(2))
        ledger.change_field([EntrantRecord("b@2", "b.py", "ff")], [FieldEvent("join", "b@2", 1, 3)], 3)
    with Ledger.open(tmp_path, writing=True) as ledger:  # another run, on the same day
        ledger.record(a_game(3))
        entries = ledger.chain.entries()
        chain = ChainContents(entries)
        assert chain_differences(ledger, chain) == []
        assert ledger.settings.isolation == ["box", "none"]
    assert [entry[0] if entry[0] in ("tournament", "bot", "game") else entry for entry in entries] == [
        "tournament",
        *["bot"] * 2,
        ["join", "a", 0, 0],
        ["join", "b", 0, 0],
        ["note", "the first ones"],
        ["date", moments[0]],
        ["isolation", "box"],
        ["machine", {"cores": "2"}],
        ["machine", {"cores": "4"}],
        ["day", "2026-03-01"],
        *["game"] * 2,
        ["isolation", "none"],
        ["isolation", "box"],
        ["day", "2026-03-02"],
        "game",
        "bot",
        ["join", "b@2", 1, 3],
        ["date", moments[1]],
        "game",
    ]
    assert chain.notes == [*[FieldNote(moments[0], "the first ones")] * 2, FieldNote(moments[1])]
    assert dict(chain.isolation) == {"box": 4, "none": 0}
    assert chain.backwards == []
    alter(tmp_path, """UPDATE meta SET value = '[{"cores": "64"}]' WHERE key = 'machines'""")
    with Ledger.open(tmp_path) as ledger:
        assert [each for each in chain_differences(ledger, chain) if "machines" in each]


def test_what_says_nothing_is_named_and_dates_that_go_back_are_found() -> None:
    entries = [["date", "2026-03-02"], ["note", "of nobody"], ["game", "p2-b0000-r0", "ab"], ["day", "2026-03-02"]]
    chain = ChainContents([*entries, ["join", "a", 0, 0], ["date", "2026-03-01T12:00"]])
    assert [each.split()[1] for each in chain.strange] == ["1", "2", "3"]
    assert chain.backwards == [("2026-03-01", "2026-03-02")]


def test_the_last_entry_is_read_from_the_end_alone(tmp_path: Path) -> None:
    with Ledger.create(tmp_path, SETTINGS.entries()) as ledger:
        ledger.set_entrants([EntrantRecord("a", "a.py", "00")])
        ledger.begin_run({"games": 7})
    alter(tmp_path, "UPDATE chain SET entry = 'no JSON' WHERE n = 1")
    with Ledger.open(tmp_path) as ledger:
        assert ledger.chain.last() == ledger.chain.last("run") == ["run", {"games": 7}]
        for read in (ledger.chain.entries, lambda: ledger.chain.last("end")):
            with pytest.raises(LedgerError, match="an entry of the chain cannot be read"):
                read()
