"""A bot that attacks the referee's door with plain sockets: what ATTACK names, beside its game, and all the time.

It plays over a connection of its own. Each attack is a function with that name; `test_door.py` says who is charged.
"""

import fcntl
import os
import sys
import termios
import threading
import time
from pathlib import Path

import msgpack
from raw_client import (
    GREETING,
    OWN,
    TOKEN,
    announced,
    connect,
    handshake,
    hello,
    play,
    send,
    short,
    spoken,
)

MIB = 1 << 20


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def others():
    """The endpoints of the rivals, from the environment of processes below the same referee."""
    referee, found = parent(os.getppid()), set()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and parent(parent(folder.name)) == referee:
                variables = (folder / "environ").read_text().split("\0")
                found |= {each.partition("=")[2] for each in variables if each.startswith("ARENA_ENDPOINT=")}
        except OSError:
            continue
    return sorted(found - {OWN})


# Attacks


def thousand_connections():
    for _ in range(1000):
        kept.append(connect())


def crowd_that_says_hello():
    for number in range(1000):
        kept.append(spoken(b"", TOKEN + b"/%d" % number))


def million_empty_parts():
    kept.append(spoken(short(b"", 1) * 1_000_000 + short(b"")))


def endless_parts():
    kept.append(spoken(b""))
    while send(kept[-1], short(b"x" * 255, 1) * 1000):
        pass


def large_parts():
    kept.append(spoken(b""))
    while send(kept[-1], announced(60_000, 1) + bytes(60_000)):
        pass


def half_frames_of_16_mib():
    for number in range(7):
        kept.append(spoken(announced(16 * MIB) + bytes(8 * MIB), TOKEN + b"/%d" % number))


def half_frames_that_would_fit():
    for number in range(7):
        kept.append(spoken(announced(65_000) + bytes(64_000), TOKEN + b"/%d" % number))


def endless_size():
    kept.append(spoken(announced(2**64 - 1) + bytes(1000)))


def unknown_ids():
    for number in range(7):
        kept.append(spoken(short(b"x") * 1000, b"nobody %d" % number))


def greetings_that_never_end():
    for number in range(7):
        kept.append(connect())
        send(kept[-1], handshake(TOKEN)[: 9 * number])


def byte_by_byte():
    """A stale act, one byte at a time: slow, and nothing else."""
    act = {"type": "act", "game_id": "other", "turn": 1, "index": 0}
    stream = handshake(TOKEN + b"/slow") + short(msgpack.packb(act))
    kept.append(connect())
    for at in range(len(stream)):
        send(kept[-1], stream[at : at + 1])


def large_frame_byte_by_byte():
    """Each byte is sent when the one before has been read, so that each wakes the referee."""
    kept.append(spoken(announced(60_000)))
    for _ in range(60_000):
        if not send(kept[-1], b"x"):
            return
        while fcntl.ioctl(kept[-1], termios.TIOCOUTQ, bytes(4)) != bytes(4):
            time.sleep(0)


def heartbeats_without_end():
    kept.append(spoken(b""))
    while send(kept[-1], short(b"\4PING\0\0context", 4) * 1000):
        pass


def another_mechanism():
    kept.append(connect())
    send(kept[-1], GREETING.replace(b"NULL", b"PLAIN", 1)[:64] + bytes(100))


def http():
    kept.append(connect())
    send(kept[-1], b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n" * 10)


def command_of_16_mib():
    kept.append(spoken(announced(16 * MIB, 4) + bytes(MIB)))


def never_reads():
    """Sixty times hello from a connection that is never read: each is answered with the state of the game."""
    kept.append(spoken(hello("deaf") * 60, TOKEN + b"/deaf"))


def rivals_endpoints():
    for endpoint in others():
        kept.append(connect(endpoint))
        send(kept[-1], handshake(b"guessed") + short(b"x"))


def crowd_at_rivals_endpoints():
    for _ in range(1000):
        for endpoint in others():
            kept.append(connect(endpoint))


kept = []


def attack():
    try:
        globals()[os.environ["ATTACK"]]()
    except OSError as error:
        print("the door closed:", error, file=sys.stderr)


def main():
    attacking = threading.Thread(target=attack)
    decisions = 0

    def answer(_):
        nonlocal decisions
        decisions += 1
        if decisions == 2:
            attacking.join()

    def answered():
        if decisions == 1:
            attacking.start()

    play(answer, answered=answered)
    os._exit(0)


main()
