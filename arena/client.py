"""What a Python bot imports: `run` with a function, or with a class for bots that keep state.

The smallest bot::

    from arena.client import run

    def decide(game):
        return 0  # the index of one of game.actions

    run(decide)

A bot that keeps state derives from `Bot`; every game gets an instance of its own::

    class Patient(Bot):
        def start(self, start):
            self.seen = 0

        def decide(self, game):
            self.seen += len(game.events)
            return len(game.actions) - 1

    run(Patient, parallel=4)

`self.random` (for a function: `game.random`) is seeded by the referee for every game. A bot that uses no other source
of randomness plays the same game again. `protocol.md` explains all fields. Log with the standard `logging`: it goes to
stderr, which the arena keeps and shows (`ARENA_LOG=DEBUG` logs more).
"""

from __future__ import annotations

import errno
import gc
import logging
import math
import operator
import os
import random
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Protocol

try:  # faster, and installed wherever the whole arena is
    from msgspec import Raw, Struct
    from msgspec.msgpack import Decoder, Encoder

    class _Asked(Struct, gc=False):
        """A `decide`, whose longest parts stay packed until they are looked up. Of others only the type counts."""

        type: Any = None
        game_id: Any = None
        turn: Any = None
        view: Raw = Raw()
        actions: Any = None
        events: Raw = Raw()
        clock: Any = None

        def __getitem__(self, name: str) -> Any:
            value = getattr(self, name)
            return _decode(value) if isinstance(value, Raw) else value

    _decode: Callable[[bytes], Any] = Decoder().decode
    _decode_asked: Callable[[bytes], Any] = Decoder(_Asked).decode
    _encode: Callable[[Any], bytes] = Encoder().encode

except ImportError:
    import msgpack

    _decode = _decode_asked = msgpack.unpackb
    _encode = msgpack.packb

PROTOCOL = (1, 0)
"""Major and minor version that this client speaks."""

_NOTE_LIMIT = 500
_METRICS_LIMIT = 32
_NAME_LIMIT = 64
_LOOK_UP_SECONDS = 1
"""How often a waiting bot checks that the process that started it is still alive."""
_CHUNK = 65536
"""The most bytes that are read at once."""
_SELDOM = (10_000, 20, 100)
"""How many objects are made, and how many rounds go by, before garbage is collected."""
_LONG, _COMMAND = 2, 4
_GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
_READY = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER\x08Identity"

log = logging.getLogger("arena.client")


@dataclass(frozen=True)
class GameStart:
    """The start of a game. `clock` is None if there is no limit, else `{"move": ms, "bank": ms}`."""

    game_id: str
    game: str
    edition: Mapping[str, Any]
    seat: int
    players: int
    clock: Mapping[str, int] | None
    bot_seed: int


@dataclass(slots=True)  # a frozen one takes several times as long to make
class Decision:
    """A decision to make: choose one of `actions` by its index.

    `view` is all that the seat may know now, `events` is what happened since its last decision, and `turn` counts its
    decisions from 1. `note` and `metric` add to the record of the game, which nobody sees before the game is over.
    """

    game_id: str
    game: str
    edition: Mapping[str, Any]
    seat: int
    players: int
    turn: int
    view: Mapping[str, Any]
    actions: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]
    clock: Mapping[str, int] | None
    random: random.Random
    record: dict[str, Any] = field(default_factory=dict)

    def note(self, text: str) -> None:
        """Add a remark to the record of the game. It is cut off after 500 characters."""
        self.record["note"] = text[:_NOTE_LIMIT].encode("utf-8", "replace").decode()

    def metric(self, name: str, value: float) -> None:
        """Add a named number to the record of the game, at most 32 per decision.

        Raises `ValueError` if it is not finite.
        """
        if not math.isfinite(value):
            raise ValueError(f"metric {name!r} must be a finite number, not {value!r}")
        metrics = self.record.setdefault("metrics", {})
        if len(metrics) < _METRICS_LIMIT or name in metrics:
            metrics[name[:_NAME_LIMIT]] = float(value)


class Bot:
    """A bot that keeps state, with one instance per game. Override `decide`, and the others as needed."""

    random: random.Random
    """This game's randomness, seeded by the referee."""

    def start(self, start: GameStart) -> None:
        """Prepare for the game that begins."""

    def decide(self, game: Decision) -> int:
        """Return the index of the action to play."""
        raise TypeError(f"{type(self).__name__} has no decide(self, game)")

    def fault(self, fault: Mapping[str, Any]) -> None:
        """React to a fault of this bot: a mapping with `code`, `text`, `turn` and `strikes_left`."""

    def end(self, ranks: Sequence[int], scores: Sequence[Mapping[str, float]]) -> None:
        """React to the end of the game. `ranks` (1 is best) and `scores` are by seat."""


