"""The process between authors' machines and the referees of a league: `python -m arena.gateway.gateway FOLDER ...`.

Outside it listens by libzmq, with CURVE: who has no key of the folder's is refused before anything is read. Inside,
forwarders connect to a socket in its folder (`arena.gateway.forwarder`). It passes packets between an author and the
forwarders of that author's bot, and opens none. It keeps nothing: killed at any moment, it is begun anew, both sides
connect again and say what was lost.

Everything is bounded: bytes of a message, messages that wait, greetings and handshakes of one key, the seconds that a
handshake may take. The newest connection of a key is the one that counts.
"""

from __future__ import annotations

import contextlib
import os
import resource
import secrets
import socket
import statistics
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
import zmq
from zmq.utils import z85

from arena.common.regular_files import write_atomic, write_private
from arena.entrants.launch import INSIDE, LATENCY, PASSWORD
from arena.gateway.forwarder import ENDED, PASSED, SOCKET, Opening
from arena.gateway.keys import allowed, key_hash, own_key, state_of_keys
from arena.gateway.numbered import MOST_FRAME, LocalStream

DOMAIN: Final = b"arena"
HANDSHAKE_MS: Final = 5000
_HEARTBEAT_MS: Final = 2000
_WAITING: Final = 64
"""Messages that wait in one direction of one connection."""
_TICK: Final = 1.0
"""Seconds between two measurements."""
_ROUND_TRIPS: Final = 15
"""Of so many the median is the latency."""
_HELLOS: Final = 500
"""Of one key in a second; more are dropped, as each is answered. What a start says is bounded by `MOST_UNSENT`."""
_HANDSHAKES: Final = 30
"""Of one key in a minute; more are refused."""
_DESCRIPTORS: Final = 1 << 16
_RESERVED: Final = 1 << 10
"""Descriptors that nobody outside can use up."""
_MEMORY: Final = 4 << 30
"""Bytes of address space, above which the process ends, and is begun anew."""
_IN_A_ROW: Final = 256
_SESSION: Final = 8
"""Bytes by which an `arena join` names itself."""
_CODE: Final = 3
"""Digits of an exit code, at most."""
_TEXT: Final = 200


class RateBudget:
    """So many in so many seconds, and as many at once."""

    def __init__(self, most: int, seconds: float) -> None:
        """Begin with all of them."""
        self._most, self._rate = float(most), most / seconds
        self._left, self._at = float(most), time.monotonic()

    def take(self) -> bool:
        """Return whether there is one more."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@contextlib.contextmanager
def _reserve() -> Iterator[None]:
    """Use reserved descriptors. libzmq may take some of them meanwhile, for as long as a handshake may take."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))


@dataclass
class _Author:
    """Somebody with a key, who is connected or was."""

    key: str = ""
    session: str = ""
    """Names the key, and the `arena join` that runs."""
    route: bytes | None = None
    """Of the newest connection."""
    seen: float = 0.0
    """When something last came over it."""
    budget: RateBudget = field(default_factory=lambda: RateBudget(_HELLOS, 1.0))
    news: RateBudget = field(default_factory=lambda: RateBudget(_HANDSHAKES, 60.0))
    asked: tuple[bytes, float] = (b"", 0.0)
    """What the last measurement said, and when."""
    round_trips: deque[float] = field(default_factory=lambda: deque(maxlen=_ROUND_TRIPS))


@dataclass(eq=False)
class _Forwarded:
    """A forwarder that is connected."""

    stream: LocalStream
    opening: Opening | None = None
    """None: it has not said what it is."""
    since: float = field(default_factory=time.monotonic)

    @property
    def name(self) -> str:
        return "" if self.opening is None else self.opening.name


