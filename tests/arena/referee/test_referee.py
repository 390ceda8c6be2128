"""The loop with real bot processes: several games at once, restating, time charged, voids, traces, bots by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from arena.entrants import build, expand
from arena.game.bot_messages import public_id
from arena.game.clock import TimeControl
from arena.game.replay import verify
from arena.game.spec import GameSpec
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.time import run_queue
from arena.referee.time.run_queue import credits_waiting
from tests.arena.referee.conftest import let_nobody_start_a_task
from tests.marking import mostly_slow

pytestmark = pytest.mark.process

TIME = TimeControl(start=30.0, move=1.0, bank=5.0)

BOT = """
import os, time, msgpack, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
hello = {{"type": "hello", "protocol": [1, 0], "name": "b", "parallel": {parallel}, "games": {games}}}
socket.send(msgpack.packb(hello))
while (m := msgpack.unpackb(socket.recv()))["type"] != "bye":
    if m["type"] == "decide":
        {body}
        act = {{"type": "act", "game_id": m["game_id"], "turn": m["turn"], "index": 1, "metrics": m.get("metrics")}}
        socket.send(msgpack.packb(act))
"""


@pytest.fixture
def config(tmp_path, race, monkeypatch):
    monkeypatch.setattr("arena.referee.referee.catalog.rules", lambda name: race)

    def make(*bots: dict, time: TimeControl = TIME, manual: frozenset[str] = frozenset(), trace: Path | None = None):
        paths = []
        for number, bot in enumerate(bots):
            path = tmp_path / f"bot{number}.py"
            path.write_text(BOT.format(**{"parallel": 1, "games": [], "body": "pass", **bot}))
            paths.append(path)
        found = expand(paths).found if paths else []
        built = {entrant.name: build(entrant, tmp_path / "cache") for entrant in found}
        return RefereeConfig("race", {"name": "standard"}, time, built, manual, manual, trace=trace)

    return make


def specs(names, number=1, block=None):
    return [
        GameSpec(f"g{n}", n, len(names), n if block is None else block, n, f"{n:032x}", list(names))
        for n in range(number)
    ]


@pytest.mark.slow
def test_games_come_back_in_the_order_asked_for(config, race):
    made = config({}, {}, {})
    with Referee(made, pin=False) as referee:
        records = referee.play(specs(made.bots, 4))
        again = referee.play(specs(made.bots, 1))
    assert [record.id for record in records] == ["g0", "g1", "g2", "g3"]
    assert again[0].digest == records[0].digest
    for record in records:
        assert not record.faults
        assert verify(record, race, {"name": "standard"}) == []


def open_at_once(referee: Referee) -> list[int]:
    """How many tables are open whenever one is opened."""
    seen = []
    opened = referee._games._begin

    def count(spec):
        opened(spec)
        seen.append(len(referee._games.open))

    referee._games._begin = count  # type: ignore[method-assign]
    return seen


@pytest.mark.slow
def test_bots_that_play_several_games_are_given_several(config):
    made = config({"parallel": 3}, {"parallel": 3})
    with Referee(made, pin=False) as referee:
        seen = open_at_once(referee)
        records = referee.play(specs(made.bots, 9))
    assert max(seen) == 3
    assert not any(record.faults for record in records)


@pytest.mark.parametrize("credited", mostly_slow([True, False]))
def test_a_seat_is_charged_for_its_own_time_only(config, monkeypatch, credited):
    if not credited:
        monkeypatch.setattr(run_queue, "_IS_REPORTED", False)
    made = config({"body": "time.sleep(0.4)"}, {})
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots))
    slow, quick = record.times
    # Less than all of it: what the referee does, or waits for a core, in the meantime is charged to nobody.
    assert min(slow) >= 200_000
    assert sum(quick) < sum(slow)
    assert not record.faults


def test_a_trace_holds_every_message_of_a_game(config, tmp_path):
    made = config({}, {}, trace=tmp_path / "trace")
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots))
    lines = [json.loads(line) for line in (tmp_path / "trace" / "g0.jsonl").read_text().splitlines()]
    sent = [line["message"]["type"] for line in lines if "to" in line]
    received = [line["message"]["type"] for line in lines if "from" in line]
    assert sent.count("start") == sent.count("end") == 2
    assert sent.count("decide") == received.count("act") == len(record.steps)
    known_as = {line["message"].get("game_id") for line in lines if line["message"]["type"] not in ("hello", "welcome")}
    assert known_as == {public_id(bytes.fromhex(record.seed), "g0")}, "bots are not told the id of our tables"


def test_somebody_starts_a_bot_by_hand(config, tmp_path):
    """It has no clock, and nobody asks whose process it is."""
    made = config({}, manual=frozenset({"me"}))
    script = tmp_path / "mine.py"
    script.write_text(BOT.format(parallel=1, games=[], body="assert m['clock'] is None"))
    started = []

    def announce(name, endpoint, token, has_left):
        environment = {"ARENA_ENDPOINT": endpoint, "ARENA_TOKEN": token}
        started.append((name, subprocess.Popen([sys.executable, str(script)], env=environment)))

    with Referee(made, pin=False, announce=announce) as referee:
        [record] = referee.play(specs(["me", *made.bots]))
    [(name, process)] = started
    assert name == "me"
    assert process.wait(30) == 0
    assert record.ending == "finished"
    assert not record.faults


def test_the_check_before_the_first_game(config, tmp_path):
    made = config({})
    [name] = made.bots
    with Referee(made, pin=False) as referee:
        report = referee.check(name)
    assert report.ok
    assert report.hello.name == "b"


def test_watchers_see_every_step_and_its_events(config):
    made = config({}, {})
    seen = []
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots), on_step=lambda _, moment: seen.append(moment))
    assert [moment.step for moment in seen] == record.steps
    assert all(event.what["seat"] == moment.step.seat for moment in seen for event in moment.events)


BURN = """
        os.sched_setaffinity(0, {{core}})
        before = time.process_time()
        while time.process_time() < before + 0.02:
            pass
        """
HELPERS = """
        os.sched_setaffinity(0, {{core}})
        before = sum(os.times()[:4])
        code = "import time\\nwhile time.process_time() < 0.06: pass"
        helpers = [subprocess.Popen([sys.executable, "-S", "-c", code]) for _ in range(3)]
        [helper.wait() for helper in helpers]
        m["metrics"] = {{"cpu": sum(os.times()[:4]) - before}}
        """


@pytest.fixture
def crowded():
    """A core that others want, too."""
    core = min(os.sched_getaffinity(0))
    code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    others = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(6)]
    yield core
    for other in others:
        other.kill()
        other.wait()


@pytest.mark.slow
@pytest.mark.skipif(not credits_waiting(), reason="this system does not tell what a process waits for a core")
def test_what_a_bot_waits_for_a_core_is_not_its_time(config, crowded, monkeypatch):
    """It computes 20 ms and has 60: beside six others that takes more, and it is not late."""
    let_nobody_start_a_task(monkeypatch)
    body = BURN.format().replace("core", str(crowded)).strip()
    made = config({"body": body}, {"body": body}, time=TimeControl(start=60.0, move=0.06, bank=0.0))
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots))
        passed = referee._transport.waited
    assert not record.faults
    charged = [time for times in record.times for time in times]
    assert len(charged) == len(record.steps)
    assert median(charged) >= 20_000  # not all: nobody's clock runs while the referee itself has to wait for a core
    assert sum(charged) < passed * 1e6 / 2


@pytest.mark.slow
@pytest.mark.skipif(not credits_waiting(), reason="this system does not tell what a process waits for a core")
def test_what_a_bots_own_helpers_take_from_each_other_is_its_time(config, crowded):
    body = "import subprocess, sys" + HELPERS.format().replace("core", str(crowded)).rstrip()
    made = config({"body": body}, {}, time=TimeControl(start=60.0, move=60.0))
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots))
    took = [step.metrics["cpu"] * 1e6 for step in record.steps if step.seat == 0]
    assert took
    assert min(took) > 150_000
    assert all(charged >= cpu - 40_000 for charged, cpu in zip(record.times[0], took, strict=True))
