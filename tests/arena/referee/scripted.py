"""A transport with a made-up clock, and bots by script: with it the referee's loop plays in milliseconds.

Nothing waits in earnest: `wait_until` moves the clock to the next thing that happens, and a script is called with every
message that a bot is sent. A referee that would wait for ever fails the test.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from arena.entrants import ProcessExit
from arena.ledger import MatchRecord
from arena.match.clock import TimeControl
from arena.match.spec import MatchSpec
from arena.referee.config import RefereeConfig
from arena.referee.peer import Peer
from arena.referee.referee import Referee
from arena.referee.transport import Ready, ReceivedMessage

HELLO: Mapping[str, Any] = {"type": "hello", "protocol": [1, 0], "name": "scripted"}
TIME = TimeControl(start=10.0, move=1.0, bank=5.0, strikes=3)
EDITION = {"name": "standard"}
React = Callable[["ScriptedBot", dict[str, Any]], object]


class Origin:
    """A connection from a port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.is_shut = False

    def peer(self) -> Peer:
        return Peer(None, self.port)

    def shut_down(self) -> None:
        self.is_shut = True


class ScriptedTransport:
    """Things happen at given moments of its clock, which stands still but for `wait_until`."""

    def __init__(self, unknown: float = math.inf) -> None:
        """`unknown`: how many messages of unknown senders are charged to nobody between two decisions."""
        self.tcp = False
        self.folder = Path("/nowhere")
        self.waited = 0.0
        self.bots: dict[str, ScriptedBot] = {}
        self.sent: list[tuple[float, str, dict[str, Any]]] = []
        """When, to which bot, what."""
        self._numbers = count()
        self._coming: list[tuple[float, int, Callable[[], object]]] = []
        self._arrived: deque[tuple[bytes, bytes | None, int, Origin]] = deque()
        self._accepted: deque[Peer] = deque()
        self._has_report = False
        self._homes: dict[bytes, ScriptedBot] = {}
        self._unknown = self._unknown_left = unknown
        self.is_closed = False

    def bot(self, name: str, react: React, **settings: Any) -> ScriptedBot:
        """Add a bot."""
        self.bots[name] = ScriptedBot(self, name, react, **settings)
        return self.bots[name]

    def at(self, moment: float, happen: Callable[[], object]) -> None:
        """Let something happen at that moment."""
        heapq.heappush(self._coming, (moment, next(self._numbers), happen))

    def arrive(self, address: bytes, frame: bytes | None, frames: int, origin: Origin) -> None:
        """A message is there to be received."""
        self._arrived.append((address, frame, frames, origin))

    def connect(self, address: bytes, bot: ScriptedBot) -> None:
        """What is sent there goes to that bot."""
        self._homes[address] = bot

    def accept(self, port: int) -> None:
        """A connection is made from there."""
        self._accepted.append(Peer(None, port))

    def report(self) -> None:
        """Some process has news."""
        self._has_report = True

    def messages(self, name: str, kind: str) -> list[dict[str, Any]]:
        """What a bot was sent of a kind."""
        return [message for _, to, message in self.sent if to == name and message["type"] == kind]

    # What the referee calls

    def endpoint(self, transport: str) -> str:
        return f"{transport}://scripted"

    def attend(self, process: Any) -> None:
        pass

    def forget(self, process: Any) -> None:
        pass

    def wait_until(self, due: float) -> Ready:
        if not (self._arrived or self._accepted or self._has_report):
            until = min(due, self._coming[0][0] if self._coming else math.inf)
            assert until < math.inf, "the referee waits for ever"
            self.waited = max(self.waited, until)
        while self._coming and self._coming[0][0] <= self.waited:
            heapq.heappop(self._coming)[2]()
        ready = Ready(bool(self._arrived), self._has_report, bool(self._accepted))
        self._has_report = False
        return ready

    def receive(self, known: Container[bytes]) -> ReceivedMessage | None:
        if not self._arrived:
            return None
        address, frame, frames, origin = self._arrived.popleft()
        return ReceivedMessage(address, frame, frames, None if address in known else origin, self.waited)

    def send(self, address: bytes, frame: bytes) -> bool:
        bot = self._homes.get(address)
        if bot is None:
            return False
        message = msgspec.msgpack.decode(frame)
        self.sent.append((self.waited, bot.name, message))
        bot.take(message)
        return True

    def accepted(self) -> Iterator[Peer]:
        while self._accepted:
            yield self._accepted.popleft()

    def pass_over(self, received: ReceivedMessage) -> bool:
        self._unknown_left -= 1
        return self._unknown_left >= 0

    def forget_unknown_senders(self) -> None:
        self._unknown_left = self._unknown

    def close(self) -> None:
        self.is_closed = True


