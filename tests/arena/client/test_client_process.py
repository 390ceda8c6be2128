"""The Python client as a process of its own, at a real socket."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
import zmq

from arena.protocol.codec import decode, encode
from arena.protocol.messages import Act, Bye, Clock, Decide, FromReferee, Hello, ProtocolLimits, Start, Welcome

pytestmark = pytest.mark.process

TOKEN = b"0123456789abcdef"
PATIENCE_MS = 60_000
WELCOME = Welcome((1, 0), ProtocolLimits(65536, 1 << 20, 3))
START = Start("g", "race", {}, 0, 2, Clock(50, 5000), 5)
LAST = """
from arena.client import run

def decide(game):
    return len(game.actions) - 1

run(decide)
"""
ALL = """
import zlib
from arena.client import run

run(lambda game: zlib.crc32(repr((game.view, game.events, game.actions)).encode()) % len(game.actions))
"""


class Referee:
    """A bare ROUTER and the bot that talks to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._context = zmq.Context()
        self._router = self._context.socket(zmq.ROUTER)
        self._router.setsockopt(zmq.LINGER, 0)
        self.port = self._router.bind_to_random_port("tcp://127.0.0.1")
        self.bots: list[subprocess.Popen[bytes]] = []

    def environment(self) -> dict[str, str]:
        address = {"ARENA_ENDPOINT": f"tcp://127.0.0.1:{self.port}", "ARENA_TOKEN": TOKEN.decode()}
        return {**os.environ, **address, "PYTHONWARNINGS": "error"}

    def launch(self, source: str) -> subprocess.Popen[bytes]:
        file = self._folder / "lastest.py"
        file.write_text(textwrap.dedent(source))
        bot = subprocess.Popen([sys.executable, str(file)], env=self.environment(), stderr=subprocess.PIPE)
        self.bots.append(bot)
        return bot

    def receive(self) -> Hello | Act:
        assert self._router.poll(PATIENCE_MS), "nothing came"
        token, frame = self._router.recv_multipart()
        assert token == TOKEN
        return decode(frame)

    def send(self, *messages: FromReferee) -> None:
        for message in messages:
            self._router.send_multipart([TOKEN, encode(message)])

    def close(self) -> None:
        for bot in self.bots:
            if bot.poll() is None:
                bot.kill()
            bot.communicate()
        self._router.close()
        self._context.term()


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    referee = Referee(tmp_path)
    yield referee
    referee.close()


def question(turn: int, actions: int) -> Decide:
    return Decide("g", turn, [], {}, [{"do": n} for n in range(actions)], None)


def ended(bot: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, stderr = bot.communicate(timeout=PATIENCE_MS / 1000)
    return bot.returncode, stderr.decode()


def test_a_bot_of_a_few_lines_plays_and_ends(referee: Referee) -> None:
    bot = referee.launch(LAST)
    hello = referee.receive()
    assert hello == Hello((1, 0), "lastest", "", "Python", [], 1, True)
    referee.send(WELCOME, START, question(1, 3))
    assert referee.receive() == Act("g", 1, 2)
    referee.send(question(2, 7))
    assert referee.receive() == Act("g", 2, 6)
    referee.send(Bye())
    assert ended(bot) == (0, "")


def test_the_arguments_of_run_stand_in_hello(referee: Referee) -> None:
    referee.launch("""
        from arena.client import run
        run(lambda game: 0, name="n", version="2", games=["race"], parallel=8, deterministic=False)
    """)
    assert referee.receive() == Hello((1, 0), "n", "2", "Python", ["race"], 8, False)


def test_an_error_of_the_author_ends_the_bot_with_its_traceback(referee: Referee) -> None:
    bot = referee.launch("""
        from arena.client import run

        def decide(game):
            return game.view["nowhere"]

        run(decide)
    """)
    referee.receive()
    referee.send(WELCOME, START, question(1, 2))
    code, stderr = ended(bot)
    assert code == 1
    assert "KeyError: 'nowhere'" in stderr


def test_stopping_and_going_on_is_not_noticed(referee: Referee) -> None:
    bot = referee.launch(LAST)
    referee.receive()
    for turn in range(1, 4):
        bot.send_signal(signal.SIGSTOP)
        wait_until(lambda: psutil.Process(bot.pid).status() == psutil.STATUS_STOPPED)
        if turn == 1:
            referee.send(WELCOME, START)
        referee.send(question(turn, 2))
        bot.send_signal(signal.SIGCONT)
        assert referee.receive() == Act("g", turn, 1)
    referee.send(Bye())
    assert ended(bot) == (0, "")


@pytest.mark.slow
def test_a_bot_ends_when_the_process_that_started_it_is_gone(referee: Referee, tmp_path: Path) -> None:
    (tmp_path / "orphan.py").write_text(LAST)
    starter = "import subprocess, sys; print(subprocess.Popen([sys.executable, sys.argv[1]]).pid, flush=True); input()"
    parent = subprocess.Popen(
        [sys.executable, "-c", starter, str(tmp_path / "orphan.py")],
        env=referee.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert parent.stdout is not None
    bot = psutil.Process(int(parent.stdout.readline()))
    referee.receive()
    parent.kill()
    parent.communicate()
    try:
        wait_until(lambda: not bot.is_running() or bot.status() == psutil.STATUS_ZOMBIE)
    finally:
        if bot.is_running():
            bot.kill()


def test_started_by_hand_without_an_address_it_says_how(tmp_path: Path) -> None:
    (tmp_path / "alone.py").write_text(LAST)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "alone.py")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "arena match wait:me alone.py" in done.stderr


def test_the_client_needs_nothing_else_of_the_arena() -> None:
    """A bot's author may copy the file; and a bot starts quicker without the rest."""
    code = "import arena.client, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.split(".")[0] in ("arena", "engine")}
    assert loaded == {"arena", "arena.client"}


@pytest.mark.parametrize("game", ["kosmos", "ravensburger"])
def test_a_whole_game_is_the_same_by_either_codec(game: str, tmp_path: Path) -> None:
    """Every choice depends on all that was received, so two games are alike only if all of it is."""
    played = []
    for without in "", 'import sys; sys.modules["msgspec"] = None\n':
        (tmp_path / "all.py").write_text(without + ALL)
        command = [sys.executable, "-m", "arena", "match", "all.py", "all.py", "--game", game, "--seed", "1", "--json"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_MS / 1000)
        assert done.returncode == 0, done.stderr
        played.append(json.loads(done.stdout))
    assert played[0]["faults"] == []
    assert played[0] == played[1]


def wait_until(condition: Callable[[], bool]) -> None:
    """Looks again and again, with pauses; the end of patience is an error."""
    limit = time.monotonic() + PATIENCE_MS / 1000
    while not condition():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.01)
