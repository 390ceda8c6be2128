"""A slot's process knows its settings again when it is to play by them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from dask._task_spec import Task

from arena.cluster.slots import seconds_of_a_game
from arena.cluster.worker_side import NOT_PREPARED, GamesToPlay, call_in_slot, play, portable
from arena.entrants import build, expand
from arena.entrants.build import CACHE
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.referee.config import RefereeConfig


@pytest.mark.parametrize("name", ["time", "name", "game", "a bot"])
def test_settings_keep_their_key_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whatever bots are called: strings of equal text are one object here, and not there."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    source = tmp_path / name
    source.mkdir()
    (source / "bot.toml").write_text('command = "./run.sh"\n', "utf-8")
    (source / "run.sh").write_text("#!/bin/sh\n", "utf-8")
    bot = build(expand([source]).found[0])
    config = RefereeConfig("kosmos", {}, TimeControl(), {bot.entrant.name: bot})
    sent = portable(config)
    arrived = pickle.loads(pickle.dumps(sent))
    assert (arrived, arrived.key) == (sent, sent.key)
    assert portable(config).key != sent.key


SPEC = GameSpec("p2-b0001-r0", 0, 2, 1, 0, "0123456789abcdef" * 2, ["a", "b"])


def test_what_dask_is_given_shows_no_seed() -> None:
    """A worker of Dask logs a task that fails, and its state can be shown."""
    games = pickle.loads(pickle.dumps(GamesToPlay([SPEC])))
    assert games.specs() == [SPEC]
    arguments = ("run/1", 0, play, ("key", games))
    for shown in (f"{arguments!r} {games}", repr(Task("arena-1", call_in_slot, *arguments))):
        assert SPEC.seed not in shown
        assert SPEC.id not in shown
    assert play("of no settings", games) == NOT_PREPARED  # and not an exception, which would be logged


def test_no_game_is_late_by_its_clocks() -> None:
    """Of the games that have been seen, the longest had some 1,900 decisions."""
    time = TimeControl(move=0.05, bank=5.0)
    assert seconds_of_a_game(RefereeConfig("ravensburger", {}, time, {})) > 2_500 * time.move + 8 * time.bank
