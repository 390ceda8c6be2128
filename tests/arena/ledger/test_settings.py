"""The settings of a tournament are read in one place, and what does not fit is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.ledger import Ledger, LedgerError, RatedGames
from tests.arena.ledgers import SETTINGS

ENTRIES = SETTINGS.entries()


def test_what_was_written_is_read(tmp_path: Path) -> None:
    with Ledger.create(tmp_path, ENTRIES) as ledger:
        assert ledger.settings == SETTINGS
        assert ledger.meta == ENTRIES
        ledger.set_meta("rated", {"games": 7, "suspended": {"ant": 3}})
        assert ledger.settings.rated == RatedGames(7, {"ant": 3})


def test_what_says_nothing_is_not_written() -> None:
    assert not {"seed", "last_run"} & set(ENTRIES)
    assert not any(ENTRIES["rated"].values())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": None}, "`game` must be a text, not null"),
        ({"players": "2-3"}, "`players` must be a list, not a text"),
        ({"rated": {"games": "all"}}, "`rated.games` must be a whole number or null, not a text"),
        ({"seed_hash": ...}, "`seed_hash` is missing"),
    ],
)
def test_settings_that_do_not_fit_are_named(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    entries = {key: value for key, value in {**ENTRIES, **changes}.items() if value is not ...}
    with Ledger.create(tmp_path, entries) as ledger, pytest.raises(LedgerError) as raised:
        _ = ledger.settings
    assert str(raised.value).startswith(f"{tmp_path / 'ledger.sqlite'}: meta does not fit: ")
    assert words in str(raised.value)
