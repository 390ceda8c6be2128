"""Blocks of games of teams: who holds which seats, who begins, and who is whose partner."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from typing import TYPE_CHECKING

import pytest

from arena.formats import GameOutcome
from arena.game.game import who_begins
from arena.ledger import Dealing, FieldEvent, Ledger, LedgerError, brief_results
from arena.tournament.schedule.history import IN_A_ROW, TournamentHistory
from arena.tournament.schedule.void_games import VoidGames
from tests.arena.tournament.drawing import Drawing

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

ACROSS, BESIDE, THREE = [[0, 2], [1, 3]], [[0, 1], [2, 3]], [[0, 3], [1, 4], [2, 5]]
UNEVEN = [[0], [1, 2, 3]]
SEED = bytes(range(16))
BOTS = [f"b{number}" for number in range(8)]


@pytest.mark.parametrize("teams", [ACROSS, BESIDE, THREE, UNEVEN])
def test_an_entrant_holds_each_team_once_a_block_and_begins_one_game(teams: list[list[int]]) -> None:
    players, size = sum(map(len, teams)), len(teams)
    drawing = Drawing(BOTS, [size], SEED, Dealing(partners="own", teams=[teams]))
    specs = list(islice(drawing.specs(), 40 * size))
    met: Counter[frozenset[str]] = Counter()
    seats_that_begin: Counter[int] = Counter()
    for first in range(0, len(specs), size):
        block = specs[first : first + size]
        assert [spec.id for spec in block] == [f"p{players}-b{first // size:04d}-r{each}" for each in range(size)]
        held = Counter((number, spec.bots[team[0]]) for spec in block for number, team in enumerate(teams))
        assert set(held.values()) == {1}
        assert len(held) == size * size
        for spec in block:
            assert spec.players == len(spec.bots) == players
            assert all(len({spec.bots[seat] for seat in team}) == 1 for team in teams), "partners are one entrant"
            seats_that_begin[who_begins(players, bytes.fromhex(spec.seed))] += 1
        beginners = {spec.bots[who_begins(players, bytes.fromhex(spec.seed))] for spec in block}
        assert len(beginners) == size, "each entrant begins once"
        met.update(map(frozenset, combinations(set(block[0].bots), 2)))
    assert set(seats_that_begin) == set(range(players))
    assert max(met.values()) - min(met.values()) <= 2
    assert len(met) == 28


@pytest.mark.parametrize("teams", [ACROSS, BESIDE, THREE, UNEVEN])
@pytest.mark.parametrize("number", [6, 8])
def test_drawn_partners_have_all_others_about_as_often(teams: list[list[int]], number: int) -> None:
    players, bots = sum(map(len, teams)), BOTS[:number]
    drawing = Drawing(bots, [players], SEED, Dealing(partners="drawn", teams=[teams]))
    partners: Counter[frozenset[str]] = Counter()
    seats: Counter[tuple[str, int]] = Counter()
    specs = list(islice(drawing.specs(), players * 112))
    for spec in specs:
        assert len(set(spec.bots)) == players
        seats.update(zip(spec.bots, range(players), strict=True))
        partners.update(
            frozenset((spec.bots[one], spec.bots[other])) for team in teams for one, other in combinations(team, 2)
        )
    assert max(seats.values()) - min(seats.values()) <= 1, "every bot has every seat"
    assert len(partners) == number * (number - 1) // 2, "all were partners"
    mean = partners.total() / len(partners)
    assert max(abs(games - mean) for games in partners.values()) <= players + 2


def test_an_entrant_that_fails_in_two_seats_of_a_game_failed_in_one_game() -> None:
    history = TournamentHistory([FieldEvent("join", "a"), FieldEvent("join", "b")])
    bots = ["a", "b", "a", "b"]
    for index in range(IN_A_ROW - 1):
        assert history.played(index, GameOutcome(bots, [1] * 4, [{}] * 4, [0, 2])) == []
    assert history.played(IN_A_ROW - 1, GameOutcome(bots, [1] * 4, [{}] * 4, [2])) == ["a"], "one seat is enough"


def test_a_lost_worker_is_charged_once_to_an_entrant_of_two_seats() -> None:
    failures = VoidGames()
    assert failures.whom_to_charge("g", ["a", "b", "a", "b"], 1) is None


def test_formats_get_each_entrant_once() -> None:
    game = GameOutcome(["a", "b", "a", "b"], [3, 1, 3, 1], [{"n": 2}, {"n": 5}, {"n": 4}, {"n": 6}], [0, 3, 1])
    assert game.by_entrant() == GameOutcome(["a", "b"], [2, 1], [{"n": 3.0}, {"n": 5.5}], [1])
    plain = GameOutcome(["a", "b"], [1, 1], [{}, {}], [])
    assert plain.by_entrant() is plain


@pytest.mark.parametrize(
    "teams", [[[0, 2], [1, 4]], [[0, 1, 2, 3]], [[0, 1], [1, 0]], [[0, 1, 2, 3], []], [[-1, 0], [1, 2]]]
)
def test_a_ledger_that_names_teams_which_are_none_is_damaged(lab: Lab, teams: list[list[int]]) -> None:
    folder = lab.run("a b", games=2, players="2", out="t").folder
    with Ledger.open(folder, writing=True) as ledger:
        ledger.set_meta("dealing", {"partners": "drawn", "teams": [teams]})
    with Ledger.open(folder) as ledger, pytest.raises(LedgerError, match="are not all seats, each once"):
        ledger.results()
    with pytest.raises(LedgerError):
        brief_results(folder, 0, 2)
