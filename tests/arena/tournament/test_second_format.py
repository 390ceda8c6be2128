"""A second format, made in this file alone, plays a tournament that is rated, resumed and audited as any other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena import formats
from arena.formats import Block, Field, FormatError, GameOutcome, PlayedBlock
from arena.ledger import GameRecord, GameResult, Ledger
from arena.standings import leaderboard, rated_results
from arena.tournament.plan import PlanError
from arena.tournament.verification.audit import audit

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

ROUNDS = 5


def best(bots: Sequence[str], games: Sequence[GameOutcome | GameRecord]) -> str:
    """Who has the largest share of wins in these games; of equals the first."""
    wins = {bot: [game.ranks[game.bots.index(bot)] == 1 for game in games if bot in game.bots] for bot in bots}
    return max(bots, key=lambda bot: sum(wins[bot]) / max(1, len(wins[bot])))


class KingOfTheHill:
    """Everybody against the king, who is the best of the last round that is known."""

    delay = 1
    ends = True

    def __init__(self, seed: bytes) -> None:
        del seed  # nothing is drawn by lot
        self._last: list[GameOutcome] = []

    def draw(self, number: int, field: Field) -> list[Block]:
        if number == ROUNDS:
            return []
        king = best(field.bots, self._last)
        return [Block([king, bot]) for bot in field.bots if bot != king]

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        pass

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        self._last = [game for block in blocks for game in block.games]

    def may_end(self, bots: Sequence[str]) -> bool:
        return False

    def due(self, field: Field, games: int) -> dict[int, int]:
        return {}


class UnknownBot(KingOfTheHill):
    """Draws a bot that is not in the field."""

    def draw(self, number: int, field: Field) -> list[Block]:
        return [Block([field.bots[0], "nobody"])]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, made in (("king-of-the-hill", KingOfTheHill), ("unknown-bot", UnknownBot)):
        entry = formats.FormatEntry(lambda seed, options, made=made: made(seed), "for tests")  # type: ignore[misc]
        monkeypatch.setitem(formats.FORMATS, name, entry)


def play(lab: Lab, out: str, games: int = 1000, **options: int) -> Path:
    return lab.run("a b c d", out=out, players="2", games=games, format="king-of-the-hill", **options).folder


def records(folder: Path) -> list[GameRecord]:
    with Ledger.open(folder) as ledger:
        return list(ledger.games())


def counted(folder: Path) -> list[GameResult]:
    """The games that count; how many more a suspended bot has played depends on the number of workers."""
    with Ledger.open(folder) as ledger:
        return rated_results(ledger)


def test_rounds_follow_from_the_results_of_the_round_before_the_last(lab: Lab) -> None:
    folder = play(lab, "hill")
    games = records(folder)
    assert len(games) == ROUNDS * 3 * 2
    rounds = [games[first : first + 6] for first in range(0, len(games), 6)]
    kings = [set.intersection(*(set(game.bots) for game in drawn)) for drawn in rounds]
    assert kings[:2] == [{"a"}, {"a"}], "nothing is known yet"
    assert len({min(king) for king in kings}) > 1, "or results change nothing here"
    for number in range(2, ROUNDS):
        assert kings[number] == {best("abcd", rounds[number - 2])}


def test_it_is_rated_and_stands_up_to_an_audit(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.void = {"p2-b0001-r0": 2}
    folder = play(lab, "hill")
    with Ledger.open(folder) as ledger:
        assert audit(ledger).differences == []
        rows = leaderboard(ledger).overall
    assert {row.bot for row in rows} == set("abcd")
    assert sum(row.games for row in rows) == 2 * len(counted(folder)) > 0


def test_workers_and_interrupts_change_nothing(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.void = {"p2-b0001-r0": 100, "p2-b0004-r1": 100}
    whole = counted(play(lab, "whole", jobs=1))
    assert len(whole) > 12, "or no result was read"
    assert all(game.id != "p2-b0001-r0" for game in whole)
    assert counted(play(lab, "three", jobs=3)) == whole
    for more in (3, 8, 13):
        lab.interrupt_after = lab.played.total() + more
        play(lab, "pieces", jobs=2)
    lab.interrupt_after = None
    assert counted(play(lab, "pieces", jobs=2)) == whole


def test_a_budget_cuts_it_off_at_a_whole_block(lab: Lab) -> None:
    folder = play(lab, "hill", games=15)
    with Ledger.open(folder) as ledger:
        assert len(ledger.ids()) == 16
        assert ledger.meta["rated"]["games"] == 16
    assert len(records(play(lab, "hill"))) == ROUNDS * 3 * 2
    play(lab, "hill", games=15)
    with Ledger.open(folder) as ledger:
        assert ledger.meta["rated"]["games"] == 16


def test_another_format_is_another_tournament(lab: Lab) -> None:
    play(lab, "hill")
    with pytest.raises(PlanError, match=r"king-of-the-hill.*balanced"):
        lab.run("a b c d", out="hill", players="2")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ladder", "format: 'ladder' is none of balanced"),
        ("unknown-bot", "round 0 has a block of a, nobody: a block must have 2 different bots of the field"),
    ],
)
def test_a_format_that_cannot_be_played_is_an_error(lab: Lab, name: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        lab.run("a b c d", players="2", format=name)
    assert not lab.played
