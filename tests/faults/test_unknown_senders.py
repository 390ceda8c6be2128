"""Messages under routing ids that belong to no bot: whose time they take, and that they cannot go on forever."""

from __future__ import annotations

import threading
import time

import pytest
import zmq

from arena.entrants import build, expand
from arena.match.clock import TimeControl
from arena.match.spec import MatchSpec
from arena.referee import zeromq_transport
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.senders import Senders
from engine.catalog import game
from tests.faults.test_misbehaving_bots import CROWDS, GOOD, bad_bot, play

pytestmark = pytest.mark.process

AGES = 30.0
"""Seconds: more than all clocks of a game together."""


@pytest.fixture
def tedious(monkeypatch):
    """Handling a message of an unknown sender takes ages, by the clock of the transport."""
    passed = 0.0

    class Clock:
        monotonic = staticmethod(time.monotonic)

        @staticmethod
        def perf_counter() -> float:
            return time.perf_counter() + passed

    unknown_sender = Senders.unknown_sender

    def dealt_with(addresses, received):
        nonlocal passed
        passed += AGES
        return unknown_sender(addresses, received)

    monkeypatch.setattr(Senders, "unknown_sender", dealt_with)
    monkeypatch.setattr(zeromq_transport, "time", Clock)


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["crowd_beside_play", *sorted(CROWDS), "crowd_of_huge_frames", "unknown_token"])
def test_time_for_a_bot_that_is_retired_for_it_is_nobodys(tmp_path, tedious, behaviour):
    for record in play(tmp_path, behaviour):
        assert len({fault.code for fault in record.faults} & {"impostor", "flood"}) == len(record.faults) == 1
        assert max(max(times) for times in record.times if times) < AGES * 1e6


def test_frames_of_nobodys_process_hold_up_nothing_and_close_their_connection(tmp_path, monkeypatch):
    """A process that is no bot sends without end. A bot that does not answer is still late, and no other is."""
    monkeypatch.setattr(zeromq_transport, "_UNKNOWN_SECONDS", 0.01)
    found = expand([bad_bot(tmp_path, "stall"), GOOD]).found
    built = {entrant.name: build(entrant, tmp_path / "cache") for entrant in found}
    rules = game("kosmos")
    config = RefereeConfig("kosmos", rules.edition("standard"), TimeControl(start=20.0, move=0.1, bank=1.0), built)
    enough = threading.Event()

    def talk(endpoint: str) -> None:
        with zmq.Context() as context, context.socket(zmq.DEALER) as talker:
            talker.set(zmq.LINGER, 0)
            talker.set(zmq.SNDTIMEO, 50)
            talker.set(zmq.ROUTING_ID, b"nobody")
            talker.connect(endpoint)
            while not enough.is_set():
                try:
                    talker.send(b"x")
                except zmq.Again:
                    continue

    with Referee(config, pin=False) as referee:
        talker = threading.Thread(target=talk, args=(referee._transport.endpoint("ipc"),))
        talker.start()
        try:
            [record] = referee.play([MatchSpec("g", 0, 2, 0, 0, "0" * 32, list(built))])
        finally:
            enough.set()
            talker.join()
    bad = record.bots.index("bad")
    assert {(fault.seat, fault.code) for fault in record.faults} == {(bad, "late"), (None, "impostor")}
