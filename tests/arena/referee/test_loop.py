"""The referee's loop on a made-up clock: who is charged what, what is late, and what each fault costs."""

from __future__ import annotations

import pytest

from arena.game.clock import TimeControl
from arena.game.faults import FLOOD_CONNECTIONS, FLOOD_FRAMES, MOST_FREE_FAULTS
from arena.game.game import Game
from arena.game.replay import verify
from arena.protocol.messages import Act
from arena.referee.transport import Address, Refusal
from tests.arena.game.conftest import RaceState
from tests.arena.referee.scripted import (
    EDITION,
    HELLO,
    SEVERAL,
    TIME,
    Caller,
    faults,
    known_as,
    play,
    player,
    referee,
    saying,
    silent,
    spec,
    thinker,
)

# Games and clocks


def test_a_game_is_the_one_that_its_seed_deals(channel, race):
    channel.bot("one", player)
    channel.bot("two", player)
    [record] = play(channel)
    game = Game(race, EDITION, spec(channel.bots), TIME)
    while not game.over:
        asked = game.decide()
        game.answer(game.awaited, Act("g0", asked.turn, 1), 0.0)
    assert record.digest == game.record().digest
    assert (record.ending, record.faults) == ("finished", [])
    assert verify(record, race, EDITION) == []
    assert [len(channel.messages(name, "end")) for name in channel.bots] == [1, 1]
    assert [len(channel.messages(name, "bye")) for name in channel.bots] == [1, 1]


def test_each_is_charged_what_it_took(channel):
    channel.bot("quick", thinker(0.25))
    channel.bot("slow", thinker(2.0))
    [record] = play(channel)
    assert record.faults == []
    assert [set(times) for times in record.times] == [{250_000}, {2_000_000}]
    shown = [message["clock"]["bank"] for message in channel.messages("slow", "decide")]
    assert shown == [5000, 4000][: len(shown)]
    assert {message["clock"]["bank"] for message in channel.messages("quick", "decide")} == {5000}


@pytest.mark.parametrize(("seconds", "late"), [(6.0, False), (6.001, True)])
def test_an_answer_at_the_deadline_is_in_time(channel, seconds, late):
    def slow(bot, message):
        if message["type"] == "decide":
            seconds_now = seconds if message["turn"] == 1 else 0.0
            bot.act(message, seconds_now, turn=0)  # the answer lies behind another message
            bot.act(message, seconds_now)

    channel.bot("slow", slow)
    channel.bot("other", thinker(0.5))
    [record] = play(channel)
    assert ((0, "late") in faults(record)) == late
    assert record.times[0][0] == 6_000_000
    # What came too late is dropped: the substitute has moved.
    by = [step.by for step in record.steps if step.seat == 0 and step.kind == "play"]
    assert by[0] == ("substitute" if late else "bot")


def test_who_never_answers_retires_when_its_strikes_are_spent(channel):
    channel.bot("silent", silent)
    channel.bot("one", player)
    channel.bot("two", player)
    [record] = play(channel, time=TimeControl(move=1.0, bank=5.0, strikes=2))
    assert faults(record) == [(0, "late")] * 2
    assert record.retired == [0]
    assert record.ranks[0] == 3
    assert channel.waited == 6.0 + 1.0  # a full bank, then none
    assert {fault.stderr for fault in record.faults} == {"last words"}
    told = channel.messages("silent", "fault")
    assert [(each["code"], each["strikes_left"]) for each in told] == [("late", 1), ("late", 0)]


def test_no_process_and_no_clock_are_two_things(channel):
    channel.bot("local", thinker(1000.0))
    channel.bot("by hand", thinker(1000.0, index=0), by_hand=True, patience=100.0, hello_after=99.0)
    [record] = play(channel, unlimited=["local"])
    assert set(faults(record)) == {(1, "late"), (1, "stale")}
    assert {message["clock"] for message in channel.messages("local", "decide")} == {None}
    assert record.times[0][0] == 1_000_000_000


def once(bot, message):
    """Answer the first question, then go; answer all when it is there again."""
    if message["type"] == "decide" and message["turn"] == 1:
        bot.act(message)
        bot.disconnect()
    elif message["type"] == "decide" and bot.channel.waited > 10:
        bot.act(message)


