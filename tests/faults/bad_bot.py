"""The misbehaving bots: one bot that misbehaves in the way that BEHAVIOUR says. Each way is a function with that name.

A behaviour is called for every decision with the bot and the message, and answers it, or does not. Those that begin
with `at_start_` are called once instead, before the bot says hello; those that begin with `hears_` for every message.
README.md beside this file says what each is caught as.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import misunderstandings
import msgpack
import zmq

ENDPOINT = os.environ["ARENA_ENDPOINT"]
TOKEN = os.environ["ARENA_TOKEN"]
BEHAVIOUR = os.environ["BEHAVIOUR"]
FAR = 10.0  # seconds: longer than any clock in the tests


class Bot:
    def __init__(self):
        self.decisions = 0
        self.games = {}
        self.context = zmq.Context()
        self.connect(TOKEN)

    def connect(self, identity):
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.setsockopt(zmq.ROUTING_ID, identity.encode())
        self.socket.setsockopt(zmq.LINGER, 200)
        self.socket.connect(ENDPOINT)

    def send(self, message):
        self.socket.send(message if isinstance(message, bytes) else msgpack.packb(message))

    def hello(self):
        self.send({"type": "hello", "protocol": [1, 0], "name": "bad", **SAYS.get(BEHAVIOUR, {})})  # type: ignore[dict-item]

    def act(self, message, index=0, **other):
        self.send({"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": index, **other})

    def play(self, behave):
        self.hello()
        while True:
            message = msgpack.unpackb(self.socket.recv())
            if behave.__name__.startswith("hears_"):
                behave(self, message)
            elif message["type"] == "decide":
                self.decisions += 1
                behave(self, message)
            elif message["type"] == "bye":
                return


# Crashes


def at_start_crash():
    sys.exit("the bot is not well")


def crash_at_third(bot, message):
    if bot.decisions == 3:
        raise RuntimeError("the third decision is too much")
    bot.act(message)


def crash_by_signal(bot, message):
    os.kill(os.getpid(), signal.SIGSEGV)


def crash_mid_frame(bot, message):
    """Ends when half of a frame has gone out, over a connection of its own making."""
    half = socket.socket(socket.AF_UNIX)
    half.connect(ENDPOINT.removeprefix("ipc://"))
    identity = f"{TOKEN}/half".encode()
    properties = b"\x0bSocket-Type\0\0\0\6DEALER\x08Identity\0\0\0" + bytes([len(identity)]) + identity
    ready = b"\5READY" + properties
    greeting = b"\xff" + bytes(8) + b"\x7f\3\0NULL" + bytes(48)
    half.sendall(greeting + bytes([4, len(ready)]) + ready + b"\2" + (60_000).to_bytes(8, "big") + bytes(30_000))
    os._exit(3)


def kill_starter(bot, message):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(FAR)


# Time


def at_start_mute():
    time.sleep(FAR * 6)


def stall(bot, message):
    time.sleep(FAR * 6)


def ponder(bot, message):
    """Computes in others' time, as much as it can."""
    if bot.decisions == 1 and os.fork() == 0:
        while True:
            pass
    bot.act(message)


def late(bot, message):
    """Answers, but too late; by then it has been asked something else."""
    time.sleep(1.5)
    bot.act(message)


# Answers to what was not asked


def twice(bot, message):
    bot.act(message)
    bot.act(message)


def other_game(bot, message):
    bot.send({"type": "act", "game_id": "another", "turn": message["turn"], "index": 0})
    bot.act(message)


def old_turn(bot, message):
    bot.send({"type": "act", "game_id": message["game_id"], "turn": max(0, message["turn"] - 1), "index": 0})
    bot.act(message)


# Answers that are none


def illegal_index(bot, message):
    bot.act(message, len(message["actions"]))


def negative_index(bot, message):
    bot.act(message, -1)


def float_index(bot, message):
    bot.act(message, 0.0)


def string_index(bot, message):
    bot.act(message, "0")


def huge_number(bot, message):
    bot.act(message, 2**64 - 1)


def not_a_number(bot, message):
    bot.act(message, metrics={"hope": float("nan")})


def deep_nesting(bot, message):
    bot.send(b"\x91" * 60_000 + b"\x00")


def deep_field(bot, message):
    head = msgpack.packb({"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": 0})
    bot.send(bytes([head[0] + 1]) + head[1:] + msgpack.packb("deep") + b"\x91" * 50_000 + b"\x00")


def bad_utf8(bot, message):
    bot.send(msgpack.packb({"type": "act", "game_id": "XX", "turn": 1, "index": 0}).replace(b"XX", b"\xff\xfe"))


def random_bytes(bot, message):
    bot.send(bytes((7 * i * i + 13) % 256 for i in range(500)))


def empty_frame(bot, message):
    bot.send(b"")


def several_frames(bot, message):
    bot.socket.send_multipart([b"", msgpack.packb({"type": "act"})])


# Too much


def frame_of_200_kb(bot, message):
    bot.act(message, note="x" * 200_000)


def frame_of_10_mb(bot, message):
    """So much that it would take a while to read."""
    bot.act(message, note="x" * 10_000_000)


def many_parts(bot, message):
    bot.socket.send_multipart([b""] * 1000)


def burst(bot, message):
    frame = msgpack.packb({"type": "act", "game_id": message["game_id"], "turn": 10**6, "index": 0})
    for _ in range(100_000):
        bot.send(frame)


