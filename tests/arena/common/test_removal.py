"""Folders are deleted whatever a bot did to them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.common.removal import remove


def test_a_folder_goes_with_all_that_is_in_it(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("of somebody else")
    folder = tmp_path / "folder"
    for name in ("a/b/c", "a/d", "e"):
        (folder / name).mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("x")
    (folder / "a" / "link").symlink_to(precious)
    (folder / "e" / "all").symlink_to(tmp_path)
    os.mkfifo(folder / "e" / "pipe")
    for name in ("a/b/c", "a/b", "a"):
        (folder / name).chmod(0)
    remove(str(folder))
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.slow
def test_depth_does_not_matter(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deep", dir_fd=here)
        deeper = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    remove(str(tmp_path / "deep"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "link", "nothing"])
def test_what_is_no_folder_goes_too_but_not_what_a_symlink_names(tmp_path: Path, kind: str) -> None:
    (tmp_path / "kept").mkdir()
    there = tmp_path / "there"
    if kind == "file":
        there.touch()
    if kind == "link":
        there.symlink_to(tmp_path / "kept")
    remove(str(there))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
