"""Plans from files and flags, and what is said about those that cannot be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import LimitCeilings
from arena.game.clock import TimeControl
from arena.tournament.plan import SETTINGS, Plan, PlanError, player_counts, read_plan

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
    with pytest.raises(PlanError, match="--rounds, --games, --minutes"):
        read_plan(write(tmp_path, text), {})


def test_paths_in_a_file_are_relative_to_it(tmp_path: Path) -> None:
    file = write(tmp_path, 'bots = ["bots/*", "/else/where.py", "@greedy"]\nedition = "mine/edition.toml"\n')
    plan = read_plan(file, {})
    assert plan.bots == [str(tmp_path / "bots/*"), "/else/where.py", "@greedy"]
    assert plan.edition == str(tmp_path / "mine/edition.toml")
    assert read_plan(write(tmp_path, 'edition = "nim"\n'), {}).edition == "nim"


def test_a_plain_number_is_taken_where_a_flag_takes_one(tmp_path: Path) -> None:
    plan = read_plan(write(tmp_path, "players = 3\nminutes = 5\nmove = 1\n"), {})
    assert (plan.players, plan.minutes, plan.move) == ("3", 5.0, 1.0)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("gmaes = 5\n", "gmaes", 1),
        ('seed = 1\n\n  jobs = "two"\n', "jobs", 3),
        ("games = 0\n", "games", 1),
        ("minutes = 0.0\n", "minutes", 1),
        ("move = true\n", "move", 1),
        ("\nbots = [1]\n", "bots", 2),
        ("ponder = 1\n", "ponder", 1),
        ("players = 2.0\n", "players", 1),
        ("bots = \n", None, None),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, text: str, key: str | None, line: int | None) -> None:
    with pytest.raises(PlanError, match=r"mine\.toml") as caught:
        read_plan(write(tmp_path, text), {})
    assert (caught.value.key, caught.value.line) == (key, line)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"none\.toml"):
        read_plan(tmp_path / "none.toml", {})


@pytest.mark.parametrize(("option", "value"), [("strikes", 0), ("move", -1.0), ("start", 0.0), ("bank", -0.1)])
def test_a_time_control_that_cannot_be(option: str, value: float) -> None:
    with pytest.raises(PlanError) as caught:
        read_plan(None, {option: value}).time()
    assert caught.value.key == option


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"games": 0}, "games"),
        ({"rounds": 1.5}, "rounds"),
        ({"minutes": float("nan")}, "minutes"),
        ({"jobs": 1001}, "jobs"),
        ({"seed": -1}, "seed"),
        ({"start": 0.0}, "start"),
        ({"move": 2e6}, "move"),
        ({"strikes": True}, "strikes"),
        ({"ponder": 1}, "ponder"),
        ({"bots": "a.py"}, "bots"),
        ({"contributions": {"a", "b"}}, "contributions"),
        ({"out": " "}, "out"),
        ({"games": 5, "minutes": 1.0}, None),
    ],
)
def test_a_plan_made_in_python_keeps_the_same_bounds(options: dict[str, Any], key: str | None) -> None:
    with pytest.raises(PlanError) as caught:
        Plan(**{"bots": ["x.py"], **options})
    assert caught.value.key == key


def test_whatever_is_within_the_bounds_is_a_time_control() -> None:
    for end in ("low", "high"):
        given: dict[str, Any] = {
            key: getattr(SETTINGS[key].numbers, end) or 1e-9 for key in ("start", "move", "bank", "strikes")
        }

        assert Plan(**given).time() == TimeControl(**given)


@pytest.mark.parametrize(
    ("text", "counts"),
    [(None, [2, 3, 4, 5, 6]), ("2-4", [2, 3, 4]), ("5", [5]), ("6, 2", [2, 6]), ("2-3,3,5-6", [2, 3, 5, 6])],
)
def test_player_counts(text: str | None, counts: list[int]) -> None:
    assert player_counts(text, (2, 6)) == counts


@pytest.mark.parametrize("text", ["1", "2-7", "6-2", "2-999999999", "0-3"])
def test_player_counts_that_the_game_does_not_have(text: str) -> None:
    with pytest.raises(PlanError, match="2 to 6") as caught:
        player_counts(text, (2, 6))
    assert caught.value.key == "players"


@pytest.mark.parametrize("text", ["", "two", "2-", "-3", "2;3", "2-3-4", "9" * 30])
def test_player_counts_that_are_none(text: str) -> None:
    with pytest.raises(PlanError) as caught:
        player_counts(text, (2, 6))
    assert caught.value.key == "players"


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_the_shipped_plans_can_be_read(file: Path) -> None:
    plan = read_plan(file, {})
    assert plan.out == f"tournaments/{file.stem}"
    assert player_counts(plan.players, (2, 6))
    assert plan.time()


def test_plans_are_shipped() -> None:
    assert {"quick", "long"} <= {file.stem for file in SHIPPED}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("memory_mb = 1", "memory_mb"),
        ("memory_mb = 'much'", "memory_mb"),
        ("memory = 100", "memory"),
        ("memory_mb = 9" + "9" * 30, "memory_mb"),
    ],
)
def test_ceilings_that_cannot_be_are_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "plan.toml").write_text(f"[limits]\n{text}\n")
    with pytest.raises(PlanError, match=r"plan\.toml.*\[limits\].*" + words):
        read_plan(tmp_path / "plan.toml", {})


def test_ceilings_that_are_not_named_keep_their_defaults(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("[limits]\nmemory_mb = 100\n")
    assert read_plan(tmp_path / "plan.toml", {}).limits == LimitCeilings(memory_mb=100)
