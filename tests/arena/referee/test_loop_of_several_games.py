"""The referee's loop on a made-up clock: several games at once, and which bots are stopped or ended meanwhile."""

from __future__ import annotations

import pytest

from arena.game.clock import TimeControl
from arena.referee.time.run_queue import RunQueue
from engine.rules import ForcedMove
from tests.arena.referee.scripted import (
    HELLO,
    ScriptedTransport,
    faults,
    known_as,
    play,
    player,
    silent,
    spec,
    thinker,
)

# Several games


def open_at_once(channel):
    """How many games are open after every `start` and `end` that is sent."""
    seen, now = [], set()
    for _, _, message in channel.sent:
        if message["type"] == "start":
            now.add(message["game_id"])
        elif message["type"] == "end":
            now.discard(message["game_id"])
        seen.append(len(now))
    return seen


@pytest.mark.parametrize(
    ("parallel", "block", "most"), [((3, 3), None, 3), ((3, 3), 0, 1), ((3, 1), None, 1), ((3, 2), None, 2)]
)
def test_so_many_games_at_once(channel, parallel, block, most):
    for number, each in enumerate(parallel):
        channel.bot(f"bot{number}", thinker(0.1), hello={**HELLO, "parallel": each})
    records = play(channel, *[spec(channel.bots, number, block) for number in range(9)])
    assert [record.id for record in records] == [f"g{number}" for number in range(9)]
    assert max(open_at_once(channel)) == most
    assert {record.ending for record in records} == {"finished"}
    assert not any(record.faults for record in records)


def test_games_beside_each_other_are_the_same_as_one_by_one(channel, race, monkeypatch):
    digests = []
    for parallel in (1, 4):
        made = ScriptedTransport()
        for number in range(2):
            made.bot(f"bot{number}", thinker(0.1 * (1 + number)), hello={**HELLO, "parallel": parallel})
        digests.append([record.digest for record in play(made, *[spec(made.bots, number) for number in range(8)])])
    assert digests[0] == digests[1]


def dies(bot, message):
    """End the first game by a crash, one second after its start."""
    if message["type"] == "start" and message["game_id"] == known_as(0):
        bot.crash(1.0)
    player(bot, message)


def test_an_answer_to_a_game_that_others_ended_is_excused_and_its_time_given_back(channel):
    """The rival crashes while the bot thinks; it still answers, and only then turns to its next game."""

    def busy(bot, message):
        if message["type"] == "decide":
            # The question of the next game waits until the first one is answered, at 4.0.
            bot.act(message, 4.0 if message["game_id"] == known_as(0) else max(4.0 - channel.waited, 0.0) + 5.5)

    channel.bot("busy", busy)
    channel.bot("dies", dies)
    time = TimeControl(move=6.0, bank=0.0)
    first, second = play(channel, spec(["busy", "dies"]), spec(["busy", "dies"], 1), time=time)
    assert (first.ending, faults(first)) == ("walkover", [(1, "crash")])
    assert (second.ending, faults(second)) == ("finished", [])
    assert second.times[0][0] == 5_500_000


def test_who_may_be_busy_with_a_game_that_others_ended_has_its_time_on_top(channel):
    """It never answers the first game, of whose 6 seconds 5 were left."""

    def busy(bot, message):
        if message["type"] == "decide" and message["game_id"] == known_as(1):
            bot.act(message, 10.9 if message["turn"] == 1 else 0.0)

    channel.bot("busy", busy)
    channel.bot("dies", dies)
    specs = [spec(["busy", "dies"]), spec(["busy", "dies"], 1)]
    _, second = play(channel, *specs, time=TimeControl(move=6.0, bank=0.0))
    assert (second.ending, second.faults) == ("finished", [])
    assert second.times[0][0] == 10_900_000


def test_an_excuse_restarts_no_clock_once_the_bot_has_turned_to_other_questions(channel):
    """It answers the second game, and the first one only when a later decision has lasted for some time."""

    def hoards(bot, message):
        if message["type"] != "decide" or message["game_id"] == known_as(0):
            return
        if message["turn"] == 2:
            bot.act(message, 5.0, game_id=known_as(0), turn=1)
        bot.act(message, 10.0 if message["turn"] == 2 else 0.0)

    channel.bot("hoards", hoards)
    channel.bot("dies", dies)
    specs = [spec(["hoards", "dies"]), spec(["hoards", "dies"], 1)]
    _, second = play(channel, *specs, time=TimeControl(move=6.0, bank=0.0))
    assert faults(second)[0] == (0, "late")
    assert second.times[0][1] == 6_000_000


# Who may run


def stops(channel, name):
    """When a bot was stopped between the first question of a game, at 0.0, and the last one."""
    last = max(moment for moment, _, message in channel.sent if message["type"] == "decide")
    return [moment for moment, kind in channel.bots[name].process.signals if kind == "stop" and 0.0 < moment < last]


