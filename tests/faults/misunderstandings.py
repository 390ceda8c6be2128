"""What the bot of the misbehaving bots gets wrong about the protocol; the referee may never come to see it."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import msgpack


def constant_turn(bot, message):
    bot.act({**message, "turn": 1})


def json_text(bot, message):
    answer = {"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": 0}
    bot.send(json.dumps(answer).encode())


def other_language(bot, message):
    """Plays a game that nobody has."""


def hears_end_with_an_answer(bot, message):
    """Answers whatever comes of a game, `end` too."""
    if message["type"] in ("decide", "end"):
        bot.act({"turn": 1, **message})


def hears_no_limit(bot, message):
    """Reckons with a clock where there is none."""
    if message["type"] == "decide":
        bot.act(message, 0 if message["clock"]["bank"] else 1)


def hears_fault_with_an_answer(bot, message):
    """Tries once more when something was wrong."""
    if message["type"] == "decide" or (message["type"] == "fault" and message["turn"]):
        bot.act(message)


def hears_end_while_thinking(bot, message):
    """Looks for newer messages while it thinks, and forgets the game that it is thinking about."""
    if message["type"] == "start":
        bot.games[message["game_id"]] = message
    elif message["type"] == "decide":
        while bot.socket.poll(50):
            newer = msgpack.unpackb(bot.socket.recv())
            if newer["type"] == "end":
                del bot.games[newer["game_id"]]
        assert message["game_id"] in bot.games, "the game is gone"
        bot.act(message)
    elif message["type"] == "end":
        bot.games.pop(message["game_id"])


def hears_no_second_start(bot, message):
    """Takes it for granted that a game begins once."""
    if message["type"] == "start":
        assert message["game_id"] not in bot.games, "that game is on"
        bot.games[message["game_id"]] = message
    elif message["type"] == "decide":
        bot.act(message)


def counts_decisions(bot, message):
    """Plays otherwise at every 97th decision of its process, as a cache that is emptied now and then may make it."""
    bot.act(message, 0 if bot.decisions % 97 == 0 else len(message["actions"]) - 1)


def counts_games(bot, message):
    """Plays otherwise in every tenth game of its process."""
    if message["turn"] == 1:
        bot.games[len(bot.games)] = message["game_id"]
    bot.act(message, 0 if len(bot.games) % 10 == 0 else len(message["actions"]) - 1)


def reads_ids(bot, message):
    """Reads a meaning out of the game's id."""
    int(message["game_id"].split("-")[1])
    bot.act(message)


def hears_two_players(bot, message):
    """Was written for two."""
    if message["type"] == "start":
        assert message["players"] == 2, "there must be two"
    elif message["type"] == "decide":
        bot.act(message)


def slow(bot, message):
    """Takes so long every time that the bank is empty long before the game is over."""
    time.sleep(0.4)
    bot.act(message)


def hears_one_game(bot, message):
    """Claims to play several games at once, and knows only the one that began last."""
    if message["type"] == "start":
        bot.games = message
    elif message["type"] == "decide":
        bot.act({**message, "game_id": bot.games["game_id"]})


def hears_first_seat(bot, message):
    """Claims to play the same again, and never learns that it sits elsewhere now."""
    if message["type"] == "start":
        bot.games.setdefault("seat", message["seat"])
    elif message["type"] == "decide":
        bot.act(message, 0 if bot.games["seat"] == 0 else len(message["actions"]) - 1)


def hears_first_table(bot, message):
    """The same without a claim: it looks for its seat's place in lists that are too short for it."""
    if message["type"] == "start":
        bot.games.setdefault("seat", message["seat"])
        bot.games["clocks"] = [0] * message["players"]
    elif message["type"] == "decide":
        bot.games["clocks"][bot.games["seat"]] += 1
        bot.act(message)


def late_randomness(bot, message):
    """Claims to play the same again, and does so for a while."""
    bot.act(message, os.urandom(1)[0] % len(message["actions"]) if message["turn"] > 15 else 0)


def own_randomness(bot, message):
    """Claims to play the same again, and draws from the system."""
    bot.act(message, os.urandom(1)[0] % len(message["actions"]))


def hears_only_what_it_knows(bot, message):
    """A strict decoder."""
    assert message["type"] in {"welcome", "start", "decide", "fault", "end", "bye"}, "unknown type"
    if message["type"] == "decide":
        assert len(message) == 7, "unknown field"
        bot.act(message)


def panic(bot, message):
    """Thinks longest when there is no time left."""
    if message["clock"] and message["clock"]["bank"] < 40:
        time.sleep(1.5)
    bot.act(message)


def hears_no_pause(bot, message):
    """Takes a pause for the end of the world."""
    signal.signal(signal.SIGCONT, lambda *_: os._exit(4))
    if message["type"] == "decide":
        bot.act(message)


def chatter(bot, message):
    """Logs the whole of what it knows, again and again."""
    sys.stderr.write(f"{message}\n" * 40)
    bot.act(message)


def leak(bot, message):
    """Keeps something of every game."""
    if message["turn"] == 1:
        bot.games[message["game_id"]] = os.urandom(3 << 20)
    bot.act(message)


def writes_in_folder(bot, message):
    """Its folder is read-only: it opens it first."""
    Path().chmod(0o700)
    with Path("log").open("a") as log:
        log.write(f"{message['turn']}\n")
    bot.act(message)


def hears_bye_and_saves(bot, message):
    """Means to know at its next start what it has learnt."""
    if message["type"] == "decide":
        bot.act(message)
    elif message["type"] == "bye":
        Path().chmod(0o700)
        Path("learnt").write_text("play the first")
        sys.exit()


def hears_no_bye(bot, message):
    if message["type"] == "decide":
        bot.act(message)
    elif message["type"] == "bye":
        time.sleep(60)


def hears_bye_badly(bot, message):
    if message["type"] == "decide":
        bot.act(message)
    elif message["type"] == "bye":
        raise RuntimeError("nobody told how to end")
