"""Whether the times between the messages to a person who waits tell what others hold: measured over 2,000 turns.

Three persons play, each with answers of its own length, in a time that is made up. Between two messages to the first
another one is asked, or a pause is made as if it were because hidden cards left it no choice. If a time can be told by
its length, the AUC (how often one with a question is longer than one with a pause in the same phase) is far from 0.5.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from unittest.mock import patch

import pytest

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.play.run import APART_PAUSE
from arena.play.table import PlayTable, TableSettings
from arena.protocol.messages import Act
from arena.referee.time.pause_lengths import AnswerTimes
from arena.referee.time.pause_queue import PauseQueue
from arena.web.visitors import Visitor
from tests.noninterference.test_two_worlds import plan_of

TURNS = 2_000
NAMES = ["Ann", "Bob", "Cem"]
Waits = dict[str, tuple[list[float], list[float]]]
"""By phase: the seconds from one message to the next, of pauses and of questions."""


def waits_of(game: str, edition: str) -> tuple[Waits, int]:
    """Play until the others had so many turns, and return the waits of the first person and the number of games."""
    random, times, now, turns, games = Random(game), AnswerTimes(), 0.0, 0, 0
    found: Waits = defaultdict(lambda: ([], []))
    visitors = {name: Visitor(name) for name in NAMES}
    plan = plan_of(game, edition, len(NAMES), None, "waiting times")
    table = PlayTable(TableSettings(plan.game.rules, plan.edition), visitors)
    messages: list[float] = []
    visitors["Ann"].bulletin.put = lambda *_, **__: messages.append(now)  # type: ignore[method-assign]
    for other in NAMES[1:]:
        visitors[other].bulletin.put = lambda *_, **__: None  # type: ignore[method-assign]
    while turns < TURNS:
        spec = GameSpec(f"game {games}", games, 3, games, 0, random.randbytes(16).hex(), NAMES)
        table.set_up(spec)
        play = Game(plan.game.rules, plan.edition, spec, TimeControl(), frozenset(range(3)), table.on_step)
        pauses, games = PauseQueue(play, [True] * 3), games + 1
        since: tuple[str, bool] | None = None

        def note(seat: int, events: int | None, phase: str, is_asked: bool) -> None:
            nonlocal since
            before = len(messages)
            table.on_thinking(spec, seat, events)  # noqa: B023
            if since is not None:
                found[since[0]][since[1]].append(messages[before] - messages[before - 1])
            since = (phase, is_asked) if seat else None

        while (seat := play.awaited) is not None:
            is_paused = pauses.pause(times, now, APART_PAUSE)
            for move in pauses.take_seeming():
                note(move.seat, move.events, move.phase, False)
            if is_paused:
                now = pauses.resume_at or now
                continue
            turns += seat > 0
            pauses.asked(seat, now)
            note(seat, None, play.phase, True)
            decide, phase = play.decide(), play.phase
            seconds = random.lognormvariate(1.0 + seat / 2, 0.8)
            now += seconds
            times.add(NAMES[seat], phase, seconds, pauses.answered(seat, seconds))
            play.answer(seat, Act("", decide.turn, plan.game.choose(play._state, random)), seconds)
    return found, games


def auc(waits: Waits) -> tuple[float, int]:
    """How often a question took longer than a pause in the same phase, and the number of pauses."""
    longer = pairs = forced = 0.0
    for pauses, questions in waits.values():
        pairs += len(pauses) * len(questions)
        forced += len(pauses) if questions else 0
        longer += sum((one > other) + (one == other) / 2 for one in questions for other in pauses)
    return longer / pairs, int(forced)


GAMES = pytest.mark.parametrize(("game", "edition"), [("kosmos", "standard"), ("ravensburger", "standard")])


@pytest.mark.slow
@GAMES
def test_times_between_messages_tell_nothing_of_hidden_hands(game: str, edition: str) -> None:
    waits, games = waits_of(game, edition)
    found, forced = auc(waits)
    assert 0.45 < found < 0.55, f"AUC {found:.3f} over {forced} pauses in {games} games"
    assert forced > 30


@pytest.mark.slow
def test_without_pauses_they_tell_all() -> None:
    with patch.object(AnswerTimes, "draw", lambda *_: 0.0):
        found, _ = auc(waits_of("kosmos", "standard")[0])
    assert found > 0.9
