"""Compare the cost of a refereed decision with that of the bare round trip that it contains.

Both run on one core with two Python processes that pack and unpack msgpack: once the whole referee with trivial bots,
and once a ROUTER and a DEALER that exchange 600 bytes of a view and 35 of an answer. The CPU time of all processes
together is measured. The two alternate many times a second, so that both suffer equally from what slows the machine.
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
from arena.ledger import MatchRecord
from arena.match.clock import TimeControl
from arena.match.match import begin
from arena.match.spec import MatchSpec
from arena.protocol.codec import decode, encode
from arena.protocol.messages import Clock, Decide
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.tournament.workers import collect_seldom
from engine.catalog import game

HERE = Path(__file__).parent
PLAYERS = 4
TURNS = 20
"""How often a run alternates between some games and a ping-pong of about the same length."""
GAMES = 2
ROUND_TRIPS = 1000
WARM_UP = 3
MESSAGE_BYTES = 600
REPEATS = 5
TIME = TimeControl(start=30.0, move=5.0, bank=60.0)


def referee_figures(name: str) -> dict[str, object]:
    """Return microseconds of CPU for a decision and a round trip, their ratio, and how the decision's time is spent."""
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
    """Return the parts of a decision; the socket's is the bare round trip, with the bots' packing and unpacking."""
    known = {**parts, "socket and bots": bare}
    return {**known, "the rest of the referee": whole - sum(known.values())}


def _in_turn(name: str, folder: Path) -> list[tuple[float, float, dict[str, float]]]:
    """Run both in turn, a few games and an equally long ping-pong at a time, so that disturbances affect both alike."""
    found = expand([HERE / "trivial_bot.py"] * PLAYERS).found
    rules = game(name)
    edition = rules.edition(rules.editions()[0])
    config = RefereeConfig(name, edition, TIME, {entrant.name: build(entrant, folder / "cache") for entrant in found})
    names = list(config.bots)
    message = _message(name)
    runs = []
    with Referee(config, pin=True) as referee:
        collect_seldom()  # as in every worker
        referee.play([_order(number, names) for number in range(WARM_UP)])
        bots = [each for each in psutil.Process().children(recursive=True) if "trivial_bot.py" in _command(each)]
        for run in range(REPEATS):
            own_bare = own_whole = 0.0
            records: list[MatchRecord] = []
            before = sum(map(_cpu, bots))
            with _Echo(folder) as echo:
                for turn in range(TURNS):
                    own_bare += echo.exchange(message)
                    specs = [_order(WARM_UP + (run * TURNS + turn) * GAMES + each, names) for each in range(GAMES)]
                    began = time.process_time()
                    records += referee.play(specs)
                    own_whole += time.process_time() - began
            whole = own_whole + sum(map(_cpu, bots)) - before
            bare = own_bare + echo.spent
            runs.append((bare / (TURNS * ROUND_TRIPS) * 1e6, whole / _decisions(records) * 1e6, _parts(name, records)))
    return runs


def _order(number: int, names: list[str]) -> MatchSpec:
    return MatchSpec(f"g{number}", number, PLAYERS, number, 0, f"{number:032x}", names)


class _Echo:
    """The bare ping-pong: a ROUTER here, a DEALER in another process."""

    def __init__(self, folder: Path) -> None:
        self.spent = 0.0
        """The other process's seconds of CPU, known at the end."""
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._endpoint = f"ipc://{folder}/bare"
        self._socket.bind(self._endpoint)

    def __enter__(self) -> _Echo:
        self._process = subprocess.Popen([sys.executable, str(HERE / "echo.py"), self._endpoint])
        self._identity, _ = self._socket.recv_multipart()
        return self

    def exchange(self, message: dict[str, Any]) -> float:
        """Send a message and take the answer, `ROUND_TRIPS` times, and return this process's seconds of CPU."""
        socket, identity = self._socket, self._identity
        began = time.process_time()
        for turn in range(ROUND_TRIPS):
            message["turn"] = turn
            socket.send_multipart((identity, msgpack.packb(message)))
            msgpack.unpackb(socket.recv_multipart()[1])
        return time.process_time() - began

    def __exit__(self, *_: object) -> None:
        self._socket.send_multipart((self._identity, msgpack.packb({"type": "bye"})))
        self.spent = msgpack.unpackb(self._socket.recv_multipart()[1])
        self._socket.send_multipart((self._identity, b""))
        self._process.wait(30)
        self._socket.close(0)
        self._context.term()


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


def _command(process: psutil.Process) -> str:
    return " ".join(process.cmdline())


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _decisions(records: list[MatchRecord]) -> int:
    return sum(len(record.steps) for record in records)


def _parts(name: str, records: list[MatchRecord]) -> dict[str, float]:
    """Return the microseconds for each part of the referee's work, each measured alone over the same games."""
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