class ScriptedBot:
    """A bot's source and its program: `react` is called with every message that it is sent."""

    def __init__(
        self,
        transport: ScriptedTransport,
        name: str,
        react: React,
        *,
        hello: Mapping[str, Any] | None = HELLO,
        hello_after: float = 0.0,
        by_hand: bool = False,
        has_start_limit: bool = True,
    ) -> None:
        """`hello` None: it says nothing by itself. `by_hand`: none of our processes."""
        self.name = name
        self.channel = transport
        self.transport = "ipc"
        self.has_start_limit = has_start_limit
        self.process: ScriptedProcess | None = None
        self.starts: list[float] = []
        """When it was started."""
        self.processes: list[ScriptedProcess] = []
        """One a start."""
        self.address = b""
        self.origin = Origin(0)
        self._react = react
        self._hello, self._hello_after = hello, hello_after
        self._by_hand = by_hand

    def start(self, name: str, endpoint: str, token: str, folder: Path, cores: object) -> ScriptedProcess | None:
        self.address = token.encode()
        self.process = None if self._by_hand else ScriptedProcess(self)
        self.origin = Origin(1000 if self.process is None else self.process.ports[0])
        self.processes += [] if self.process is None else [self.process]
        self.starts.append(self.channel.waited)
        self.channel.connect(self.address, self)
        if self._hello is not None:
            self.say(self._hello, self._hello_after)
        return self.process

    def ends(self) -> list[str]:
        """The ends of its processes so far."""
        return [kind for process in self.processes for _, kind in process.signals if kind == "end"]

    def take(self, message: dict[str, Any]) -> None:
        """It is sent something."""
        if self.process is not None and message["type"] == "bye":
            self.process.exit = ProcessExit(0, None, "exit code 0")
        self._react(self, message)

    def say(
        self,
        what: Mapping[str, Any] | bytes | None,
        after: float = 0.0,
        *,
        frames: int = 1,
        address: bytes | None = None,
        origin: Origin | None = None,
    ) -> None:
        """Send something `after` seconds; None: a message of several frames."""
        frame = what if what is None or isinstance(what, bytes) else msgspec.msgpack.encode(what)
        where = self.address if address is None else address
        by = origin or self.origin
        self.channel.at(self.channel.waited + after, lambda: self.channel.arrive(where, frame, frames, by))

    def act(self, message: Mapping[str, Any], after: float = 0.0, **changes: Any) -> None:
        """Answer a decide."""
        answer = {"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": 1}
        self.say({**answer, **changes}, after)

    def reconnect(self, after: float = 0.0) -> None:
        """Say hello over a new connection."""
        self.address = self.address.split(b"/")[0] + b"/again"
        self.channel.connect(self.address, self)
        assert self.process is not None
        self.say(HELLO, after, origin=Origin(self.process.ports[1]))

    def crash(self, after: float = 0.0, shortage: int = 0) -> None:
        """Let the process end."""
        process = self.process
        assert process is not None

        def end() -> None:
            process.exit = ProcessExit(1, None, "exit code 1", shortage)
            self.channel.report()

        self.channel.at(self.channel.waited + after, end)


class ScriptedProcess:
    """A process that is nowhere; it has three ports."""

    numbers = count(1)

    def __init__(self, bot: ScriptedBot) -> None:
        number = next(self.numbers)
        self.ports = [10 * number, 10 * number + 1, 10 * number + 2]
        self.report_fd = -1
        self.supervisor_pid = 2**30 + number
        self.is_output_cut = False
        self.exit: ProcessExit | None = None
        self.signals: list[tuple[float, str]] = []
        """When it was stopped, resumed and ended."""
        self._channel = bot.channel

    def poll(self) -> ProcessExit | None:
        return self.exit

    def wait(self, seconds: float) -> ProcessExit | None:
        return self.exit

    def stop(self) -> None:
        self.signals.append((self._channel.waited, "stop"))

    def resume(self) -> None:
        self.signals.append((self._channel.waited, "resume"))

    def end(self, grace: float = 0.0) -> None:
        self.signals.append((self._channel.waited, "end"))

    def processes(self) -> list[Any]:
        made = [SimpleNamespace(laddr=SimpleNamespace(port=port)) for port in self.ports]
        return [SimpleNamespace(pid=self.supervisor_pid, net_connections=lambda _: made)]

    def stderr_tail(self, lines: int = 10) -> str:
        return "last words"

    def stdout_tail(self, lines: int = 10) -> str:
        return ""


def player(bot: ScriptedBot, message: dict[str, Any]) -> None:
    """Answer every decide at once."""
    if message["type"] == "decide":
        bot.act(message)


def thinker(seconds: float, **changes: Any) -> React:
    """Answer every decide after so many seconds."""

    def react(bot: ScriptedBot, message: dict[str, Any]) -> None:
        if message["type"] == "decide":
            bot.act(message, seconds, **changes)

    return react


def silent(bot: ScriptedBot, message: dict[str, Any]) -> None:
    """Answer nothing."""


def saying(what: Mapping[str, Any] | bytes | None, frames: int = 1) -> React:
    """Send something else when asked."""

    def react(bot: ScriptedBot, message: dict[str, Any]) -> None:
        if message["type"] == "decide":
            bot.say(what, frames=frames)

    return react


def referee(
    channel: ScriptedTransport, time: TimeControl = TIME, unlimited: Iterable[str] = (), kept: int = 32
) -> Referee:
    """Make a referee of these bots."""
    config = RefereeConfig("race", EDITION, time, {}, unlimited=frozenset(unlimited), kept=kept)
    return Referee(config, pin=False, transport=channel, sources=channel.bots)


def spec(names: Iterable[str], number: int = 0, block: int | None = None) -> MatchSpec:
    """Name a game of these bots; each number is a block of its own unless one is given."""
    names = list(names)
    return MatchSpec(f"g{number}", number, len(names), number if block is None else block, 0, f"{number:032x}", names)


def play(channel: ScriptedTransport, *specs: MatchSpec, **options: Any) -> list[MatchRecord]:
    """Play these games, or one of all bots."""
    with referee(channel, **options) as made:
        records = made.play(specs or [spec(channel.bots)])
    assert channel.is_closed
    return records


def faults(record: MatchRecord) -> list[tuple[int | None, str]]:
    """The faults of a game, by seat and code."""
    return [(fault.seat, fault.code) for fault in record.faults]
