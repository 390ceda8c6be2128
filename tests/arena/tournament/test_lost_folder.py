"""Whoever moves or deletes the folder of a tournament that is played loses no game."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.ledger import Ledger, LedgerError
from arena.tournament import dispatch
from arena.tournament.verification.audit import audit
from arena.tournament.workers import play_games
from tests.arena.tournament.conftest import LabExecutor

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


def played_in(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return ledger.ids()


@pytest.mark.parametrize(
    "lose",
    [
        pytest.param(shutil.rmtree, id="deleted"),
        pytest.param(lambda folder: folder.rename("elsewhere"), id="moved"),
        pytest.param(lambda folder: (folder / "ledger.sqlite").unlink(), id="without its ledger"),
        pytest.param(lambda folder: shutil.rmtree(folder.parent), id="deleted with what it lies in"),
    ],
)
def test_the_games_of_a_folder_that_is_lost_are_saved_beside_it_and_the_tournament_goes_on_there(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, lose: Callable[[Path], object]
) -> None:
    folder = Path("season/first")
    losses = [lose]
    monkeypatch.setattr(lab, "advance", lambda _: losses.pop()(folder) if losses else None)
    with pytest.raises(LedgerError, match="was moved or deleted while its games were played") as told:
        lab.run(games=20, seed=None, out=str(folder))
    saved = Path("season/first-saved")
    assert f"are saved in {saved}." in str(told.value)
    played = played_in(saved)
    assert 0 < len(played) < 20
    lab.run(games=20, seed=None, out=str(saved))
    assert played_in(saved)[: len(played)] == played
    assert set(lab.played.values()) == {1}, "only what was not saved is played"
    with Ledger.open(saved) as ledger:
        assert audit(ledger).differences == [], "the schedule is that of the committed seed"


def test_a_lost_folder_is_noticed_while_no_game_ends(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(LabExecutor):
        def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
            if call is play_games:
                shutil.rmtree("t", ignore_errors=True)
                return Future()
            return super().submit(call, *arguments)

    monkeypatch.setattr(dispatch, "NEWS_SECONDS", 0.01)
    monkeypatch.setattr(lab, "make", lambda: Endless(lab))
    with pytest.raises(LedgerError, match="the 0 games played so far are saved in t-saved"):
        lab.run(games=4, out="t")


def test_where_nothing_can_be_written_a_lost_folder_is_saved_among_temporary_files(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose() -> None:
        if Path("top").is_dir():
            shutil.rmtree("top")
            Path("top").write_text("a file now")

    monkeypatch.setattr(tempfile, "tempdir", str(lab.folder / "temporary"))
    (lab.folder / "temporary").mkdir()
    monkeypatch.setattr(lab, "advance", lambda _: lose())
    with pytest.raises(LedgerError, match=r"are saved in .*/temporary/t-saved-"):
        lab.run(games=20, out="top/t")
