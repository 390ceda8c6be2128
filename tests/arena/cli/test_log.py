"""The log, by `--verbose` and by `ARENA_LOG`: what stands in it, and that there is none unless it is asked for."""

from __future__ import annotations

import json
import os
import re
import signal
import sys

import pytest

from tests.arena.cli.conftest import CRASHER, ROOT

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (DEBUG|INFO|WARNING|ERROR) (\d+) (.+)")
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
    return [match.groups() for match in map(LINE.fullmatch, stderr.splitlines()) if match]


@pytest.mark.slow
def test_it_tells_in_plain_lines_what_becomes_of_bots_and_games_in_every_process(shell, bots):
    words = [*bots, *PATIENT, "--games", 6, "--players", "2,3", "--jobs", 2, "--seed", 1]
    done = shell.run("tournament", *words, "--out", "t", "--verbose")
    found = lines(done.stderr)
    texts = [text for _, _, text in found]
    assert {level for level, _, _ in found} == {"INFO"}
    assert len({pid for _, pid, _ in found}) == 3, "the command and its workers"
    for text in (
        "greedy is started, over ipc",
        "greedy is ready",
        "greedy takes part",
        "silent fails: crash, exit code 1 before it said hello",
        "silent is left out: exit code 1 before it said hello: at all",
        "crasher fails: crash, exit code 3",
        "a worker is started",
    ):
        assert text in texts
    assert any(re.fullmatch(r"building built-\w+: true", text) for text in texts)
    assert any(re.fullmatch(r"the build of built-\w+: exit code 0 after .* s", text) for text in texts)
    assert any(re.fullmatch(r"p\d-b\d+-r\d: crash by crasher, seat 0", text) for text in texts)
    assert any(re.fullmatch(r"p\d-b\d+-r\d: crasher retires, seat 0", text) for text in texts)
    begun = [text.partition(" begins: ")[0] for text in texts if " begins: " in text]
    assert len(begun) >= 6
    assert {text.partition(" ends: ")[0] for text in texts if " ends: " in text} == set(begun)


@pytest.mark.slow
def test_nothing_hidden_stands_in_it_at_any_level(shell, bots):
    words = [*bots, *PATIENT, "--games", 6, "--players", 3, "--jobs", 1]
    done = shell.run("tournament", *words, "--out", "t", env={"ARENA_LOG": "debug"})
    found = lines(done.stderr)
    texts = [text for _, _, text in found]
    assert any(text.startswith("SIGSTOP to the bot's group ") for text in texts)
    assert {"DEBUG", "INFO"} <= {level for level, _, _ in found}
    assert "secret plan" not in done.stderr
    assert not re.findall(r"(?<![\w-])[0-9a-f]{16,}", done.stderr), "a seed or a token"
    assert not re.findall(r"\d{10,}", done.stderr), "the seed of a bot"


@pytest.mark.slow
@pytest.mark.parametrize("level", ["", "error"])
def test_nothing_is_logged_unless_it_is_asked_for(shell, bots, level):
    words = [*bots, *PATIENT, "--games", 2, "--players", 2, "--jobs", 1]
    done = shell.run("tournament", *words, "--out", "t", env={"ARENA_LOG": level})
    assert not lines(done.stderr)


def test_a_single_game_has_it_too(shell, bots):
    done = shell.run("match", bots[0], "@random_bot", *PATIENT, "--seed", 1, "--verbose")
    texts = [text for _, _, text in lines(done.stderr)]
    assert "match begins: greedy, random_bot" in texts
    assert re.fullmatch(r"match ends: finished, ranks \[\d, \d\]", next(text for text in texts if "ends" in text))


def test_a_level_that_there_is_not_is_an_error(cli, monkeypatch):
    monkeypatch.setenv("ARENA_LOG", "loud\x1b[2J")
    refused = cli("games", code=2).stderr
    assert "Invalid value for ARENA_LOG" in refused
    assert "is no level: debug, info, warning, error" in " ".join(refused.split())
    assert "\x1b" not in refused


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
            if " begins: " in line:
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
    assert "2 games played" in out
