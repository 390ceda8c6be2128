"""The author's side: connects to a gateway, and runs the author's program whenever a game there needs it.

The program finds an ordinary `ARENA_ENDPOINT` and `ARENA_TOKEN`. What it sends goes through a socket on this machine to
the gateway, and is judged by the referee as any bot's.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import zmq
from zmq.utils.monitor import recv_monitor_message

from arena.gateway import GatewayError
from arena.gateway.keys import KeyFile
from arena.gateway.numbered import MOST_FRAME, NumberedFrames

_TICK_MS: Final = 100
_LOST: Final = 6.0
"""Seconds without a word from the gateway after which the connection counts as lost."""
_FORGOTTEN: Final = 30.0
"""Seconds beyond the league's grace after which a program ends that the gateway knows nothing of."""
_MOST_PACKED: Final = MOST_FRAME - 64
"""Bytes of a packet for the gateway, to which CURVE adds some. One message of several parts can have more."""
_MOST_LEFT: Final = 256
"""Starts of which it is known that the program has ended."""
_GRACE: Final = 2.0
"""Seconds for a program to end by itself."""
_HEARTBEAT_MS: Final = 2000
_AUTH: Final = zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
_BROKEN: Final = zmq.EVENT_DISCONNECTED | zmq.EVENT_CONNECT_RETRIED | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL


