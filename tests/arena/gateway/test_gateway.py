"""What a gateway passes on between an author and a forwarder, who are spoken for here frame by frame."""

from __future__ import annotations

import itertools
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import zmq

from arena.entrants.launch import INSIDE, LATENCY, PASSWORD
from arena.gateway.forwarder import Opening
from arena.gateway.numbered import MOST_UNSENT, LocalStream
from tests.arena.gateway.conftest import SECONDS

pytestmark = pytest.mark.process

START = b"0123456789abcdef"


@pytest.fixture
def author(league) -> Iterator[zmq.Socket[bytes]]:
    """Be connected as ada."""
    key = league.read_key()
    with zmq.Context() as context, context.socket(zmq.DEALER) as connected:
        connected.setsockopt(zmq.LINGER, 0)
        connected.setsockopt(zmq.RCVTIMEO, int(SECONDS * 1000))
        connected.setsockopt(zmq.CURVE_SERVERKEY, key.gateway.encode())
        connected.setsockopt(zmq.CURVE_PUBLICKEY, key.public.encode())
        connected.setsockopt(zmq.CURVE_SECRETKEY, key.secret.encode())
        connected.connect(league.address)
        connected.send_multipart([b"hello", b"", b"12345678"])
        connected.recv_multipart()
        yield connected


@pytest.fixture
def forwarder(league, author, monkeypatch) -> Iterator[LocalStream]:
    """Be the forwarder of a start of ada's, of which ada has heard."""
    password = (league.folder / PASSWORD).read_text()
    monkeypatch.chdir(league.folder / INSIDE)
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connected.connect("socket")
    stream = LocalStream(connected)
    stream.send(msgspec.msgpack.encode(Opening("ada", START, "kosmos", password)))
    assert any(START in author.recv_multipart()[2] for _ in range(10))
    yield stream
    stream.close()


@pytest.fixture
def used_up(league, author) -> None:
    """Leave the gateway no descriptor but those that it reserves."""
    used = {int(each.name) for each in Path(f"/proc/{league.pid()}/fd").iterdir()}
    _, most = resource.prlimit(league.pid(), resource.RLIMIT_NOFILE)
    free = next(number for number in itertools.count() if number not in used)
    resource.prlimit(league.pid(), resource.RLIMIT_NOFILE, (free, most))


def test_descriptors_that_are_used_up_keep_nobody_from_games(league, author, used_up, forwarder):
    file = league.folder / LATENCY / "ada"
    for _ in range(10):
        _, question, _ = author.recv_multipart()
        author.send_multipart([b"pong", b"", question])
        if file.exists():
            break
    assert file.exists()
    forwarder.send(b"?")
    assert any(author.recv_multipart() == [b"packet", START, b"?"] for _ in range(10))


def test_whatever_an_author_sends_at_once_comes(author, forwarder):
    sent = [b"%d" % number for number in range(3000)]
    for each in sent:
        author.send_multipart([b"packet", START, each])
    came: list[bytes] = []
    while len(came) < len(sent) and forwarder.is_open:
        came += [piece[1:] for piece in forwarder.pieces()]
    assert came == sent


def test_what_no_forwarder_reads_is_dropped_in_the_end_and_keeps_nothing_else_waiting(author, forwarder):
    for _ in range(40):
        author.send_multipart([b"packet", START, bytes(1 << 19)])
    author.send_multipart([b"left", START, b"3 enough"])
    while author.recv_multipart()[:2] != [b"close", START]:
        pass
    size = 0
    while forwarder.is_open:
        size += sum(map(len, forwarder.pieces()))
    assert size < MOST_UNSENT + (1 << 20)
