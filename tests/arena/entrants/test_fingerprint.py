"""What changes a fingerprint, and what does not."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import shipped
from arena.entrants import EntrantError, expand
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


def test_links_within_a_folder_are_followed_but_not_in_circles(bot: Path) -> None:
    (bot / "linked").symlink_to("lib")
    (bot / "again.py").symlink_to("lib/help.py")
    (bot / "lib" / "circle").symlink_to(bot)
    (bot / "lost").symlink_to("nothing")
    assert list(map(str, sources(bot))) == ["again.py", "bot.toml", "main.py", "lib/help.py"]
    before = fingerprint(bot)
    (bot / "lib" / "help.py").write_text("Help")
    assert fingerprint(bot) != before


@pytest.mark.parametrize("target", ["secret", "..", "/", "/proc/self/pagemap", "/dev/zero", "../gone"])
def test_a_link_that_leaves_the_folder_is_refused_unread(bot: Path, target: str) -> None:
    """It would carry what its reader may not see into the copy, or never end."""
    (bot.parent / "secret").write_text("of the user")
    (bot / "lib" / "link").symlink_to(bot.parent / target)
    with pytest.raises(EntrantError, match=r"lib/link is a link that leaves"):
        fingerprint(bot)
    (bot / "lib" / "link").rename(bot / "lib" / ".link")
    assert fingerprint(bot), "what is no source does not matter"


def test_a_link_to_a_bot_that_comes_with_the_arena_stands_for_its_bytes(bot: Path) -> None:
    greedy = shipped.bots()["greedy"]
    (bot / "lib" / "greedy.py").symlink_to(greedy)
    linked = fingerprint(bot)
    (bot / "lib" / "greedy.py").unlink()
    assert fingerprint(bot) != linked
    (bot / "lib" / "greedy.py").write_bytes(greedy.read_bytes())
    assert fingerprint(bot) == linked


def test_a_link_out_by_a_folder_of_tools_is_refused(bot: Path) -> None:
    (bot / "venv").mkdir()
    (bot / "venv" / "out").symlink_to("/")
    assert fingerprint(bot)
    (bot / "etc").symlink_to("venv/out/etc")
    with pytest.raises(EntrantError, match="etc is a link"):
        fingerprint(bot)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (os.mkfifo, "a named pipe"),
        (lambda path: os.mknod(path, stat.S_IFSOCK | 0o600), "a socket"),
        (lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 1 << 40), "more than the 1024 MiB"),
    ],
    ids=["pipe", "socket", "holes"],
)
def test_what_is_no_file_or_too_large_is_refused_unread(
    bot: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[str], object], what: str
) -> None:
    monkeypatch.chdir(bot)
    make("odd")
    with pytest.raises(EntrantError, match=what):
        fingerprint(bot)


@pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="no endless file here")
def test_a_bot_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "endless.py").symlink_to("/proc/self/pagemap")
    with pytest.raises((EntrantError, OSError)):
        fingerprint(tmp_path / "endless.py")


def test_more_files_or_bytes_than_a_bot_may_have_are_refused(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.entrants.fingerprint.MOST_FILES", 3)
    assert fingerprint(bot)
    monkeypatch.setattr("arena.entrants.fingerprint.MOST_BYTES", 20)
    with pytest.raises(EntrantError, match="more than a bot may have"):
        fingerprint(bot)
    monkeypatch.undo()
    monkeypatch.setattr("arena.entrants.fingerprint._MOST_ENTRIES", 3)
    with pytest.raises(EntrantError, match="more than 3 files and folders"):
        fingerprint(bot)


def test_folders_that_lie_too_deep_in_each_other_are_refused(bot: Path) -> None:
    bot.joinpath(*"d" * 64).mkdir(parents=True)
    assert len(sources(bot)) == 3
    bot.joinpath(*"d" * 900).mkdir(parents=True)
    with pytest.raises(EntrantError, match="deeper"):
        sources(bot)


def test_such_a_bot_is_left_out_by_name(bot: Path) -> None:
    (bot / "link").symlink_to("/etc")
    [found] = expand([bot], keep_faulty=True).found
    assert "leaves the bot's folder" in found.fault
    with pytest.raises(EntrantError):
        expand([bot])
