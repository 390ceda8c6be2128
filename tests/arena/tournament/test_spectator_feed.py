"""What a worker shows of its games: nothing until somebody watches, then as they go on, and nothing afterwards."""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.protocol.messages import Act
from arena.replays.page_data import build_page_data
from arena.replays.running_game import FOLDER, WATCH
from arena.tournament import spectator_feed
from arena.tournament.spectator_feed import SpectatorFeed, watchable
from arena.web.running_games import RunningGames
from engine import catalog

SECONDS = 60
RULES = catalog.rules("kosmos")
EDITION = RULES.edition("standard")


class Worker:
    """Plays games of bots that choose their first action, as a worker does."""

    def __init__(self, folder: Path) -> None:
        self.feed = SpectatorFeed(folder, RULES, EDITION)
        self.game_steps: defaultdict[str, list[GameStep]] = defaultdict(list)

    def begin(self, number: int) -> Game:
        spec = GameSpec(f"p2-b{number:04}-r0", number, 2, number, 0, f"{number:032x}", ["ant", "bee"])
        self.feed.follow([spec], self.game_steps)
        return Game(
            RULES, EDITION, spec, TimeControl(), on_step=lambda spec, step: self.game_steps[spec.id].append(step)
        )

    def play(self, game: Game, moves: int) -> None:
        for _ in range(moves):
            if (seat := game.awaited) is None:
                return
            game.answer(seat, Act(game.game_id, game.decide().turn, 0), 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(spectator_feed, "PACE", 0.01)
    with watchable(tmp_path) as found:
        assert found is not None
        yield found
    assert not (tmp_path / FOLDER).exists()


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_it_shows_a_game_while_somebody_watches_and_nothing_before_and_after(folder: Path, tmp_path: Path) -> None:
    worker, reader = Worker(folder), RunningGames(tmp_path, RULES, EDITION)
    values: dict[str, object] = {}

    def look(watched: bool = True) -> dict[str, object]:
        for key, value in reader.changes(watched).items():
            if value is None:
                values.pop(key, None)
            else:
                values[key] = value
        return values

    def steps() -> list[object]:
        pieces = [
            values[f"board/p2-b0001-r0/{number}"] for number in range(99) if f"board/p2-b0001-r0/{number}" in look()
        ]
        return [step for piece in pieces for step in piece["steps"]]  # type: ignore[index]

    game = worker.begin(1)
    worker.play(game, 10)
    assert look(watched=False) == {}
    assert [file.name for file in folder.iterdir()] == [WATCH]
    until(lambda: len(steps()) > 0)
    begun = len(steps())
    worker.play(game, 30)
    until(lambda: len(steps()) > begun)
    assert values["running/p2-b0001-r0"][3] is False  # type: ignore[index]
    worker.play(game, 100_000)
    record = game.record()
    worker.feed.end([record])
    until(lambda: "board/p2-b0001-r0/end" in look())
    public, _ = build_page_data(record, RULES, EDITION)
    texts = public["texts"]
    assert steps() == [[seat, by, [texts[text]], *rest] for seat, by, [text], *rest in public["steps"]]
    assert values["board/p2-b0001-r0/end"]["reasons"] == public["reasons"]  # type: ignore[index]
    assert values["board/p2-b0001-r0/head"]["start"] == public["start"]  # type: ignore[index]
    until(lambda: not [key for key in look() if key.startswith("running/")])
    look(watched=False)
    assert values == {}, "nobody watches any more"
    until(lambda: [file.name for file in folder.iterdir()] == [WATCH])
    second = worker.begin(2)
    worker.play(second, 5)
    until(lambda: "running/p2-b0002-r0" in look())
    reader.close()


def test_a_game_that_is_played_again_is_shown_from_its_start(folder: Path, tmp_path: Path) -> None:
    worker, reader = Worker(folder), RunningGames(tmp_path, RULES, EDITION)
    heads: list[object] = []

    def look() -> int:
        heads.extend(value for key, value in reader.changes(True).items() if key.endswith("/head") and value)
        return len(heads)

    worker.play(worker.begin(1), 10)
    until(lambda: look() == 1)
    worker.game_steps.clear()
    worker.play(worker.begin(1), 10)
    until(lambda: look() == 2)
    reader.close()


def test_what_no_worker_wrote_is_not_shown(folder: Path, tmp_path: Path) -> None:
    Worker(folder)
    reader = RunningGames(tmp_path, RULES, EDITION)
    for name, data in {"1.json": b"{", "2.json": b'[{"key": "k"}]', "3.json": b"\xff", "4.json": b"[" * 5000}.items():
        (folder / name).write_bytes(data)
    os.mkfifo(folder / "5.json")
    assert reader.changes(True) == {}
    wrong = b'[{"key":"k","id":"g","bots":["a","b"],"start":null,"events":[["retired",{}],["play",{"event":"?"}]]}]'
    (folder / "6.json").write_bytes(wrong)
    assert reader.changes(True) == {}
    reader.close()


def test_where_nothing_can_be_watched_nothing_happens(tmp_path: Path) -> None:
    reader = RunningGames(tmp_path, RULES, EDITION)
    assert reader.changes(True) == {}
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / WATCH).write_bytes(b"")
    assert reader.changes(True) == {}
    with watchable(tmp_path / "nowhere") as found:
        assert found is None


def test_the_folder_goes_although_a_worker_writes_in_it(tmp_path: Path) -> None:
    ended = threading.Event()

    def write() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            with suppress(OSError):
                (tmp_path / FOLDER / str(number)).touch()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(50):
            with watchable(tmp_path):
                pass
            assert list(tmp_path.iterdir()) == []
    finally:
        ended.set()
        writer.join()
