"""What is fixed when a tournament begins."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import pytest

from arena.entrants import Entrant
from arena.game.clock import TimeControl
from arena.ledger import Ledger, LedgerBusy, locked
from arena.tournament.folders import check_is_apart, choose_folder
from arena.tournament.identity import Identity, tournament_seed
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
        monkeypatch.setattr("arena.tournament.folders.locked", locked)
        assert choose_folder(identity, str(folder), fresh=True)[1].endswith("t.old-1")
        with locked(folder), pytest.raises(LedgerBusy, match="is being played"), locked(folder):
            pass
        with locked(folder):
            yield

    monkeypatch.setattr("arena.tournament.folders.locked", later)
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


@pytest.mark.parametrize(
    ("out", "fresh", "why"),
    [
        ("bots", False, "in which the bot one lies"),
        ("bots/../bots/.", False, "in which the bot one lies"),
        ("link", False, "in which the bot one lies"),
        ("bots/one.py", False, "would become part of it"),
        ("more", False, "in which the bot folder lies"),
        ("more/folder", False, "would become part of it"),
        ("more/folder/results", False, "would become part of it"),
        ("played", True, "in which the bot three lies"),
    ],
)
def test_results_lie_apart_from_bots(tmp_path: Path, out: str, fresh: bool, why: str) -> None:
    _bots_and_a_tournament(tmp_path)
    with pytest.raises(PlanError, match=why) as said:
        check_is_apart(str(tmp_path / out), _bots(tmp_path), fresh)
    assert said.value.key == "out"


@pytest.mark.parametrize(("out", "fresh"), [("bots/results", False), (".", True), ("played", False), (None, False)])
def test_results_may_lie_beside_bots_and_go_on_where_they_are(tmp_path: Path, out: str | None, fresh: bool) -> None:
    _bots_and_a_tournament(tmp_path)
    check_is_apart(None if out is None else str(tmp_path / out), _bots(tmp_path), fresh)


def _bots(folder: Path) -> list[Entrant]:
    return [
        Entrant(Path(path).stem, folder / path, "python", (), "")
        for path in ("bots/one.py", "more/folder", "played/mine/three.py")
    ]


def _bots_and_a_tournament(folder: Path) -> None:
    for place in ("bots", "more/folder", "played/mine"):
        (folder / place).mkdir(parents=True)
    for file in ("bots/one.py", "played/mine/three.py"):
        (folder / file).touch()
    (folder / "link").symlink_to("bots")
    Ledger.create(folder / "played", SETTINGS.entries()).close()
