"""What the Python client does without a ZeroMQ library: frames of every size, in whatever pieces they come."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import msgpack
import msgspec
import pytest

from arena import client as client_module
from arena.client import Socket, run
from arena.referee import zmtp
from arena.referee.zmtp import Handshake, ZmtpReceiver

TOKEN = "0123456789abcdef"
SIZES = (0, 200, 255, 256, 70_000, 1_000_000)
PING = zmtp.command(b"PING", b"\0\0")


@contextmanager
def referee(folder: Path, serve: Callable[[socket.socket, ZmtpReceiver], None]) -> Iterator[str]:
    """Listen, and serve the one who connects when its handshake is done; the address."""
    path = folder / "referee"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    failed: list[BaseException] = []

    def accept() -> None:
        try:
            with listener.accept()[0] as connection:
                connection.settimeout(60)
                receiver = ZmtpReceiver(1 << 20, 1)
                introduced = following(connection, receiver)
                assert introduced == Handshake("DEALER", TOKEN.encode())
                serve(connection, receiver)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield f"ipc://{path}"
    finally:
        thread.join(60)
        listener.close()
    assert not thread.is_alive()
    assert not failed, failed


def following(connection: socket.socket, receiver: ZmtpReceiver) -> Any:
    """What the client sends next."""
    while (event := receiver.next()) is None:
        data = connection.recv(4096)
        assert data, "the client has closed"
        receiver.feed(data)
    return event


def introduce(connection: socket.socket) -> None:
    connection.sendall(zmtp.GREETING + zmtp.ready(b"ROUTER"))


def test_nothing_is_sent_before_both_sides_are_ready_as_libraries_take_nothing_earlier(tmp_path: Path) -> None:
    def serve(connection: socket.socket, receiver: ZmtpReceiver) -> None:
        connection.settimeout(0.05)
        for piece in (zmtp.GREETING[:10], zmtp.GREETING[10:], zmtp.ready(b"ROUTER")):
            with pytest.raises(TimeoutError):
                connection.recv(1)
            connection.sendall(piece)
        connection.settimeout(60)
        assert msgpack.unpackb(following(connection, receiver)) == {"type": "hello"}

    with referee(tmp_path, serve) as endpoint:
        client = Socket(endpoint, TOKEN)
        client.send({"type": "hello"})
        client.close()


@pytest.mark.parametrize("codec", [msgpack, msgspec.msgpack], ids=["msgpack", "msgspec"])
def test_messages_of_every_size_go_both_ways_and_commands_between_them_are_skipped(
    codec: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_decode", codec.unpackb if codec is msgpack else codec.decode)
    monkeypatch.setattr(client_module, "_encode", codec.packb if codec is msgpack else codec.encode)

    def serve(connection: socket.socket, receiver: ZmtpReceiver) -> None:
        introduce(connection)
        for size in SIZES:
            connection.sendall(PING + zmtp.message(msgpack.packb({"text": "x" * size})))
            assert msgpack.unpackb(following(connection, receiver)) == {"text": "x" * size}

    with referee(tmp_path, serve) as endpoint:
        client = Socket(endpoint, TOKEN)
        for size in SIZES:
            message = client.receive()
            assert message == {"text": "x" * size}
            client.send(message)
        assert client.receive() is None, "the referee has closed the connection"
        client.send({"type": "act"})
        client.close()


def test_frames_may_come_byte_by_byte_or_many_at_once(tmp_path: Path) -> None:
    frames = b"".join(zmtp.message(msgpack.packb({"n": n, "text": "x" * 300 * n})) for n in range(4))

    def serve(connection: socket.socket, receiver: ZmtpReceiver) -> None:
        introduce(connection)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        for byte in frames[:600]:
            connection.sendall(bytes([byte]))
        connection.sendall(frames[600:] + frames)

    with referee(tmp_path, serve) as endpoint:
        client = Socket(endpoint, TOKEN)
        came = []
        while (message := client.receive()) is not None:
            came.append(message["n"])
        client.close()
    assert came == [*range(4), *range(4)]


def test_a_bot_that_finds_no_referee_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_ENDPOINT", f"ipc://{tmp_path}/nobody")
    monkeypatch.setenv("ARENA_TOKEN", TOKEN)
    with pytest.raises(SystemExit, match=r"no referee answers at ipc://.*nobody: No such file"):
        run(lambda game: 0)
