"""Standard streams that are full, closed or no longer read: an exit code that says so, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.cli.conftest import ROOT
from tests.arena.forging import alter

pytestmark = [pytest.mark.process, pytest.mark.slow]

FULL = Path("/dev/full")
if_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
COMMANDS = [["show"], ["show", "--json"], ["leaderboard"], ["verify"], ["replay", "p2-b0000-r0"]]


@pytest.fixture(scope="module")
def bots():
    return [ROOT / "bots" / "random_bot.py", ROOT / "bots" / "greedy.py"]


def words_for(words, folder):
    return [words[0], folder, *words[1:]]


def close(number):
    """For `preexec_fn`: the command is started without this stream."""
    return lambda: os.close(number)


@if_full
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_full_stdout_is_an_error_in_one_line(shell, played, words):
    with FULL.open("w") as full:
        done = shell.run(*words_for(words, played), stdout=full, code=2)
    assert done.stderr.startswith("arena: ")
    assert done.stderr.count("\n") == 1


@if_full
@pytest.mark.parametrize("words", [["--help"], ["show", "--help"], ["--version"]], ids=" ".join)
def test_so_it_is_for_help(shell, words):
    with FULL.open("w") as full:
        done = shell.run(*words, stdout=full, code=2)
    assert done.stderr.startswith("arena: ")
    assert done.stderr.count("\n") == 1


def test_a_closed_stdout_is_an_error_in_one_line(shell, played):
    done = shell.run("show", played, preexec_fn=close(1), code=2)
    assert done.stderr.startswith("arena: ")
    assert done.stderr.count("\n") == 1


def test_what_was_played_is_kept_though_no_table_can_be_printed(shell, bots):
    words = ["tournament", *bots, "--games", 4, "--players", 2, "--out", "t", "--jobs", 1]
    played = shell.run(*words, preexec_fn=close(1), code=2)
    assert played.stderr.splitlines()[-1].startswith("arena: ")
    assert "Traceback" not in played.stderr
    shown = shell.json("show", "t")
    assert (shown["finished"], shown["games"]["played"]) == (True, 4)
    assert shell.json(*words)["overall"] == shown["overall"]


@pytest.mark.parametrize("stream", [0, 2])
def test_without_the_others_a_command_does_what_it_is_asked(shell, bots, stream):
    words = ["--games", 2, "--players", 2, "--out", "t", "--jobs", 1]
    done = shell.run("tournament", *bots, *words, "--json", preexec_fn=close(stream))
    assert json.loads(done.stdout) == shell.json("leaderboard", "t")
    shell.run("show", "nowhere", preexec_fn=close(stream), code=2)


@if_full
def test_a_full_stderr_costs_only_what_was_to_be_said_there(shell, bots):
    words = ["--games", 2, "--players", 2, "--out", "t", "--jobs", 1]
    with FULL.open("w") as full:
        done = shell.run("tournament", *bots, *words, "--json", stderr=full)
    assert json.loads(done.stdout) == shell.json("leaderboard", "t")


def test_who_stops_reading_is_no_error(shell, played):
    out, into = os.pipe()
    os.close(out)
    try:
        assert shell.run("show", played, stdout=into).stderr == ""
        shell.run("show", "nowhere", stdout=into, stderr=into, code=2)
    finally:
        os.close(into)


def test_a_standard_stream_that_was_closed_is_not_given_to_a_file(tmp_path):
    look = "import os\nfrom arena.cli.terminal import open_closed\nopen_closed()\nprint(os.open('x', os.O_CREAT))\n"
    (tmp_path / "look.py").write_text(look)
    done = subprocess.run(
        [sys.executable, "look.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: (os.close(0), os.close(2)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert int(done.stdout) > 2


def test_the_exit_code_is_the_answer_though_nobody_reads_what_is_printed(shell, played):
    shutil.copytree(played, shell.folder / "t")
    alter(shell.folder / "t", "UPDATE steps SET seat = 'x' WHERE n = 1")
    out, into = os.pipe()
    os.close(out)
    try:
        assert shell.run("verify", "t", stdout=into, code=1).stderr == ""
    finally:
        os.close(into)
