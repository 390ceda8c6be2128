"""The other end of the bare ping-pong: answers 35 bytes to 600, and says at the end what CPU time it took."""

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
