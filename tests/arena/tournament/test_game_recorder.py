"""Games that ended together are written before anybody hears of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from arena.game.spec import GameSpec
from arena.ledger import GameRecord, GameSummary, Ledger, LedgerError, Step, packing
from arena.tournament.observer import RunObserver, RunStart
from arena.tournament.plan import Plan
from arena.tournament.run import run

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


def test_a_game_stands_in_the_ledger_before_observers_are_told_of_it(lab: Lab) -> None:
    class Reader(RunObserver):
        def __init__(self) -> None:
            self.told: list[str] = []

        def on_begin(self, start: RunStart) -> None:
            self.folder = start.folder

        def on_game(self, game: GameSummary) -> None:
            self.told.append(game.id)
            with Ledger.open(self.folder) as ledger:
                assert ledger.game(game.id).ranks == game.ranks

    reader = Reader()
    plan = Plan(bots=lab.bots("a", "b"), seed=1, jobs=2, players="2", games=8)
    assert run(plan, lab, make=lab.make, observers=[reader]).played == 8 == len(set(reader.told))


def test_a_game_that_is_too_long_to_be_recorded_ends_the_run_and_those_before_it_are_kept(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = lab.game

    def game(spec: GameSpec) -> GameRecord:
        steps = [Step("play", 0, "bot", 0)] * (300 if spec.id == "p2-b0002-r1" else 0)
        return msgspec.structs.replace(played(spec), steps=steps)

    monkeypatch.setattr(packing, "_LONGEST", 1000)
    monkeypatch.setattr(lab, "game", game)
    with pytest.raises(LedgerError, match=r"game p2-b0002-r1 is too long to be recorded: it takes [0-9]+ bytes"):
        lab.run("a b", games=8, players="2", out="here")
    with Ledger.open(Path("here")) as ledger:
        assert "p2-b0002-r0" in ledger.ids()
        assert "p2-b0002-r1" not in ledger.ids()