class Gateway:
    """The sockets of a gateway, and who is connected to them."""

    def __init__(self, folder: Path, address: str, grace: float) -> None:
        """Listen. Raises `zmq.ZMQError`, `OSError` and `GatewayError`."""
        self._folder, self._grace = folder, grace
        self._keys, self._keys_state = allowed(folder), state_of_keys(folder)
        self._authors: dict[str, _Author] = {}
        self._handshakes: dict[str, RateBudget] = {}
        self._forwarded: dict[int, _Forwarded] = {}
        """By descriptor."""
        self._starts: dict[bytes, _Forwarded] = {}
        own = own_key(folder)
        if not (folder / PASSWORD).exists():
            write_private(folder / PASSWORD, secrets.token_hex(16).encode())
        self._password = (folder / PASSWORD).read_bytes()
        # Two threads of libzmq: what comes from outside, or is to be refused there, takes one of them at most.
        self._context = zmq.Context(2)
        self._judge = self._context.socket(zmq.REP)
        self._judge.bind("inproc://zeromq.zap.01")
        self._outside = self._context.socket(zmq.ROUTER)
        for option, value in (
            (zmq.AFFINITY, 1),
            (zmq.LINGER, 0),
            (zmq.CURVE_SERVER, 1),
            (zmq.ZAP_ENFORCE_DOMAIN, 1),
            (zmq.HANDSHAKE_IVL, HANDSHAKE_MS),
            (zmq.HEARTBEAT_IVL, _HEARTBEAT_MS),
            (zmq.HEARTBEAT_TIMEOUT, 3 * _HEARTBEAT_MS),
            (zmq.MAXMSGSIZE, MOST_FRAME),
            (zmq.RCVHWM, _WAITING),
            (zmq.SNDHWM, _WAITING),
            (zmq.BACKLOG, 1024),
            (zmq.ROUTER_MANDATORY, 1),
        ):
            self._outside.setsockopt(option, value)
        self._outside.setsockopt(zmq.CURVE_SECRETKEY, own.secret.encode())
        self._outside.setsockopt(zmq.ZAP_DOMAIN, DOMAIN)
        self._outside.bind(address)
        (folder / LATENCY).mkdir(exist_ok=True)
        inside = folder / INSIDE
        inside.mkdir(mode=0o700, exist_ok=True)
        os.chdir(inside)  # the name of a socket must be short
        Path(SOCKET).unlink(missing_ok=True)
        self._inside = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        self._inside.bind(SOCKET)
        os.umask(before)
        self._inside.listen(256)
        self._inside.setblocking(False)
        said = self._outside.getsockopt(zmq.LAST_ENDPOINT)
        write_atomic(folder / "address", said.rstrip(b"\0") if isinstance(said, bytes) else b"")

    def run(self) -> None:
        """Pass on packets until this process is ended."""
        tick = 0.0
        while True:
            now = time.monotonic()
            if now >= tick:
                tick = now + _TICK
                self._look(now)
            poller = zmq.Poller()
            for each in (self._judge, self._outside, self._inside):
                poller.register(each, zmq.POLLIN)
            for forwarded in self._forwarded.values():
                stream = forwarded.stream
                poller.register(stream.socket, zmq.POLLIN | (zmq.POLLOUT if stream.is_full else 0))
            ready = dict(poller.poll(max(0, int((tick - now) * 1000))))
            if self._judge in ready:
                self._admit()
            if self._outside in ready:
                self._hear()
            if self._inside.fileno() in ready:
                self._accept()
            for number in ready.keys() & self._forwarded.keys():
                self._forward(self._forwarded[number])

    # Outside

    def _admit(self) -> None:
        """Say to libzmq whether somebody with this key may connect: whose it is, is known from then on."""
        version, request, _, _, _, mechanism, *credentials = self._judge.recv_multipart()
        self._read_keys()
        key = z85.encode(credentials[0]).decode() if mechanism == b"CURVE" and credentials else ""
        code = b"400"
        if (name := self._keys.get(key)) is not None:
            code = b"200" if self._handshakes.setdefault(name, RateBudget(_HANDSHAKES, 60.0)).take() else b"300"
        user = key.encode() if code == b"200" else b""
        self._judge.send_multipart([version, request, code, b"", user, b""])

    def _read_keys(self) -> None:
        state = state_of_keys(self._folder)
        if state != self._keys_state:
            with _reserve():
                self._keys, self._keys_state = allowed(self._folder), state

    def _hear(self) -> None:
        """Take some of what authors have sent."""
        for _ in range(_IN_A_ROW):
            try:
                route, *frames = self._outside.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            key = str(frames[0].get("User-Id")) if frames else ""
            name = self._keys.get(key)
            if name is None or len(frames) != 3:
                continue  # of a key that was removed, or nothing that `arena join` sends
            author = self._authors.setdefault(name, _Author())
            kind, start, data = (frame.bytes for frame in frames)
            if kind == b"hello":
                if not author.budget.take():
                    continue
                if author.route != route.bytes:
                    self._send(author, b"replaced", b"", b"")
                    if author.news.take():
                        print(f"{name} has connected", flush=True)
                author.key, author.route, author.seen = key, route.bytes, time.monotonic()
                author.session = f"{key_hash(key)}-{data[:_SESSION].hex()}"
                author.round_trips.clear()
                self._measure(name, author)
            elif author.route == route.bytes:
                author.seen = time.monotonic()
                self._take(name, author, kind, start, data)

    def _take(self, name: str, author: _Author, kind: bytes, start: bytes, data: bytes) -> None:
        if kind == b"pong":
            said, at = author.asked
            if data == said and said:
                author.asked = (b"", 0.0)
                author.round_trips.append(time.monotonic() - at)
                latency = statistics.median(author.round_trips) * 1000
                with contextlib.suppress(OSError), _reserve():
                    write_atomic(self._folder / LATENCY / name, f"{latency:.3f} {author.session}".encode())
            return
        forwarded = self._starts.get(start)
        if forwarded is None or forwarded.name != name:
            return
        if kind == b"packet":
            forwarded.stream.send(PASSED + data)
        elif kind == b"left":
            code, _, why = data[:_TEXT].partition(b" ")
            self._end(forwarded, code if code.isdigit() and len(code) <= _CODE else b"1", why)

    def _send(self, author: _Author, kind: bytes, start: bytes, data: bytes) -> None:
        """Send something, if it can be sent: what is lost is said again later."""
        if author.route is not None:
            with contextlib.suppress(zmq.ZMQError):
                self._outside.send_multipart([author.route, kind, start, data], zmq.NOBLOCK)

    def _measure(self, name: str, author: _Author) -> None:
        """Say how long the grace is and which starts there are, with a question that is answered at once."""
        author.asked = (secrets.token_bytes(8), time.monotonic())
        mine = {start: each.opening for start, each in self._starts.items() if each.name == name}
        state = {start: opening.game for start, opening in mine.items() if opening is not None}
        self._send(author, b"state", author.asked[0], msgspec.msgpack.encode((self._grace, state)))

    # Inside

    def _accept(self) -> None:
        with contextlib.suppress(OSError), _reserve():
            connected, _ = self._inside.accept()
            self._forwarded[connected.fileno()] = _Forwarded(LocalStream(connected))

    def _forward(self, forwarded: _Forwarded) -> None:
        """Take what a forwarder has sent."""
        forwarded.stream.flush()
        for piece in forwarded.stream.pieces():
            if forwarded.opening is None:
                try:
                    opening = msgspec.msgpack.decode(piece, type=Opening)
                except (msgspec.MsgspecError, ValueError):
                    opening = Opening("", b"", "", "")
                if not secrets.compare_digest(opening.password.encode(), self._password):
                    forwarded.stream.is_open = False  # no forwarder of ours
                    break
                forwarded.opening = opening
                self._starts[opening.start] = forwarded
                if (author := self._authors.get(opening.name)) is not None:
                    self._measure(opening.name, author)
            elif (author := self._authors.get(forwarded.opening.name)) is not None:
                self._send(author, b"packet", forwarded.opening.start, piece)
        if not forwarded.stream.is_open:
            self._forget(forwarded)

    def _end(self, forwarded: _Forwarded, code: bytes, why: bytes) -> None:
        """Let a forwarder end as the bot has ended."""
        forwarded.stream.send(ENDED + code + b" " + why)
        self._forget(forwarded)

    def _forget(self, forwarded: _Forwarded) -> None:
        self._forwarded.pop(forwarded.stream.socket.fileno(), None)
        forwarded.stream.close()
        opening = forwarded.opening
        if opening is not None and self._starts.get(opening.start) is forwarded:
            del self._starts[opening.start]
            if (author := self._authors.get(opening.name)) is not None:
                self._send(author, b"close", opening.start, b"")

    # Time

    def _look(self, now: float) -> None:
        """Measure, and give up those that were away for too long."""
        self._read_keys()
        for name, author in list(self._authors.items()):
            if self._keys.get(author.key) != name:  # it was removed, or replaced
                del self._authors[name]
            elif author.route is not None and now - author.seen > self._grace:
                author.route = None
            elif author.route is not None:
                self._measure(name, author)
        for forwarded in list(self._forwarded.values()):
            name = forwarded.name
            seen = self._authors[name].seen if name in self._authors else 0.0
            if now - max(seen, forwarded.since) > self._grace:
                self._end(forwarded, b"1", f"nothing was heard of {name} for {self._grace:g} s".encode())


def main(folder: str, address: str, grace: str) -> None:
    """Run a gateway."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if most == resource.RLIM_INFINITY else min(most, _DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most - min(_RESERVED, most // 4), most))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    Gateway(Path(folder).absolute(), address, float(grace)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
