"""Compare what a worker shows of a running game in two worlds: whoever watches reads the same bytes.

The worlds are those of `worlds`, up to a decision of a seat or up to any move. What a spectator is shown has to be
equal for every seat's twin worlds, since a bot might watch too. With a leak planted the bytes differ.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from arena.game.replay import begun, replay_from
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.replays import running_game
from arena.replays.running_game import PublicEvent, RunningGame, ShownGame
from arena.tournament import spectator_feed
from arena.tournament.spectator_feed import WrittenGame
from engine.rules import Data
from tests.marking import mostly_slow
from tests.noninterference.test_two_worlds import PHASES, PLAYED, plan_of
from tests.noninterference.worlds import Plan, Told, recorded, two_worlds


def written(plan: Plan, told: Told, world: str) -> bytes:
    """What a worker has written down of a world, as far as it went."""
    record, begin = recorded(plan, told, world)
    with patch("arena.game.replay.begin", begin), patch.object(spectator_feed, "begin", begin):
        steps = list(replay_from(begun(record, plan.game.rules, plan.edition), record))
        spec = GameSpec("game", 0, plan.players, 0, 0, record.seed, record.bots)
        game = WrittenGame("key", spec, steps, plan.game.rules, plan.edition)
        game.go_on(None)
    return game.data()


def board(plan: Plan, data: bytes) -> Data:
    """What the board's page is sent of it."""
    shown = msgspec.json.decode(data, type=ShownGame)
    game = RunningGame(shown, plan.game.rules, plan.edition)
    game.take_events(shown)
    return {"head": game.head(), "turn": game.turn, "pieces": list(game.pieces())}


def differ(plan: Plan, first: Told, other: Told) -> bool:
    """Whether what is shown tells the worlds apart. Without a seat one of them may have gone on by itself a little."""
    one, same = written(plan, first, "first"), written(plan, other, "twin")
    if plan.reader is not None:
        return one != same or board(plan, one) != board(plan, same)
    found = [msgspec.json.decode(each, type=ShownGame) for each in (one, same)]
    if found[0].start != found[1].start:
        return True
    return any(first != second for first, second in zip(found[0].events, found[1].events, strict=False))


@pytest.fixture(autouse=True)
def without_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectator_feed, "_REST", 0)


@pytest.mark.parametrize(("game", "edition"), mostly_slow(PHASES))
def test_a_spectator_of_a_running_game_reads_equal_bytes(game: str, edition: str) -> None:
    found = Counter[str]()
    for number in range(16):
        label = f"running {edition} {number}"
        random = Random(label)
        reader = None if number % 2 else number // 2 % 4
        plan = plan_of(game, edition, 4, reader, label, 5 + 6 * number, faults=number % 3 == 0)
        first, other = two_worlds(plan, random)
        assert not differ(plan, first, other)
        found["hands"] += first.hands != other.hands
        found["asked"] += first.asked != other.asked
    assert found["hands"] >= 8
    assert found["asked"], "in no pair was anybody asked otherwise"


def told_apart(game: str, edition: str) -> bool:
    for number in range(16):
        reader = None if number % 2 else number // 2 % 4
        plan = plan_of(game, edition, 4, reader, f"running leak {edition} {number}", 5 + 3 * number)
        if differ(plan, *two_worlds(plan, Random(number))):
            return True
    return False


def every_event(game_step: GameStep) -> list[PublicEvent]:
    return [PublicEvent(game_step.step.kind, event.what) for event in game_step.events]


def every_step(game_step: GameStep) -> list[PublicEvent]:
    return [PublicEvent("play", {}), *running_game.public_events(game_step)]


@pytest.mark.parametrize("leak", [every_event, every_step], ids=["private events", "how often somebody was asked"])
@PLAYED
def test_a_leak_is_found(leak: Any, game: str, edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectator_feed, "public_events", leak)
    monkeypatch.setattr(RunningGame, "take_events", lambda *_: 0)
    assert told_apart(game, edition)
