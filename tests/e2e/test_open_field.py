"""A field that changes, and one in which bots fail, with real bots and commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.terminal import ExitCode
from arena.formats import Balanced, Field
from tests.arena.tournament.test_histories import made_up
from tests.e2e import bad_fields, histories
from tests.shell import Shell

pytestmark = [pytest.mark.process, pytest.mark.slow]


def test_a_history_with_kills_ends_as_the_undisturbed_one_and_forgeries_are_named(arena: Shell) -> None:
    history = histories.prove(arena, 3, made_up(3, histories.SIZE))
    assert history.kills.total(), "nothing was killed"


@pytest.fixture
def four(arena: Shell, tmp_path: Path) -> list[Path]:
    """Three good bots, and one that always crashes."""
    return [
        *bad_fields.good_bots(arena.folder / "good", [1, 2, 3]),
        *bad_fields.bad_bots(arena.folder / "bad", ["crash_by_signal"]),
    ]


def test_it_is_said_at_once_if_too_few_bots_are_left(arena: Shell, four: list[Path]) -> None:
    done = arena.run("tournament", *four, "--players", 4, "--games", 100, "--out", "t", code=ExitCode.SHORT)
    said = done.stderr.splitlines()
    place = next(place for place, line in enumerate(said) if "crash_by_signal retired in 3 games in a row" in line)
    assert said[place + 1] == "no game can be played any more: there are 3 bots, the games are for 4 at least"
    assert "of the 100 games asked for could be played" in done.stdout


def test_the_others_play_all_games_that_were_asked_for(arena: Shell, four: list[Path]) -> None:
    words = (*bad_fields.CLOCK, "--players", "2-4", "--games", 24, "--seed", 1, "--out", "t")
    found = bad_fields.look(arena.folder / "t", arena.json("tournament", *four, *words))
    assert found.suspended == {"crash_by_signal"}
    assert found.counting >= 24
    for count in (2, 3):
        assert max(found.blocks[count].values()) - min(found.blocks[count].values()) <= 1


def test_every_living_bot_has_its_share_beside_bad_ones(arena: Shell) -> None:
    bad = ["crash_by_signal", "illegal_index", "burst"]
    found = bad_fields.play(arena, [1, 2, 1, 2, 1], bad, 24, "2,3")
    assert found.suspended == set(bad)
    assert found.counting >= 24
    due = Balanced(bytes(16)).due(Field(tuple(found.blocks[2]), (2, 3)), 24)
    for count, blocks in found.blocks.items():
        assert min(blocks.values()) >= due[count] > 0
    arena.run("verify", "t")
