"""The other end of the bare ping-pong: answers each message as a trivial bot does, and reports its CPU time at last."""

import sys
import time

import msgpack
import zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, b"echo")
socket.connect(sys.argv[1])
socket.send(b"ready")
began = time.process_time()
while (message := msgpack.unpackb(socket.recv()))["type"] != "bye":
    socket.send(msgpack.packb({"game_id": "game", "turn": message["turn"], "index": 0}))
socket.send(msgpack.packb(time.process_time() - began))
socket.recv()
