"""A run plays what is asked for and not yet there, and its tables depend on nothing else."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from arena.entrants import Built, EntrantError, LimitCeilings, ResourceLimits
from arena.formats import Balanced
from arena.game.spec import GameSpec
from arena.ledger import Ledger, LedgerBusy, Seeds, locked, seed_hash
from arena.tournament import coordinator
from arena.tournament import run as run_module
from arena.tournament.folders import last_run
from arena.tournament.identity import tournament_seed
from arena.tournament.plan import DEFAULT_GAMES, Plan, PlanError
from arena.tournament.run import run
from arena.tournament.schedule.rounds import specs as laid_out
from tests.arena.tournament.drawing import balanced, rounds, whole_blocks

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

NAMES = ["a", "b", "c", "d"]
SEED = tournament_seed(1)
SCHEDULE = balanced(NAMES, [2, 3], SEED)


def ids(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return ledger.ids()


def meta(folder: Path) -> dict[str, Any]:
    with Ledger.open(folder) as ledger:
        return ledger.meta


def specs(number: int) -> list[GameSpec]:
    return list(islice(SCHEDULE.specs(), number))


def first(number: int) -> list[str]:
    return [spec.id for spec in specs(number)]


# What is asked for


def test_the_games_asked_for_are_played_and_rated_in_whole_blocks(lab: Lab) -> None:
    outcome = lab.run(games=20)
    total = whole_blocks(SCHEDULE, 20)
    assert ids(outcome.folder) == first(total)
    assert (outcome.played, outcome.rated) == (total, total)
    assert outcome.folder == Path("tournaments/default")
    assert sum(row["games"] for row in lab.board(outcome)["overall"]) == sum(int(each[1]) for each in first(total))


def test_rounds_are_counted_as_the_schedule_counts_them(lab: Lab) -> None:
    outcome = lab.run(rounds=2)
    assert outcome.played == rounds(SCHEDULE, 2)


def test_the_schedule_is_drawn_once_a_run(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = Balanced.draw
    monkeypatch.setattr(Balanced, "draw", lambda each, number, field: drawn.append(number) or draw(each, number, field))
    outcome = lab.run(games=20)
    assert drawn == [0, 1, 2]
    assert rounds(SCHEDULE, 3) >= outcome.played > rounds(SCHEDULE, 2), "or this test counts other rounds"


def test_30_games_are_played_when_nothing_is_said(lab: Lab) -> None:
    assert lab.run().played == whole_blocks(SCHEDULE, DEFAULT_GAMES)


def test_counts_above_the_number_of_bots_are_skipped_and_named(lab: Lab) -> None:
    outcome = lab.run("a b c", players="2-6", games=20)
    assert {each[:2] for each in ids(outcome.folder)} == {"p2", "p3"}


@pytest.mark.parametrize(("names", "players"), [("a", "2-3"), ("a b c", "4-6")])
def test_too_few_bots_are_an_error(lab: Lab, names: str, players: str) -> None:
    with pytest.raises(PlanError):
        lab.run(names, players=players)
    assert not lab.played


def test_a_plan_without_bots_is_an_error(lab: Lab) -> None:
    with pytest.raises(PlanError):
        lab.run("")


def test_the_seed_is_secret_while_games_are_played_and_published_at_the_end(lab: Lab) -> None:
    lab.interrupt_after = 3
    folder = lab.run(games=20, seed=None).folder
    assert "seed" not in meta(folder)
    secret = bytes.fromhex((folder / "seed").read_text())
    assert meta(folder)["seed_hash"] == seed_hash(secret)
    lab.interrupt_after = None
    lab.run(games=20, seed=None)
    assert meta(folder)["seed"] == secret.hex()


def test_it_is_finished_when_nothing_is_left_and_no_more_when_more_is_asked_for(lab: Lab) -> None:
    folder = lab.run(games=4, out="t").folder
    assert meta(folder)["finished"] is True
    lab.interrupt_after = 3
    lab.run(games=40, out="t")
    assert meta(folder)["finished"] is False
    lab.interrupt_after = None
    lab.run(games=4, out="t")
    assert meta(folder)["finished"] is True


# Going on


def test_run_again_nothing_is_left_to_play(lab: Lab) -> None:
    board = lab.board(lab.run(games=20))
    lab.workers = 0
    again = lab.run(games=20)
    assert (again.played, lab.workers) == (0, 0)
    assert lab.board(again) == board


def test_more_goes_on_and_plays_nothing_twice(lab: Lab) -> None:
    once = lab.run(games=20, out="grown")
    more = lab.run(games=50, out="grown")
    assert once.played + more.played == whole_blocks(SCHEDULE, 50) == more.rated
    assert set(lab.played.values()) == {1}
    assert lab.board(more) == lab.board(lab.run(games=50, out="at-once"))


@pytest.mark.slow
def test_less_plays_nothing_and_rates_the_prefix(lab: Lab) -> None:
    lab.run(games=50, out="large")
    less = lab.run(games=20, out="large")
    assert (less.played, less.rated) == (0, whole_blocks(SCHEDULE, 20))
    assert lab.board(less) == lab.board(lab.run(games=20, out="small"))
    assert len(ids(Path("large"))) == whole_blocks(SCHEDULE, 50)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_interrupted_and_started_again_gives_the_same_table(lab: Lab, jobs: int) -> None:
    whole = lab.board(lab.run(games=40, out="whole"))
    lab.workers = 0
    recorded = 0
    for more in (1, 9, 10):
        lab.interrupt_after = lab.played.total() + more
        outcome = lab.run(games=40, out="pieces", jobs=jobs)
        assert outcome.interrupted
        assert len(ids(outcome.folder)) == recorded + outcome.played, "what was reported is kept"
        recorded += outcome.played
    assert recorded > 0
    assert lab.killed == lab.workers == 3 * jobs
    lab.interrupt_after = None
    assert lab.board(lab.run(games=40, out="pieces", jobs=jobs)) == whole


def test_the_table_does_not_depend_on_the_number_of_workers(lab: Lab) -> None:
    lab.retires = {"d"}
    boards = [lab.board(lab.run(games=60, jobs=jobs, out=f"jobs{jobs}")) for jobs in (1, 2, 5)]
    assert boards[0] == boards[1] == boards[2]


def test_no_more_workers_than_games(lab: Lab) -> None:
    lab.run("a b", games=1, players="2", jobs=8)
    assert lab.workers == 2


def test_a_beginning_that_was_cut_off_is_begun_again(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "set_entrants", cut_off)
        with pytest.raises(KeyboardInterrupt):
            lab.run(games=20, out="here")
    assert lab.run(games=20, out="here").played == whole_blocks(SCHEDULE, 20)


def test_two_runs_of_one_tournament_are_kept_apart(lab: Lab) -> None:
    lab.run(games=20, out="here")
    with locked(Path("here")), pytest.raises(LedgerBusy):
        lab.run(games=30, out="here")
    with locked(Path("here")), pytest.raises(LedgerBusy):
        lab.run(games=30, out="here", fresh=True)
    assert Path("here").exists()


# Something else than before


@pytest.mark.slow
def test_another_seed_begins_a_new_tournament_beside_the_old_one(lab: Lab) -> None:
    lab.run(games=20)
    again = lab.run(games=20, seed=2)
    assert (again.folder, again.played) == (Path("tournaments/default-2"), len(first(again.rated)))
    assert lab.run(games=20, seed=2).folder == Path("tournaments/default-2")


@pytest.mark.slow
def test_the_next_free_number_is_taken(lab: Lab) -> None:
    for number, seed in enumerate((1, 2, 3, 4), start=1):
        folder = lab.run(games=5, seed=seed).folder
        assert folder.name == ("default" if number == 1 else f"default-{number}")


@pytest.mark.parametrize(
    "options", [{"players": "2"}, {"edition": "nim"}, {"move": 0.5}, {"strikes": 9}, {"seed": 2}], ids=str
)
def test_in_a_folder_of_ones_own_a_difference_is_an_error(lab: Lab, options: dict[str, Any]) -> None:
    lab.run(games=5, out="mine")
    with pytest.raises(PlanError):
        lab.run(games=5, out="mine", **options)


def test_jobs_budget_and_an_unnamed_seed_are_free(lab: Lab) -> None:
    lab.run(games=5, out="mine")
    assert lab.run(rounds=4, jobs=2, seed=None, trace=True, out="mine").played > 0


def test_fresh_moves_the_old_tournament_aside(lab: Lab) -> None:
    for _ in range(3):
        assert lab.run(games=5, out="mine", fresh=True).played == whole_blocks(SCHEDULE, 5)
    assert [path.name for path in sorted(Path().glob("mine*"))] == ["mine", "mine.old-1", "mine.old-2"]
    assert len(ids(Path("mine.old-1"))) == whole_blocks(SCHEDULE, 5)


def test_fresh_leaves_a_folder_alone_that_holds_no_tournament(lab: Lab) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("words")
    lab.run(games=5, out="mine", fresh=True)
    assert Path("mine/thesis.txt").read_text() == "words"


# Who does not take part


@pytest.mark.slow
def test_a_bot_that_cannot_start_is_left_out_with_the_reason(lab: Lab) -> None:
    lab.left_out = {"b": "no hello within 10 s"}
    outcome = lab.run(games=20)
    assert lab.board(outcome)["left_out"] == [{"bot": "b", "reason": "no hello within 10 s"}]
    assert {row["bot"] for row in lab.board(outcome)["overall"]} == {"a", "c", "d"}
    assert lab.run(games=20).folder == outcome.folder, "the same bots: the same tournament"
    lab.left_out.clear()
    again = lab.run(games=20)
    assert lab.board(again)["left_out"] == [], "it was tried once more"
    assert again.played > 0


def test_strict_makes_that_an_error(lab: Lab) -> None:
    lab.left_out = {"b": "no hello"}
    with pytest.raises(EntrantError):
        lab.run(games=20, strict=True)
    lab.run(games=20)
    with pytest.raises(EntrantError):
        lab.run(games=20, strict=True)


def test_what_is_no_bot_is_named_and_skipped_or_with_strict_an_error(lab: Lab) -> None:
    lab.bots("a", "b", "c", "d")
    notes = lab.folder / "entries" / "notes.txt"
    notes.write_text("no bot")
    everything = str(lab.folder / "entries" / "*")
    plan = Plan(bots=[everything], games=5, players="2", seed=1, jobs=1)
    assert run(plan, lab, make=lab.make).played >= 5
    with pytest.raises(EntrantError):
        run(Plan(bots=[everything], strict=True), lab, make=lab.make)


def test_what_was_meant_as_a_bot_is_left_out_and_named_at_the_end(lab: Lab) -> None:
    lab.bots("a", "b", "c", "d")
    lost = lab.folder / "entries" / "lost"
    lost.symlink_to("nowhere")
    plan = Plan(bots=[str(lost.parent / "*")], games=5, players="2", seed=1, jobs=1)
    for _ in range(2):
        assert run(plan, lab, make=lab.make).left_out == {"lost": "a link to nowhere, which is not there"}
    with pytest.raises(EntrantError, match="a link to nowhere, which is not there"):
        run(msgspec.structs.replace(plan, strict=True), lab, make=lab.make)


# Our own faults


def test_a_void_game_is_played_again(lab: Lab) -> None:
    lab.void = {"p2-b0001-r0": 1}
    outcome = lab.run(games=20)
    assert lab.played["p2-b0001-r0"] == 2
    assert ids(outcome.folder) == first(outcome.rated)
    assert outcome.set_aside == []


def test_a_game_that_is_void_twice_is_set_aside_and_the_others_go_on(lab: Lab) -> None:
    lab.void = {"p2-b0001-r0": 2}
    outcome = lab.run(games=20)
    assert outcome.set_aside == ["p2-b0001-r0"]
    assert lab.played["p2-b0001-r0"] == 2
    assert ids(outcome.folder) == [each for each in first(outcome.rated) if each != "p2-b0001-r0"]
    assert outcome.counting >= 20, "another game is played in its stead"
    again = lab.run(games=20)
    assert (again.played, again.set_aside) == (0, ["p2-b0001-r0"]), "later rounds follow from its absence"


def test_only_the_game_that_breaks_its_worker_twice_is_set_aside(lab: Lab) -> None:
    culprit = first(30)[17]
    lab.seconds_a_game = 0.0
    lab.breaks = {culprit: 3}
    outcome = lab.run(games=40)
    assert outcome.set_aside == [culprit]
    assert ids(outcome.folder) == [each for each in first(outcome.rated) if each != culprit]
    shared = [batch for batch in lab.batches if culprit in batch]
    assert len(shared[0]) > 1, "or this test shows nothing"
    assert shared[1:] == [[culprit], [culprit]]
    broken = lab.batches.index(shared[0])
    assert {len(batch) for batch in lab.batches[broken + 1 :]} == {1}, "from then on each game is played by itself"
    assert lab.workers == 1 + 3 + 1, "one more each time, and a new one for the game that is played alone"


# Minutes


def test_minutes_end_with_the_longest_beginning_of_whole_blocks(lab: Lab) -> None:
    outcome = lab.run(minutes=0.5, jobs=2)
    played = len(ids(outcome.folder))
    assert 30 <= played < 30 + 2 * 64
    boundaries = [each.index for each in specs(played + 1) if each.rotation == 0]
    assert outcome.rated == max(boundaries)
    assert lab.board(outcome) == lab.board(lab.run(games=outcome.rated, out="as-games"))


def test_minutes_go_on_when_run_again(lab: Lab) -> None:
    once = lab.run(minutes=0.5)
    again = lab.run(minutes=0.5)
    assert again.folder == once.folder
    assert again.rated > once.rated
    assert set(lab.played.values()) == {1}


def test_after_the_time_nothing_is_issued(lab: Lab) -> None:
    lab.seconds_a_game = 100.0
    assert lab.run(minutes=1.0).played == 1


# The bench


def test_a_bot_that_retires_three_times_in_a_row_is_suspended(lab: Lab) -> None:
    lab.retires = {"d"}
    outcome = lab.run(games=60, jobs=3)
    assert outcome.suspended == ["d"]
    with Ledger.open(outcome.folder) as ledger:
        drawn = [spec for block in ledger.blocks() for spec in laid_out(block, Seeds(SEED))]
    drawn = [spec for spec in drawn if spec.index < outcome.rated]
    mine = [spec for spec in drawn if "d" in spec.bots]
    assert meta(outcome.folder)["rated"]["suspended"] == {"d": mine[2].index + 1}
    rows = {row["bot"]: row for row in lab.board(outcome)["overall"]}
    assert (rows["d"]["games"], rows["d"]["suspended"]) == (3, True)
    others = {spec.id for spec in drawn if "d" not in spec.bots}
    assert others <= set(ids(outcome.folder)), "the others go on"
    assert outcome.counting >= 60, "what could not be played is made up"
    assert len(lab.played) < len(drawn), "games after the suspension are not even played"


@pytest.mark.slow
def test_the_suspension_holds_when_the_run_goes_on(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.run(games=30, out="pieces")
    before = lab.played.copy()
    assert lab.board(lab.run(games=60, out="pieces")) == lab.board(lab.run(games=60, out="whole"))
    new = {each for each in ids(Path("pieces")) if each not in before}
    assert not any("d" in spec.bots for spec in specs(60) if spec.id in new)


def test_less_than_was_played_forgets_a_later_suspension(lab: Lab) -> None:
    lab.retires = {"d"}
    assert lab.run(games=60, out="large").suspended == ["d"]
    less = lab.run(games=2, out="large")
    assert less.suspended == []
    assert lab.board(less) == lab.board(lab.run(games=2, out="small"))


@pytest.mark.parametrize("budget", [{"minutes": 10.0}, {"games": 500}])
def test_nothing_more_is_played_when_too_few_are_left(lab: Lab, budget: dict[str, Any]) -> None:
    lab.retires = {"b"}
    outcome = lab.run("a b", players="2", **budget)
    assert outcome.suspended == ["b"]
    assert sum(lab.played.values()) < 200
    assert [row["games"] for row in lab.board(outcome)["overall"]] == [3, 3]


def test_a_ledger_says_when_it_was_last_run_also_if_nothing_was_left_to_play(lab):
    first = lab.run(games=4).folder
    lab.run(games=4, seed=2)
    assert last_run() == Path("tournaments/default-2")
    assert lab.run(games=4).played == 0
    assert last_run() == first
    lab.run(games=8, seed=2)
    assert last_run() == Path("tournaments/default-2")


# Ceilings


def test_a_bot_that_asks_for_more_than_the_ceiling_is_told_and_gets_the_ceiling(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: list[ResourceLimits] = []
    admit = lab.admit
    monkeypatch.setattr(
        run_module, "admit", lambda entrants, *more: (got.extend(e.limits for e in entrants), admit(entrants, *more))[1]
    )
    (lab.folder / "hoarder").mkdir()
    (lab.folder / "hoarder" / "bot.toml").write_text("command = 'x'\nlimits = { memory_mb = 16777216 }")
    ceilings = LimitCeilings(memory_mb=3000)
    paths = [*lab.bots("a", "b"), str(lab.folder / "hoarder")]
    outcome = lab.run_paths(paths, games=6, seed=1, players="2", limits=ceilings)
    assert [each.memory_mb for each in got] == [2048, 2048, 3000]
    assert sum(line.startswith("hoarder asks for more") for line in lab.said) == 1
    with Ledger.open(outcome.folder) as ledger:
        assert ledger.settings.limits == msgspec.structs.asdict(ceilings)
        assert ledger.settings.limits["memory_mb"] == 3000
    assert lab.run_paths(paths, games=6, seed=1, players="2", limits=ceilings).folder == outcome.folder
    other = lab.run_paths(paths, games=6, seed=1, players="2")
    assert other.folder != outcome.folder, "with other limits it is another tournament"
    assert any("its limit of memory_mb is 3000, not 4096" in line for line in lab.said)


def test_how_many_bots_are_kept_running_is_said_where_these_are_not_all(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinator, "kept_bots", lambda *_: 3)
    for names, said in (("a b c", []), ("a b c d", ["each job keeps 3 of the 4 bots running"])):
        lab.run(names, players="2", games=6, out=names.replace(" ", ""))
        assert [line.partition(":")[0] for line in lab.said if line.startswith("each job")] == said


# Builds


def test_a_build_that_made_something_else_of_the_same_source_is_noted_and_said(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lab.run("a b", games=4, players="2").folder
    with Ledger.open(folder, writing=True) as ledger:
        ledger.note_build("a", "first")

    class Rebuilt(Built):
        digest = "second"  # type: ignore[assignment]

    monkeypatch.setattr(
        coordinator, "rebuild", lambda entrants, *_: {e.name: Rebuilt(e, lab.folder, ()) for e in entrants}
    )
    for _ in range(2):
        lab.run("a b", games=lab.played.total() + 2, players="2")
    with Ledger.open(folder) as ledger:
        assert {each.name: each.builds for each in ledger.entrants()} == {"a": ["first", "second"], "b": ["second"]}
    assert [line for line in lab.said if "its build" in line] == [
        "a: its build made something else of the same source than before"
    ]
