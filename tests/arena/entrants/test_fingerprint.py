"""What changes a fingerprint, and what does not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.entrants.fingerprint import fingerprint, sources


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.toml").write_text("command = 'x'")
    (folder / "main.py").write_text("main")
    (folder / "lib" / "help.py").write_text("help")
    return folder


def _edit(bot: Path) -> None:
    (bot / "lib" / "help.py").write_text("Help")


def _rename(bot: Path) -> None:
    (bot / "main.py").rename(bot / "start.py")


def _move_bytes(bot: Path) -> None:
    (bot / "main.py").write_text("mai")
    (bot / "lib" / "help.py").write_text("nhelp")


def _make_executable(bot: Path) -> None:
    (bot / "main.py").chmod(0o755)


def _add(bot: Path) -> None:
    (bot / "empty").touch()


@pytest.mark.parametrize("change", [_edit, _rename, _move_bytes, _make_executable, _add])
def test_the_source_counts(bot: Path, change: Callable[[Path], None]) -> None:
    before = fingerprint(bot)
    change(bot)
    assert fingerprint(bot) != before


@pytest.mark.parametrize(
    "name", [".git/HEAD", ".env", "__pycache__/a.pyc", "node_modules/x/y.js", "target/bot", "a.pyc"]
)
def test_what_tools_make_does_not_count(bot: Path, name: str) -> None:
    before = fingerprint(bot)
    (bot / name).parent.mkdir(parents=True, exist_ok=True)
    (bot / name).write_text("made")
    assert fingerprint(bot) == before


def test_named_outputs_do_not_count(bot: Path) -> None:
    before = fingerprint(bot, ["bin", "./lib/fast.so"])
    (bot / "bin").mkdir()
    (bot / "bin" / "bot").write_text("made")
    (bot / "lib" / "fast.so").write_text("made")
    assert fingerprint(bot, ["bin", "./lib/fast.so"]) == before
    assert fingerprint(bot) != before


def test_neither_place_nor_time_counts(bot: Path) -> None:
    before = fingerprint(bot)
    os.utime(bot / "main.py", (1, 1))
    assert fingerprint(bot.rename(bot.parent / "elsewhere")) == before


def test_links_are_followed_but_not_in_circles(bot: Path) -> None:
    shelf = bot.parent / "shelf"
    shelf.mkdir()
    (shelf / "shared.py").write_text("shared")
    (bot / "linked").symlink_to(shelf)
    (bot / "lib" / "circle").symlink_to(bot)
    os.mkfifo(bot / "pipe")
    assert list(map(str, sources(bot))) == ["bot.toml", "main.py", "lib/help.py", "linked/shared.py"]
    before = fingerprint(bot)
    (shelf / "shared.py").write_text("Shared")
    assert fingerprint(bot) != before
