"""A program that answers every frame immediately, to measure how slow the machine is while a bot is checked."""

import os

import zmq


def main() -> None:
    """Send back every frame until the process is ended."""
    socket: zmq.Socket[bytes] = zmq.Context().socket(zmq.DEALER)
    socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
    socket.setsockopt(zmq.LINGER, 0)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    socket.send(b"")
    while True:
        socket.send(socket.recv())


if __name__ == "__main__":
    main()
