"""What a backup has of a league in which something happens meanwhile."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.common.removal import remove
from arena.serve import backup
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.intake import Intake
from arena.serve.league import read_league
from arena.serve.store import LeagueStore, copy_state


@pytest.fixture
def store(made) -> LeagueStore:
    made.league()
    return made.store("ada", "bob")


def submitted(made, store: LeagueStore, name: str, text: str) -> int:
    file = made.folder / "upload"
    file.write_text(text)
    return Intake(read_league(made.folder / "league.toml"), store).upload(name, "bot.py", file)


def backed_up(made) -> Path:
    return backup.back_up(read_league(made.folder / "league.toml"), made.folder.parent / "copy")


def test_what_comes_during_a_backup_is_not_given_to_who_comes_next_after_it(made, store, monkeypatch) -> None:
    def with_another(*folders: Path) -> None:
        copy_state(*folders)
        submitted(made, store, "ada", "secret of ada")

    submitted(made, store, "ada", "first")
    monkeypatch.setattr(backup, "copy_state", with_another)
    copy = backed_up(made)
    assert [each.id for each in store.submissions()] == [1, 2]
    made.folder = copy
    restored = made.store()
    assert submitted(made, restored, "bob", "of bob") == 2
    folders = {each.submitter: submission_folder(copy, each.id) / "received" for each in restored.submissions()}
    found = {name: (folder / "bot.py").read_text() for name, folder in folders.items()}
    assert found == {"ada": "first", "bob": "of bob"}


@pytest.mark.parametrize("gone", ["source", "source/lib", "source/lib/b"])
def test_what_is_removed_while_it_is_copied_is_no_reason_to_fail(made, store, monkeypatch, gone: str) -> None:
    folder = submission_folder(made.folder, submitted(made, store, "ada", "first"))
    for name in ("source/a", "source/lib/b"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    path, sockets = folder / gone, backup._sockets
    when = path if gone == "source" else path.parent

    def while_it_is_removed(where: str, names: list[str]) -> list[str]:
        if Path(where) == when:
            remove(str(path))
        return sockets(where, names)

    monkeypatch.setattr(backup, "_sockets", while_it_is_removed)
    copy = submission_folder(backed_up(made), 1)
    assert not path.exists()
    assert (copy / "received" / "bot.py").read_text() == "first"


def test_a_backup_fails_if_something_that_is_there_cannot_be_copied(made, store, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no room")

    submitted(made, store, "ada", "first")
    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(OSError, match="no room"):
        backed_up(made)
