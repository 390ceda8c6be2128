"""What a refereed decision costs beside the bare round trip that it cannot do without.

Both on one core, both with two Python processes that pack and unpack msgpack: once the whole referee with a table of
trivial bots, once a ROUTER and a DEALER that exchange 600 bytes of a view and 35 of an answer. CPU time of all
processes together; the two are measured in turn, so that what slows the machine slows both.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import psutil
import zmq

from arena.entrants import build, expand
from arena.ledger import GameRecord
from arena.protocol.codec import decode, encode
from arena.protocol.messages import Clock, Decide
from arena.referee.clock import TimeControl
from arena.referee.host import Host
from arena.referee.orders import GameOrder, Setup
from arena.referee.table import begin
from engine.catalog import game

HERE = Path(__file__).parent
PLAYERS = 4
GAMES = 25
WARM_UP = 3
ROUND_TRIPS = 10_000
MESSAGE_BYTES = 600
REPEATS = 5
TIME = TimeControl(start=30.0, move=5.0, bank=60.0)


def referee_figures(name: str) -> dict[str, object]:
    """Microseconds of CPU a decision and a round trip, their ratio, and what the decision's time is spent on."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if cores:
        os.sched_setaffinity(0, {min(cores)})
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            runs = _in_turn(name, Path(folder))
    finally:
        if cores:
            os.sched_setaffinity(0, cores)
    bare = statistics.median(run[0] for run in runs)
    whole = statistics.median(run[1] for run in runs)
    parts = {part: statistics.median(run[2][part] for run in runs) for part in runs[0][2]}
    return {
        "decision_us": round(whole, 1),
        "round_trip_us": round(bare, 1),
        "ratio": round(statistics.median(run[1] / run[0] for run in runs), 2),
        "shares": {part: round(cost / whole, 3) for part, cost in _shares(whole, bare, parts).items()},
    }


def _shares(whole: float, bare: float, parts: dict[str, float]) -> dict[str, float]:
    """The socket's part is the bare round trip, the bots' packing and unpacking included."""
    known = {**parts, "socket and bots": bare}
    return {**known, "the rest of the referee": whole - sum(known.values())}


def _in_turn(name: str, folder: Path) -> list[tuple[float, float, dict[str, float]]]:
    found = expand([HERE / "trivial_bot.py"] * PLAYERS).found
    rules = game(name)
    edition = rules.edition(rules.editions()[0])
    setup = Setup(name, edition, TIME, {entrant.name: build(entrant, folder / "cache") for entrant in found})
    names = list(setup.bots)
    runs = []
    with Host(setup, pin=True) as host:
        host.play([_order(number, names) for number in range(WARM_UP)])
        for run in range(REPEATS):
            bare = _bare(name, folder)
            whole, records = _whole(host, names, run)
            runs.append((bare, whole, _parts(name, records)))
    return runs


def _order(number: int, names: list[str]) -> GameOrder:
    return GameOrder(f"g{number}", number, PLAYERS, number, 0, f"{number:032x}", names)


def _bare(name: str, folder: Path) -> float:
    """Microseconds of CPU, of both processes, for one round trip."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as socket:
        endpoint = f"ipc://{folder}/bare"
        socket.bind(endpoint)
        with subprocess.Popen([sys.executable, str(HERE / "echo.py"), endpoint]) as echo:
            identity, _ = socket.recv_multipart()
            message = _message(name)
            began = time.process_time()
            for turn in range(ROUND_TRIPS):
                message["turn"] = turn
                socket.send_multipart((identity, msgpack.packb(message)))
                msgpack.unpackb(socket.recv_multipart()[1])
            own = time.process_time() - began
            socket.send_multipart((identity, msgpack.packb({"type": "bye"})))
            theirs = msgpack.unpackb(socket.recv_multipart()[1])
            socket.send_multipart((identity, b""))
            echo.wait(30)
    return (own + theirs) / ROUND_TRIPS * 1e6


def _message(name: str) -> dict[str, Any]:
    """About 600 bytes of the kind that bots are sent: as much of a first view as fits."""
    rules = game(name)
    state = begin(rules, rules.edition(rules.editions()[0]), PLAYERS, bytes(16))
    view: dict[str, Any] = {}
    message = {"type": "decide", "turn": 0, "view": view}
    for key, value in state.view(state.to_act).items():
        view[key] = value
        if len(msgpack.packb(message)) > 1.05 * MESSAGE_BYTES:
            del view[key]
    return message


def _whole(host: Host, names: list[str], run: int) -> tuple[float, list[GameRecord]]:
    """Microseconds of CPU, of referee and bots, for one decision."""
    bots = [each for each in psutil.Process().children(recursive=True) if "trivial_bot.py" in " ".join(each.cmdline())]
    orders = [_order(WARM_UP + run * GAMES + number, names) for number in range(GAMES)]
    before, began = sum(map(_cpu, bots)), time.process_time()
    records = host.play(orders)
    spent = time.process_time() - began + sum(map(_cpu, bots)) - before
    return spent / _decisions(records) * 1e6, records


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _decisions(records: list[GameRecord]) -> int:
    return sum(len(record.steps) for record in records)


def _parts(name: str, records: list[GameRecord]) -> dict[str, float]:
    """Microseconds a decision for what the referee does besides talking: the same games, each part by itself."""
    rules = game(name)
    edition = rules.edition(rules.editions()[0])
    states = {"engine": 0.0, "view": 0.0, "codec": 0.0}
    answer = msgpack.packb({"type": "act", "game_id": "g100", "turn": 30, "index": 1})
    for record in records:
        state = begin(rules, edition, record.players, bytes.fromhex(record.seed))
        for step in record.steps:
            view = _timed(states, "view", lambda s=state: s.view(s.to_act))
            actions = _timed(states, "engine", state.actions)
            message = Decide("g100", 30, [], view, actions, Clock(50, 5000))
            _timed(states, "codec", lambda m=message: (encode(m), decode(answer)))
            _timed(states, "engine", lambda s=state, i=step.index: s.play(i))
    return {part: cost / _decisions(records) * 1e6 for part, cost in states.items()}


def _timed(costs: dict[str, float], part: str, call: Callable[[], Any]) -> Any:
    began = time.perf_counter()
    result = call()
    costs[part] += time.perf_counter() - began
    return result