def test_a_bot_that_nobody_waits_for_is_stopped_once_its_rival_thinks(channel):
    channel.bot("rests", player)
    channel.bot("thinks", thinker(0.5))
    play(channel)
    asked = {
        each: [moment for moment, name, message in channel.sent if name == each and message["type"] == "decide"]
        for each in channel.bots
    }
    assert stops(channel, "rests") == [pytest.approx(moment + 0.001) for moment in asked["thinks"]]
    assert stops(channel, "thinks") == []
    resumed = {moment for moment, kind in channel.bots["rests"].process.signals if kind == "resume"}
    assert set(asked["rests"]) <= resumed


def test_a_bot_is_stopped_at_once_when_a_rival_is_asked_that_was_slow_in_an_earlier_game(channel, race):
    """Whether it is asked or only seems to be: how it was in the same game may tell what it was asked there."""
    channel.bot("rests", player)
    channel.bot("thinks", thinker(0.5))
    race.forced_after = {3: [ForcedMove(1, "step")]}
    play(channel, *[spec(channel.bots, number) for number in (0, 1)])
    # Each game lasts 1.5 s: "thinks" is asked at the beginning, and seems to be after the second answer of "rests".
    assert stops(channel, "rests") == [pytest.approx(0.001), pytest.approx(0.501), 1.5, 2.0]


def test_of_who_answered_quickly_so_far_readings_are_taken_when_it_does_not_any_more_with_pondering_too(
    channel, monkeypatch
):
    looks = []
    monkeypatch.setattr(RunQueue, "reading_before_question", lambda queue, now: None)  # it has been answering fast
    monkeypatch.setattr(RunQueue, "take_reading", lambda queue, now: looks.append(now))
    channel.bot("thinks", thinker(0.5))
    channel.bot("quick", player)
    play(channel, time=TimeControl(move=1.0, ponder=True))
    asked = [moment for moment, name, message in channel.sent if name == "thinks" and message["type"] == "decide"]
    assert looks == [pytest.approx(moment + 0.001) for moment in asked]


def test_a_late_bot_is_continued_as_somebody_else_may_have_stopped_it(channel):
    channel.bot("silent", silent)
    channel.bot("plays", player)
    play(channel, time=TimeControl(move=1.0, bank=0.0, strikes=1))
    signals = channel.bots["silent"].process.signals
    late = signals.index((1.0, "stop"))
    assert signals[late + 1] == (1.0, "resume"), "it was not known to be stopped"


def test_nobody_is_stopped_that_answers_at_once(channel):
    channel.bot("one", thinker(0.0005))
    channel.bot("two", thinker(0.0005))
    play(channel)
    assert [stops(channel, name) for name in channel.bots] == [[], []]
    assert [bot.process.signals[-1][1] for bot in channel.bots.values()] == ["end", "end"]


def test_who_ponders_is_stopped_between_games_only(channel):
    channel.bot("ponders", player)
    channel.bot("thinks", thinker(0.5))
    play(channel, time=TimeControl(move=1.0, bank=5.0, ponder=True))
    assert [stops(channel, name) for name in channel.bots] == [[], []]


def test_several_games_at_once_keep_their_bots(channel):
    names = [f"bot{number}" for number in range(6)]
    for name in names:
        channel.bot(name, thinker(0.1), hello={**HELLO, "parallel": 3})
    pairs = [(one, (one + step) % 6) for step in (1, 2, 3) for one in range(6) for _ in range(2)]
    records = play(
        channel, *[spec([names[one], names[two]], number) for number, (one, two) in enumerate(pairs)], kept=3
    )
    assert {(record.ending, len(record.faults)) for record in records} == {("finished", 0)}
    assert max(open_at_once(channel)) > 1


def test_bots_beyond_what_fits_are_said_goodbye_to_and_start_again(channel):
    names = [f"bot{number}" for number in range(7)]
    pairs = [(one, (one + step) % 7) for step in (1, 2, 3) for one in range(7)]
    specs = [spec([names[one], names[other]], number) for number, (one, other) in enumerate(pairs)]

    def played(kept):
        made = ScriptedTransport()
        running = []

        def counted(bot, message):
            if message["type"] == "decide":
                ended = sum(kind == "end" for each in made.bots.values() for kind in each.ends())
                running.append(sum(len(each.starts) for each in made.bots.values()) - ended)
            player(bot, message)

        for name in names:
            made.bot(name, counted)
        records = play(made, *specs, kept=kept)
        assert not any(record.faults for record in records)
        return [record.digest for record in records], max(running)

    unbounded, seven = played(32)
    bounded, three = played(3)
    assert (seven, three) == (7, 3)
    assert bounded == unbounded