def test_a_bot_started_by_hand_that_has_gone_is_waited_for_and_goes_on_when_it_is_there_again(channel):
    bot = channel.bot("by hand", once, by_hand=True, patience=100.0)
    channel.bot("other", player)
    channel.at(50.0, bot.reconnect)
    [record] = play(channel, unlimited=["by hand"])
    assert bot.left == [0.0]
    assert (faults(record), record.ending) == ([], "finished")
    assert channel.waited == 50.0


def test_a_bot_started_by_hand_that_does_not_come_back_has_crashed_and_the_others_play_on(channel):
    bot = channel.bot("by hand", once, by_hand=True, patience=100.0)
    channel.bot("one", player)
    channel.bot("two", player)
    [record] = play(channel, unlimited=["by hand"])
    assert bot.left == [0.0]
    assert (faults(record), record.retired, record.ending) == ([(0, "crash")], [0], "finished")
    assert channel.waited == 100.0


def test_a_bot_that_nobody_starts_by_hand_is_mute_in_the_end(channel):
    channel.bot("by hand", silent, by_hand=True, patience=100.0, hello=None)
    channel.bot("other", player)
    [record] = play(channel, unlimited=["by hand"])
    assert (faults(record), record.ending) == ([(0, "mute")], "walkover")
    assert channel.waited == 100.0


# What is wrong with what came


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"type": "act", "game_id": known_as(), "turn": 1, "index": 2}, "illegal"),
        (b"\xc1", "malformed"),
        (SEVERAL, "malformed"),
        (Refusal("malformed", "a frame with the flags 0x08"), "malformed"),
        ({"type": "act", "game_id": known_as(), "turn": "1", "index": 0}, "malformed"),
    ],
)
def test_a_strike_and_the_substitutes_move(channel, what, code):
    def wrong_at_first(bot, message):
        react = saying(what) if message.get("turn") == 1 else player
        react(bot, message)

    channel.bot("wrong", wrong_at_first)
    channel.bot("right", player)
    [record] = play(channel)
    assert faults(record) == [(0, code)]
    assert [step.by for step in record.steps if step.seat == 0][:2] == ["referee", "substitute"]
    assert record.retired == []


@pytest.mark.parametrize(
    ("what", "frames", "code"),
    [
        (Refusal("oversize", "a frame of 100000 bytes (limit 65536)"), 1, "oversize"),
        (Refusal("flood", "a message in more than 1024 pieces"), 1, "flood"),
        (SEVERAL, FLOOD_FRAMES + 1, "flood"),
    ],
)
def test_the_seat_retires_at_once(channel, what, frames, code):
    channel.bot("wrong", saying(what, frames))
    channel.bot("one", player)
    channel.bot("two", player)
    [record] = play(channel)
    assert faults(record) == [(0, code)]
    assert record.retired == [0]
    assert channel.bots["wrong"].process.signals[-1][1] == "end"


def test_many_frames_and_connections_are_a_flood(channel):
    def crowd(bot, message):
        if message["type"] == "decide":
            for _ in range(FLOOD_CONNECTIONS + 1):
                channel.at(channel.waited, bot.call)

    def chatter(bot, message):
        if message["type"] == "decide":
            for _ in range(FLOOD_FRAMES + 1):
                bot.act(message, turn=0)

    channel.bot("crowd", crowd)
    channel.bot("chatter", chatter)
    channel.bot("one", player)
    channel.bot("two", player)
    [record] = play(channel)
    assert [each for each in faults(record) if each[1] != "stale"] == [(0, "flood"), (1, "flood")]
    stale = [fault.text for fault in record.faults if fault.code == "stale"]
    assert len(stale) == MOST_FREE_FAULTS + 1
    assert stale[-1] == f"{FLOOD_FRAMES - MOST_FREE_FAULTS} further messages that cost nothing"
    assert record.ranks[:2] == [4, 3]


def test_stale_answers_are_free(channel):
    def confused(bot, message):
        if message["type"] == "decide":
            bot.act(message, game_id="another")
            bot.act(message, turn=message["turn"] + 1)
            bot.act(message)
            bot.act(message)  # once more

    channel.bot("confused", confused)
    channel.bot("thinks", thinker(0.5))
    [record] = play(channel)
    assert {code for _, code in faults(record)} == {"stale"}
    assert record.faults[0].text == "an answer for another game"
    assert record.retired == []
    assert record.ending == "finished"


