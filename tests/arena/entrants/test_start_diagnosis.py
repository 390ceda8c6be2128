"""Why a bot never said hello, in words for whoever wrote it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.entrants import Built, ProcessExit, build, expand
from arena.entrants.start_diagnosis import EarlyEnd, explain_end

UNSTARTED = ProcessExit(127, None, "could not be started", is_unstarted=True)
LEFT = ProcessExit(0, None, "exit code 0")
FAILED = ProcessExit(1, None, "exit code 1")
NO_ENV = ProcessExit(127, None, "exit code 127")


def written(folder: Path, files: dict[str, str], mode: int = 0o644) -> Built:
    """The bot that the first of these files is, or the folder if that is a bot.toml."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
        (folder / name).chmod(mode)
    first = next(iter(files))
    path = (folder / first).parent if first.endswith("bot.toml") else folder / first
    return build(expand([path]).found[0], folder / "cache")


def found(built: Built, ended: ProcessExit, stderr: str = "", has_connected: bool = False) -> EarlyEnd:
    early = explain_end(built, ended, stderr, has_connected)
    assert early is not None
    return early


def test_who_forgot_to_call_run_is_asked_for_it(tmp_path: Path) -> None:
    forgot = written(tmp_path, {"mine.py": "from arena.client import run\n"})
    assert found(forgot, LEFT).why == "it ended by itself without connecting: does it call run()?"
    assert "without saying hello" in found(forgot, LEFT, has_connected=True).why
    empty = written(tmp_path, {"empty.py": ""})
    assert found(empty, LEFT).why == "it ended by itself without connecting: does it call run()? empty.py is empty"
    other = written(tmp_path, {"other/bot.toml": "command = './bot'", "other/bot": "#!/bin/sh\n"})
    assert "run()" not in found(other, LEFT).why


@pytest.mark.parametrize(
    ("command", "files", "why", "advice"),
    [
        ("no-such-program-1 x", {}, "there is no program no-such-program-1 in PATH", "command"),
        ("./bot", {}, "there is no ./bot in its folder", "bot.toml"),
        ("./bot", {"bot": "#!/bin/sh\n"}, "./bot may not be executed: chmod +x", "chmod +x"),
    ],
)
def test_a_program_that_cannot_be_run_is_named(
    tmp_path: Path, command: str, files: dict[str, str], why: str, advice: str
) -> None:
    built = written(tmp_path, {"b/bot.toml": f"command = '{command}'", **{f"b/{k}": v for k, v in files.items()}})
    early = found(built, UNSTARTED, "whatever the system says")
    assert early.why == why
    assert advice in early.advice


@pytest.mark.parametrize(
    ("text", "ended", "stderr", "why"),
    [
        ("#!/bin/sh\r\necho\r\n", UNSTARTED, "", "CRLF"),
        ("#!/usr/bin/env sh\r\necho\r\n", NO_ENV, "env: 'sh\\r': No such file or directory", "CRLF"),
        ("#!/no/such/shell\n", UNSTARTED, "", "names /no/such/shell, which is not on this machine"),
        ("#!/usr/bin/env no-such-one\n", NO_ENV, "/usr/bin/env: 'no-such-one': No such", "names no-such-one"),
    ],
)
def test_a_first_line_that_keeps_a_script_from_running_is_named(
    tmp_path: Path, text: str, ended: ProcessExit, stderr: str, why: str
) -> None:
    assert why in found(written(tmp_path, {"bot": text}, 0o755), ended, stderr).why


def test_a_script_without_a_first_line_is_told_to_have_one(tmp_path: Path) -> None:
    files = {"b/bot.toml": "command = './bot'", "b/bot": "print()\n"}
    assert "does not say what runs it" in found(written(tmp_path, files, 0o755), UNSTARTED).why


@pytest.mark.parametrize(
    ("beside", "stderr"),
    [
        ("helper.py", "Traceback\nModuleNotFoundError: No module named 'helper'"),
        ("tools/openings.py", "ModuleNotFoundError: No module named 'tools.openings'"),
        ("table.json", "FileNotFoundError: [Errno 2] No such file or directory: 'table.json'"),
        ("data/book", "cannot open data/book"),
        ("helper.js", "Error: Cannot find module './helper'"),
    ],
)
def test_a_file_that_lies_beside_a_single_file_is_said_not_to_be_copied(
    tmp_path: Path, beside: str, stderr: str
) -> None:
    bot = written(tmp_path, {"mine.py": "", beside: ""})
    assert "which lies beside it; only this file is copied: a folder with bot.toml carries the rest" in (
        found(bot, FAILED, stderr).why
    )
    alone = written(tmp_path / "alone", {"mine.py": ""})
    assert explain_end(alone, FAILED, stderr, False) is None


@pytest.mark.parametrize("place", ["copy", "original"])
def test_a_file_may_be_named_by_its_whole_path(tmp_path: Path, place: str) -> None:
    """As by `Path(__file__).with_name("weights.npz")`, or as its author knows it, which nobody shows a bot in a box."""
    bot = written(tmp_path, {"mine.py": "", "weights.npz": ""})
    file = (bot.folder if place == "copy" else tmp_path) / "weights.npz"
    assert "it needs weights.npz, which lies beside it" in (
        found(bot, FAILED, f"FileNotFoundError: [Errno 2] No such file or directory: '{file}'").why
    )


def test_a_file_of_a_folder_that_counts_as_made_is_said_not_to_be_copied(tmp_path: Path) -> None:
    bot = written(tmp_path, {"b/bot.toml": "command = 'true'", "b/dist/net.bin": "", "b/net.txt": ""})
    assert "dist/net.bin, which is not copied" in found(bot, FAILED, "no such file: dist/net.bin").why
    assert explain_end(bot, FAILED, "no such file: net.txt", False) is None


@pytest.mark.parametrize("place", ["/etc/passwd", "../secret", "x/../../secret", ".", ""])
def test_nothing_is_looked_for_outside_of_the_folder(tmp_path: Path, place: str) -> None:
    """What a bot writes might else find out what there is on this machine."""
    (tmp_path / "secret").write_text("")
    bot = written(tmp_path / "bots", {"mine.py": ""})
    assert explain_end(bot, FAILED, f"No such file or directory: '{place}'", False) is None


def test_a_python_without_the_client_is_named(tmp_path: Path) -> None:
    said = "ModuleNotFoundError: No module named 'arena'"
    other = written(tmp_path, {"b/bot.toml": "command = 'python3 bot.py'"})
    assert "its Python has no arena" in found(other, FAILED, said).why
    ours = written(tmp_path, {"c/bot.toml": "command = '{python} bot.py'"})
    assert explain_end(ours, FAILED, said, False) is None


def test_no_pipe_that_a_bot_puts_in_place_of_its_program_is_waited_for(tmp_path: Path) -> None:
    built = written(tmp_path, {"b/bot.toml": "command = './bot'", "b/bot": "#!/bin/sh\n"}, 0o755)
    (built.folder / "bot").unlink()
    os.mkfifo(built.folder / "bot", 0o755)
    assert explain_end(built, UNSTARTED, "", False) is None
