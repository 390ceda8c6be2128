"""What two persons at one terminal see of each other's cards, which is nothing, and how a number is read."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.cli import play, play_terminal
from arena.cli.play_terminal import TerminalPlayer
from arena.web.visitors import BulletinMessage, Visitor


@contextmanager
def terminal(monkeypatch):
    """The standard output is a terminal; errors go elsewhere, and colours are not wanted."""
    ours, theirs = os.openpty()
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with os.fdopen(theirs, "w") as output, Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdout", output)
        monkeypatch.setattr(sys, "stdin", nothing)
        yield
    os.close(ours)


def made(monkeypatch):
    """Return whether the player that the command makes may clear the screen."""
    found = []

    class Player:
        left = ""

        def __init__(self, *given):
            found.append(given[-1])

        def run(self):
            """Play nothing."""

    def run(plan, visitors, front, progress):
        with front(None, SimpleNamespace(rules=None, edition=None)):
            pass

    monkeypatch.setattr(play, "TerminalPlayer", Player)
    monkeypatch.setattr(play, "run", run)
    play._play_here(SimpleNamespace(persons=["Ann", "Bob"]))  # type: ignore[arg-type]
    return found


def test_the_screen_is_cleared_if_the_output_is_a_terminal_whatever_is_wished_of_colours(monkeypatch):
    with terminal(monkeypatch):
        assert made(monkeypatch) == [True]
        monkeypatch.setenv("TERM", "dumb")
        assert made(monkeypatch) == [False]
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        assert made(monkeypatch) == [False]


@pytest.mark.parametrize("may_clear", [True, False])
def test_a_curtain_puts_the_hand_before_it_out_of_sight(may_clear, capsys):
    player = TerminalPlayer(None, Visitor("Ann and Bob"), None, {}, None, may_clear)
    print("Ann, your hand: 3")
    player._take(BulletinMessage(1, "curtain", b'{"decision":1,"seat":1,"name":"Bob"}', None))
    printed = capsys.readouterr().out
    assert printed.endswith("--- Bob: press Enter when only you can see this ---\n")
    hidden = printed.partition("hand: 3\n")[2].partition("--- Bob")[0]
    assert hidden == (play_terminal._CLEAR if may_clear else "\n" * 100)


@pytest.mark.parametrize(
    ("typed", "chosen"), [("2", [1]), ("0000000001", [0]), ("0" * 5000 + "2", [1]), ("0" * 5000, []), ("2" * 5000, [])]
)
def test_zeros_before_a_number_change_nothing(typed, chosen, capsys):
    found = []
    table = SimpleNamespace(choose=lambda visitor, decision, index: found.append(index))
    player = TerminalPlayer(table, Visitor("Ann"), None, {}, None, False)  # type: ignore[arg-type]
    player._turn = {"decision": 1, "choices": [{"text": "go east"}, {"text": "go west"}]}
    player._obey(typed)
    assert found == chosen
    assert capsys.readouterr().out == ("" if chosen else "there are 2 choices: type 1 to 2\n")
