"""How many games were asked for, played and counted is said in one way everywhere, and what nobody played is said."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from arena.ledger import Dealing, Ledger
from arena.ledger.ledger import standing
from arena.reports.statement import make_statement
from arena.standings import leaderboard, rated_results
from arena.standings.game_counts import GameCounts, different_games, game_counts
from arena.tournament.schedule.history import IN_A_ROW
from arena.tournament.verification.audit import audit

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


def counted(folder: Path) -> GameCounts:
    with Ledger.open(folder) as ledger:
        results = ledger.results()
        return game_counts(ledger, results, rated_results(ledger, results))


@pytest.mark.parametrize("seed", range(12))
def test_counts_add_up_and_are_the_same_everywhere(lab: Lab, seed: int) -> None:
    chance = Random(seed)
    names = "abcdef"[: chance.randint(2, 6)]
    for kind in (lab.retires, lab.silent):
        kind |= {name for name in names if chance.random() < 0.25}
    lab.void = {f"2-0-{chance.randrange(6)}": chance.randint(1, 2)}
    outcome = lab.run(" ".join(names), games=chance.randint(1, 40), jobs=chance.randint(1, 3), out="t")
    if chance.random() < 0.5:  # it goes on with more games or fewer, and with another bot
        outcome = lab.run(" ".join(names) + " z", games=chance.randint(1, 60), out="t", leave=chance.random() < 0.5)
    counts = counted(outcome.folder)
    assert counts.played == counts.counted + counts.void + counts.absent + counts.beyond + counts.repeated
    assert counts.asked == outcome.asked
    assert counts.of_field == outcome.counting
    assert outcome.is_short == (counts.of_field * 2 < outcome.asked)
    with Ledger.open(outcome.folder) as ledger:
        results = ledger.results()
        rated = rated_results(ledger, results)
        board = leaderboard(ledger, results=rated)
        stated = make_statement(ledger, board, results, rated, None)
        assert audit(ledger).differences == []
        drawn = ledger.settings.rated.games
    assert stated.settings.games == counts
    assert stated.omissions.unplayed == max(0, outcome.asked - counts.of_field)
    assert board.uncontested.of == counts.counted
    assert standing(outcome.folder).data() == {"state": "finished", "played": counts.played, "expected": None}
    lost = len([game for game in outcome.set_aside if game not in {each.id for each in results}])
    assert drawn is not None
    assert counts.absent <= board.suspended_games + lost
    assert drawn == counts.counted + board.suspended_games + lost + counts.void


def test_a_bot_that_was_asked_for_nothing_is_neither_cleared_nor_blamed(lab: Lab) -> None:
    lab.silent = {"a", "b", "c"}
    outcome = lab.run("a b c", games=40, players="2", out="t")
    assert len(outcome.suspended) == 2, "a rival's crash shelters nobody"
    with Ledger.open(outcome.folder) as ledger:
        retired = Counter(result.bots[seat] for result in rated_results(ledger) for seat in result.retired)
    assert all(retired[bot] == IN_A_ROW for bot in outcome.suspended)


def test_games_in_which_at_most_one_bot_answered_are_named(lab: Lab) -> None:
    lab.silent = {"a"}
    outcome = lab.run("a b c", games=12, players="2-3", out="t")
    with Ledger.open(outcome.folder) as ledger:
        rated = rated_results(ledger)
        found = leaderboard(ledger, results=rated).uncontested
    pairs = [each for each in rated if each.players == 2 and "a" in each.bots]
    assert found.games == len(pairs) > 0, "with three, two others play on"
    assert found.bots == {"a": len(pairs)}
    assert not found.are_most
    assert found.words.startswith(f"{len(pairs)} of {len(rated)} games ")


def test_of_games_that_are_the_same_action_for_action_the_first_counts() -> None:
    class Kept:
        def __init__(self, dealing: Dealing | None) -> None:
            self.settings = SimpleNamespace(dealing=dealing)

        def digests(self) -> dict[str, str]:
            return {"g0": "x", "g1": "y", "g2": "x", "g3": "x"}

    games: list[Any] = [
        SimpleNamespace(id="g0", bots=["a", "b"]),
        SimpleNamespace(id="g1", bots=["b", "a"]),
        SimpleNamespace(id="g2", bots=["a", "b"]),
        SimpleNamespace(id="g3", bots=["a", "c"]),
    ]
    ledger: Any = Kept(Dealing(is_shared=True, has_chance=False))
    assert [each.id for each in different_games(ledger, games)] == ["g0", "g1", "g3"]
    for dealing in (None, Dealing(is_shared=True, is_fresh=True)):
        assert different_games(cast(Any, Kept(dealing)), games) == games


def test_repeated_games_are_said_where_games_are_counted() -> None:
    counts = GameCounts(asked=60, played=60, counted=2, of_field=60, void=0, absent=0, beyond=0, repeated=58)
    assert counts.words == (
        "60 games played, 2 in the tables (the other 58 are the same games again, action for action), "
        "with all of the 60 asked for"
    )