def output_of_1_gb(bot, message):
    chunk = b"x" * 65536
    for _ in range(1 << 14):
        sys.stdout.buffer.write(chunk)
    time.sleep(FAR)


def at_start_memory():
    hoard = os.urandom(1 << 20) * 400
    time.sleep(FAR * 6 + len(hoard) % 2)


# Leaving things behind, pretending


def fork_child(bot, message):
    """A child in a session of its own, whose parent ends: a daemon."""
    if bot.decisions == 1 and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(FAR * 60)
        os._exit(0)
    bot.act(message)


def reopen(bot, message):
    """Closes its socket and comes back under a fresh routing id, as the protocol allows."""
    if bot.decisions == 2:
        bot.socket.close()
        bot.connect(TOKEN + "/again")
        bot.hello()
        return  # the decision is sent again
    bot.act(message)


def impostor(bot, message):
    """Says hello and answers as another bot, whose token it reads where any process of the user can."""
    if bot.decisions == 1:
        for token in others_tokens():
            pretender = bot.context.socket(zmq.DEALER)
            pretender.setsockopt(zmq.ROUTING_ID, f"{token}/x".encode())
            pretender.setsockopt(zmq.LINGER, 500)
            pretender.connect(ENDPOINT)
            pretender.send(msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "bad"}))
            act = {"type": "act", "game_id": message["game_id"], "turn": 1, "index": 10**6}
            pretender.send(msgpack.packb(act))
            bot.pretender = pretender
        bot.pretender.poll(300)  # nothing comes back, but mostly the end
    bot.act(message)


def others_tokens():
    mine = f"ARENA_ENDPOINT={ENDPOINT.rpartition('/')[0]}/".encode()
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(each.startswith(mine) for each in environment):
                found |= {each[12:].decode() for each in environment if each.startswith(b"ARENA_TOKEN=")}
    return sorted(found - {TOKEN})


def unknown_token(bot, message):
    """Opens another socket without saying who it is."""
    if bot.decisions == 1:
        unknown = bot.context.socket(zmq.DEALER)
        unknown.setsockopt(zmq.ROUTING_ID, b"nobody")
        unknown.setsockopt(zmq.LINGER, 500)
        unknown.connect(ENDPOINT)
        unknown.send(msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "bad"}))
        bot.unknown = unknown
        unknown.poll(300)
    bot.act(message)


def at_start_wrong_id(*_):
    """Takes its own name for its routing id."""
    bot = Bot()
    bot.socket.close()
    bot.connect("bad")
    bot.hello()
    time.sleep(FAR)


def crowd_of_huge_frames(bot, message):
    """More connections than it may make, before any of it is sent."""
    crowd(bot, b"x" * 2_000_000, 200)


def crowd_of_large_frames(bot, message):
    """Spends what it can of its rivals' time."""
    crowd(bot, b"x" * 200_000, 5)


def crowd_of_small_frames(bot, message):
    crowd(bot, b"x", 5)


def crowd_beside_play(bot, message):
    """Plays on as if nothing were."""
    bot.act(message)
    if bot.decisions == 1:
        others = gather(bot, 200)
        threading.Thread(target=shout, args=(others, b"x" * 2_000_000), daemon=True).start()


def crowd(bot, frame, number):
    """So many sockets under routing ids that nobody knows; it answers nothing meanwhile, but hears of its end."""
    shout(gather(bot, number), frame)
    time.sleep(FAR * 6)


def gather(bot, number):
    """Open so many sockets, and wait until all are connected."""
    bot.context.set(zmq.MAX_SOCKETS, 1000)
    others = [bot.context.socket(zmq.DEALER) for _ in range(number)]
    for other in others:
        other.setsockopt(zmq.SNDHWM, 4)
        other.setsockopt(zmq.IMMEDIATE, 1)  # what is sent waits for a connection
        other.setsockopt(zmq.SNDTIMEO, round(FAR * 1000))
        other.connect(ENDPOINT)
    for other in others:
        other.poll(FAR * 1000, zmq.POLLOUT)
    return others


def shout(others, frame):
    for _ in range(4):
        for other in others:
            other.send(frame)


def talking_child(bot, message):
    """Lets a process that it starts talk without end."""
    if bot.decisions == 1:
        code = f"import zmq; s = zmq.Context().socket(zmq.DEALER); s.connect({ENDPOINT!r})\nwhile True: s.send(b'x')"
        subprocess.Popen([sys.executable, "-c", code]).wait(FAR * 6)
    bot.act(message)


def at_start_act(*_):
    bot = Bot()
    bot.send({"type": "act", "game_id": "g", "turn": 1, "index": 0})
    time.sleep(FAR)


def at_start_newer_major(*_):
    bot = Bot()
    bot.send({"type": "hello", "protocol": [2, 0], "name": "bad"})
    time.sleep(FAR)


SAYS = {
    "other_language": {"games": ["halma"]},
    "hears_one_game": {"parallel": 4},
    "hears_first_seat": {"deterministic": True},
    "counts_decisions": {"deterministic": True},
    "counts_games": {"deterministic": True},
    "late_randomness": {"deterministic": True},
    "own_randomness": {"deterministic": True},
}
"""What some say in `hello` besides."""

if __name__ == "__main__":
    chosen = globals().get(BEHAVIOUR) or getattr(misunderstandings, BEHAVIOUR)
    if BEHAVIOUR.startswith("at_start_"):
        chosen()
    else:
        Bot().play(chosen)
