"""A bot's working folder is the same at every start, whatever a bot does to it."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import BuildFailed, Built, build, expand, snapshot

HOSTILE = """
import json, os, pathlib
here = pathlib.Path(".")
seen = {str(path): path.read_text() if path.is_file() else "" for path in sorted(here.rglob("*"))}
for path in [here, *here.rglob("*")]:
    path.chmod(0o700)
(here / "msgpack.py").write_text("raise SystemExit")
(here / "data" / "learned").mkdir(parents=True)
(here / "data" / "learned" / "table").write_text("1")
(here / "bot.toml").write_text("")
(here / "data" / "book").unlink()
(here / "bot.py").open("a").write("# more")
os.symlink("/tmp", "elsewhere")
pathlib.Path(NOTE).write_text(json.dumps([seen, len(os.listdir(os.environ["HOME"]))]) + "\\n")
"""
"""Tells what it finds in its folder, then changes what it can: by permissions it takes for itself."""


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def made(folder: Path, cache: Path, source: str, build_line: str = "") -> Built:
    """A bot with one file of data and a link."""
    bot = folder / "made"
    (bot / "data").mkdir(parents=True, exist_ok=True)
    (bot / "bot.py").write_text(source)
    (bot / "data" / "book").write_text("openings")
    (bot / "bot.toml").write_text(f"command = ['{{python}}', 'bot.py']\n{build_line}")
    return build(expand([bot]).found[0], cache)


def tree(folder: Path) -> dict[str, tuple[int, str]]:
    """All that is in it, with permissions."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mode,
            os.readlink(path) if path.is_symlink() else path.read_text() if path.is_file() else "",  # noqa: PTH115
        )
        for path in [folder, *sorted(folder.rglob("*"))]
    }


