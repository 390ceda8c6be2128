"""What is fixed when a tournament begins."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import pytest

from arena.ledger import Ledger, LedgerBusy, locked
from arena.match.clock import TimeControl
from arena.tournament.identity import Identity, choose_folder, tournament_seed
from arena.tournament.plan import PlanError
from tests.arena.ledgers import SETTINGS


@pytest.mark.slow
def test_a_given_seed_gives_the_same_tournament_on_every_machine() -> None:
    assert tournament_seed(1).hex() == "ea4d8a9be366a197a8dcaf43ce7a3d47"
    assert tournament_seed(777777).hex() == "ca938d7cf7797103f9168057fe7556aa"


def test_a_guess_at_it_costs_64_mib_and_it_is_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = []

    def scrypt(password: bytes, *, n: int, r: int, p: int, **_: Any) -> bytes:
        costs.append(128 * n * r * p)
        return password * 2

    monkeypatch.setattr(hashlib, "scrypt", scrypt)
    number = 2**70  # of which no other test has made a seed
    assert tournament_seed(number) == tournament_seed(number)
    assert costs == [64 * 2**20]
    tournament_seed.cache_clear()


def test_too_little_memory_for_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def scrypt(*_: Any, **__: Any) -> bytes:
        raise ValueError("malloc failure")

    monkeypatch.setattr(hashlib, "scrypt", scrypt)
    with pytest.raises(PlanError, match="it takes 65 MiB of memory: malloc failure") as said:
        tournament_seed(2**71)
    assert said.value.key == "seed"


def test_of_two_that_begin_anew_at_once_one_moves_the_tournament_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t"
    Ledger.create(folder, SETTINGS.entries()).close()
    identity = Identity("kosmos", {}, [2], TimeControl(), None)

    @contextmanager
    def later(folder: Path) -> Iterator[None]:
        """Another process is quicker: it has moved the folder aside, and begun anew."""
        monkeypatch.setattr("arena.tournament.identity.locked", locked)
        assert choose_folder(identity, str(folder), fresh=True)[1].endswith("t.old-1")
        with locked(folder), pytest.raises(LedgerBusy, match="is being played"), locked(folder):
            pass
        with locked(folder):
            yield

    monkeypatch.setattr("arena.tournament.identity.locked", later)
    assert choose_folder(identity, str(folder), fresh=True) == (folder, "")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t", "t.old-1"]


def test_a_lock_that_was_moved_aside_before_it_was_taken_is_not_the_folder_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t"
    take = fcntl.flock

    def moved_before(lock: TextIO, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", take)
        folder.rename(tmp_path / "aside")
        take(lock, how)

    monkeypatch.setattr(fcntl, "flock", moved_before)
    with locked(folder), pytest.raises(LedgerBusy), locked(folder):
        pass
    monkeypatch.setattr(fcntl, "flock", lambda *_: folder.rename(tmp_path / f"aside-{len(list(tmp_path.iterdir()))}"))
    with pytest.raises(LedgerBusy, match="again and again"), locked(folder):
        pass
