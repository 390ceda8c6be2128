"""Bots to be checked, as folders and files of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.check import StepResult, check
from arena.entrants import expand
from arena.game.clock import TimeControl

PATIENT = TimeControl(start=60.0, move=0.003, bank=20.0)
"""With little free time for a decision, as a bot that searches takes what there is."""

PLAIN = """
import os, msgpack, zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send(msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "plain"}))
while (message := msgpack.unpackb(socket.recv()))["type"] != "bye":
    if message["type"] == "decide":
        answer = {"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": 0}
        socket.send(ANSWER)
"""
"""A client as a stranger writes it; tests put in what it sends."""

Try = Callable[..., dict[str, StepResult]]


@pytest.fixture
def attempt(tmp_path: Path) -> Try:
    """Checks the bot at a path; the results by step."""

    def attempt(path: Path, *only: str) -> dict[str, StepResult]:
        [entrant] = expand([path]).found
        return {each.step: each for each in check(entrant, PATIENT, only=only, cache=tmp_path / "cache")}

    return attempt


@pytest.fixture
def client(tmp_path: Path) -> Callable[[str], Path]:
    """A bot that answers with that expression."""

    def write(answer: str) -> Path:
        path = tmp_path / "client.py"
        path.write_text(PLAIN.replace("ANSWER", answer))
        return path

    return write