class Program:
    """One process of the author's program, for one start of the bot."""

    def __init__(self, process: subprocess.Popen[bytes], number: int) -> None:
        """Wait for it to connect."""
        self.process, self.number = process, number
        self.frames = NumberedFrames(random.getrandbits(32) | 1)
        self.route: bytes | None = None
        """Its newest routing id."""
        self.known = time.monotonic()
        """When the gateway last knew of it."""
        self.is_asked = False
        """Whether what is missing was asked for over this connection."""

        self._until = 0.0

    def end(self) -> None:
        """Tell the program, and all that it has started, to end. It has some time for that."""
        self._signal(signal.SIGTERM)
        self._until = time.monotonic() + _GRACE

    def has_ended(self, wait: bool = False) -> bool:
        """Return whether it has done so. When the time is over, it is killed. `wait`: until then."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, self._until - time.monotonic()) if wait else 0)
        if self.process.returncode is None and time.monotonic() < self._until:
            return False
        self._signal(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_GRACE if wait else 0)
        return self.process.returncode is not None

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)


class Joined:
    """What runs between `arena join` and Ctrl-C."""

    def __init__(
        self, address: str, key: KeyFile, command: Sequence[str], say: Callable[[str], object], is_tcp: bool = False
    ) -> None:
        """Prepare to connect. Raises `GatewayError`. `is_tcp`: whether the program cannot connect over ipc."""
        if key.gateway is None:
            raise GatewayError("this is the key of a gateway: `arena key NAME` makes those of bots")
        self._address, self._key, self._command, self._say = address, key, list(command), say
        self._context = zmq.Context()
        self._folder = tempfile.TemporaryDirectory(prefix="arena-join-")
        self._local = self._context.socket(zmq.ROUTER)
        for option in {zmq.LINGER: 0, zmq.ROUTER_HANDOVER: 1, zmq.MAXMSGSIZE: 1 << 20}.items():
            self._local.setsockopt(*option)
        self._local.bind("tcp://127.0.0.1:*" if is_tcp else f"ipc://{self._folder.name}/bot")
        said = self._local.getsockopt(zmq.LAST_ENDPOINT)
        self._endpoint = said.rstrip(b"\0").decode() if isinstance(said, bytes) else ""
        self._programs: dict[bytes, Program] = {}
        self._ending: list[Program] = []
        self._left: dict[bytes, bytes] = {}
        """What was said of the last programs that have ended, by start."""
        self._tokens: dict[bytes, bytes] = {}
        self._started = 0
        self._session = secrets.token_bytes(8)
        self._heard: float | None = None
        """When the gateway last spoke over this connection. None: it has not."""
        self._grace = 0.0
        """Seconds, as the gateway said."""
        self._why = ""
        """What was last said about it."""
        self._outside = self._context.socket(zmq.DEALER)
        options: dict[int, int | bytes] = {
            zmq.LINGER: 500,
            zmq.IMMEDIATE: 1,  # nothing waits for a connection: what is lost is said again
            zmq.RECONNECT_IVL: 200,
            zmq.RECONNECT_IVL_MAX: 5000,
            zmq.HEARTBEAT_IVL: _HEARTBEAT_MS,
            zmq.HEARTBEAT_TIMEOUT: 2 * _HEARTBEAT_MS,
            zmq.MAXMSGSIZE: 2 * MOST_FRAME,
            zmq.CURVE_SERVERKEY: key.gateway.encode(),
            zmq.CURVE_PUBLICKEY: key.public.encode(),
            zmq.CURVE_SECRETKEY: key.secret.encode(),
        }
        for each in options.items():
            self._outside.setsockopt(*each)
        self._monitor = self._outside.get_monitor_socket(_BROKEN | _AUTH)
        try:
            self._outside.connect(address)
        except zmq.ZMQError as error:
            raise GatewayError(f"{address} is no address such as tcp://league.example.org:8790: {error}") from None

    def run(self) -> None:
        """Play until this is interrupted, or somebody else joins with the same key. Raises `GatewayError`."""
        poller = zmq.Poller()
        for each in (self._local, self._outside, self._monitor):
            poller.register(each, zmq.POLLIN)
        while True:
            now = time.monotonic()
            if self._heard is None:
                self._send(b"hello", b"", self._session)
            elif now - self._heard > _LOST:
                self._lose("the gateway is silent")
                self._outside.disconnect(self._address)
                self._outside.connect(self._address)
            ready = dict(poller.poll(_TICK_MS))
            if self._local in ready:
                route, *parts = self._local.recv_multipart()
                start = self._tokens.get(route.partition(b"/")[0])
                if start is not None and start in self._programs:
                    self._programs[start].route = route
                    packed = self._programs[start].frames.pack(parts)
                    if len(packed) <= _MOST_PACKED:
                        self._send(b"packet", start, packed)
                    else:
                        self._say(why := f"a message of the program has {len(packed)} bytes, which is too long")
                        self._leave(start, 1, why)
            if self._monitor in ready:
                if recv_monitor_message(self._monitor)["event"] & _AUTH:
                    self._lose("the gateway refuses this key, or has another one than the file says")
                elif self._heard is not None:
                    self._lose("the connection is lost")
                elif not self._why:
                    self._lose(f"nobody answers at {self._address}")
            if self._outside in ready:
                self._take(*self._outside.recv_multipart())
            self._look(now)

    # The connection

    def _lose(self, why: str) -> None:
        """Begin anew with the next connection, which libzmq makes as soon as it can."""
        if why != self._why:
            self._say(f"{why}: trying again")
            self._why = why
        self._heard = None
        for program in self._programs.values():
            program.is_asked = False

    def _send(self, kind: bytes, start: bytes, data: bytes) -> None:
        with contextlib.suppress(zmq.Again):
            self._outside.send_multipart([kind, start, data], zmq.NOBLOCK)

    def _take(self, kind: bytes, start: bytes, data: bytes) -> None:
        """Take what the gateway has sent."""
        now = time.monotonic()
        if kind == b"replaced":
            raise GatewayError("somebody else has joined with the same key: only one can play")
        if self._heard is None:
            self._say(f"connected as {self._key.name}")
        self._heard, self._why = now, ""
        if kind == b"state":
            self._send(b"pong", b"", start)
            self._grace, starts = msgspec.msgpack.decode(data, type=tuple[float, dict[bytes, str]])
            for known, game in starts.items():
                if known in self._left:  # that was lost, or is on its way
                    self._send(b"left", known, self._left[known])
                    continue
                if known not in self._programs and not self._begin(known, game):
                    continue
                program = self._programs[known]
                program.known = now
                if not program.is_asked:
                    program.is_asked = True
                    self._send(b"packet", known, program.frames.question())
        elif kind == b"packet" and (at := self._programs.get(start)) is not None:
            parts, answers = at.frames.take(data)
            for each in answers:
                self._send(b"packet", start, each)
            if parts and at.route is not None:
                self._local.send_multipart([at.route, *parts])
        elif kind == b"close" and start in self._programs:
            self._end(start)

    # The programs

    def _begin(self, start: bytes, game: str) -> bool:
        """Start the author's program, and return whether that worked."""
        token = secrets.token_hex(16)
        self._started += 1
        variables = {**os.environ, "ARENA_ENDPOINT": self._endpoint, "ARENA_TOKEN": token}
        variables |= {"ARENA_GAME": game} if game else {}
        try:
            process = subprocess.Popen(self._command, env=variables, stdin=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            self._say(f"{self._command[0]} cannot be started: {error.strerror}")
            self._send(b"left", start, b"127 the author's program could not be started")
            return False
        self._programs[start] = Program(process, self._started)
        self._tokens[token.encode()] = start
        self._say(f"process {self._started} begins to play{f' {game}' if game else ''}")
        return True

    def _look(self, now: float) -> None:
        """End what has ended, or what nobody needs."""
        for start, program in list(self._programs.items()):
            code = program.process.poll()
            if code is not None:
                words = f"exit code {code}" if code >= 0 else f"signal {-code}"
                self._leave(start, abs(code), f"the author's program: {words}")
            elif now - program.known > self._grace + _FORGOTTEN:
                self._end(start)
        self._ending = [program for program in self._ending if not program.has_ended()]

    def _leave(self, start: bytes, code: int, why: str) -> None:
        """Say why the bot has ended, and end the program."""
        self._left[start] = f"{code} {why}".encode()
        if len(self._left) > _MOST_LEFT:
            del self._left[next(iter(self._left))]
        self._send(b"left", start, self._left[start])
        self._end(start)

    def _end(self, start: bytes) -> None:
        program = self._programs.pop(start)
        self._tokens = {token: each for token, each in self._tokens.items() if each != start}
        code = program.process.poll()
        program.end()
        self._ending.append(program)
        said = "is ended" if code is None else "has ended" if code == 0 else f"has ended with {code}"
        self._say(f"process {program.number} {said}")

    def close(self) -> None:
        """End all programs, and disconnect."""
        for start in list(self._programs):
            self._leave(start, 1, "the author has ended `arena join`")
        for program in self._ending:
            program.has_ended(wait=True)
        self._outside.disable_monitor()
        for each in (self._monitor, self._outside, self._local):
            each.close()
        self._context.term()
        self._folder.cleanup()
