"""Which private folders are removed, and by whom."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.common import private_folders
from arena.common.private_folders import private_folder, remove_folders

NOBODY = 2**22 + 1
"""More than any process id of Linux."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(private_folders, "_LONGEST_PATH", 1000)
    return tmp_path


def test_folders_of_workers_that_are_gone_are_removed_but_none_of_another_machine_or_container(home: Path) -> None:
    own = private_folder()
    place = own.name.split("-")[1]
    gone = home / f"arena-{place}-{NOBODY}-x"
    elsewhere = home / f"arena-{'0' * len(place)}-{NOBODY}-x"
    for folder in (gone, elsewhere):
        folder.mkdir()
    second = private_folder()
    assert sorted(home.iterdir()) == sorted([own, second, elsewhere])


def test_a_process_that_ends_removes_its_own(home: Path) -> None:
    own = private_folder()
    elsewhere = home / f"arena-{'0' * len(own.name.split('-')[1])}-{os.getpid()}-x"
    elsewhere.mkdir()
    remove_folders()
    assert list(home.iterdir()) == [elsewhere]


@pytest.mark.process
def test_a_folder_that_nobody_got_goes_with_its_process() -> None:
    made = "from arena.common.private_folders import private_folder; print(private_folder()); raise KeyboardInterrupt"
    done = subprocess.run([sys.executable, "-c", made], capture_output=True, text=True, check=False)
    folder = Path(done.stdout.strip())
    assert folder.is_absolute()
    assert not folder.exists()
