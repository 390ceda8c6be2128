"""The transport over real sockets: whom it reads, whom it closes, and what becomes of bots that do not read."""

from __future__ import annotations

import gc
import os
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from arena.protocol.codec import DECIDE_LIMIT
from arena.referee import connection as connection_module
from arena.referee import zmtp, zmtp_transport
from arena.referee.connection import BotConnection
from arena.referee.time.timer import Timer
from arena.referee.transport import Address, ReceivedMessage, Refusal
from arena.referee.zmtp_transport import ZmtpTransport
from tests.marking import mostly_slow

HANDSHAKE = zmtp.GREETING + zmtp.ready(b"DEALER", b"me")
WHOLE = 64 + len(zmtp.ready(b"ROUTER"))
"""Bytes of the referee's part of a handshake."""


@pytest.fixture
def transport() -> Iterator[ZmtpTransport]:
    made = ZmtpTransport()
    yield made
    made.close()
    assert not made.folder.exists()


def connect(endpoint: str) -> socket.socket:
    kind, _, where = endpoint.partition("://")
    made = socket.socket(socket.AF_UNIX if kind == "ipc" else socket.AF_INET)
    made.settimeout(10)
    made.connect(where if kind == "ipc" else ("127.0.0.1", int(where.rpartition(":")[2])))
    return made


def admit(transport: ZmtpTransport) -> list[int]:
    """Admit everybody who calls: how many there are after each."""
    assert transport.wait_until(transport.waited + 10).connection
    return [transport.admit(each) for each in transport.accepted()]


def receive(transport: ZmtpTransport) -> ReceivedMessage:
    while not transport.wait_until(transport.waited + 10).message:
        pass
    received = transport.receive()
    assert received is not None
    return received


def made(transport: ZmtpTransport, endpoint: str, identity: bytes = b"me") -> socket.socket:
    """A connection over which a first frame came."""
    bot = connect(endpoint)
    bot.sendall(zmtp.GREETING + zmtp.ready(b"DEALER", identity) + zmtp.message(b"first"))
    admit(transport)
    assert receive(transport) == ReceivedMessage(Address(endpoint, identity), b"first")
    bot.recv(WHOLE, socket.MSG_WAITALL)
    return bot