class Transport(Protocol):
    """A connection to the referee. Tests use a scripted one."""

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message."""

    def receive(self) -> Mapping[str, Any] | None:
        """Return the next message. Return None if there will be no more."""


def run(
    player: Callable[[Decision], int] | type[Bot],
    *,
    name: str | None = None,
    version: str = "",
    games: Sequence[str] = (),
    parallel: int = 1,
    deterministic: bool = True,
) -> None:
    """Play until the referee sends `bye`.

    An exception in `player` ends the bot with its traceback on stderr. The referee counts a crash, and shows the
    traceback. Garbage is collected less often from here on than by default; `gc.set_threshold` can change that again.

    Args:
        player: A function from a `Decision` to an index, or a class derived from `Bot`.
        name: By default the name of the file.
        version: The bot's own version.
        games: The games that the bot plays. Empty means any.
        parallel: How many games it may be asked to play at once.
        deterministic: Set it to False if the bot uses time, or randomness other than the one it is given.
    """
    if isinstance(player, Bot):
        raise TypeError(f"run takes the class {type(player).__name__} itself, as there is one object a game")
    level = logging.getLevelNamesMapping().get(os.environ.get("ARENA_LOG", "").upper(), logging.INFO)
    logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")
    hello = {
        "type": "hello",
        "protocol": list(PROTOCOL),
        "name": (name or Path(sys.argv[0]).stem or "bot")[:_NAME_LIMIT],
        "version": version,
        "language": "Python",
        "games": list(games),
        "parallel": parallel,
        "deterministic": deterministic,
    }
    endpoint, token = _address()
    try:
        connection = _Connection(endpoint, token)
    except OSError as error:
        sys.exit(f"no referee answers at {endpoint}: {error.strerror or error}")
    # What is loaded by now stays. Messages are no cycles, so looking for some after every few of them finds nothing.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        play(player, hello, connection)
    finally:
        connection.close()


def play(player: Callable[[Decision], int] | type[Bot], hello: Mapping[str, Any], transport: Transport) -> None:
    """Run the loop behind `run` over any transport."""
    games: dict[str, _Game] = {}
    transport.send(hello)
    while (message := transport.receive()) is not None:
        kind = message["type"]
        if kind == "decide":
            transport.send(games[message["game_id"]].answer(message))
        elif kind == "start":
            games[message["game_id"]] = _Game(player, message)
        elif kind == "fault":
            log.warning("%s: %s (strikes left: %s)", message["code"], message["text"], message["strikes_left"])
            if message["game_id"] in games:
                games[message["game_id"]].bot.fault(message)
        elif kind == "end":
            game = games.pop(message["game_id"], None)
            if game is not None:
                game.bot.end(message["ranks"], message["scores"])
        elif kind == "bye":
            return
        # A message of a later minor version: ignored, as the protocol asks.


class _ReceivedDecision(Decision):
    """A decision whose `view` and `events` are unpacked when the bot first reads them: not every bot reads both."""

    __slots__ = ("_message",)
    __qualname__ = "Decision"  # so it is printed

    def __init__(self, start: GameStart, message: Mapping[str, Any], random: random.Random) -> None:
        self._message = message
        self.game_id = start.game_id
        self.game = start.game
        self.edition = start.edition
        self.seat = start.seat
        self.players = start.players
        self.turn = message["turn"]
        self.actions = message["actions"]
        self.clock = message["clock"]
        self.random = random
        self.record = {}

    def __getattr__(self, name: str) -> Any:
        """Return what is read for the first time; from then on it is an attribute as any other."""
        if name not in ("view", "events"):
            raise AttributeError(f"a Decision has no {name!r}", name=name, obj=self)
        value = self._message[name]
        setattr(self, name, value)
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a copy, in another process too, be a plain `Decision`."""
        return Decision, tuple(getattr(self, name) for name in Decision.__dataclass_fields__)


