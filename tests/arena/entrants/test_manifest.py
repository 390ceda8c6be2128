"""`bot.toml`: what may be in it, and what is said when something else is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.entrants import EntrantError, ResourceLimits
from arena.entrants.manifest import read_manifest


def _manifest(folder: Path, text: str) -> Path:
    (folder / "bot.toml").write_text(text)
    return folder


def test_everything_said_is_read(tmp_path: Path) -> None:
    text = """
    name = "tuned"
    command = "./bot --fast"
    build = ["make", "bot"]
    language = "C++"
    transport = "tcp"
    outputs = ["bot"]
    env = { DEPTH = "3" }
    limits = { memory_mb = 100, processes = 2, open_files = 20, file_mb = 3, cpu_seconds = 7 }
    """
    manifest = read_manifest(_manifest(tmp_path, text))
    assert (manifest.name, manifest.command, manifest.build) == ("tuned", "./bot --fast", ["make", "bot"])
    assert (manifest.language, manifest.transport, manifest.outputs) == ("C++", "tcp", ["bot"])
    assert manifest.env == {"DEPTH": "3"}
    assert manifest.limits == ResourceLimits(memory_mb=100, processes=2, open_files=20, file_mb=3, cpu_seconds=7)


def test_only_the_command_is_needed(tmp_path: Path) -> None:
    manifest = read_manifest(_manifest(tmp_path, "command = 'x'"))
    assert (manifest.name, manifest.build, manifest.transport, manifest.limits) == (None, None, "ipc", ResourceLimits())


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("comand = 'x'", ["comand", "command, name, build"]),
        ("command = 'x'\n[limits]\nmemory = 3", ["limits.memory", "memory_mb"]),
        ("name = 'x'", ["command"]),
        ("command = 7", ["command"]),
        ("command = ['x', 7]", ["command"]),
        ('command = "a\\u0000b"', ["command"]),
        ("command = 'x'\ntransport = 'udp'", ["transport", '"ipc"', '"tcp"']),
        ("command = 'x'\nlimits = { memory_mb = 1 }", ["limits.memory_mb", "16"]),
        ("command = 'x'\nlimits = 3", ["limits"]),
        ("command = 'x'\nenv = { A = 1 }", ["env"]),
        ("command = 'x'\nenv = { 'A=B' = '1' }", ["env"]),
        ('command = "x"\nenv = { A = "a\\u0000b" }', ["env.A"]),
        ("command = 'x'\nname = ''", ["name", "64"]),
        ("command = 'x'\n[author]\nteam = 'b'", ["author", "name"]),
        ("command = 'x'\nauthor = 'Ada'", ["author", "table"]),
        ("command = 'x'\n[author]\nname = 'a'\nlicense = 'MIT'", ["author.license", "licence"]),
        ("command = 'x'\n[author]\nname = ' '", ["author.name", "60"]),
        (f"command = 'x'\n[author]\nname = '{'a' * 61}'", ["author.name", "60"]),
        ('command = "x"\n[author]\nname = "a"\nteam = "b\\u001b[2J"', ["author.team", "printed"]),
        ('command = "x"\n[author]\nname = "a"\nlicence = "\\u202etim"', ["author.licence", "printed"]),
        ("command = 'x'\n[author]\nname = 'a'\nlink = 'http://a.example'", ["author.link", "https://"]),
        ("command = ", []),
        ("x = " + "[" * 5000, []),
        ("command = 'x'\n#" + "x" * (64 << 10), ["64 KiB"]),
        ("command = 'x'\nlimits = { memory_mb = " + "9" * 5000 + " }", []),
        ("command = 'x'\nlimits = { memory_mb = " + "9" * 4000 + " }", ["limits"]),
        ("command = 'x'\nlimits = { memory_mb = 9" + "9" * 30 + " }", ["limits"]),
        ("command = 'x'\n" + "a." + ".".join("b" * 9000) + " = 1", ["dots"]),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: list[str]) -> None:
    with pytest.raises(EntrantError) as caught:
        read_manifest(_manifest(tmp_path, text))
    for words in [str(tmp_path / "bot.toml"), *named]:
        assert words in str(caught.value)


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(EntrantError, match=r"bot\.toml"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_not_read(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "bot.toml")
    with pytest.raises(EntrantError, match=r"bot\.toml"):
        read_manifest(tmp_path)


@pytest.mark.slow
@pytest.mark.process
def test_who_has_read_one_ends_well(tmp_path: Path) -> None:
    """msgspec with a pattern in such a type: one process in six fell over its own tidying up."""
    _manifest(tmp_path, "command = 'x'")
    program = f"from pathlib import Path; import arena.entrants.manifest as m; m.read_manifest(Path({str(tmp_path)!r}))"
    for _ in range(20):
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
