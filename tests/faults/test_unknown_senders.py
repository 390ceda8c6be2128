"""Who sends what it must not: whose time handling it takes, and that it cannot go on forever."""

from __future__ import annotations

import threading
import time

import pytest
import zmq

from arena.entrants import build, expand
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.referee import zmtp_transport
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.senders import Senders
from engine import catalog
from tests.faults.test_misbehaving_bots import GOOD, bad_bot, play_anew

pytestmark = pytest.mark.process

AGES = 30.0
"""Seconds: more than all clocks of a game together."""
CROWDS = ("crowd_beside_play", "crowd_of_huge_frames", "crowd_of_large_frames", "crowd_of_small_frames")


@pytest.fixture
def tedious(monkeypatch):
    """Finding out whose a connection is, and whose a frame, takes ages by the clock of the transport."""
    passed = 0.0

    class Clock:
        monotonic = staticmethod(time.monotonic)

        @staticmethod
        def perf_counter() -> float:
            return time.perf_counter() + passed

    def slowed(method):
        def slow(*args):
            nonlocal passed
            passed += AGES
            return method(*args)

        return slow

    monkeypatch.setattr(Senders, "caller", slowed(Senders.caller))
    monkeypatch.setattr(Senders, "token_fault", slowed(Senders.token_fault))
    monkeypatch.setattr(zmtp_transport, "time", Clock)


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", [*CROWDS, "unknown_token"])
def test_time_for_a_bot_that_is_retired_for_it_is_nobodys(tmp_path, tedious, behaviour):
    for record in play_anew(tmp_path, behaviour):
        assert len({fault.code for fault in record.faults} & {"impostor", "flood"}) == len(record.faults) == 1
        assert max(max(times) for times in record.times if times) < AGES * 1e6


@pytest.mark.slow
def test_a_process_that_is_no_bots_holds_up_nothing_and_gets_no_connection(tmp_path):
    """It connects and sends without end. A bot that does not answer is still late, and no other is."""
    found = expand([bad_bot(tmp_path, "stall"), GOOD]).found
    built = {entrant.name: build(entrant, tmp_path / "cache") for entrant in found}
    rules = catalog.rules("kosmos")
    config = RefereeConfig("kosmos", rules.edition("standard"), TimeControl(start=20.0, move=0.1, bank=1.0), built)
    enough = threading.Event()

    def talk(referee: Referee) -> None:
        while not (endpoints := list(referee._transport._endpoints)):  # type: ignore[attr-defined]
            time.sleep(0.01)
        with zmq.Context() as context, context.socket(zmq.DEALER) as talker:
            talker.set(zmq.LINGER, 0)
            talker.set(zmq.SNDTIMEO, 50)
            talker.set(zmq.ROUTING_ID, b"nobody")
            talker.set(zmq.RECONNECT_IVL, 1)
            talker.connect(endpoints[0])
            while not enough.is_set():
                try:
                    talker.send(b"x")
                except zmq.Again:
                    continue

    with Referee(config, pin=False) as referee:
        talker = threading.Thread(target=talk, args=(referee,))
        talker.start()
        try:
            [record] = referee.play([GameSpec("g", 0, 2, 0, 0, "0" * 32, list(built))])
        finally:
            enough.set()
            talker.join()
    bad = record.bots.index("bad")
    assert {(fault.seat, fault.code) for fault in record.faults} == {(bad, "late"), (None, "impostor")}
