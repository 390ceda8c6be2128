"""The log, by `--verbose` and by `ARENA_LOG`, and that there is none unless it is asked for. Its words: `wording/`."""

from __future__ import annotations

import json
import os
import re
import signal
import sys

import pytest

from tests.arena.cli.conftest import CRASHER, ROOT

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d (DEBUG|INFO|WARNING|ERROR) (\d+) (.+)")
PATIENT = ["--start", 60, "--bank", 60]


@pytest.fixture
def bots(tmp_path):
    """One that is built, one that crashes, one that is left out."""
    (tmp_path / "crasher.py").write_text(CRASHER)
    (tmp_path / "silent.py").write_text("raise SystemExit('I will not play\\nat all')")
    built = tmp_path / "built"
    built.mkdir()
    built.joinpath("bot.py").write_text((ROOT / "bots" / "random_bot.py").read_text("utf-8"))
    built.joinpath("bot.toml").write_text(f'command = ["{sys.executable}", "bot.py"]\nbuild = ["true"]\n')
    return [ROOT / "bots" / "greedy.py", "crasher.py", "silent.py", "built"]


def lines(stderr):
    return [game.groups() for game in map(LINE.fullmatch, stderr.splitlines()) if game]


@pytest.mark.slow
def test_what_becomes_of_bots_and_games_stands_in_it_from_every_process(shell, bots):
    words = [*bots, *PATIENT, "--games", 6, "--players", "2,3", "--jobs", 2, "--seed", 1]
    done = shell.run("tournament", *words, "--out", "t", "--verbose")
    found = lines(done.stderr)
    texts = [text for _, _, text in found]
    assert {level for level, _, _ in found} == {"INFO"}
    assert len({pid for _, pid, _ in found}) == 3, "the command and its workers"
    for bot in ("greedy", "crasher", "silent", "built"):
        assert len([text for text in texts if text.startswith(f"{bot} ")]) > 1
    assert len([text for text in texts if "built-" in text]) == 2, "its build begins and ends"
    for game in shell.json("show", "t", "--games"):
        of_game = [text for text in texts if text.startswith(game["id"])]
        assert len(of_game) >= 2, "it begins and ends"
        assert len(of_game) >= 4 or not game["retired"], "there is a fault, and a seat retires"


@pytest.mark.slow
def test_nothing_hidden_stands_in_it_at_any_level(shell, bots):
    words = [*bots, *PATIENT, "--games", 6, "--players", 3, "--jobs", 1]
    done = shell.run("tournament", *words, "--out", "t", env={"ARENA_LOG": "debug"})
    found = lines(done.stderr)
    texts = [text for _, _, text in found]
    assert any("SIGSTOP" in text for text in texts)
    assert {"DEBUG", "INFO"} <= {level for level, _, _ in found}
    assert "secret plan" not in done.stderr
    without_head = re.sub(r"(?<=, head )[0-9a-f]{64}$", "", done.stderr, flags=re.MULTILINE)
    assert not re.findall(r"(?<![\w-])[0-9a-f]{16,}", without_head), "a seed or a token"
    assert not re.findall(r"\b\d{10,}\b", done.stderr), "the seed of a bot"


@pytest.mark.slow
@pytest.mark.parametrize("level", ["", "error"])
def test_nothing_is_logged_unless_it_is_asked_for(shell, bots, level):
    words = [*bots, *PATIENT, "--games", 2, "--players", 2, "--jobs", 1]
    done = shell.run("tournament", *words, "--out", "t", env={"ARENA_LOG": level})
    assert not lines(done.stderr)


def test_a_level_that_there_is_not_is_an_error(cli, monkeypatch):
    monkeypatch.setenv("ARENA_LOG", "loud\x1b[2J")
    assert "\x1b" not in cli("games", code=2).stderr


@pytest.mark.parametrize(
    ("variable", "words", "levels"),
    [
        ("Warning", [], set()),
        ("Warning", ["--verbose"], {"INFO"}),
        ("debug", ["--verbose"], {"DEBUG", "INFO"}),
    ],
)
@pytest.mark.slow
@pytest.mark.process
def test_the_level_that_says_more_counts(cli, bots, monkeypatch, variable, words, levels):
    monkeypatch.setenv("ARENA_LOG", variable)
    done = cli("match", bots[0], "@random_bot", *PATIENT, "--seed", 1, "--json", *words)
    assert {level for level, _, _ in lines(done.stderr)} == levels
    assert json.loads(done.stdout)["ending"] == "finished"


@pytest.mark.slow
def test_a_signal_ends_it_as_ever_while_it_logs(shell, bots):
    with shell.start("tournament", *bots[:2], *PATIENT, "--games", 10_000, "--verbose") as process:
        for line in process.stderr:
            if re.search(r" p\d-b\d+-r\d ", line):
                break
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_log_that_nobody_reads_changes_nothing(shell, bots):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with shell.start(
            "tournament", *bots[:2], *PATIENT, "--games", 2, "--players", 2, "--verbose", stderr=writing
        ) as process:
            out, _ = process.communicate(timeout=200)
    finally:
        os.close(writing)
    assert process.returncode == 0
    assert out
    assert shell.json("show")["games"]["played"] == 2
