"""What is shown while games are played, on a real terminal of 60 columns and 24 lines."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Callable
from typing import Any

import pytest

from tests.arena.cli.conftest import CRASHER, ROOT
from tests.shell import Shell

pytestmark = [pytest.mark.process, pytest.mark.slow]

COLUMNS, LINES = 60, 24
CALM = ["--start", 60, "--bank", 60, "--jobs", 1]
BOTS = [ROOT / "bots" / f"{name}.py" for name in ("greedy", "pairs", "random_bot")]
HIDDEN, SHOWN_AGAIN = "\x1b[?25l", "\x1b[?25h"


def on_a_terminal(
    shell: Shell,
    *words: object,
    code: int = 0,
    until: str = "",
    then: Callable[[subprocess.Popen[str]], object] = lambda _: None,
    stdin: int = subprocess.DEVNULL,
    **environment: str,
) -> tuple[str, str]:
    """Run a command whose stderr is a terminal. Return what that got, and stdout. At `until`, call `then`."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    plain = {"TERM": "xterm-256color", "COLUMNS": "", "LINES": "", "NO_COLOR": ""}
    shown = b""
    with shell.start(*words, stdin=stdin, stderr=its, env=plain | environment) as run:
        os.close(its)
        while chunk := _read(ours):
            shown += chunk
            if until and until in shown.decode(errors="replace"):
                then(run)
                until = ""
        out, _ = run.communicate()
        assert run.returncode == code, shown
    os.close(ours)
    return shown.decode(), out


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # what Linux says when the other side is closed
        return b""


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 2), ("", 2)])
def test_a_plan_that_opens_something_is_asked_about(shell: Shell, answer: str, code: int) -> None:
    head = f"bots = {[str(bot) for bot in BOTS]}\ngames = 2\nplayers = 2\nstart = 60\nbank = 60\nout = 't'\n"
    (shell.folder / "p.toml").write_text(f"{head}[hooks]\nfinished = 'touch ran'\n")
    ours, its = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    shown, _ = on_a_terminal(shell, "tournament", "--plan", "p.toml", code=code, stdin=its)
    os.close(ours)
    os.close(its)
    assert "finished`: touch ran" in shown
    assert (shell.folder / "ran").exists() == (shell.folder / "t").exists() == (code == 0)


def lines(shown: str) -> list[str]:
    """Every line that was drawn at some time, without what moves the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "\n").splitlines()


def test_a_table_is_drawn_and_removed_before_the_tables_of_the_end(shell: Shell) -> None:
    (shell.folder / "crasher.py").write_text(CRASHER)
    words = ["tournament", *BOTS, "crasher.py", *CALM, "--games", 30, "--players", 2, "--out", "t"]
    shown, out = on_a_terminal(shell, *words)
    drawn = lines(shown)
    assert any(re.match(r"3\d of 3\d games  \d+\.\d a second  0:00:00 left", line) for line in drawn), drawn[-30:]
    assert any(line.split()[:3] == ["#", "bot", "rating"] for line in drawn)
    assert any(re.match(r" *1(–\d)?  \w+ +\d+\.\d ± \d\.\d +\d+ +\d+ %  ", line) for line in drawn)
    assert any(re.match(r"crasher retired in p2-b\d+-r\d: crash", line) for line in drawn)
    begin = next(at for at, line in enumerate(drawn) if re.match(r"0 of \d+ games", line))
    assert max(map(len, drawn[begin:])) <= COLUMNS
    # The last that is done with it: it is erased, and the cursor can be seen.
    assert shown.count(HIDDEN) == shown.count(SHOWN_AGAIN) > 0
    assert shown.rindex("\x1b[2K") > shown.rindex("a second")
    assert "\x1b" not in out
    assert "games played" in out


def test_ctrl_c_leaves_a_terminal_that_can_be_used(shell: Shell) -> None:
    words = ["tournament", *BOTS, *CALM, "--games", 4000, "--players", 2, "--out", "t"]
    interrupt: dict[str, Any] = {"until": " a second", "then": lambda run: run.send_signal(signal.SIGINT)}
    shown, out = on_a_terminal(shell, *words, code=130, **interrupt)
    assert shown.count(HIDDEN) == shown.count(SHOWN_AGAIN) > 0
    assert "Interrupted after" in out
    assert "Traceback" not in shown


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_plain_text_gets_lines(shell: Shell, plain: dict[str, Any]) -> None:
    words = ["tournament", *BOTS, *CALM, "--games", 4, "--players", 2, "--out", "t"]
    shown, _ = on_a_terminal(shell, *words, **plain)
    assert "\x1b" not in shown
    assert re.search(r"^playing: \d+ of \d+, (\w+.* lead|too early to say)", shown, re.MULTILINE)


def test_a_comparison_shows_what_is_known_and_when_it_ends(shell: Shell) -> None:
    sides = [BOTS[2], BOTS[0], "--against", BOTS[1], "--players", 2]
    interrupt: dict[str, Any] = {"until": "is better by +", "then": lambda run: run.send_signal(signal.SIGINT)}
    shown, _ = on_a_terminal(shell, "compare", *sides, *CALM, "--better-by", "0.01", code=130, **interrupt)
    drawn = lines(shown)
    assert any(re.match(r"\d+ games of \d+ at most  \d+\.\d a second", line) for line in drawn)
    assert "it ends when the range is above 0, below 0 or within ±0.01" in drawn
    assert max(map(len, drawn[drawn.index("nothing is known yet") :])) <= COLUMNS