def test_an_answer_before_the_game_began_is_stale(channel):
    hasty = channel.bot("hasty", player)
    channel.bot("slow", player, hello_after=5.0)
    channel.at(1.0, lambda: hasty.act({"game_id": known_as(), "turn": 1}))
    [record] = play(channel)
    assert [(fault.seat, fault.code, fault.text) for fault in record.faults] == [
        (0, "stale", "an answer before the game began")
    ]


# Starts and ends


@pytest.mark.parametrize(
    ("hello", "text"),
    [
        (None, "no hello within 10 s"),
        ({"type": "act", "game_id": known_as(), "turn": 1, "index": 0}, "an act before hello"),
        ({**HELLO, "protocol": [2, 0]}, "speaks protocol 2.0, the referee speaks 1.0"),
        ({**HELLO, "games": ["chess"]}, "does not play race, only chess"),
    ],
)
def test_who_says_no_sound_hello_is_mute(channel, hello, text):
    channel.bot("mute", player, hello=hello)
    channel.bot("one", player)
    channel.bot("two", player)
    with referee(channel) as made:
        [record] = made.play([spec(channel.bots)])
        report = made.check("mute")
    assert [(fault.seat, fault.code, fault.text) for fault in record.faults] == [(0, "mute", text)]
    assert record.ending == "finished"
    assert (report.ok, report.reason, report.stderr) == (False, text, "last words")
    assert len(channel.bots["mute"].starts) == 2


def test_bots_that_are_mute_together_retire_in_the_order_of_their_starts(channel):
    for number in range(6):
        channel.bot(f"bot{number}", player, hello=None)
    [record] = play(channel)
    assert faults(record) == [(seat, "mute") for seat in range(5)]


def test_what_a_bot_said_before_its_end_counts(channel):
    def dies(bot, message):
        if message["type"] == "decide":
            bot.act(message, 0.5, turn=0)
            bot.act(message, 0.5)
            bot.crash(0.5)

    channel.bot("dies", dies)
    channel.bot("one", player)
    channel.bot("two", player)
    [record] = play(channel)
    assert [(step.kind, step.by) for step in record.steps if step.seat == 0][:2] == [
        ("play", "bot"),
        ("retire", "referee"),
    ]
    assert [(fault.code, fault.text) for fault in record.faults if fault.code != "stale"] == [("crash", "exit code 1")]


def test_why_a_bot_crashed_in_a_game_is_said_too(channel, monkeypatch):
    bot = channel.bot("dies", lambda bot, message: bot.crash() if message["type"] == "decide" else None)
    monkeypatch.setattr(bot, "explain", lambda *_: "it needs a file")
    channel.bot("plays", player)
    [record] = play(channel)
    assert [fault.text for fault in record.faults] == ["exit code 1: it needs a file"]


def test_who_crashed_is_started_again_for_its_next_game(channel):
    channel.bot("dies", lambda bot, message: bot.crash() if message["type"] == "decide" else None)
    channel.bot("plays", player)
    first, second = play(channel, spec(channel.bots, 0), spec(channel.bots, 1))
    assert [faults(record) for record in (first, second)] == [[(0, "crash")]] * 2
    assert [first.ending, second.ending] == ["walkover"] * 2
    assert len(channel.bots["dies"].starts) == 2
    assert len(channel.bots["plays"].starts) == 1


def test_a_start_that_the_system_refuses_voids_and_blames_nobody(channel):
    bot = channel.bot("refused", silent, hello=None)
    channel.bot("plays", player)
    channel.at(0.0, lambda: bot.crash(shortage=11))
    [record] = play(channel)
    assert (record.ending, record.faults) == ("void", [])
    assert record.error == "refused: exit code 1"


def test_an_error_of_the_rules_spoils_only_its_own_game(channel, race):
    channel.bot("one", player)
    channel.bot("two", player)
    with referee(channel) as made:
        race.fails_at = 2
        [void] = made.play([spec(channel.bots)])
        race.fails_at = None
        [good] = made.play([spec(channel.bots)])
    assert void.ending == "void"
    assert "the rules have a hole here" in void.error
    assert (good.ending, good.faults) == ("finished", [])


# Who speaks