def test_an_endpoint_is_deserted_when_its_last_connection_closes(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    first, second = made(transport, endpoint), made(transport, endpoint, b"me/again")
    unknown = connect(endpoint)  # it is nobody: it does not say who it is
    admit(transport)
    first.close()
    unknown.close()
    ready = transport.wait_until(transport.waited + 0.05)
    assert (ready.desertion, transport.deserted()) == (False, [])
    second.close()
    assert transport.wait_until(transport.waited + 10).desertion
    assert transport.deserted() == [endpoint]
    assert not transport.wait_until(transport.waited).desertion


@pytest.mark.parametrize("kind", ["ipc", "tcp"])
def test_a_library_socket_sends_and_is_sent_frames_of_every_size(transport: ZmtpTransport, kind: str) -> None:
    endpoint = transport.listen(kind)
    with zmq.Context() as context, context.socket(zmq.DEALER) as bot:
        bot.set(zmq.LINGER, 0)
        bot.set(zmq.ROUTING_ID, b"me")
        bot.set(zmq.HEARTBEAT_IVL, 20)
        bot.set(zmq.HEARTBEAT_TIMEOUT, 10_000)
        bot.connect(endpoint)
        bot.send(b"hello")
        admit(transport)
        for size in (0, 1, 255, 256, 65_536):
            bot.send(b"x" * size)
        assert [len(receive(transport).frame or b"") for _ in range(6)] == [5, 0, 1, 255, 256, 65_536]
        for size in (0, 255, 256, DECIDE_LIMIT):
            assert transport.send(Address(endpoint, b"me"), b"y" * size)
            while not bot.poll(0):
                transport.wait_until(transport.waited + 0.01)
            assert bot.recv() == b"y" * size


def test_nothing_is_read_before_a_connection_is_admitted(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    with connect(endpoint) as bot:
        bot.sendall(HANDSHAKE + zmtp.message(b"first"))
        assert transport.wait_until(transport.waited + 10) == (False, False, True, False)
        [connection] = transport.accepted()
        assert connection.peer is not None
        assert connection.peer.pid == os.getpid()
        assert not connection.has_hung_up()
        transport.refuse(connection)
        with pytest.raises(ConnectionResetError):  # as what it sent was not read
            bot.recv(1)
        assert transport.receive() is None


def test_who_has_hung_up_is_known(transport: ZmtpTransport) -> None:
    connect(transport.listen("ipc")).close()
    transport.wait_until(transport.waited + 10)
    [connection] = transport.accepted()
    assert connection.has_hung_up()
    transport.refuse(connection)


def test_an_endpoint_where_somebody_is_refused_rests_and_goes_on(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    callers = [connect(endpoint) for _ in range(12)]
    turns = []
    while sum(turns) < len(callers):
        if transport.wait_until(transport.waited + 10).connection:
            refused = [transport.refuse(each) for each in transport.accepted()]
            turns.append(len(refused))
    assert max(turns) == 8, "in a turn only so many"
    with made(transport, endpoint):
        pass
    for caller in callers:
        caller.close()


def test_crowds_that_have_hung_up_make_nobody_wait(transport: ZmtpTransport) -> None:
    """They cost one look and no rest, so that whoever comes after them is admitted in the same turn."""
    endpoint = transport.listen("ipc")
    for _ in range(100):
        connect(endpoint).close()
    with connect(endpoint):
        assert transport.wait_until(transport.waited + 10).connection
        living = []
        for each in transport.accepted():
            if each.has_hung_up():
                transport.refuse(each)
            else:
                living.append(transport.admit(each))
        assert living == [1]
        assert not transport._resting


def test_only_for_the_answer_to_a_question_does_it_wait_at_one_connection_alone() -> None:
    """A fault that is sent to a rival is no reason to listen to nobody else, on the clock of the bot that is asked."""
    waited_at: list[bytes | None] = []

    class Noting(Timer):
        def wait(self, connection: BotConnection) -> bool:  # type: ignore[override]
            waited_at.append(connection.address.routing_id)
            return super().wait(connection)

    transport = ZmtpTransport(Noting())
    endpoint = transport.listen("ipc")
    with made(transport, endpoint, b"asked") as asked, made(transport, endpoint, b"rival") as rival:
        waited_at.clear()
        assert transport.send(Address(endpoint, b"asked"), b"a question", is_question=True)
        assert transport.send(Address(endpoint, b"rival"), b"a fault")
        rival.sendall(zmtp.message(b"one more"))
        asked.sendall(zmtp.message(b"an answer"))
        assert receive(transport).frame == b"an answer"
        assert receive(transport).frame == b"one more"
    transport.close()
    assert waited_at == [b"asked"]


def test_who_does_not_finish_its_handshake_in_time_is_closed(
    transport: ZmtpTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zmtp_transport, "_GREETING_SECONDS", 0.05)
    endpoint = transport.listen("ipc")
    with made(transport, endpoint) as done, connect(endpoint) as slow:
        slow.sendall(HANDSHAKE[:70])
        assert admit(transport) == [2]
        transport.wait_until(transport.waited + 0.2)
        assert slow.recv(100) == zmtp.GREETING
        assert slow.recv(100) == b""
        done.sendall(zmtp.message(b"still here"))
        assert receive(transport).frame == b"still here"


def test_of_a_bot_that_does_not_read_only_so_much_is_kept(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    address = Address(endpoint, b"me")
    frame = bytes(DECIDE_LIMIT)
    with made(transport, endpoint) as bot:
        accepted = 0
        while transport.send(address, frame):
            accepted += 1
        [connection] = transport._routes.values()
        assert accepted * len(frame) <= connection_module._UNSENT_LIMIT + 2 * len(frame)
        assert connection.unsent <= connection_module._UNSENT_LIMIT + len(frame) + 9
        assert not transport.send(address, b"more")
        came = 0
        while came < accepted * (len(frame) + 9):
            transport.wait_until(transport.waited)
            came += len(bot.recv(1 << 20))
        assert connection.unsent == 0
        assert transport.send(address, b"again")
        assert bot.recv(100) == zmtp.message(b"again")


def test_the_newest_connection_under_a_routing_id_is_sent_to(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    with made(transport, endpoint) as old, made(transport, endpoint) as new:
        assert transport.send(Address(endpoint, b"me"), b"frame")
        assert new.recv(100) == zmtp.message(b"frame")
        old.sendall(zmtp.message(b"I was first"))
        assert receive(transport).frame == b"I was first"
    transport.wait_until(transport.waited + 0.01)
    assert not transport.send(Address(endpoint, b"me"), b"frame"), "both are closed"


def test_what_a_bot_sent_before_its_end_is_received(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    bot = made(transport, endpoint)
    bot.sendall(b"".join(zmtp.message(bytes((n,))) for n in range(100)))
    bot.close()
    transport.send(Address(endpoint, b"me"), b"to nobody")
    assert [receive(transport).frame for _ in range(100)] == [bytes((n,)) for n in range(100)]


def test_messages_of_several_bots_come_by_turns(transport: ZmtpTransport) -> None:
    endpoints = [transport.listen("ipc") for _ in range(2)]
    bots = [made(transport, endpoint) for endpoint in endpoints]
    for bot in bots:
        bot.sendall(zmtp.message(b"x") * 50)
    came = [receive(transport).address.endpoint for _ in range(100)]
    assert {came[at] for at in (10, 11)} == set(endpoints)
    for bot in bots:
        bot.close()


def test_an_endpoint_ends_with_its_connections_and_what_they_sent(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    with made(transport, endpoint) as bot:
        bot.sendall(zmtp.message(b"late") * 2)
        assert transport.wait_until(transport.waited + 10).message
        transport.close_endpoint(endpoint)
        assert transport.receive() is None
        assert not Path(endpoint.removeprefix("ipc://")).exists()
        assert bot.recv(1) == b""


def test_a_socket_of_another_type_is_refused(transport: ZmtpTransport) -> None:
    endpoint = transport.listen("ipc")
    with connect(endpoint) as bot:
        bot.sendall(zmtp.GREETING + zmtp.ready(b"REQ", b"me"))
        admit(transport)
        received = receive(transport)
        assert received.refusal == Refusal("malformed", "a socket of type 'REQ' instead of 'DEALER'")
        assert received.address == Address(endpoint, None)


@pytest.mark.slow
@pytest.mark.parametrize("spare", mostly_slow([0, 1]))
def test_without_descriptors_a_connection_is_closed_and_counted_and_the_referee_goes_on(
    transport: ZmtpTransport, spare: int
) -> None:
    endpoint = transport.listen("ipc")
    callers = [connect(endpoint) for _ in range(3)]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    gc.collect()
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + spare, hard))
    try:
        peers, counts = [], []
        while len(peers) < 3:
            assert transport.wait_until(transport.waited + 10).connection
            for connection in transport.accepted():
                peers.append(connection.peer)
                counts.append(transport.admit(connection))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert [peer and peer.pid for peer in peers] == [os.getpid()] * 3
    assert counts[-1] == spare
    with made(transport, endpoint):
        pass
    for caller in callers:
        caller.close()
