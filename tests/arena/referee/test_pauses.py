"""The time of a message tells nobody whether a bot was asked: where it was not, the referee waits as if it had been."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.replay import verify
from arena.protocol.messages import Act
from arena.referee.time.pause_lengths import AnswerTimes, Before, pause_source
from arena.referee.time.pause_queue import RETIRED_SECONDS, UNLIMITED_SECONDS, PauseQueue
from engine.rules import ForcedMove
from tests.arena.referee.scripted import EDITION, TIME, faults, play, player, spec, thinker


def moments(channel, name, kind="decide"):
    """When a bot was sent messages of a kind."""
    return [moment for moment, to, message in channel.sent if to == name and message["type"] == kind]


def test_a_forced_move_takes_the_time_of_an_answer(channel, race):
    race.forced_after = {3: [ForcedMove(1, "step")]}
    channel.bot("quick", thinker(0.25))
    channel.bot("slow", thinker(0.5))
    [record] = play(channel)
    # The third answer comes after 1.0 s. The slow one is asked again 0.5 s later, and not at once.
    assert moments(channel, "quick") == [0.0, 0.75, 2.0]
    assert moments(channel, "slow") == [0.25, 1.5]
    assert [set(times) for times in record.times] == [{250_000}, {500_000}]
    assert {message["clock"]["bank"] for message in channel.messages("slow", "decide")} == {5000}
    assert record.faults == []


def test_nothing_else_depends_on_it(channel, race):
    channel.bot("one", thinker(0.25))
    channel.bot("two", thinker(0.5))
    [plain] = play(channel)
    first = [message for _, _, message in channel.sent]
    channel.sent.clear()
    race.forced_after = {number: [ForcedMove(number % 2, "step")] for number in (1, 2, 3)}
    [paused] = play(channel)
    assert paused == plain
    assert [message for _, _, message in channel.sent] == first
    assert verify(paused, race, EDITION) == []


def test_several_forced_moves_take_the_time_of_each_before_the_end_too(channel, race):
    race.forced_after = {5: [ForcedMove(1, "step"), ForcedMove(0, "step"), ForcedMove(1, "step")]}
    channel.bot("one", thinker(0.25))
    channel.bot("two", thinker(2.0))
    play(channel)
    assert channel.waited == 3 * 0.25 + 2 * 2.0 + (2.0 + 0.25 + 2.0)
    assert moments(channel, "one", "end") == [channel.waited]


def test_no_pause_is_longer_than_the_seat_may_take(channel, race):
    race.forced_after = {4: [ForcedMove(0, "step")]}
    channel.bot("slow", lambda bot, message: message["type"] == "decide" and bot.act(message, 5.5, index=0))
    channel.bot("quick", thinker(0.0, index=0))
    play(channel, time=TimeControl(move=1.0, bank=9.5, strikes=3))
    # Two answers of 5.5 s leave 0.5 s in the bank, so that a third answer would take 1.5 s at most.
    assert moments(channel, "slow")[:3] == [0.0, 5.5, 11.0 + 1.5]


@pytest.mark.parametrize(("by_hand", "seconds"), [(False, 40.0), (True, 0.5)])
def test_a_seat_without_a_clock_is_waited_for_a_moment(channel, race, by_hand, seconds):
    race.forced_after = {2: [ForcedMove(0, "step")]}
    channel.bot("person", thinker(seconds), by_hand=by_hand)
    channel.bot("bot", thinker(0.0))
    play(channel, unlimited=["person"])
    assert moments(channel, "person")[1] == seconds + min(seconds, UNLIMITED_SECONDS)


def test_a_retired_seat_takes_a_moment_whether_it_would_have_been_asked_or_not(channel, race):
    """The substitute plays it, or its move is forced: both take as long."""
    race.forced_after = {2: [ForcedMove(0, "step")]}
    channel.bot("crashes", lambda bot, message: message["type"] == "decide" and bot.crash(0.25))
    channel.bot("one", thinker(0.5, index=0))
    channel.bot("two", thinker(0.5, index=0))
    [record] = play(channel)
    assert record.retired == [0]
    # When it crashes, nobody has answered yet. It has one turn in each of the later rounds, and a forced move in one.
    asked = moments(channel, "one")
    rounds = [after - before for before, after in pairwise(asked)]
    assert rounds[:2] == pytest.approx([1.0 + 2 * RETIRED_SECONDS, 1.0 + RETIRED_SECONDS])


def test_what_a_bot_sends_during_a_pause_is_stale(channel, race):
    race.forced_after = {2: [ForcedMove(1, "step")]}

    def hasty(bot, message):
        """Answer, and answer the same and the next turn again while the referee waits."""
        if message["type"] == "decide":
            bot.act(message, 0.25)
            if message["turn"] == 1:
                bot.act(message, 1.0)
                bot.act(message, 1.0, turn=2)

    channel.bot("hasty", hasty)
    channel.bot("slow", thinker(0.5))
    [record] = play(channel)
    assert faults(record) == [(0, "stale"), (0, "stale")]
    assert moments(channel, "hasty")[1] == 0.75 + 0.5
    assert {step.by for step in record.steps} == {"bot"}


def test_a_bot_that_reconnects_or_crashes_during_a_pause(channel, race):
    race.forced_after = {2: [ForcedMove(1, "step")], 3: [ForcedMove(1, "step")]}

    def restless(bot, message):
        if message["type"] == "decide":
            bot.act(message, 0.25)
            if message["turn"] == 1:
                bot.reconnect(1.0)
            else:
                bot.crash(0.5)  # before the slow one is asked

    channel.bot("restless", restless)
    channel.bot("slow", thinker(0.5))
    channel.bot("third", player)
    [record] = play(channel)
    # It is sent the start again, but no decide before the pause is over.
    assert moments(channel, "restless", "start") == [0.0, 1.0]
    assert faults(record) == [(0, "crash")]
    assert record.ending == "finished"


def test_what_happens_in_a_pause_after_the_last_move_changes_no_result(channel, race):
    race.forced_after = {5: [ForcedMove(1, "step")]}

    def winner(bot, message):
        if message["type"] == "decide":
            bot.act(message, 0.25)
            if message["turn"] == 3:
                bot.crash(0.35)  # the pause lasts from 0.25 to 0.75

    channel.bot("winner", winner)
    channel.bot("slow", thinker(0.5))
    [record] = play(channel)
    assert (record.ending, record.retired, record.faults) == ("finished", [], [])
    assert record.ranks == [1, 2]
    assert verify(record, race, EDITION) == []


def test_other_games_go_on_meanwhile(channel, race):
    hello = {"type": "hello", "protocol": [1, 0], "name": "several", "parallel": 2}
    race.forced_after = {1: [ForcedMove(1, "step")] * 4}
    channel.bot("one", thinker(0.25), hello=hello)
    channel.bot("two", thinker(0.5), hello=hello)
    games = [spec(channel.bots, number) for number in (0, 1)]
    records = play(channel, *games)
    assert [record.faults for record in records] == [[], []]
    assert channel.waited < sum(sum(map(sum, record.times)) for record in records) / 1e6 + 2 * 4 * 0.5


def test_times_are_drawn_from_those_of_the_bot_in_this_phase() -> None:
    times = AnswerTimes()
    random = Random(1)
    assert times.draw("one", "step", random) == 0.0
    times.add("two", "leap", 3.0)
    assert times.draw("one", "step", random) == 3.0
    for seconds in (0.25, 0.5):
        times.add("one", "leap", seconds)
    assert {times.draw("one", "step", random) for _ in range(50)} == {0.25, 0.5}
    times.add("one", "step", 0.125)
    assert {times.draw("one", "step", random) for _ in range(50)} == {0.125}
    assert {times.draw("one", "leap", random) for _ in range(50)} == {0.25, 0.5}
    for _ in range(100):
        times.add("one", "leap", 0.75)
    assert {times.draw("one", "leap", random) for _ in range(50)} == {0.75}


def test_pauses_are_drawn_from_a_stream_of_their_own_of_the_seed() -> None:
    draws = [pause_source(seed).random() for seed in ("00" * 16, "00" * 16, "01" * 16)]
    assert draws[0] == draws[1] != draws[2]


def test_only_what_others_cannot_know_is_unasked(race) -> None:
    race.forced_after = {1: [ForcedMove(1, "step")]}
    game = Game(race, EDITION, spec(["one", "two", "three"]), TIME)
    assert game.take_unasked() == []
    game.answer(0, Act("g0", game.decide().turn, 0), 0.0)
    assert game.take_unasked() == [ForcedMove(1, "step")]
    assert game.take_unasked() == []
    game.decide()
    game.late(1.0, "")  # the substitute moves, but the bot was asked
    assert game.take_unasked() == []
    game.fault(2, "crash", "gone")
    assert [(move.seat, move.phase) for move in game.take_unasked()] == [(2, "step")]


def test_pauses_make_up_for_ending_late() -> None:
    times = AnswerTimes()
    times.add("one", "step", 0.5)
    for _ in range(200):
        times.pause_ended(0.5, 0.000125)
        times.pause_ended(0.0001, 0.000005)  # a short one is a busy wait
    assert times.draw("one", "step", Random(1)) == pytest.approx(0.499875)
    times.pause_ended(0.5, 1000.0)  # while something else kept the machine busy
    assert times.draw("one", "step", Random(1)) > 0.499
    times.add("two", "step", 0.0001)
    assert times.draw("two", "step", Random(1)) == pytest.approx(0.000095)
    times.add("three", "step", 0.000001)
    assert times.draw("three", "step", Random(1)) == 0.0


def test_pauses_make_up_for_slower_answers_after_them() -> None:
    times = AnswerTimes()
    for _ in range(3):
        times.add("one", "leap", 0.25, Before.ANSWER)
    times.add("one", "leap", 0.2505, Before.PAUSE)  # compared with nothing yet
    times.add("one", "step", 0.5)
    assert times.draw("one", "step", Random(1), is_asked_next=True) == 0.5
    times.add("one", "leap", 0.25, Before.ANSWER)
    for seconds in (0.2502, 1000.0, 0.2501):  # one while something else kept the machine busy
        times.add("one", "leap", seconds, Before.PAUSE)
    assert times.draw("one", "step", Random(1), is_asked_next=True) == pytest.approx(0.4998)
    assert times.draw("one", "step", Random(1)) == 0.5, "another bot is asked, which nothing woke"
    for _ in range(64):
        times.add("one", "leap", 1000.0, Before.PAUSE)
    assert times.draw("one", "step", Random(1), is_asked_next=True) == 0.499


def test_what_a_game_waited_for_before_a_question_is_known(channel, race, monkeypatch):
    known = []
    monkeypatch.setattr(AnswerTimes, "add", lambda times, bot, phase, seconds, before: known.append((bot, before)))
    race.forced_after = {1: [ForcedMove(1, "step")]}
    channel.bot("one", thinker(0.25))
    channel.bot("two", thinker(0.25))
    play(channel)
    assert known[:4] == [("one", Before.OTHER), ("two", Before.PAUSE), ("one", Before.OTHER), ("two", Before.OTHER)]


def test_a_bot_that_is_asked_twice_in_a_row_answers_after_an_answer(race) -> None:
    pauses = PauseQueue(Game(race, EDITION, spec(["one", "two"]), TIME), [False, False])

    def ask(seat, answers=True):
        pauses.asked(seat, 0.0)
        return pauses.answered(seat, 0.0) if answers else None

    assert [ask(seat) for seat in (0, 0, 1)] == [Before.OTHER, Before.ANSWER, Before.OTHER]
    assert [ask(1), ask(0, answers=False), ask(1)] == [Before.ANSWER, None, Before.OTHER], "one is late in between"
    assert [ask(1, answers=False), ask(1)] == [None, Before.OTHER], "it was late itself"


def test_a_pause_for_a_retired_seat_comes_between_answers(channel, race, monkeypatch):
    known = []
    monkeypatch.setattr(AnswerTimes, "add", lambda times, bot, phase, seconds, before: known.append((bot, before)))
    channel.bot("crashes", lambda bot, message: message["type"] == "decide" and bot.crash(0.25))
    channel.bot("one", thinker(0.5, index=0))
    channel.bot("two", lambda bot, message: message["type"] == "decide" and bot.crash(0.25))
    channel.bot("three", thinker(0.5, index=0))
    play(channel)
    assert set(known) == {("one", Before.OTHER), ("three", Before.OTHER)}
