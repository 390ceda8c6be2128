"""Whole games with a bot on another machine: over lost connections, delays and a gateway that is killed."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest

from arena.entrants.launch import remote_leave
from arena.referee.referee import Referee
from arena.referee.source import LocalProcess
from arena.referee.time.stopwatch import Stopwatch
from tests.arena.gateway.conftest import Author, spec
from tests.isolation_demand import need

pytestmark = pytest.mark.process


def played(config, on_step=lambda *_: None):
    with Referee(config, pin=False) as referee:
        return referee.play([spec()], on_step=on_step)[0]


def faults(record):
    return [(each.seat, each.code, each.text) for each in record.faults]


@pytest.mark.parametrize("level", ["none", "landlock", "box"])
def test_a_bot_elsewhere_plays_a_whole_game(league, join, tmp_path, level):
    if level != "none":
        need(level)
    author = join()
    author.wait_for("connected as ada")
    record = played(league.config(tmp_path, level))
    assert (record.ending, faults(record)) == ("finished", [])
    assert {step.by for step in record.steps if step.kind == "play" and step.seat == 0} <= {"bot", "referee"}
    author.wait_for("has ended")


def test_lost_connections_cost_nothing_but_time(league, join, proxy, tmp_path):
    way = proxy(delay=0.05)
    author = join(address=way.address)
    author.wait_for("connected as ada")
    steps = []

    def on_step(*step):
        steps.append(step)
        if len(steps) % 10 == 0 and len(steps) <= 30:
            way.cut()

    record = played(league.config(tmp_path), on_step)
    assert (record.ending, faults(record)) == ("finished", [])
    assert len(steps) > 30
    author.wait_for("has ended")
    assert author.said.count("the connection is lost: trying again") >= 2


def test_a_gateway_may_be_killed_in_the_middle_of_a_game(league, join, tmp_path):
    join().wait_for("connected as ada")
    steps = []

    def on_step(*step):
        steps.append(step)
        if len(steps) in (10, 20):
            os.kill(league.pid(), signal.SIGKILL)
            while not league.process.check():
                pass

    record = played(league.config(tmp_path), on_step)
    assert (record.ending, faults(record)) == ("finished", [])
    assert league.process.starts == 3


def test_an_author_who_ends_the_program_loses_the_seat_and_nobody_else_does(league, join, tmp_path):
    author = join()
    author.wait_for("connected as ada")
    steps = []

    def on_step(*step):
        steps.append(step)
        if len(steps) == 10:
            author.end()

    record = played(league.config(tmp_path), on_step)
    assert faults(record)[0][:2] == (0, "crash")
    assert {seat for seat, *_ in faults(record)} == {0}


@pytest.mark.parametrize("league", [2.0], indirect=True)
def test_who_stays_away_longer_than_the_grace_has_crashed(league, join, proxy, tmp_path):
    way = proxy()
    author = join(address=way.address)
    author.wait_for("connected as ada")
    steps = []

    def on_step(*step):
        steps.append(step)
        if len(steps) == 10:
            way.cut(for_good=True)

    config = league.config(tmp_path, move=600.0)
    with Referee(config, pin=False) as referee:
        record = referee.play([spec()], on_step=on_step)[0]
    assert faults(record)[0][:2] == (0, "crash")
    assert "nothing was heard of ada for 2 s" in record.faults[0].stderr


def test_a_crash_elsewhere_is_judged_as_any_bots(league, join, tmp_path):
    join("__import__('os')._exit(3)").wait_for("connected as ada")
    record = played(league.config(tmp_path))
    assert faults(record) == [(0, "crash", "exit code 3")]


LONG = """
        import zmq
        socket = zmq.Context().socket(zmq.DEALER)
        socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
        socket.connect(os.environ["ARENA_ENDPOINT"])
        socket.send_multipart([bytes(1 << 20)] * {parts})
        time.sleep(60)
