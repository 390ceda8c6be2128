"""The cheapest possible bot: it always plays the last action."""

import os

import msgpack
import zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send(msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "trivial", "deterministic": True}))
while (message := msgpack.unpackb(socket.recv()))["type"] != "bye":
    if message["type"] == "decide":
        last = len(message["actions"]) - 1
        game_id, turn = message["game_id"], message["turn"]
        socket.send(msgpack.packb({"type": "act", "game_id": game_id, "turn": turn, "index": last}))
