"""Compare the cost of a refereed decision with that of the bare round trip that it contains.

Both run on one core with two Python processes that pack and unpack msgpack: once the whole referee with trivial bots,
and once a ROUTER and a DEALER that exchange the messages of a game, as long as they are, and the answers. The CPU time
of all processes together is measured. The two alternate many times a second, so that both suffer equally from what
slows the machine. In further games the parts of the referee's work are timed where they are done.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from unittest import mock

import msgpack
import msgspec
import psutil
import zmq

import arena.referee.games
import arena.referee.session
from arena.entrants import build, expand
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.ledger import GameRecord
from arena.protocol.codec import encode
from arena.protocol.messages import Act, Decide
from arena.referee.config import RefereeConfig
from arena.referee.connection import BotConnection
from arena.referee.referee import Referee
from arena.referee.time.timer import Timer
from arena.tournament.workers import collect_seldom
from engine import catalog
from engine.chance import Seeded
from engine.rules import Rules

HERE = Path(__file__).parent
PLAYERS = 4
TURNS = 20
"""How often a run alternates between some games and a ping-pong of about the same length."""
GAMES = 2
ROUND_TRIPS = 1000
WARM_UP = 3
REPEATS = 5
TIME = TimeControl(start=30.0, move=5.0, bank=60.0)


def referee_figures(name: str) -> dict[str, object]:
    """Return microseconds of CPU for a decision and a round trip, their ratio, and where those of a decision go."""
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
    sizes = [len(encode(message)) for message in _messages(name)]
    return {
        "decision_us": round(whole, 1),
        "round_trip_us": round(bare, 1),
        "ratio": round(statistics.median(run[1] / run[0] for run in runs), 2),
        "message_bytes": {"mean": round(statistics.fmean(sizes)), "most": max(sizes)},
        "parts_us": {part: round(cost, 1) for part, cost in parts.items()},
    }


def _in_turn(name: str, folder: Path) -> list[tuple[float, float, dict[str, float]]]:
    """Run both in turn, a few games and an equally long ping-pong at a time, so that disturbances affect both alike."""
    found = expand([HERE / "trivial_bot.py"] * PLAYERS).found
    rules = catalog.rules(name)
    edition = rules.edition(rules.editions()[0])
    config = RefereeConfig(name, edition, TIME, {entrant.name: build(entrant, folder / "cache") for entrant in found})
    names = list(config.bots)
    messages = [msgspec.to_builtins(message) for message in _messages(name)]
    runs = []
    with Referee(config, pin=True) as referee:
        collect_seldom()  # as in every worker
        referee.play([_order(number, names) for number in range(WARM_UP)])
        bots = [each for each in psutil.Process().children(recursive=True) if "trivial_bot.py" in _command(each)]
        for run in range(REPEATS):
            own_bare = own_whole = 0.0
            records: list[GameRecord] = []
            before = sum(map(_cpu, bots))
            with _Echo(folder) as echo:
                for turn in range(TURNS):
                    own_bare += echo.exchange(messages)
                    specs = [_order(WARM_UP + (run * TURNS + turn) * GAMES + each, names) for each in range(GAMES)]
                    began = time.process_time()
                    records += referee.play(specs)
                    own_whole += time.process_time() - began
            whole = own_whole + sum(map(_cpu, bots)) - before
            bare = own_bare + echo.spent
            specs = [_order(100_000 + run * GAMES * TURNS + each, names) for each in range(GAMES * TURNS)]
            parts = _parts(referee, rules, specs, bots)
            runs.append((bare / (TURNS * ROUND_TRIPS) * 1e6, whole / _decisions(records) * 1e6, parts))
    return runs


def _order(number: int, names: list[str]) -> GameSpec:
    return GameSpec(f"g{number}", number, PLAYERS, number, 0, f"{number:032x}", names)


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

    def exchange(self, messages: list[dict[str, Any]]) -> float:
        """Send messages and take the answers, `ROUND_TRIPS` in all, and return this process's seconds of CPU."""
        socket, identity = self._socket, self._identity
        began = time.process_time()
        for message in islice(cycle(messages), ROUND_TRIPS):
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


def _messages(name: str) -> list[Decide]:
    """Return all decisions of a game that bots are asked for."""
    rules = catalog.rules(name)
    names = [f"b{seat}" for seat in range(PLAYERS)]
    game = Game(rules, rules.edition(rules.editions()[0]), _order(0, names), TIME)
    messages = []
    while game.awaited is not None:
        messages.append(game.decide())
        game.answer(game.awaited, Act(game.game_id, messages[-1].turn, len(messages[-1].actions) - 1), 0.0)
    return messages


def _command(process: psutil.Process) -> str:
    return " ".join(process.cmdline())


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _decisions(records: list[GameRecord]) -> int:
    return sum(len(record.steps) for record in records)


def _parts(referee: Referee, rules: Rules, specs: list[GameSpec], bots: list[psutil.Process]) -> dict[str, float]:
    """Play games, and return the microseconds of CPU a decision of each part of the referee's work, and of the bots."""
    clock = _PartClock()
    state = type(rules.start(PLAYERS, rules.edition(rules.editions()[0]), Seeded(bytes(16))))
    with ExitStack() as stack:
        for owner, attribute, part in (
            (state, "play", "engine"),
            (state, "view", "view"),
            (arena.referee.games, "encode", "codec"),
            (arena.referee.session, "decode", "codec"),
            (Timer, "wait", "waiting for answers"),
            (Timer, "select", "other waiting, pauses too"),
            (BotConnection, "read", "receiving"),
            (BotConnection, "send", "sending"),
        ):
            original = getattr(owner, attribute)
            stack.enter_context(mock.patch.object(owner, attribute, clock.timed(original, part)))
        before, began = sum(map(_cpu, bots)), time.thread_time()
        records = referee.play(specs)
        whole = time.thread_time() - began - sum(clock.calls.values()) * clock.overhead
        spent = sum(map(_cpu, bots)) - before
    found = {part: clock.seconds[part] - clock.calls[part] * clock.inner for part in clock.seconds}
    found["control, game and all else"] = whole - sum(found.values())
    return {part: seconds / _decisions(records) * 1e6 for part, seconds in {**found, "bots": spent}.items()}


class _PartClock:
    """Adds up the seconds of CPU in calls, without those of the measuring itself."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.calls: dict[str, int] = defaultdict(int)
        self.overhead = self.inner = 0.0
        empty = self.timed(lambda: None, "empty")
        number = 20_000
        began = time.thread_time()
        for _ in range(number):
            empty()
        self.overhead = (time.thread_time() - began) / number
        """Seconds that a call takes longer if it is timed."""
        self.inner = self.seconds.pop("empty") / number
        """Those of them that count as the call's."""
        del self.calls["empty"]

    def timed(self, call: Callable[..., Any], part: str) -> Callable[..., Any]:
        """Return the same function, timed."""

        @wraps(call)
        def measured(*args: Any, **named: Any) -> Any:
            began = time.thread_time()
            try:
                return call(*args, **named)
            finally:
                self.seconds[part] += time.thread_time() - began
                self.calls[part] += 1

        return measured