"""


@pytest.mark.parametrize(("parts", "fault"), [(1, "oversize"), (2, "crash")])
def test_a_message_that_is_too_long_costs_its_sender_alone_and_no_connection(league, join, tmp_path, parts, fault):
    author = join(LONG.format(parts=parts))
    author.wait_for("connected as ada")
    assert {each[:2] for each in faults(played(league.config(tmp_path)))} == {(0, fault)}
    author.wait_for("process 1")
    author.end()
    assert not [line for line in author.said if "trying again" in line]


def test_a_bot_that_is_nowhere_is_mute(league, tmp_path):
    with Referee(league.config(tmp_path, start=1.0), pin=False) as referee:
        assert (referee.check("ada").reason, referee.check("rival").ok) == ("no hello within 1 s", True)


def test_the_way_to_a_bot_is_measured(league, join, proxy, tmp_path):
    way = proxy(delay=0.1)
    join(address=way.address).wait_for("connected as ada")
    file = league.folder / "latency" / "ada"
    while not file.exists():
        pass
    assert float(file.read_text().partition(" ")[0]) >= 200
    for bound in (0, 150):
        source = LocalProcess(league.config(tmp_path, latency_ms=bound).bots["ada"])
        assert source.latency() == bound / 1000


LIAR = """
import sys, time
from arena.cli import main
from arena.gateway.join import Joined

send, look, late = Joined._send, Joined._look, []

def lie(self, kind, start, data):
    late.append((time.monotonic() + 0.6, data)) if kind == b"pong" else send(self, kind, start, data)

def answer(self, now):
    look(self, now)
    while late and late[0][0] <= now:
        send(self, b"pong", b"", late.pop(0)[1])

Joined._send, Joined._look = lie, answer
main()
"""


def test_who_lets_measurements_wait_gains_the_bound_and_no_more(league, tmp_path, monkeypatch):
    gains, charged = [], Stopwatch.charged

    def noted(stopwatch, waited):
        found = charged(stopwatch, waited)
        if stopwatch._latency:  # ada's
            gains.append(stopwatch.thought(waited) - found)
        return found

    monkeypatch.setattr(Stopwatch, "charged", noted)
    (tmp_path / "liar.py").write_text(LIAR)
    author = Author(league.address, league.key, tmp_path, "time.sleep(0.3)", program=[str(tmp_path / "liar.py")])
    try:
        file = league.folder / "latency" / "ada"
        while not file.exists():
            pass
        assert float(file.read_text().partition(" ")[0]) >= 600
        record = played(league.config(tmp_path, latency_ms=100))
    finally:
        author.end()
    assert (record.ending, faults(record)) == ("finished", [])
    assert len(gains) >= len(record.times[0])
    assert max(gains) == pytest.approx(0.1)


@pytest.mark.parametrize(("said", "gains"), [("1e9", 0.1), ("30.5", 0.0305), ("-5", 0.0), ("nan", 0.0), ("?", 0.0)])
def test_what_a_bot_gains_is_bounded_whatever_was_measured(league, tmp_path, said, gains):
    config = league.config(tmp_path, latency_ms=100)
    (league.folder / "latency").mkdir(exist_ok=True)
    (league.folder / "latency" / "ada").write_text(said)
    (league.folder / "latency" / "rival").write_text(said)
    assert [LocalProcess(config.bots[name]).latency() for name in ("ada", "rival")] == [gains, 0.0]


def test_leave_holds_for_the_forwarder_alone(league, tmp_path):
    built = league.config(tmp_path).bots["ada"]
    assert remote_leave(built) is not None
    for change in (
        {"command": (*built.entrant.command, "more")},
        {"command": ("sh", *built.entrant.command[1:])},
        {"env": {"LD_PRELOAD": "./mine.so"}},
        {"build": ("make",)},
        {"name": "grace"},
    ):
        assert remote_leave(replace(built, entrant=replace(built.entrant, **change))) is None
    assert built.isolation.recorded == "none; ada runs elsewhere, up to 0 ms of a decision are taken off its clock"
