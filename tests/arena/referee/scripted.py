"""A transport with a made-up clock, and bots by script: with it the referee's loop plays in milliseconds.

Nothing waits in earnest: `wait_until` moves the clock to the next thing that happens, and a script is called with every
message that a bot is sent. A referee that would wait for ever fails the test.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from arena.entrants import ProcessExit
from arena.game.bot_messages import public_id
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.ledger import GameRecord
from arena.referee.config import RefereeConfig
from arena.referee.peer import Peer
from arena.referee.referee import Referee
from arena.referee.time.timer import Exactness
from arena.referee.transport import Address, NewConnection, Ready, ReceivedMessage, Refusal

HELLO: Mapping[str, Any] = {"type": "hello", "protocol": [1, 0], "name": "scripted"}
TIME = TimeControl(start=10.0, move=1.0, bank=5.0, strikes=3)
EDITION = {"name": "standard"}
React = Callable[["ScriptedBot", dict[str, Any]], object]


SEVERAL = Refusal("malformed", "a message of several frames")


class Caller:
    """Somebody who connects to an endpoint, from a port."""

    def __init__(self, endpoint: str, port: int, is_gone: bool = False) -> None:
        self.endpoint = endpoint
        self.peer = Peer(None, (("127.0.0.1", port), ("127.0.0.1", 1)))
        self.is_gone = is_gone
        self.is_refused = False

    def has_hung_up(self) -> bool:
        return self.is_gone


class ScriptedTransport:
    """Things happen at given moments of its clock, which stands still but for `wait_until`."""

    def __init__(self) -> None:
        self.folder = Path("/nowhere")
        self.waited = 0.0
        self.bots: dict[str, ScriptedBot] = {}
        self.sent: list[tuple[float, str, dict[str, Any]]] = []
        """When, to which bot, what."""
        self._numbers = count()
        self._coming: list[tuple[float, int, Callable[[], object]]] = []
        self._arrived: deque[ReceivedMessage] = deque()
        self._calling: deque[Caller] = deque()
        self._has_report = False
        self._deserted: list[str] = []
        self._homes: dict[Address, ScriptedBot] = {}
        self._endpoints = count(1)
        self.open_endpoints: set[str] = set()
        self.is_closed = False

    def bot(self, name: str, react: React, **settings: Any) -> ScriptedBot:
        """Add a bot."""
        self.bots[name] = ScriptedBot(self, name, react, **settings)
        return self.bots[name]

    def at(self, moment: float, happen: Callable[[], object]) -> None:
        """Let something happen at that moment."""
        heapq.heappush(self._coming, (moment, next(self._numbers), happen))

    def arrive(self, message: ReceivedMessage) -> None:
        """A message is there to be received, unless its connection is closed."""
        if message.address.endpoint in self.open_endpoints:
            self._arrived.append(message)

    def connect(self, address: Address, bot: ScriptedBot) -> None:
        """What is sent there goes to that bot."""
        self._homes[address] = bot

    def call(self, caller: Caller) -> None:
        """Somebody connects."""
        self._calling.append(caller)

    def desert(self, endpoint: str) -> None:
        """The last connection at an endpoint closes."""
        self._deserted.append(endpoint)

    def report(self) -> None:
        """Some process has news."""
        self._has_report = True

    def messages(self, name: str, kind: str) -> list[dict[str, Any]]:
        """What a bot was sent of a kind."""
        return [message for _, to, message in self.sent if to == name and message["type"] == kind]

    # What the referee calls

    def now(self) -> float:
        return self.waited

    def listen(self, transport: str) -> str:
        endpoint = f"{transport}://{next(self._endpoints)}"
        self.open_endpoints.add(endpoint)
        return endpoint

    def close_endpoint(self, endpoint: str) -> None:
        self.open_endpoints.remove(endpoint)

    def attend(self, process: Any) -> None:
        pass

    def forget(self, process: Any) -> None:
        pass

    def wait_until(self, due: float, exactness: Exactness = Exactness.COARSE) -> Ready:
        if not (self._arrived or self._calling or self._has_report or self._deserted):
            until = min(due, self._coming[0][0] if self._coming else math.inf)
            assert until < math.inf, "the referee waits for ever"
            self.waited = max(self.waited, until)
        while self._coming and self._coming[0][0] <= self.waited:
            heapq.heappop(self._coming)[2]()
        ready = Ready(bool(self._arrived), self._has_report, bool(self._calling), bool(self._deserted))
        self._has_report = False
        return ready

    def receive(self) -> ReceivedMessage | None:
        return self._arrived.popleft() if self._arrived else None

    def send(self, address: Address, frame: bytes, is_question: bool = False) -> bool:
        bot = self._homes.get(address)
        if bot is None:
            return False
        message = msgspec.msgpack.decode(frame)
        self.sent.append((self.waited, bot.name, message))
        bot.take(message)
        return True

    def deserted(self) -> list[str]:
        deserted, self._deserted = self._deserted, []
        return deserted

    def accepted(self) -> Iterator[NewConnection]:
        while self._calling:
            yield self._calling.popleft()

    def admit(self, connection: NewConnection) -> int:
        return 1

    def refuse(self, connection: NewConnection) -> None:
        assert isinstance(connection, Caller)
        connection.is_refused = True

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
        patience: float | None = None,
    ) -> None:
        """`hello` None: it says nothing by itself. `by_hand`: none of our processes. `patience`: with its hello."""
        self.name = name
        self.channel = transport
        self.transport = "ipc"
        self.patience = patience
        self.left: list[float] = []
        """When it was noticed that it has gone."""
        self.process: ScriptedProcess | None = None
        self.starts: list[float] = []
        """When it was started."""
        self.processes: list[ScriptedProcess] = []
        """One a start."""
        self.address = Address("", b"")
        self._react = react
        self._hello, self._hello_after = hello, hello_after
        self._by_hand = by_hand

    def start(self, name: str, endpoint: str, token: str, folder: Path, cores: object) -> ScriptedProcess | None:
        self.address = Address(endpoint, token.encode())
        self.process = None if self._by_hand else ScriptedProcess(self)
        self.processes += [] if self.process is None else [self.process]
        self.starts.append(self.channel.waited)
        self.channel.connect(self.address, self)
        if self._hello is not None:
            self.say(self._hello, self._hello_after)
        return self.process

    def hello_seconds(self, usual: float) -> float:
        return usual if self.patience is None else self.patience

    def leave(self, name: str, endpoint: str, token: str) -> float:
        self.left.append(self.channel.waited)
        return self.hello_seconds(math.inf)

    def disconnect(self, after: float = 0.0) -> None:
        """Close all its connections."""
        self.channel.at(self.channel.waited + after, lambda: self.channel.desert(self.address.endpoint))

    def explain(self, ended: object, stderr: str, has_connected: bool) -> str:
        return ""

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
        what: Mapping[str, Any] | bytes | Refusal,
        after: float = 0.0,
        *,
        frames: int = 1,
        address: Address | None = None,
    ) -> None:
        """Send something `after` seconds, or have it refused."""
        is_refused = isinstance(what, Refusal)
        frame = what if isinstance(what, bytes) else None if is_refused else msgspec.msgpack.encode(what)
        message = ReceivedMessage(address or self.address, frame, frames, what if isinstance(what, Refusal) else None)
        self.channel.at(self.channel.waited + after, lambda: self.channel.arrive(message))

    def call(self, endpoint: str | None = None) -> Caller:
        """Make another connection, to its own endpoint unless one is given."""
        assert self.process is not None
        caller = Caller(endpoint or self.address.endpoint, self.process.ports[2])
        self.channel.call(caller)
        return caller

    def act(self, message: Mapping[str, Any], after: float = 0.0, **changes: Any) -> None:
        """Answer a decide."""
        answer = {"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": 1}
        self.say({**answer, **changes}, after)

    def reconnect(self, after: float = 0.0) -> None:
        """Say hello over a new connection."""
        endpoint, routing_id = self.address
        self.address = Address(endpoint, (routing_id or b"").split(b"/")[0] + b"/again")
        self.channel.connect(self.address, self)
        self.say(HELLO, after)

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

    def begin_game(self) -> None:
        pass

    def group(self) -> None:
        pass

    def end(self, grace: float = 0.0) -> None:
        self.signals.append((self._channel.waited, "end"))

    def processes(self) -> list[Any]:
        ours = SimpleNamespace(ip="127.0.0.1", port=1)
        made = [
            SimpleNamespace(laddr=SimpleNamespace(ip="::ffff:127.0.0.1", port=port), raddr=ours) for port in self.ports
        ]
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


def saying(what: Mapping[str, Any] | bytes | Refusal, frames: int = 1) -> React:
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


def spec(names: Iterable[str], number: int = 0, block: int | None = None) -> GameSpec:
    """Name a game of these bots; each number is a block of its own unless one is given."""
    names = list(names)
    return GameSpec(f"g{number}", number, len(names), number if block is None else block, 0, f"{number:032x}", names)


def known_as(number: int = 0) -> str:
    """The id under which bots know the game of that number."""
    made = spec([], number)
    return public_id(bytes.fromhex(made.seed), made.id)


def play(channel: ScriptedTransport, *specs: GameSpec, **options: Any) -> list[GameRecord]:
    """Play these games, or one of all bots."""
    with referee(channel, **options) as made:
        records = made.play(specs or [spec(channel.bots)])
    assert channel.is_closed
    return records


def faults(record: GameRecord) -> list[tuple[int | None, str]]:
    """The faults of a game, by seat and code."""
    return [(fault.seat, fault.code) for fault in record.faults]
