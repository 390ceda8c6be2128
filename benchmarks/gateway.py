"""How long a round trip through a gateway takes, and what 100,000 connections of strangers do to it.

python -m benchmarks.gateway [CONNECTIONS]: prints the round trip before, while strangers connect from four processes
(garbage, greetings, handshakes that stop half way), and after; and the gateway's memory, descriptors and starts.
"""

from __future__ import annotations

import multiprocessing
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
import zmq

from arena.gateway.keys import KeyFile, allow, new_key, own_key
from arena.serve.intake.remote import GatewayProcess

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"CURVE".ljust(20, b"\0") + bytes(32)
HELLO = b"\x04\xc8\x05HELLO\x01\x00"
PROCESSES = 4


def connect(port: int, count: int, seed: int) -> None:
    chance = random.Random(seed)
    open_ones: list[socket.socket] = []
    for number in range(count):
        try:
            each = socket.create_connection(("127.0.0.1", port), 10)
            kind = number % 4
            each.sendall(
                (chance.randbytes(chance.randrange(1, 400)), GREETING, GREETING[: number % 64], GREETING + HELLO)[kind]
                + (chance.randbytes(192) if kind == 3 else b"")
            )
        except OSError:
            continue
        open_ones.append(each)  # some hundred are open at once
        if len(open_ones) > 300:
            open_ones.pop(0).close()


def round_trips(socket: zmq.Socket[bytes], until: threading.Event | None, count: int = 500) -> list[float]:
    """Say hello, which is answered at once."""
    found = []
    while len(found) < count if until is None else not until.is_set():
        began = time.perf_counter()
        socket.send_multipart([b"hello", b"", b"1"])
        while socket.recv_multipart()[0] != b"state":
            pass
        found.append(time.perf_counter() - began)
        time.sleep(0.01)
    return found


def joined(address: str, key: KeyFile) -> zmq.Socket[bytes]:
    socket = zmq.Context.instance().socket(zmq.DEALER)
    socket.setsockopt(zmq.CURVE_SERVERKEY, (key.gateway or "").encode())
    socket.setsockopt(zmq.CURVE_PUBLICKEY, key.public.encode())
    socket.setsockopt(zmq.CURVE_SECRETKEY, key.secret.encode())
    socket.connect(address)
    return socket


def said(what: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    p99 = ordered[int(len(ordered) * 0.99) - 1]
    print(
        f"{what}: {len(seconds)} round trips, median {statistics.median(ordered) * 1000:.2f} ms, "
        f"99 % {p99 * 1000:.1f} ms, longest {ordered[-1] * 1000:.0f} ms"
    )


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "gateway"
        key = new_key("ada", own_key(place).public)
        allow(place, "ada", key.public)
        gateway = GatewayProcess(place, None, 0, 30.0)
        while not (place / "address").exists():
            time.sleep(0.01)
        address = (place / "address").read_text()
        ada = joined(address, key)
        said("alone", round_trips(ada, None))
        children = psutil.Process().children(recursive=True)
        process = next(each for each in children if "arena.gateway.gateway" in each.cmdline())
        before, files = process.memory_info().rss, process.num_fds()
        port = int(address.rpartition(":")[2])
        began, done = time.perf_counter(), threading.Event()
        spawned = [
            multiprocessing.get_context("spawn").Process(target=connect, args=(port, count // PROCESSES, seed))
            for seed in range(PROCESSES)
        ]
        for each in spawned:
            each.start()

        def wait() -> None:
            for each in spawned:
                each.join()
            done.set()

        threading.Thread(target=wait).start()
        said(f"while {count} strangers connect", round_trips(ada, done))
        took = time.perf_counter() - began
        most = process.memory_info().rss
        time.sleep(6)  # longer than a handshake may take
        said("afterwards", round_trips(ada, None))
        print(
            f"{count / took:.0f} connections a second; memory {before >> 20} MiB, then {most >> 20} MiB; descriptors "
            f"{files}, then {process.num_fds()}; the gateway began {gateway.starts + bool(gateway.check())} times"
        )
        ada.close(0)
        gateway.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100_000)
