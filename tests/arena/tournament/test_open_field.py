"""Bots join, change and leave, and the tournament goes on in the same folder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.entrants import EntrantError
from arena.ledger import GameResult, Ledger, committed_seeds, seed_hash
from arena.standings import leaderboard, rated_results
from arena.tournament import field_changes
from arena.tournament.plan import PlanError
from arena.tournament.verification.audit import audit

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

FOLDER = Path("tournaments/default")


def change(lab: Lab, bot: str, content: str) -> None:
    Path(lab.bots(bot)[0]).write_text(content)


def in_field() -> list[str]:
    with Ledger.open(FOLDER) as ledger:
        return ledger.field()


def counting() -> list[GameResult]:
    with Ledger.open(FOLDER) as ledger:
        return rated_results(ledger)


def games_of(bot: str) -> Counter[int]:
    return Counter(game.players for game in counting() if bot in game.bots)


def problems() -> list[str]:
    with Ledger.open(FOLDER) as ledger:
        return audit(ledger).differences


def test_a_changed_bot_joins_as_its_next_version_and_the_old_one_leaves(lab: Lab) -> None:
    first = lab.run(games=20)
    before = [game.id for game in counting()]
    change(lab, "a", "# better now\n")
    second = lab.run(games=20)
    assert second.folder == first.folder
    assert in_field() == ["a@2", "b", "c", "d"]
    assert [game.id for game in counting()][: len(before)] == before, "old games go on counting"
    assert games_of("a@2").total() > 0
    assert [row["bot"] for row in sorted(lab.board(second)["overall"], key=lambda row: row["bot"])] == in_field()
    assert second.counting >= 20, "games between bots of the field"
    assert problems() == []


@pytest.mark.slow
def test_ten_changes_leave_one_folder_and_ten_versions(lab: Lab) -> None:
    for number in range(1, 11):
        change(lab, "a", f"# {number}\n")
        lab.run(games=20)
        assert in_field() == sorted(["a" if number == 1 else f"a@{number}", "b", "c", "d"])
    assert [each.name for each in Path("tournaments").iterdir()] == ["default"]
    with Ledger.open(FOLDER) as ledger:
        assert sum(each.name.startswith("a") for each in ledger.entrants()) == 10
    assert problems() == []


def test_content_that_was_there_before_is_its_old_version_again(lab: Lab) -> None:
    lab.run(games=20)
    original = Path(lab.bots("a")[0]).read_text()
    change(lab, "a", "# worse\n")
    lab.run(games=20)
    change(lab, "a", original)
    lab.run(games=20)
    assert in_field() == ["a", "b", "c", "d"]
    assert problems() == []


def test_a_new_bot_joins(lab: Lab) -> None:
    lab.run("a b c", games=20)
    lab.run("a b c d", games=20)
    assert in_field() == ["a", "b", "c", "d"]
    assert games_of("d").total() > 0
    assert problems() == []


def test_a_bot_that_is_not_named_stays_unless_it_may_leave(lab: Lab) -> None:
    lab.run(games=20)
    assert lab.run("a b c", games=20).played == 0
    assert in_field() == ["a", "b", "c", "d"]
    lab.run("a b c", games=20, leave=True)
    assert in_field() == ["a", "b", "c"]
    assert {row["bot"] for row in lab.board(lab.run("a b c", games=20))["overall"]} == {"a", "b", "c"}
    assert problems() == []


def test_a_bot_that_is_not_named_and_gone_leaves(lab: Lab) -> None:
    lab.run(games=20)
    Path(lab.bots("d")[0]).unlink()
    lab.run("a b c", games=20)
    assert in_field() == ["a", "b", "c"]


def test_a_version_that_cannot_take_part_does_not_replace_the_one_before(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.run(games=20)
    monkeypatch.setattr(field_changes, "recall", lambda name, *_: lab.entrant(name))
    change(lab, "a", "# broken\n")
    lab.left_out = {"a@2": "no hello"}
    outcome = lab.run(games=30)
    assert in_field() == ["a", "b", "c", "d"]
    assert outcome.left_out == {"a@2": "no hello"}
    assert problems() == []


def test_one_broken_version_does_not_end_the_tournament_of_the_others(lab: Lab) -> None:
    lab.run(games=20)
    change(lab, "a", "# broken\n")
    lab.left_out = {"a@2": "no hello"}
    assert lab.run(games=20).counting >= 20
    assert in_field() == ["b", "c", "d"], "nothing of the version before was kept"
    assert problems() == []


@pytest.mark.parametrize("names", ["a b c d e", "a b c", "a b c d"])
def test_a_fixed_field_refuses_every_difference(lab: Lab, names: str) -> None:
    lab.run(games=20)
    assert lab.run(games=20, fixed=True).played == 0
    if names == "a b c d":
        change(lab, "a", "# better\n")
    if names == "a b c":
        Path(lab.bots("d")[0]).unlink()
    with pytest.raises(PlanError):
        lab.run(names, games=20, fixed=True)
    assert in_field() == ["a", "b", "c", "d"]


def test_a_pinned_version_stays_beside_the_new_one(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_changes, "recall", lambda name, *_: lab.entrant(name))
    lab.run(games=20)
    change(lab, "a", "# better\n")
    lab.run(games=20, pin=["a@1"])
    assert in_field() == ["a", "a@2", "b", "c", "d"]
    assert any({"a", "a@2"} <= set(game.bots) for game in counting())
    lab.run(games=20)
    assert in_field() == ["a@2", "b", "c", "d"], "without the pin it leaves"
    lab.run(games=20, pin=["a@1"])
    assert in_field() == ["a", "a@2", "b", "c", "d"], "and comes back"
    assert problems() == []
    for pin in ("a@7", "nobody@1", "a@", "a@x"):
        with pytest.raises(PlanError):
            lab.run(games=20, pin=[pin])


def test_a_name_goes_with_its_path(lab: Lab) -> None:
    lab.bots("a")
    other = lab.folder / "elsewhere" / "a.py"
    other.parent.mkdir()
    other.write_text("# the other a\n")
    options: dict[str, Any] = {"games": 20, "seed": 1, "jobs": 1, "players": "2"}
    lab.run_paths([*lab.bots("a", "b"), str(other)], **options)
    assert in_field() == ["a", "a-2", "b"]
    assert lab.run_paths([str(other), *lab.bots("a", "b")], **options).played == 0
    assert in_field() == ["a", "a-2", "b"]


# Suspension


def test_games_that_a_suspended_bot_could_not_play_are_made_up(lab: Lab) -> None:
    lab.retires = {"d"}
    outcome = lab.run(players="2-4", games=100)
    assert outcome.suspended == ["d"]
    living = [game for game in counting() if "d" not in game.bots]
    assert len(living) == outcome.counting >= 100
    for players in (2, 3):
        blocks = {bot: sum(bot in game.bots for game in living if game.players == players) for bot in "abc"}
        assert max(blocks.values()) - min(blocks.values()) <= players
    assert not outcome.is_short
    assert problems() == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_in_a_field_of_31_with_8_bad_ones_every_other_has_its_share_to_within_one_block(lab: Lab, seed: int) -> None:
    good, bad = [f"good{number:02}" for number in range(23)], [f"bad{number}" for number in range(8)]
    lab.retires = set(bad)
    outcome = lab.run(" ".join([*good, *bad]), games=600, players="2-6", seed=seed)
    assert outcome.suspended == bad
    assert outcome.counting >= 600
    whole = Counter((game.players, game.block) for game in counting())
    had = Counter(
        (game.players, bot)
        for game in counting()
        if whole[game.players, game.block] == game.players and game.id.endswith("-r0")
        for bot in game.bots
    )
    for count in range(2, 7):
        blocks = [had[count, bot] for bot in good]
        assert max(blocks) - min(blocks) <= 1, blocks
    assert problems() == []


def test_too_few_that_are_left_are_said_at_once_and_the_run_is_short(lab: Lab) -> None:
    lab.retires = {"d"}
    outcome = lab.run(players="4", games=100)
    assert (outcome.counting, outcome.is_short) == (0, True)
    assert problems() == []


def test_a_suspended_bot_that_was_repaired_joins_again(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.run(games=40)
    change(lab, "d", "# repaired\n")
    outcome = lab.run(games=40)
    assert outcome.suspended == []
    assert in_field() == ["a", "b", "c", "d@2"]
    assert games_of("d@2").total() > 3
    assert problems() == []


def test_a_suspended_bot_that_did_not_change_stays_suspended(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.run(games=40)
    before = games_of("d")
    assert lab.run(games=60).suspended == ["d"]
    assert games_of("d") == before


def test_versions_that_left_are_rated_but_not_shown(lab: Lab) -> None:
    lab.run(games=20)
    change(lab, "a", "# better\n")
    outcome = lab.run(games=20)
    with Ledger.open(outcome.folder) as ledger:
        rows = leaderboard(ledger).overall
    assert rows is not None
    assert sum(row.games for row in rows) < sum(len(game.bots) for game in counting())


def test_a_bot_that_is_gone_cannot_be_pinned(lab: Lab) -> None:
    lab.run(games=20)
    change(lab, "a", "# better\n")
    lab.run(games=20)
    with pytest.raises(EntrantError):
        lab.run(games=20, pin=["a@1"])


def test_a_seed_that_was_published_is_used_for_no_further_game(lab: Lab) -> None:
    lab.run(games=20, seed=None)
    change(lab, "a", "# better\n")
    lab.interrupt_after = lab.played.total() + 5
    assert lab.run(games=20, seed=None).interrupted
    with Ledger.open(FOLDER) as ledger:
        settings = ledger.settings
        seeds = committed_seeds(ledger)
    assert settings.seed is not None, "the first one was published"
    [later] = settings.later_seeds
    assert later.seed is None, "the second one is secret"
    assert later.hash != settings.seed_hash
    assert seeds.at(later.place) != seeds.at(later.place - 1) == bytes.fromhex(settings.seed)
    lab.interrupt_after = None
    lab.run(games=20, seed=None)
    lab.run(games=20, seed=None)
    with Ledger.open(FOLDER) as ledger:
        [later] = ledger.settings.later_seeds
    assert later.seed is not None
    assert seed_hash(bytes.fromhex(later.seed)) == later.hash
    assert problems() == []


# What a second pair of eyes found


@pytest.mark.parametrize("games", range(4, 29, 4))
def test_all_bots_may_change_at_once(lab: Lab, games: int) -> None:
    lab.run("a b c", players="2", games=games)
    for bot in "abc":
        change(lab, bot, f"# {bot} is better\n")
    assert lab.run("a b c", players="2", games=games).counting >= games
    assert in_field() == ["a@2", "b@2", "c@2"]
    assert problems() == []


def test_who_leaves_in_the_middle_of_a_round_plays_no_more(lab: Lab) -> None:
    lab.run("a b c d e f", players="3", games=5, format="knockout")
    change(lab, "b", "# better\n")
    before = lab.played.copy()
    lab.run("a b c d e f", players="3", format="knockout")
    with Ledger.open(FOLDER) as ledger:
        new = [game for game in ledger.results() if game.id not in before]
    assert new
    assert not any("b" in game.bots for game in new)
    assert problems() == []


@pytest.mark.slow
@pytest.mark.parametrize("format", ["balanced", "swiss"])
def test_a_change_after_fewer_games_were_asked_for_leaves_drawn_rounds_as_they_are(lab: Lab, format: str) -> None:
    """Rounds were drawn from results that are not rated any more, some of them of the one that leaves."""
    for games in (200, 20):
        lab.run(games=games, format=format)
    change(lab, "a", "# better now\n")
    lab.run(games=20, format=format)
    assert problems() == []


def test_who_leaves_after_a_kill_plays_no_more(lab: Lab) -> None:
    lab.interrupt_after = 7
    lab.run(jobs=4, games=60)
    lab.interrupt_after = None
    change(lab, "b", "# better\n")
    before = lab.played.copy()
    lab.run(games=60)
    with Ledger.open(FOLDER) as ledger:
        new = [game for game in ledger.results() if game.id not in before]
    assert not any("b" in game.bots for game in new)
    assert problems() == []


def test_a_suspended_version_that_comes_back_plays_again(lab: Lab) -> None:
    original = Path(lab.bots("b")[0]).read_text()
    lab.retires = {"b"}
    lab.run("a b", players="2", games=10)
    change(lab, "b", "# other\n")
    lab.run("a b", players="2", games=10)
    lab.retires = set()
    change(lab, "b", original)
    assert lab.run("a b", players="2", games=20).counting >= 20
    assert problems() == []


@pytest.mark.slow
def test_minutes_that_end_within_a_block_leave_a_ledger_in_order(lab: Lab) -> None:
    for minutes in (0.6, 0.7, 0.65):
        lab.run(minutes=minutes, players="3", seed=None, games=None)
        assert problems() == []


def test_the_same_file_twice_is_two_bots_that_go_on(lab: Lab) -> None:
    [mine] = lab.bots("mine")
    options: dict[str, Any] = {"games": 10, "seed": 1, "jobs": 1, "players": "2"}
    lab.run_paths([mine, mine], **options)
    assert in_field() == ["mine", "mine-2"]
    assert lab.run_paths([mine, mine], leave=True, **options).played == 0
    change(lab, "mine", "# better\n")
    lab.run_paths([mine, mine], **options)
    assert in_field() == ["mine-2@2", "mine@2"]
    assert problems() == []


def test_two_files_of_one_name_keep_their_names(lab: Lab) -> None:
    [here] = lab.bots("mine")
    there = lab.folder / "elsewhere" / "mine.py"
    there.parent.mkdir()
    there.write_text("# the other\n")
    options: dict[str, Any] = {"games": 10, "seed": 1, "jobs": 1, "players": "2"}
    lab.run_paths([here, *lab.bots("b")], **options)
    lab.run_paths([str(there), *lab.bots("b")], **options)
    assert in_field() == ["b", "mine@2"], "it was moved, as far as anybody can tell"
    lab.run_paths([here, str(there), *lab.bots("b")], **options)
    field_then = in_field()
    assert len(field_then) == 3
    for _ in range(2):
        assert lab.run_paths([here, str(there), *lab.bots("b")], **options).played == 0
        assert in_field() == field_then


def test_a_pin_of_what_is_there_adds_nothing(lab: Lab) -> None:
    lab.run(games=20)
    assert lab.run(games=20, pin=["a@1", "a@1"]).played == 0
    assert lab.run(games=20, pin=["a@1"], fixed=True).played == 0


def test_a_run_ends_when_games_keep_failing_through_our_own_fault(lab: Lab) -> None:
    lab.void = {f"p{players}-b{block:04}-r{turn}": 9 for players in (2, 3) for block in range(99) for turn in range(3)}
    outcome = lab.run(games=20)
    assert (outcome.played, outcome.is_short) == (0, True)
    assert 8 < len(outcome.set_aside) < 30


def test_names_that_were_given_stay_with_their_bots_whatever_the_order(lab: Lab) -> None:
    [path] = lab.bots("a")
    lab.run_paths([f"x={path}", path, f"b={path}"], games=6, players="2", seed=1, jobs=1)
    assert in_field() == ["a", "b", "x"]
    change(lab, "a", "# better now\n")
    lab.run_paths([path, f"b={path}", f"x={path}"], games=6, players="2", seed=1, jobs=1)
    assert in_field() == ["a@2", "b@2", "x@2"]
    lab.run_paths([f"b={path}", path], games=6, players="2", seed=1, jobs=1)
    assert in_field() == ["a@2", "b@2", "x@2"], "a path alone is the bot of that name"
    assert problems() == []
