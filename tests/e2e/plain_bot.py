"""A bot written from protocol.md alone: nothing but ZeroMQ and msgpack."""

import os

import msgpack
import zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send(
    msgpack.packb(
        {
            "type": "hello",
            "protocol": [1, 0],
            "name": "plain",
            "version": "1",
            "language": "Python",
            "games": ["kosmos"],
            "parallel": 2,
            "deterministic": True,
        }
    )
)


def choose(actions):
    """The dearest way onwards, or whatever comes last."""
    travels = [index for index, action in enumerate(actions) if action["do"] == "travel"]
    return travels[0] if travels else len(actions) - 1


while True:
    message = msgpack.unpackb(socket.recv())
    if message["type"] == "decide":
        answer = {
            "type": "act",
            "game_id": message["game_id"],
            "turn": message["turn"],
            "index": choose(message["actions"]),
        }
        socket.send(msgpack.packb(answer))
    elif message["type"] == "bye":
        break
