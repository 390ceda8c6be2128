"""Connections are counted once each, for the process that made them, whatever became of their descriptors."""

from __future__ import annotations

import os
import socket
import struct

import pytest
import zmq

from arena.referee.connection_monitor import ConnectionMonitor


class Bound:
    """A socket whose events are made up."""

    def __init__(self, context):
        self.events = context.socket(zmq.PAIR)

    def monitor(self, address, _):
        self.events.bind(address)

    def accept(self, descriptor):
        self.events.send_multipart([struct.pack("=HI", zmq.EVENT_ACCEPTED, descriptor), b"ipc://r"])

    def disable_monitor(self):
        self.events.close(0)


@pytest.fixture
def bound():
    with zmq.Context() as context:
        bound = Bound(context)
        bound.connections = ConnectionMonitor(context, bound)
        yield bound
        bound.connections.close()


def pair():
    return socket.socketpair(socket.AF_UNIX)


def test_a_connection_is_counted_for_the_process_that_made_it(bound):
    ours, theirs = pair()
    with ours, theirs:
        bound.accept(ours.fileno())
        [peer] = bound.connections.accepted()
        assert peer.pid == os.getpid()
        assert list(bound.connections.accepted()) == []


def test_closed_connections_are_not_charged_to_whoever_has_their_descriptor_now(bound):
    ours, theirs = pair()
    with ours, theirs:
        for _ in range(1000):
            bound.accept(ours.fileno())
        assert len(list(bound.connections.accepted())) == 1


def test_the_next_connection_under_a_descriptor_is_another_one(bound):
    for _ in range(3):
        ours, theirs = pair()
        with ours, theirs:
            bound.accept(ours.fileno())
            assert len(list(bound.connections.accepted())) == 1


def test_what_is_no_connection_any_more_is_nobodys(bound):
    read, write = os.pipe()
    for descriptor in (read, write):
        bound.accept(descriptor)
        os.close(descriptor)
        bound.accept(descriptor)
    assert list(bound.connections.accepted()) == []
