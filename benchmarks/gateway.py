"""How long a round trip through a gateway takes, and what 100,000 connections of strangers do to it.

python -m benchmarks.gateway [CONNECTIONS]: prints the round trip before, while strangers connect from four processes
(garbage, greetings, handshakes that stop half way), and after; and the gateway's memory, descriptors and starts. Then a
tournament with a bot elsewhere, 50 ms away each way, whose connections are cut at random while as many strangers
connect and the gateway is killed three times: whether anybody was charged, and whether `arena verify` agrees.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import psutil
import zmq

from arena.common.progress import SILENT
from arena.gateway.keys import KeyFile, allow, forwarder_folder, new_key, own_key, write_key
from arena.isolation.settings import RemoteBots
from arena.ledger import Ledger
from arena.serve.intake.remote import GatewayProcess
from arena.tournament.plan import Plan
from arena.tournament.run import run
from arena.tournament.verification.audit import audit
from tests.arena.gateway.proxy import Proxy

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


def come(port: int, count: int, done: threading.Event) -> None:
    """Let so many strangers connect, and set `done` when all have."""
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


def play(count: int, rounds: int = 10) -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place = Path(folder) / "gateway"
        key = new_key("ada", own_key(place).public)
        allow(place, "ada", key.public)
        write_key(Path(folder, "ada.key"), key)
        gateway = GatewayProcess(place, None, 0, 30.0)
        stack.callback(gateway.close)
        while not (place / "address").exists():
            time.sleep(0.01)
        gateway.address = (place / "address").read_text()
        way = Proxy(gateway.address, 0.05)
        stack.callback(way.close)
        bot = Path(__file__).parents[1] / "bots" / "random_bot.py"
        words = ["join", way.address, "--key", str(Path(folder, "ada.key")), "--", sys.executable, str(bot)]
        author = subprocess.Popen([sys.executable, "-m", "arena", *words], stdout=subprocess.DEVNULL)
        stack.callback(author.wait)
        stack.callback(author.terminate)
        while not (place / "latency" / "ada").exists():
            time.sleep(0.01)
        done, end, chance, cuts, kills = threading.Event(), threading.Event(), random.Random(1), 0, 0
        come(int(gateway.address.rpartition(":")[2]), count, done)

        def trouble() -> None:
            nonlocal cuts, kills
            while not end.wait(chance.uniform(2.0, 6.0)):
                way.cut()
                cuts += 1
                if cuts % 5 == 0 and kills < 3 and gateway._child._process.pid is not None:
                    os.kill(gateway._child._process.pid, signal.SIGKILL)
                    kills += 1
                gateway.check()

        troubled = threading.Thread(target=trouble)
        troubled.start()
        began = time.perf_counter()
        plan = Plan(
            bots=[str(forwarder_folder(place, "ada")), "@greedy"],
            players="2",
            rounds=rounds,
            start=60.0,
            move=5.0,
            bank=60.0,
            seed=1,
            jobs=1,
            out=str(Path(folder, "out")),
            remote=RemoteBots(str(place), ["ada"], 150),
        )
        run(plan, SILENT)
        took = time.perf_counter() - began
        end.set()
        troubled.join()
        done.wait()
        with Ledger.open(Path(folder, "out")) as ledger:
            charged = Counter(
                game.bots[seat] for game in ledger.results() for seat, _ in game.faults if seat is not None
            )
            times = [each for game in ledger.games() for each in game.times[game.bots.index("ada")]]
            print(
                f"{ledger.played()} games in {took:.0f} s, {cuts} cuts, {kills} kills of the gateway, "
                f"{count} strangers; "
                f"faults {dict(charged)}; ada was charged {statistics.median(times) / 1000:.0f} ms a decision in the "
                f"median, {max(times) / 1e6:.1f} s at most; differences found by verify: {audit(ledger).differences}"
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
        come(port, count, done)
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
    play(int(sys.argv[1]) if sys.argv[1:] else 100_000)
