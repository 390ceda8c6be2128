"""A bot that computes for 3 ms before each answer, always the last action, and says how long it computed."""

import os
import time

import msgpack
import zmq

SECONDS = 0.003

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send(msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "thinking", "deterministic": True}))
while (message := msgpack.unpackb(socket.recv()))["type"] != "bye":
    if message["type"] == "decide":
        began = time.thread_time()
        while (thought := time.thread_time() - began) < SECONDS:
            pass
        last = len(message["actions"]) - 1
        answer = {"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": last}
        socket.send(msgpack.packb({**answer, "metrics": {"thought": thought}}))