def open_up(folder: Path) -> None:
    """As a bot can that may change permissions."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o700)


@pytest.mark.slow
@pytest.mark.process
def test_every_start_sees_the_same_whatever_an_earlier_one_wrote(yard: Any, cache: Path) -> None:
    built = made(yard.folder, cache, f"NOTE = {str(yard.note)!r}\n{HOSTILE}")
    before = tree(built.folder)
    seen = []
    for _ in range(3):
        process = yard.launch(built)
        assert process.wait(60).code == 0, process.stderr_tail()
        seen.append(json.loads(yard.noted()))
        yard.note.unlink()
        process.end()
        assert tree(built.folder) != before
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][0].keys() == {"bot.py", "bot.toml", "data", "data/book"}
    assert tree(build(built.entrant, cache).folder) == before


def test_a_bot_may_not_write_in_its_folder(yard: Any, cache: Path) -> None:
    built = made(yard.folder, cache, "open('log', 'w')")
    if os.access(built.folder, os.W_OK):
        pytest.skip("permissions hold nobody who is root")
    process = yard.launch(built)
    assert process.wait(60).code == 1
    assert "PermissionError" in process.stderr_tail()


@pytest.mark.process
def test_nothing_in_it_may_be_written(tmp_path: Path, cache: Path) -> None:
    store = tmp_path / "store"
    store.write_text("of all bots")
    lines = f"ln {store} linked; ln -s bot.py to; ln -s nowhere lost; mkdir -p deep/er; umask 0; touch deep/er/file"
    built = made(tmp_path, cache, "", f'build = ["sh", "-c", "{lines}"]')
    modes = [path.lstat().st_mode for path in [built.folder, *built.folder.rglob("*")] if not path.is_symlink()]
    assert len(modes) == 9
    assert not [mode for mode in modes if mode & 0o222]
    # What the build had in common with others is still theirs to change.
    assert store.stat().st_mode & stat.S_IWUSR
    assert (built.folder / "linked").read_text() == "of all bots"
    assert os.readlink(built.folder / "lost") == "nowhere"  # noqa: PTH115
    # Nor is anything done to the source.
    assert (tmp_path / "made" / "bot.py").stat().st_mode & stat.S_IWUSR
    assert (tmp_path / "made").stat().st_mode & stat.S_IWUSR


@pytest.mark.process
def test_what_was_changed_is_named_and_put_back(tmp_path: Path, cache: Path) -> None:
    built = made(tmp_path, cache, "pass", 'build = ["ln", "-s", "bot.py", "to"]')
    assert built.snapshot is not None
    assert built.snapshot.changes() == []
    before = tree(built.folder)
    open_up(built.folder)
    (built.folder / "bot.py").write_text("PASS")
    shutil.rmtree(built.folder / "data")
    (built.folder / "to").unlink()
    (built.folder / "to").symlink_to("bot.toml")
    (built.folder / "log").touch()
    changes = built.snapshot.changes()
    assert {"added log", "changed bot.py", "changed to", "removed data", "removed data/book"} <= set(changes)
    built.snapshot.restore()
    assert built.snapshot.changes() == []
    assert tree(built.folder) == before


@pytest.mark.slow
@pytest.mark.process
def test_neither_depth_nor_size_of_what_was_laid_there_matters(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a start has to read is what the bot is made of, and folders may lie deeper than Python can call itself."""
    built = made(tmp_path, cache, "pass")
    assert built.snapshot is not None
    before = tree(built.folder)
    built.folder.chmod(0o700)
    with (built.folder / "huge").open("wb") as file:
        file.truncate(1 << 40)
    deep = os.open(built.folder, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("d", dir_fd=deep)
        deeper = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = deeper
    os.close(deep)
    read: list[str] = []
    hashed = snapshot._hash
    monkeypatch.setattr(snapshot, "_hash", lambda file: (read.append(file.name), hashed(file))[1])
    built.snapshot.restore()
    assert {Path(name).name for name in read} == {"bot.py", "bot.toml", "book"}
    assert tree(built.folder) == before


def test_a_change_back_with_the_old_time_and_size_is_seen(tmp_path: Path, cache: Path) -> None:
    built = made(tmp_path, cache, "pass")
    file = built.folder / "bot.py"
    old = file.stat()
    file.chmod(0o600)
    file.write_text("fail")
    file.chmod(stat.S_IMODE(old.st_mode))
    os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert built.snapshot is not None
    assert built.snapshot.changes() == ["changed bot.py"]


def test_another_process_takes_what_was_put_back_for_the_same(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = made(tmp_path, cache, "pass")
    assert built.snapshot is not None
    (built.folder / "bot.py").chmod(0o600)
    built.snapshot.restore()
    monkeypatch.setattr(snapshot, "_stamps", {})
    monkeypatch.setattr(snapshot, "_unpack", lambda *_: pytest.fail("it was whole"))
    built.snapshot.restore()
    assert built.snapshot.changes() == []


@pytest.mark.process
def test_a_file_that_somebody_lays_beside_a_bot_is_gone_when_it_is_entered_again(tmp_path: Path, cache: Path) -> None:
    built = made(tmp_path, cache, "pass", f'build = ["sh", "-c", "echo built >> {tmp_path}/count"]')
    built.folder.chmod(0o700)
    (built.folder / "msgpack.py").touch()
    assert not (build(built.entrant, cache).folder / "msgpack.py").exists()
    assert (tmp_path / "count").read_text() == "built\n"


def test_without_the_archive_it_is_built_again_but_not_in_the_middle_of_a_game(tmp_path: Path, cache: Path) -> None:
    built = made(tmp_path, cache, "pass")
    archive = built.folder.with_name(f"{built.folder.name}.tar")
    archive.chmod(0o600)
    archive.write_bytes(archive.read_bytes()[:-40])
    built.folder.chmod(0o700)
    (built.folder / "log").touch()
    assert built.snapshot is not None
    with pytest.raises(OSError, match="run the command again"):
        built.snapshot.restore()
    again = build(built.entrant, cache)
    assert again.snapshot is not None
    assert again.snapshot.digest == built.snapshot.digest
    assert sorted(path.name for path in again.folder.iterdir()) == ["bot.py", "bot.toml", "data"]


@pytest.mark.process
def test_a_build_that_fails_leaves_nothing_beside_its_folder_either(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(BuildFailed, match="exit code 1"):
        made(tmp_path, cache, "", 'build = ["false"]')
    assert [path.name for path in cache.iterdir() if path.suffix != ".lock"] == []


def test_a_copy_that_was_changed_is_made_anew_and_that_is_said(tmp_path: Path, cache: Path) -> None:
    built = made(tmp_path, cache, "pass")
    before, said = tree(built.folder), list[str]()
    assert build(built.entrant, cache, say=said.append) == built
    assert said == []
    open_up(built.folder)
    (built.folder / "msgpack.py").touch()
    assert tree(build(built.entrant, cache, say=said.append).folder) == before
    assert said == ["made: its copy in the cache had been changed, and is made anew"]


@pytest.mark.parametrize("name", ["msgpack.py", ".hidden", "__pycache__/bot.pyc", "data/book", "link"])
def test_a_copy_that_was_changed_with_its_archive_and_record_is_made_anew(
    tmp_path: Path, cache: Path, name: str
) -> None:
    built = made(tmp_path, cache, "pass")
    before, said = tree(built.folder), list[str]()
    open_up(built.folder)
    if name == "link":
        (built.folder / name).symlink_to("/")
    else:
        (built.folder / name).parent.mkdir(exist_ok=True)
        (built.folder / name).write_text("evil")
    forged = snapshot.take_snapshot(built.folder)
    assert forged.changes() == [], "or this test shows nothing"
    assert tree(build(built.entrant, cache, say=said.append).folder) == before
    assert len(said) == 1
