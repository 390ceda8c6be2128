"""A bot that attacks the referee's door with plain sockets: what ATTACK names, beside its game, and all the time.

It plays over a connection of its own. Each attack is a function with that name; `test_door.py` says who is charged.
"""

import fcntl
import os
import socket
import sys
import termios
import threading
import time
from pathlib import Path

import msgpack

OWN = os.environ["ARENA_ENDPOINT"]
TOKEN = os.environ["ARENA_TOKEN"].encode()
GREETING = b"\xff" + bytes(8) + b"\x7f\3\0NULL" + bytes(48)
MIB = 1 << 20


def short(body, flags=0):
    return bytes([flags, len(body)]) + body


def announced(size, flags=0):
    """The header of a long frame."""
    return bytes([flags | 2]) + size.to_bytes(8, "big")


def handshake(identity, kind=b"DEALER"):
    properties = b"\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    properties += b"\x08Identity" + len(identity).to_bytes(4, "big") + identity
    return GREETING + short(b"\5READY" + properties, 4)


def connect(endpoint=OWN):
    kind, _, where = endpoint.partition("://")
    connection = socket.socket(socket.AF_UNIX if kind == "ipc" else socket.AF_INET)
    connection.settimeout(5)
    connection.connect(where if kind == "ipc" else ("127.0.0.1", int(where.rpartition(":")[2])))
    return connection


def send(connection, data):
    """Send as much as is taken: the referee may close the connection meanwhile."""
    try:
        connection.sendall(data)
    except OSError:
        return False
    return True


def spoken(data, identity=TOKEN + b"/other"):
    """Another connection over which this was sent after a handshake."""
    connection = connect()
    send(connection, handshake(identity) + data)
    return connection


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
    hello = msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "deaf"})
    kept.append(spoken(short(hello) * 60, TOKEN + b"/deaf"))


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


def messages(connection):
    """Everything that the referee sends over a connection."""
    stream = connection.makefile("rb")
    stream.read(64)
    while header := stream.read(2):
        size = header[1] if not header[0] & 2 else int.from_bytes(header[1:] + stream.read(7), "big")
        body = stream.read(size)
        if not header[0] & 4:
            yield msgpack.unpackb(body)


def play():
    own = spoken(short(msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "attacker"})), TOKEN)
    own.settimeout(None)
    attacking = threading.Thread(target=attack)
    decisions = 0
    for message in messages(own):
        if message["type"] == "bye":
            return
        if message["type"] == "decide":
            decisions += 1
            if decisions == 2:
                attacking.join()
            act = {"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": 0}
            own.sendall(short(msgpack.packb(act)))
            if decisions == 1:
                attacking.start()


play()
os._exit(0)
