"""A bot's side of ZMTP on plain sockets, without a library: what hostile bots play with, and send other things by.

It starts much faster than a client with a library, and each of its bytes is our own choice.
"""

import os
import socket

import msgpack

OWN = os.environ["ARENA_ENDPOINT"]
TOKEN = os.environ["ARENA_TOKEN"].encode()
GREETING = b"\xff" + bytes(8) + b"\x7f\3\0NULL" + bytes(48)


def short(body, flags=0):
    return bytes([flags, len(body)]) + body


def announced(size, flags=0):
    """The header of a long frame."""
    return bytes([flags | 2]) + size.to_bytes(8, "big")


def message(content):
    body = msgpack.packb(content)
    return short(body) if len(body) < 256 else announced(len(body)) + body


def hello(name="attacker"):
    return message({"type": "hello", "protocol": [1, 0], "name": name})


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


def messages(connection):
    """Everything that the referee sends over a connection."""
    stream = connection.makefile("rb")
    stream.read(64)
    while header := stream.read(2):
        size = header[1] if not header[0] & 2 else int.from_bytes(header[1:] + stream.read(7), "big")
        body = stream.read(size)
        if not header[0] & 4:
            yield msgpack.unpackb(body)


def play(answer, name="attacker", start=lambda _: None, answered=lambda: None):
    """Play until `bye`, always the first action.

    `start` is called with each start, `answer` with each `decide`, and returns what the act has besides; `answered` is
    called when that is sent.
    """
    own = spoken(hello(name), TOKEN)
    own.settimeout(None)
    for received in messages(own):
        if received["type"] == "bye":
            return
        if received["type"] == "start":
            start(received)
        if received["type"] == "decide":
            act = {"type": "act", "game_id": received["game_id"], "turn": received["turn"], "index": 0}
            own.sendall(message(act | (answer(received) or {})))
            answered()
