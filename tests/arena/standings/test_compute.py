import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.game.faults import FAULTS
from arena.ledger import EntrantRecord, FaultRecord, GameRecord, Ledger
from arena.standings import TEXT_FORMATS, leaderboard, rated_results
from arena.standings.rows import Lead
from tests.arena.ledgers import SETTINGS

Play = Callable[..., GameRecord]
ROW = (
    "bot band bound interval error mu sigma rating games mean_finish mean_finish_error wins scores faults"  # noqa: SIM905
    " retired suspended times version joined left".split()
)


LAST = ["left_out", "failures", "former", "authors"]


def by_name(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["bot"]: row for row in rows}


def faults(*found: tuple[int | None, str]) -> list[FaultRecord]:
    return [FaultRecord(seat, 1, code, "") for seat, code in found]


def test_the_board_has_a_table_overall_and_one_for_every_count_played(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    play("ant", "bee", "cat")
    board = leaderboard(ledger).data()
    assert list(board) == ["overall", "players", "lead", "suspended_games", "uncontested", *LAST]
    assert list(board["players"]) == ["2", "3"]
    for table in (board["overall"], *board["players"].values()):
        assert [list(row) for row in table] == [ROW] * 3
        ratings = [row["rating"] for row in table if row["games"]]
        assert ratings == sorted(ratings, reverse=True)
    assert [row["bot"] for row in board["players"]["3"]] == ["ant", "bee", "cat"]


def test_a_count_is_rated_by_its_own_games_only(ledger: Ledger, play: Play) -> None:
    for block in range(3):
        play("ant", "bee", block=block)
        play("bee", "ant", "cat", block=block)
    board = leaderboard(ledger).data()
    assert board["players"]["2"][0]["bot"] == "ant"
    assert board["players"]["3"][0]["bot"] == "bee"
    assert [by_name(board["players"][count])["cat"]["games"] for count in "23"] == [0, 3]
    assert by_name(board["overall"])["ant"]["games"] == 6
    only = leaderboard(ledger, players=3).data()
    assert "overall" not in only
    assert only["players"] == {"3": board["players"]["3"]}


def test_blocks_of_different_counts_are_different_blocks(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", block=0)
    play("bee", "cat", "ant", block=0)
    # two blocks of one game each, of finishes 0 and 1: their mean is 1/2 with an error of 1/2
    assert by_name(leaderboard(ledger).data()["overall"])["ant"]["mean_finish_error"] == 0.5


def test_every_kind_of_fault_is_counted_apart_and_by_bot(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", faults=faults((0, "late"), (0, "late"), (1, "illegal"), (None, "impostor")))
    play("bee", "ant", faults=faults((0, "crash"), (1, "late")), retired=[0])
    rows = by_name(leaderboard(ledger).data()["overall"])
    none = dict.fromkeys(FAULTS, 0)
    assert rows["ant"]["faults"] == {**none, "late": 3}
    assert rows["bee"]["faults"] == {**none, "illegal": 1, "crash": 1}
    assert rows["cat"]["faults"] == none
    assert [rows[bot]["retired"] for bot in ("ant", "bee", "cat")] == [0, 1, 0]


def test_times_are_median_and_99th_percentile_in_milliseconds(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", times=[[1000 * n for n in range(1, 51)], []])
    play("bee", "ant", times=[[7], [1000 * n for n in range(51, 102)]])
    rows = by_name(leaderboard(ledger).data()["overall"])
    assert rows["ant"]["times"] == {"median_ms": 51.0, "p99_ms": 100.0}
    assert rows["bee"]["times"] == {"median_ms": 0.007, "p99_ms": 0.007}
    assert rows["cat"]["times"] == {"median_ms": None, "p99_ms": None}


def test_games_beyond_those_asked_for_do_not_count(ledger: Ledger, play: Play) -> None:
    for order in range(4):
        play("ant", "bee", block=order)
    before = leaderboard(ledger).data()
    play("bee", "cat", block=4, faults=faults((0, "late")))
    play("ant", "bee", "cat", block=0)
    assert len(rated_results(ledger)) == 6
    ledger.set_meta("rated", {"games": 4, "suspended": {}})
    assert leaderboard(ledger).data() == before
    ledger.set_meta("rated", {"games": 2, "suspended": {}})
    assert leaderboard(ledger).data()["overall"][0]["games"] == 2


def test_a_suspended_bots_games_count_up_to_its_suspension_only_and_the_row_says_so(ledger: Ledger, play: Play) -> None:
    for order in range(3):
        play("ant", "bee", block=order, retired=[1])
    play("bee", "ant", block=3)
    play("cat", "ant", block=4)
    ledger.set_meta("rated", {"games": None, "suspended": {"bee": 3}, "absent": {"bee": [(3, None)]}})
    assert [result.index for result in rated_results(ledger)] == [0, 1, 2, 4]
    rows = by_name(leaderboard(ledger).data()["overall"])
    assert {bot: (row["games"], row["suspended"]) for bot, row in rows.items()} == {
        "ant": (4, False),
        "bee": (3, True),
        "cat": (1, False),
    }
    board = leaderboard(ledger)
    assert [row.bot for row in board.overall or []][-1] == "bee", "below those of the field"
    assert rows["bee"]["band"] is None
    assert {rows["ant"]["band"], rows["cat"]["band"]} == {(1, 2)}, "bands are over the bots of the field"
    assert sum(rows[bot]["rating"] for bot in ("ant", "cat")) == pytest.approx(50.0), "and so is the mean"
    assert board.overall_lead == Lead(["cat", "ant"], 2)
    assert board.players_lead["2"] == Lead(["cat", "ant"], 2)


def test_it_is_said_how_many_games_benching_cost(ledger: Ledger, play: Play) -> None:
    for order in range(3):
        play("ant", "bee", block=order, retired=[1])
    play("bee", "ant", block=3)
    ledger.set_meta("rated", {"games": 9, "suspended": {"bee": 3}, "absent": {"bee": [(3, None)]}})
    assert leaderboard(ledger).data()["suspended_games"] == 0  # it still runs
    ledger.set_meta("finished", True)
    board = leaderboard(ledger)
    assert board.suspended_games == 6  # five that were not played, and one of block 3
    assert "suspended: 6 games of suspended bots were drawn and are left out" in TEXT_FORMATS["plain"](board)


def test_bots_without_a_game_stand_last(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    assert [row["bot"] for row in leaderboard(ledger).data()["overall"]] == ["ant", "bee", "cat"]
    assert by_name(leaderboard(ledger).data()["overall"])["cat"]["band"] == (1, 3), "it may be the best"


def test_bots_left_out_stand_beside_the_tables_with_the_reason(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    ledger.set_entrants([*ledger.entrants(), EntrantRecord("dud", "bots/dud", "00", left_out="says no hello")])
    board = leaderboard(ledger).data()
    assert board["left_out"] == [{"bot": "dud", "reason": "says no hello"}]
    assert "dud" not in by_name(board["overall"])


def test_before_the_first_game_every_bot_stands_there(ledger: Ledger) -> None:
    board = leaderboard(ledger).data()
    assert [(row["bot"], row["games"], row["mean_finish"]) for row in board["overall"]] == [
        ("ant", 0, None),
        ("bee", 0, None),
        ("cat", 0, None),
    ]
    assert board["players"] == {}


@pytest.fixture
def two_folders(tmp_path: Path) -> Iterator[tuple[Ledger, Ledger]]:
    with (
        Ledger.create(tmp_path / "one", SETTINGS.entries()) as one,
        Ledger.create(tmp_path / "other", SETTINGS.entries()) as other,
    ):
        yield one, other


def test_the_board_does_not_depend_on_which_game_finished_first(
    ledger: Ledger, play: Play, two_folders: tuple[Ledger, Ledger]
) -> None:
    for block, bots in enumerate(
        [("ant", "bee"), ("bee", "cat"), ("cat", "ant", "bee"), ("ant", "cat"), ("bee", "ant")]
    ):
        play(*bots, block=block, faults=faults((0, "late"), (1, "stale")))
    games = list(ledger.games())
    texts = []
    for each, order in zip(two_folders, (games, games[::-1]), strict=True):
        each.set_entrants(ledger.entrants())
        for game in order:
            each.record(game)
        texts.append(TEXT_FORMATS["json"](leaderboard(each)))
    assert texts[0] == texts[1]


def test_figures_have_six_places(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", "cat", ranks=[1, 1, 1], scores=[{"days": 1}] * 3)
    text = TEXT_FORMATS["json"](leaderboard(ledger))
    assert json.loads(text)["overall"][0]["wins"] == 0.333333
    assert not [word for word in text.replace(",", " ").split() if len(word.partition(".")[2]) > 6]
