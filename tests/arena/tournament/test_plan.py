"""Plans from files and flags, and what is said about those that cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.referee.clock import TimeControl
from arena.tournament.plan import Plan, PlanError, player_counts, read_plan

SHIPPED = sorted((Path(__file__).parents[3] / "tournaments").glob("*.toml"))


def write(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text)
    return file


def test_nothing_but_bots_is_a_plan() -> None:
    plan = read_plan(None, {"bots": ["x.py"], "games": None, "seed": None})
    assert plan == Plan(bots=["x.py"])
    assert plan.time() == TimeControl()
    if hasattr(os, "sched_getaffinity"):
        assert plan.workers() == len(os.sched_getaffinity(0))


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, 'seed = 5\nmove = 0.2\njobs = 3\nbots = ["a.py"]\nout = "there"\n')
    plan = read_plan(file, {"seed": 6, "bots": [], "out": None})
    assert (plan.seed, plan.jobs, plan.out) == (6, 3, "there")
    assert plan.time().move == 0.2
    assert read_plan(file, {"bots": ["b.py"]}).bots == ["b.py"]


def test_a_budget_given_as_a_flag_replaces_the_one_of_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, "games = 100\n")
    plan = read_plan(file, {"minutes": 2.0})
    assert (plan.games, plan.minutes) == (None, 2.0)


@pytest.mark.parametrize("text", ["games = 5\nrounds = 1\n", "games = 5\nminutes = 1\n"])
def test_two_budgets_are_one_too_many(tmp_path: Path, text: str) -> None:
    with pytest.raises(PlanError, match="choose one of --rounds, --games, --minutes"):
        read_plan(write(tmp_path, text), {})


def test_paths_in_a_file_are_relative_to_it(tmp_path: Path) -> None:
    file = write(tmp_path, 'bots = ["bots/*", "/else/where.py", "@greedy"]\nedition = "mine/edition.toml"\n')
    plan = read_plan(file, {})
    assert plan.bots == [str(tmp_path / "bots/*"), "/else/where.py", "@greedy"]
    assert plan.edition == str(tmp_path / "mine/edition.toml")
    assert read_plan(write(tmp_path, 'edition = "nim"\n'), {}).edition == "nim"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gmaes = 5\n", "mine.toml: unknown key gmaes; known are bots, game"),
        ('jobs = "two"\n', r"mine.toml: .*int.*\$.jobs"),
        ("games = 0\n", r"mine.toml: .*>= 1.*\$.games"),
        ("minutes = 0.0\n", r"mine.toml: .*> 0.*\$.minutes"),
        ("bots = [1]\n", r"mine.toml: .*str.*\$.bots"),
        ("bots = \n", "mine.toml: "),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        read_plan(write(tmp_path, text), {})


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"none\.toml"):
        read_plan(tmp_path / "none.toml", {})


@pytest.mark.parametrize(("option", "value"), [("strikes", 0), ("move", -1.0), ("start", 0.0), ("bank", -0.1)])
def test_a_time_control_that_cannot_be(option: str, value: float) -> None:
    with pytest.raises(PlanError, match=option):
        read_plan(None, {option: value}).time()


@pytest.mark.parametrize(
    ("text", "counts"),
    [(None, [2, 3, 4, 5, 6]), ("2-4", [2, 3, 4]), ("5", [5]), ("6, 2", [2, 6]), ("2-3,3,5-6", [2, 3, 5, 6])],
)
def test_player_counts(text: str | None, counts: list[int]) -> None:
    assert player_counts(text, (2, 6)) == counts


@pytest.mark.parametrize("text", ["1", "2-7", "6-2", "2-999999999", "0-3"])
def test_player_counts_that_the_game_does_not_have(text: str) -> None:
    with pytest.raises(PlanError, match="not within the 2 to 6"):
        player_counts(text, (2, 6))


@pytest.mark.parametrize("text", ["", "two", "2-", "-3", "2;3", "2-3-4", "9" * 30])
def test_player_counts_that_are_none(text: str) -> None:
    with pytest.raises(PlanError, match="a range like 2-6"):
        player_counts(text, (2, 6))


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_the_shipped_plans_can_be_read(file: Path) -> None:
    plan = read_plan(file, {})
    assert plan.out == f"tournaments/{file.stem}"
    assert player_counts(plan.players, (2, 6))
    assert plan.time()


def test_plans_are_shipped() -> None:
    assert {"quick", "long"} <= {file.stem for file in SHIPPED}
