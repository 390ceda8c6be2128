"""Bots that attack the referee's sockets: the attacker alone is charged, and the referee reads and keeps little of it.

Bytes are counted, not seconds. All bots run the whole time, as with `--ponder`, so that an attack goes on while rivals
are asked.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.entrants import build, expand
from arena.game.clock import TimeControl
from arena.game.faults import FAULTS, FaultCost
from arena.game.spec import GameSpec
from arena.isolation.settings import Isolation, Level
from arena.protocol.codec import FRAME_LIMIT
from arena.referee import zmtp_transport
from arena.referee.config import RefereeConfig
from arena.referee.connection import BotConnection
from arena.referee.referee import Referee
from tests.arena.game.conftest import race
from tests.arena.referee.test_referee import BOT
from tests.hostile.yard import HERE, linux
from tests.isolation_demand import need

pytestmark = [pytest.mark.process, pytest.mark.slow, linux]

__all__ = ["race"]

CHARGED = {
    "thousand_connections": "flood",
    "crowd_that_says_hello": "flood",
    "million_empty_parts": "flood",
    "endless_parts": "flood",
    "large_parts": "flood",
    "half_frames_of_16_mib": "oversize",
    "half_frames_that_would_fit": None,
    "endless_size": "oversize",
    "unknown_ids": "impostor",
    "greetings_that_never_end": None,
    "byte_by_byte": "stale",
    "large_frame_byte_by_byte": "flood",
    "heartbeats_without_end": "flood",
    "another_mechanism": "malformed",
    "http": "malformed",
    "command_of_16_mib": "malformed",
    "never_reads": "late",
    "rivals_endpoints": "impostor",
    "crowd_at_rivals_endpoints": "impostor",
}
"""By attack, what the attacker is charged with; None: nothing, as it costs nobody anything."""
TCP = ("crowd_that_says_hello", "endless_parts", "unknown_ids", "rivals_endpoints", "crowd_at_rivals_endpoints")
"""Attacks over ports too, where it is harder to find out who connects."""
BOXED = (
    *("thousand_connections", "crowd_that_says_hello", "million_empty_parts", "endless_parts", "half_frames_of_16_mib"),
    *("unknown_ids", "rivals_endpoints", "crowd_at_rivals_endpoints"),
)
"""Attacks by a bot in a box too: most need nothing but the referee's socket."""
BOXED_TCP = ("crowd_that_says_hello", "endless_parts")
"""The same through the relay of a box."""
UNSEEN = ("rivals_endpoints", "crowd_at_rivals_endpoints")
"""What a bot in a box cannot even try, since it sees no other endpoint."""
TRIED = [
    *((each, "ipc", "none") for each in CHARGED),
    *((each, "tcp", "none") for each in TCP),
    *((each, "ipc", "box") for each in BOXED),
    *((each, "tcp", "box") for each in BOXED_TCP),
]
CONNECTIONS = 3 + 8
"""The most at once: one of each bot, and what the attacker may have besides."""
KEPT = CONNECTIONS * (FRAME_LIMIT + 9 + (1 << 16))
"""Bytes that may wait to be understood."""
UNSENT = 1 << 20
READ = 8 * (1 << 20)
"""Bytes that may be read in a whole game: 64 frames of the largest size, twice."""
WORK = 1000.0
"""Seconds that each read from a connection seems to take: who is charged for one of them is late."""


class Meter:
    """What the referee reads from all connections, and the most that it keeps of it at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open: set[BotConnection] = set()
        self.read = self.kept = self.unsent = self.most = 0
        worked = 0.0
        feed, close, greet = BotConnection.read, BotConnection.close, BotConnection.greet

        def read(connection: BotConnection):
            nonlocal worked
            worked += WORK
            before = connection.kept
            message = feed(connection)
            self.read += max(0, connection.kept - before) + (len(message.frame or b"") if message else 0)
            self.kept = max(self.kept, sum(each.kept for each in self.open))
            self.unsent = max(self.unsent, sum(each.unsent for each in self.open))
            return message

        clock = SimpleNamespace(monotonic=time.monotonic, perf_counter=lambda: time.perf_counter() + worked)
        monkeypatch.setattr(zmtp_transport, "time", clock)
        monkeypatch.setattr(BotConnection, "read", read)
        monkeypatch.setattr(BotConnection, "greet", lambda each: (self.add(each), greet(each)))
        monkeypatch.setattr(BotConnection, "close", lambda each: (self.open.discard(each), close(each)))

    def add(self, connection: BotConnection) -> None:
        self.open.add(connection)
        self.most = max(self.most, len(self.open))


@pytest.mark.parametrize(("attack", "transport", "level"), TRIED)
def test_the_attacker_alone_is_charged(
    attack: str, transport: str, level: Level, tmp_path: Path, race, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(level)
    monkeypatch.setattr("arena.referee.referee.catalog.rules", lambda _: race)
    meter = Meter(monkeypatch)
    attacker = tmp_path / "attacker"
    attacker.mkdir()
    for source in ("door_attacks.py", "raw_client.py"):
        (attacker / source).write_text((HERE / source).read_text("utf-8"))
    manifest = f"command = ['{{python}}', 'door_attacks.py']\nenv = {{ ATTACK = {json.dumps(attack)} }}\n"
    (attacker / "bot.toml").write_text(f"{manifest}transport = '{transport}'\n")
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "bot.toml").write_text(f"command = ['{{python}}', 'bot.py']\ntransport = '{transport}'\n")
    (victim / "bot.py").write_text(BOT.format(parallel=1, games=[], body="time.sleep(0.02)"))
    found = expand([attacker, victim, victim]).found
    isolation = Isolation(level)
    built = {entrant.name: build(entrant, tmp_path / "cache", isolation=isolation) for entrant in found}
    control = TimeControl(start=60.0, move=3.0, bank=0.0, strikes=1, ponder=True)
    config = RefereeConfig("race", {"name": "standard"}, control, built)
    with Referee(config, pin=False) as referee:
        [record] = referee.play([GameSpec("g", 0, 3, 0, 0, "0" * 32, list(built))])
    assert record.ending == "finished"
    seat = record.bots.index("attacker")
    assert {fault.seat for fault in record.faults} <= {seat}, record.faults
    code = None if level == "box" and attack in UNSEEN else CHARGED[attack]
    counted = Counter(fault.code for fault in record.faults)
    assert set(counted) == ({code} if code else set()), record.faults
    costs = FaultCost.FREE if code is None else FAULTS[code]
    assert (seat in record.retired) == (costs is not FaultCost.FREE)
    assert max(spent for times in record.times for spent in times) < WORK * 1e6
    assert meter.most <= CONNECTIONS
    assert meter.kept <= KEPT
    assert meter.unsent <= UNSENT
    assert meter.read <= READ
