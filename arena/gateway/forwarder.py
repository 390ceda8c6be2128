"""What the referee starts for a bot elsewhere: it passes on what referee and gateway say, and looks into nothing.

It is a bot like any other to the referee, in a box, stopped while nobody waits for it. Besides the referee's socket it
reaches that of the gateway, because the plan says so (`arena.entrants.launch.remote_leave`).
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
import time
from typing import Final

import msgspec
import zmq

from arena.gateway.numbered import LocalStream, NumberedFrames

SOCKET: Final = "socket"
"""In the folder of the gateway's inside. It is named from there, as the name of a socket must be short."""
ENDED: Final = b"e"
"""Begins the piece by which the gateway says that the bot has ended: then its exit code, a space, and why."""
PASSED: Final = b"p"
"""Begins each other piece of it: then a packet."""
_AGAIN: Final = 100
"""Milliseconds until the gateway is looked for again."""


class Opening(msgspec.Struct, array_like=True):
    """The first piece of a connection to the gateway."""

    name: str
    start: bytes
    """Names this process."""
    game: str
    password: str
    """What only a forwarder is given."""


def main() -> None:
    """Pass on frames until the bot, the gateway or the referee is gone."""
    start, said = secrets.token_bytes(16), os.environ.get
    opening = Opening(os.environ["ARENA_REMOTE"], start, said("ARENA_GAME", ""), said("ARENA_PASSWORD", ""))
    grace = float(os.environ["ARENA_GRACE"])
    os.chdir(os.environ["ARENA_GATEWAY"])
    with zmq.Context() as context, context.socket(zmq.DEALER) as referee:
        referee.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
        referee.setsockopt(zmq.LINGER, 200)
        referee.connect(os.environ["ARENA_ENDPOINT"])
        _pass_on(referee, opening, grace)


def _pass_on(referee: zmq.Socket[bytes], opening: Opening, grace: float) -> None:
    frames, stream, lost = NumberedFrames(), None, time.monotonic()
    while True:
        if stream is None:
            stream = _connected(opening, frames)
            if stream is None and time.monotonic() - lost > grace:
                sys.exit(f"the gateway to bots elsewhere has been away for {grace:g} s")
        poller = zmq.Poller()
        poller.register(referee, zmq.POLLIN)
        if stream is not None:
            poller.register(stream.socket, zmq.POLLIN | (zmq.POLLOUT if stream.is_full else 0))
        ready = dict(poller.poll(_AGAIN if stream is None else None))
        if referee in ready:
            packed = frames.pack(referee.recv_multipart())
            if stream is not None:
                stream.send(packed)
        if stream is not None and stream.socket.fileno() in ready:
            stream.flush()
            for piece in stream.pieces():
                if piece.startswith(ENDED):
                    code, _, why = piece[1:].decode("utf-8", "replace").partition(" ")
                    print(why, file=sys.stderr)
                    sys.exit(int(code))
                try:
                    parts, answers = frames.take(piece[1:])
                except ValueError:
                    sys.exit("what came from the author's machine is not what `arena join` sends")
                for each in answers:
                    stream.send(each)
                if parts:
                    referee.send_multipart(parts)
            if not stream.is_open:
                stream.close()
                stream, lost = None, time.monotonic()


def _connected(opening: Opening, frames: NumberedFrames) -> LocalStream | None:
    """Connect to the gateway, and ask for what is missing. Return None if it is not there."""
    connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connecting.connect(SOCKET)
    except OSError:
        connecting.close()
        return None
    stream = LocalStream(connecting)
    stream.send(msgspec.msgpack.encode(opening))
    stream.send(frames.question())
    return stream


if __name__ == "__main__":
    main()