class _Game:
    """One game that this bot plays."""

    def __init__(self, player: Callable[[Decision], int] | type[Bot], message: Mapping[str, Any]) -> None:
        self._start = GameStart(**{key: message[key] for key in _START})
        self.bot = player() if isinstance(player, type) else Bot()
        if not isinstance(player, type):
            self.bot.decide = player  # type: ignore[method-assign]
        self.bot.random = random.Random(self._start.bot_seed)
        self.bot.start(self._start)

    def answer(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        decision = _ReceivedDecision(self._start, message, self.bot.random)
        chosen = self.bot.decide(decision)
        index = chosen if type(chosen) is int else _index(chosen)
        return {"type": "act", "game_id": decision.game_id, "turn": decision.turn, "index": index, **decision.record}


def _index(chosen: Any) -> int:
    """Return an index, including one of NumPy, as a plain int. Raises `TypeError` if it is no index."""
    try:
        return int(operator.index(chosen))
    except TypeError:
        raise TypeError(f"decide must return the index of an action, not {chosen!r}") from None


_START = tuple(GameStart.__dataclass_fields__)


class Socket:
    """The connection to the referee. It speaks ZMTP 3.0 by itself, as in section 13 of `protocol.md`.

    A ZeroMQ library has a thread of its own for that. Waking it up and being woken by it for every decision takes more
    computing time than all the rest of this file, and loading it more than all the rest of a bot.
    """

    def __init__(self, endpoint: str, token: str) -> None:
        """Connect to `endpoint` as the bot that `token` names. Raises `OSError`."""
        self._parent = os.getppid()
        self._received = b""
        self._socket = _connected(endpoint)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", _LOOK_UP_SECONDS, 0))
        try:
            self._introduce(token.encode())
        except OSError:
            self.close()
            raise

    def _introduce(self, identity: bytes) -> None:
        introduction = _READY + len(identity).to_bytes(4, "big") + identity
        self._socket.sendall(_GREETING + _framed(introduction, _COMMAND))
        # Libraries take no message before both sides have said READY, which is the first command.
        while len(self._received) < len(_GREETING) or not self._next_frame(len(_GREETING)):
            if not self._read():
                raise ConnectionResetError(errno.ECONNRESET, "the connection was closed")

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message. If the referee is gone it is lost, as nobody waits for it."""
        try:  # noqa: SIM105 - `suppress` would take a tenth of a fast bot's time
            self._socket.sendall(_framed(_encode(message)))
        except ConnectionError:
            pass

    def receive(self) -> Mapping[str, Any] | None:
        """Return the next message. Return None if the referee, or the process that started this bot, is gone."""
        while True:
            frame = self._next_frame()
            if frame is None:
                if not self._read():
                    return None
            elif not frame[0] & _COMMAND:
                return self.unpack(frame[1])

    def unpack(self, body: bytes) -> Mapping[str, Any]:
        """Return the message in a frame."""
        message: Mapping[str, Any] = _decode(body)
        return message

    def _next_frame(self, begin: int = 0) -> tuple[int, bytes] | None:
        """Take a frame off what was received, and return its flags and its body. Return None if more has to come.

        `begin`: where it begins.
        """
        received = self._received
        if len(received) < begin + 2:
            return None
        flags = received[begin]
        body = begin + (9 if flags & _LONG else 2)
        end = body + int.from_bytes(received[begin + 1 : body], "big")
        if len(received) < end:
            return None
        self._received = received[end:]
        return flags, received[body:end]

    def _read(self) -> bool:
        """Wait for more, and return False if nothing will come."""
        data = None
        while data is None:
            try:
                data = self._socket.recv(_CHUNK)
            except BlockingIOError:  # nothing has come for a while
                if os.getppid() != self._parent:
                    log.info("the process that started this bot is gone")
                    return False
            except ConnectionError:
                data = b""
        if not data:
            log.info("the referee has closed the connection")
        self._received += data
        return bool(data)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


class _Connection(Socket):
    """The connection of `run`, which looks up what it needs of a message and passes on no message as it came."""

    def unpack(self, body: bytes) -> Mapping[str, Any]:
        message: Mapping[str, Any] = _decode_asked(body)
        return message if message["type"] == "decide" else super().unpack(body)


def _connected(endpoint: str) -> socket.socket:
    """Connect to an address as ZeroMQ writes it. Raises `OSError`."""
    kind, _, where = endpoint.partition("://")
    if kind != "ipc":
        address, _, port = where.rpartition(":")
        made = socket.create_connection((address, int(port)))
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made
    made = socket.socket(socket.AF_UNIX)
    try:
        made.connect(where)
    except OSError:
        made.close()
        raise
    return made


def _framed(body: bytes, flags: int = 0) -> bytes:
    size = len(body)
    return (bytes((flags, size)) if size < 256 else bytes((flags | _LONG,)) + size.to_bytes(8, "big")) + body


def _address() -> tuple[str, str]:
    try:
        return os.environ["ARENA_ENDPOINT"], os.environ["ARENA_TOKEN"]
    except KeyError:
        _explain()


def _explain() -> NoReturn:
    file = Path(sys.argv[0]).name
    sys.exit(
        f"{file} is a bot: the arena starts it. Watch it play:  arena match {file} {file}\n"
        f"To start it by hand, say in a debugger:  arena match wait:me {file}\n"
        "and set ARENA_ENDPOINT and ARENA_TOKEN as it says."
    )
