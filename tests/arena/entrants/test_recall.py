"""Versions of bots whose source has changed since they were built."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.entrants import Entrant, EntrantError, build, expand
from arena.entrants.build import recall


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def recalled(entrant: Entrant) -> Entrant:
    return recall(entrant.name, entrant.fingerprint, str(entrant.path))


def test_a_bot_that_has_not_changed_is_where_it_was(tmp_path: Path) -> None:
    [entrant] = expand([write(tmp_path / "mine.py", "1")]).found
    assert recalled(entrant) == entrant


def test_a_file_that_has_changed_is_taken_from_the_copy_that_was_built(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", "1")
    [entrant] = expand([path]).found
    built = build(entrant)
    write(path, "2")
    again = recalled(entrant)
    assert (again.name, again.fingerprint, again.path.read_text()) == ("mine", entrant.fingerprint, "1")
    assert build(again).folder == built.folder


@pytest.mark.process
def test_a_folder_whose_build_wrote_beside_its_source(tmp_path: Path) -> None:
    write(tmp_path / "fogg" / "bot.toml", "command = 'sh bot.sh'\nbuild = 'sh make.sh'")
    write(tmp_path / "fogg" / "make.sh", "echo made > made.txt")
    source = write(tmp_path / "fogg" / "bot.sh", "exit 1")
    [entrant] = expand([tmp_path / "fogg"]).found
    built = build(entrant)
    write(source, "exit 2")
    again = recalled(entrant)
    assert (again.name, (again.path / "bot.sh").read_text()) == ("fogg", "exit 1")
    assert build(again).folder == built.folder


def test_a_version_that_was_never_built_or_whose_copy_is_gone_is_lost(tmp_path: Path, cache: Path) -> None:
    path = write(tmp_path / "mine.py", "1")
    [entrant] = expand([path]).found
    write(path, "2")
    with pytest.raises(EntrantError, match=r"mine\.py is gone or has changed, and no copy of that version of mine"):
        recalled(entrant)
    write(path, "1")
    build(entrant)
    path.unlink()
    assert recalled(entrant).fingerprint == entrant.fingerprint
    for left in cache.iterdir():
        left.chmod(0o700)
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    with pytest.raises(EntrantError, match="no copy"):
        recalled(entrant)
