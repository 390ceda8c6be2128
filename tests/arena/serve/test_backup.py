"""What a backup has of a league in which something happens meanwhile."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.common.removal import remove
from arena.serve import backup
from arena.serve.intake import archives
from arena.serve.intake.incoming import coming, submission_folder
from arena.serve.intake.intake import Intake
from arena.serve.league import read_league
from arena.serve.service import served
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
    path, no_source = folder / gone, backup._no_source
    when = path if gone == "source" else path.parent

    def while_it_is_removed(where: str, names: list[str]) -> list[str]:
        if Path(where) == when:
            remove(str(path))
        return no_source(where, names)

    monkeypatch.setattr(backup, "_no_source", while_it_is_removed)
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


def test_what_the_file_names_is_in_the_copy_so_that_it_can_be_read_there(made) -> None:
    names = ("hooks/post.sh", "leader.py", "tls/cert.pem", "tls/key.pem", "bots/old/bot.toml")
    for name in names:
        (made.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (made.folder / name).write_text(name)
    (made.folder / "hooks/post.sh").chmod(0o700)
    web = '[web]\ntls_cert = "tls/cert.pem"\ntls_key = "tls/key.pem"\n'
    made.league(
        f'{web}[hooks]\nround = "./hooks/post.sh a"\nmark = ["sh", "leader.py"]', 'references = ["old=bots/old"]'
    )
    made.store("ada")
    copy = backed_up(made)
    assert {name: (copy / name).read_text() for name in names} == {name: name for name in names}
    assert read_league(copy / "league.toml").hooks is not None


@pytest.mark.parametrize("is_taken", [False, True])
def test_what_nobody_has_taken_yet_is_taken_from_the_copy(made, store, monkeypatch, is_taken: bool) -> None:
    (made.folder / "drop/ada/mine").mkdir(parents=True)
    (made.folder / "drop/ada/mine/bot.py").write_text("dropped")
    (made.folder / "drop/ada/link").symlink_to(made.folder / "league.toml")
    os.mkfifo(made.folder / "drop/ada/pipe")
    with coming(made.folder, "bob", "upload") as place:
        (place / "bot.py").write_text("uploaded")
    whole = archives.copy

    def while_it_is_taken(entry: Path, *more: Any) -> None:
        whole(entry, *more)
        if is_taken:
            remove(str(entry))

    monkeypatch.setattr(backup, "copy", while_it_is_taken)
    copy = backed_up(made)
    waiting = [*copy.glob("drop/*/*/bot.py"), *copy.glob("submissions/incoming/*/bot.py")]
    assert [each.read_text() for each in waiting] == ([] if is_taken else ["dropped", "uploaded"])
    assert not os.path.lexists(copy / "drop/ada/link")


def test_what_cannot_be_read_of_a_submission_does_not_keep_a_league_from_its_backup(made, store) -> None:
    received = submission_folder(made.folder, submitted(made, store, "ada", "first")) / "received"
    os.mkfifo(received / "pipe")
    assert sorted(path.name for path in (submission_folder(backed_up(made), 1) / "received").iterdir()) == ["bot.py"]


def test_nobody_else_can_look_into_a_copy_and_into_one_that_lies_in_another_folder(made, store) -> None:
    made.league("[web]\nport = 0")
    submitted(made, store, "ada", "first")
    copy = backed_up(made)
    private = ["submissions", "seasons"]
    assert {(copy / name).stat().st_mode & 0o777 for name in private} == {0o700}
    for name in private:
        (copy / name).chmod(0o755)
    with served(copy / "league.toml", lambda _: None):
        assert {(copy / name).stat().st_mode & 0o777 for name in private} == {0o700}