def test_a_frame_under_anothers_token_costs_its_sender_alone(channel):
    def impostor(bot, message):
        if message["type"] == "decide":
            other = channel.bots["victim"]
            bot.say(
                {"type": "act", "game_id": known_as(), "turn": 1, "index": 0},
                address=Address(bot.address.endpoint, other.address.routing_id + b"/2"),
            )

    channel.bot("impostor", impostor)
    channel.bot("victim", player)
    channel.bot("other", player)
    [record] = play(channel)
    assert [(fault.seat, fault.code, fault.text) for fault in record.faults] == [
        (0, "impostor", "a frame came under a token that is not this bot's")
    ]
    assert record.retired == [0]


def test_a_connection_to_anothers_endpoint_costs_who_makes_it_alone(channel):
    made = []

    def intruder(bot, message):
        if message["type"] == "decide":
            made.append(bot.call(channel.bots["victim"].address.endpoint))

    channel.bot("intruder", intruder)
    channel.bot("victim", player)
    channel.bot("other", player)
    [record] = play(channel)
    assert [(fault.seat, fault.code, fault.text) for fault in record.faults] == [
        (0, "impostor", "it connected to the endpoint of another bot")
    ]
    assert record.retired == [0]
    assert [caller.is_refused for caller in made] == [True]


def test_who_speaks_under_no_token_before_its_hello_is_mute(channel):
    bot = channel.bot("mistaken", player, hello=None)
    channel.bot("plays", player)
    channel.at(0.0, lambda: bot.say(HELLO, address=Address(bot.address.endpoint, b"me")))
    [record] = play(channel)
    assert [fault.text for fault in record.faults] == ["a frame came from routing id 'me', which is no token"]
    assert faults(record) == [(0, "mute")]


def test_connections_from_nobodys_process_are_counted_and_refused(channel):
    one = channel.bot("one", thinker(0.5))
    channel.bot("two", player)
    callers = []

    def call(is_gone: bool) -> None:
        callers.append(Caller(one.address.endpoint, 5, is_gone))
        channel.call(callers[-1])

    for moment, is_gone in ((0.1, False), (0.2, False), (0.3, True)):
        channel.at(moment, lambda gone=is_gone: call(gone))
    [record] = play(channel)
    [fault] = record.faults
    assert (fault.seat, fault.code) == (None, "impostor")
    assert fault.text == "2 connections from processes that are no bot's", "nobody knows of the third whose it was"
    assert all(caller.is_refused for caller in callers)


def test_every_start_has_an_endpoint_of_its_own_which_ends_with_it(channel):
    seen = set()

    def dies(bot, message):
        seen.add(bot.address.endpoint)
        if message["type"] == "decide":
            bot.crash()

    channel.bot("dies", dies)
    plays = channel.bot("plays", player)
    with referee(channel) as made:
        made.play([spec(channel.bots, 0), spec(channel.bots, 1)])
        assert channel.open_endpoints == {plays.address.endpoint}
    assert len(seen) == 2


def test_a_repeated_hello_gets_the_state_of_its_games(channel):
    def forgetful(bot, message):
        if message["type"] == "decide":
            if len(channel.messages("forgetful", "decide")) == 1:
                bot.reconnect(0.25)
            else:
                bot.say({"type": "act", "game_id": known_as(), "turn": message["turn"], "index": 1}, 0.25)

    channel.bot("forgetful", forgetful)
    channel.bot("plays", player)
    [record] = play(channel)
    assert record.faults == []
    kinds = [message["type"] for _, name, message in channel.sent if name == "forgetful"]
    assert kinds[:6] == ["welcome", "start", "decide", "welcome", "start", "decide"]
    first, again = channel.messages("forgetful", "decide")[:2]
    assert first == again
    assert record.times[0][0] == 500_000


def test_a_game_that_cannot_be_recorded_is_void_and_the_others_go_on(channel, race, monkeypatch):
    hello = {**HELLO, "parallel": 2}
    for name in ("one", "two"):
        channel.bot(name, thinker(0.1), hello=hello)
    scores = RaceState.scores

    def fail_once(state):
        monkeypatch.setattr(RaceState, "scores", scores)
        raise RuntimeError("no scores")

    monkeypatch.setattr(RaceState, "scores", fail_once)
    records = play(channel, *[spec(channel.bots, number) for number in range(3)])
    assert sorted(record.ending for record in records) == ["finished", "finished", "void"]
    [void] = [record for record in records if record.ending == "void"]
    assert "no scores" in void.error
