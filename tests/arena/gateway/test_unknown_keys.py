"""Who has no key: refused, while games go on and nobody is charged."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import socket
import threading
from urllib.parse import urlsplit

import msgspec
import pytest

from arena.gateway.forwarder import Opening
from arena.gateway.gateway import RateBudget
from arena.gateway.keys import KeyFile, allow, new_key, own_key, write_key
from arena.referee.referee import Referee
from tests.arena.gateway.conftest import SECONDS, spec

pytestmark = pytest.mark.process

GARBAGE = 2000


def connected(address: str) -> socket.socket:
    to = urlsplit(address)
    return socket.create_connection((to.hostname, to.port), SECONDS)


def is_closed(caller: socket.socket) -> bool:
    """Read until the other end closes the connection."""
    try:
        while caller.recv(1 << 16):
            pass
    except OSError:
        pass
    caller.close()
    return True


def test_another_key_is_refused(league, join, tmp_path):
    write_key(tmp_path / "eve.key", new_key("eve", own_key(league.folder).public))
    join(key=tmp_path / "eve.key").wait_for("refuses this key")


def test_another_gateway_is_refused(league, join, tmp_path):
    public, _ = new_key("x", None).public, None
    key = league.read_key()
    write_key(tmp_path / "eve.key", KeyFile("ada", key.public, key.secret, public))
    join(key=tmp_path / "eve.key").wait_for("nobody answers")


def test_a_key_counts_as_long_as_the_league_keeps_it(league, join, tmp_path):
    author = join()
    author.wait_for("connected as ada")
    allow(league.folder, "ada", new_key("ada", None).public)
    author.wait_for("refuses this key")


def test_the_newest_connection_of_a_key_counts(league, join):
    first = join()
    first.wait_for("connected as ada")
    join().wait_for("connected as ada")
    first.wait_for("somebody else has joined with the same key")
    assert first.process.wait(SECONDS) == 2


def test_what_was_said_once_opens_nothing_when_it_is_said_again(league, join, proxy):
    way = proxy()
    author = join(address=way.address)
    author.wait_for("connected as ada")
    assert author.end() == 130
    said = way.sent[0]
    assert len(said) > 200
    log = league.log()
    for end in (64, 264, len(said)):
        caller = connected(league.address)
        caller.sendall(said[:end])
        caller.shutdown(socket.SHUT_WR)
        assert is_closed(caller)
    assert league.log() == log
    assert log.count("connected") == 1


def test_garbage_and_stalled_handshakes_stop_no_game(league, join, tmp_path):
    join().wait_for("connected as ada")
    chance = random.Random(1)
    greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"CURVE".ljust(20, b"\0") + bytes(32)
    stalled = [connected(league.address) for _ in range(100)]
    for number, each in enumerate(stalled):
        each.sendall(greeting[: number % len(greeting)])
    done = threading.Event()

    def pester() -> None:
        for number in range(GARBAGE):
            try:
                with connected(league.address) as caller:
                    caller.sendall(greeting * (number % 2) + chance.randbytes(chance.randrange(300)))
            except OSError:
                continue
        done.set()

    pest = threading.Thread(target=pester)
    pest.start()
    records = []
    with Referee(league.config(tmp_path), pin=False) as referee:
        while not records or not done.is_set():
            records += referee.play([spec(len(records))])
    pest.join()
    assert {record.ending for record in records} == {"finished"}
    assert [record.faults for record in records if record.faults] == []
    assert league.process.starts == 1
    assert not league.process.check()
    assert all(map(is_closed, stalled))


def test_files_of_a_gateway_are_for_its_user_alone(league):
    modes = {
        name: (league.folder / name).stat().st_mode & 0o777
        for name in ("gateway.key", "inside.secret", "inside", "inside/socket")
    }
    assert modes == {"gateway.key": 0o600, "inside.secret": 0o600, "inside": 0o700, "inside/socket": 0o600}
    assert league.key.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("said", [b"?", msgspec.msgpack.encode(Opening("ada", b"1", "kosmos", "guessed"))])
def test_who_finds_the_socket_inside_and_is_no_forwarder_is_let_nowhere(league, join, said, monkeypatch):
    author = join()
    author.wait_for("connected as ada")
    monkeypatch.chdir(league.folder / "inside")
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect("socket")
        caller.sendall(len(said).to_bytes(4, "big") + said)
        assert is_closed(caller)
    assert author.end() == 130
    assert not [line for line in author.said if "process" in line]


def test_a_budget_is_spent_and_comes_back(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("arena.gateway.gateway.time.monotonic", lambda: now[0])
    budget = RateBudget(2, 1.0)
    assert [budget.take() for _ in range(3)] == [True, True, False]
    now[0] = 0.5
    assert [budget.take() for _ in range(2)] == [True, False]


def test_descriptors_do_not_pile_up(league, join):
    join().wait_for("connected as ada")
    folder = f"/proc/{league.pid()}/fd"
    before = len(os.listdir(folder))  # noqa: PTH208
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 200
    for _ in range(200):
        with contextlib.suppress(OSError), connected(league.address) as caller:
            caller.sendall(b"GET / HTTP/1.1\r\n\r\n")
    while len(os.listdir(folder)) > before + 3:  # noqa: PTH208
        pass
