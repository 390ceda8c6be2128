"""A person's end of the protocol, over scripted connections."""

from __future__ import annotations

import threading

from arena.play import person as module
from arena.play.person import Person


class Connections:
    """Each connection receives one list of messages, then None; there are no more of them."""

    def __init__(self, *scripts):
        self.scripts = [list(script) for script in scripts]
        self.sent = []

    def __call__(self, endpoint, token):
        if not self.scripts:
            raise ConnectionRefusedError
        self.script = self.scripts.pop(0)
        return self

    def send(self, message):
        self.sent.append(message)

    def receive(self):
        return self.script.pop(0) if self.script else None

    def close(self):
        """Nothing is open."""


def talk(monkeypatch, *scripts):
    connections = Connections(*scripts)
    monkeypatch.setattr(module, "Socket", connections)
    heard, lost = [], []
    person = Person("Ann", heard.append, lost.append)
    person.start("Ann", "ipc://somewhere", "token", None, None)
    [thread] = [each for each in threading.enumerate() if each.name == "person Ann"] or [threading.current_thread()]
    if thread is not threading.current_thread():
        thread.join(60)
    return connections, heard, lost


WELCOME, START, BYE = ({"type": kind} for kind in ("welcome", "start", "bye"))


def test_a_lost_connection_is_made_again(monkeypatch):
    connections, heard, lost = talk(monkeypatch, [WELCOME, START], [WELCOME, START, BYE])
    assert heard == [WELCOME, START] * 2
    assert [message["type"] for message in connections.sent] == ["hello"] * 2
    assert lost == []


def test_a_referee_that_says_nothing_is_not_asked_for_ever(monkeypatch):
    connections, heard, lost = talk(monkeypatch, [], [WELCOME], [WELCOME])
    assert heard == []
    assert len(connections.scripts) == 2
    assert "ConnectionResetError" in lost[0]


def test_after_bye_nothing_more_is_sent(monkeypatch):
    connections, heard, _ = talk(monkeypatch, [WELCOME, BYE], [WELCOME])
    assert heard == [WELCOME]
    assert len(connections.scripts) == 1
