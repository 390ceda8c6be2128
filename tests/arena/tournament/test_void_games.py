"""Games that fail: dealt anew, played alone, and charged to whoever is always there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ledger import Ledger, VoidRecord, committed_seeds, is_set_aside
from arena.tournament.schedule.deals import game_seed
from arena.tournament.schedule.void_games import VoidGames
from arena.tournament.verification.audit import audit
from tests.arena.forging import alter, rechain

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

GAME = "p2-b0001-r0"


def failed(game: str, bots: str, lost: int = 1, charged: str | None = None, attempt: int = 1) -> VoidRecord:
    return VoidRecord(game, attempt, list(bots), "the worker was lost", lost, charged)


def audited(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return audit(ledger).differences


def voids(folder: Path) -> list[VoidRecord]:
    with Ledger.open(folder) as ledger:
        return ledger.voids()


def seed(folder: Path, game: str) -> str:
    with Ledger.open(folder) as ledger:
        return ledger.game(game).seed


# Who is charged


@pytest.mark.parametrize(
    ("before", "game", "charged"),
    [
        ([], "ab", None),
        ([failed("1", "ab")], "ab", None),
        ([failed("1", "ab")], "ac", "a"),
        ([failed("1", "ab"), failed("2", "cd")], "ac", None),
        ([failed("1", "ab"), failed("2", "cd"), failed("3", "ad")], "ac", "a"),
        ([failed("1", "ab", lost=9)], "ac", None),
        ([failed("1", "ab", lost=0)], "ac", None),
        ([failed("1", "abc"), failed("2", "abd")], "abe", None),
    ],
)
def test_the_second_failure_is_charged_to_who_alone_was_at_both(
    before: list[VoidRecord], game: str, charged: str | None
) -> None:
    assert VoidGames(before).whom_to_charge("9", game, 1) == charged


@pytest.mark.parametrize("lost", [0, 2])
def test_failures_of_several_games_or_of_our_own_are_charged_to_nobody(lost: int) -> None:
    assert VoidGames([failed("1", "ab"), failed("2", "ac")]).whom_to_charge("9", "ad", lost) is None


def test_who_was_charged_is_not_there_any_more() -> None:
    failures = VoidGames([failed("1", "ab"), failed("2", "ac", charged="a")])
    assert failures.whom_to_charge("2", "ac", 1) is None, "c was at one failure, and the one before it is explained"
    assert failures.whom_to_charge("3", "bd", 1) is None, "so is the one at which b was"
    assert failures.whom_to_charge("3", "bca", 1) == "a"


def test_a_game_is_set_aside_that_failed_twice_by_itself() -> None:
    assert not is_set_aside([failed("1", "ab", lost=7), failed("1", "ab")])
    assert is_set_aside([failed("1", "ab", lost=7), failed("1", "ab"), failed("1", "ab", lost=0)])
    assert not is_set_aside([failed("1", "ab"), failed("1", "ab", charged="a")])


# In a tournament


def test_a_game_that_is_played_again_has_another_deal_which_verify_knows(lab: Lab) -> None:
    undisturbed = lab.run(games=20, out="undisturbed")
    lab.void = {GAME: 1}
    outcome = lab.run(games=20)
    again = seed(outcome.folder, GAME)
    assert again != seed(undisturbed.folder, GAME)
    with Ledger.open(outcome.folder) as ledger:
        of_tournament = committed_seeds(ledger).schedule
        assert again == game_seed(ledger.game(GAME), of_tournament, of_tournament, failed=1).hex()
    assert audited(outcome.folder) == []
    assert lab.board(outcome)["failures"] == {bot: 1 for [void] in [voids(outcome.folder)] for bot in sorted(void.bots)}


def test_after_an_interruption_it_has_the_same_other_deal(lab: Lab) -> None:
    lab.void = {GAME: 1}
    whole = lab.run(games=20, out="whole")
    lab.void = {GAME: 1}
    lab.played.clear()
    lab.interrupt_after = 10
    assert lab.run(games=20).interrupted
    lab.interrupt_after = None
    assert seed(lab.run(games=20).folder, GAME) == seed(whole.folder, GAME)


def test_a_game_that_failed_by_itself_is_played_while_nothing_else_is(lab: Lab) -> None:
    lab.void = {GAME: 1}
    lab.run(games=20, jobs=3)
    assert [GAME] in lab.batches
    assert lab.workers == 3 + 1, "in a new worker"


@pytest.mark.slow
def test_who_kills_workers_gains_nothing_and_nobody_else_is_charged(lab: Lab) -> None:
    honest = lab.board(lab.run("a b c d e", games=200, players="2", out="honest"))
    lab.kills = {"a"}
    outcome = lab.run("a b c d e", games=200, players="2")
    board = lab.board(outcome)
    rows = {row["bot"]: row for row in board["players"]["2"]}
    assert {bot for bot, row in rows.items() if row["retired"]} == {"a"}
    assert rows["a"]["suspended"]
    assert next(row["wins"] for row in honest["players"]["2"] if row["bot"] == "a") > 0
    found = voids(outcome.folder)
    assert {void.charged for void in found} == {"a", None}
    uncharged = {frozenset(void.bots) for void in found if void.charged is None and void.lost == 1}
    assert len(uncharged) == 1, "as soon as it meets somebody else, it is known"
    assert next(iter(board["failures"])) == "a"
    assert audited(outcome.folder) == []


def test_of_two_bots_nobody_knows_who_it_is_so_the_run_ends(lab: Lab) -> None:
    lab.kills = {"a"}
    outcome = lab.run("a b", games=100, players="2")
    assert Counter(void.charged for void in voids(outcome.folder)).keys() == {None}
    assert outcome.counting < 100
    assert sum("until the cause is found" in line for line in lab.said) == 1


def test_failures_charged_to_somebody_else_are_named(lab: Lab) -> None:
    lab.kills = {"a"}
    folder = lab.run("a b c d e", games=40, players="2").folder
    honest = voids(folder)
    number = 1 + next(number for number, void in enumerate(honest) if void.charged == "a")
    alter(folder, f"UPDATE voids SET charged = 'b' WHERE n = {number}")
    rechain(folder)
    assert any("is charged to b wrongly" in line for line in audited(folder))
