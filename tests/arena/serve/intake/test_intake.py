"""What is dropped and uploaded is received once, whole, whenever the league is killed."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from arena.common.removal import remove
from arena.serve import LeagueError
from arena.serve.intake import drop_folder
from arena.serve.intake.archives import UnpackBounds
from arena.serve.intake.drop_folder import NOTE, DropFolder, note
from arena.serve.intake.incoming import coming, receive, submission_folder
from arena.serve.intake.intake import MOST_UNDER_WAY, Intake

SAID: list[str] = []


def content(league: Path, number: int) -> Path:
    [found] = (submission_folder(league, number) / "received").iterdir()
    return found


def drop(league, said=SAID) -> DropFolder:
    return DropFolder(league.folder / "drop", league.folder, UnpackBounds(1_000_000, 100), said.append)


def test_what_is_dropped_is_taken_when_it_has_been_quiet(made) -> None:
    league, store = made.league(), made.store("ada", "bob")
    watched = drop(league)
    watched.look({"ada": 9, "bob": 9}, 0)
    here = league.folder / "drop" / "ada"
    (here / "half.py").write_text("x = ")
    for name in (".hidden", "a.part", "b.tmp", "c.crdownload", NOTE):
        (here / name).write_text("")
    (here / "folder" / "sub").mkdir(parents=True)
    (here / "folder" / "sub" / "x").symlink_to("/etc/passwd")
    for moment in (1, 2, 2.9):
        watched.look({"ada": 9, "bob": 9}, moment)
        assert receive(league, store) == []
    (here / "half.py").write_text("x = 1")
    watched.look({"ada": 9, "bob": 9}, 3.1)
    assert [each.submitter for each in receive(league, store)] == ["ada"]
    assert content(league.folder, 1).name == "folder"
    watched.look({"ada": 9, "bob": 9}, 5)
    assert receive(league, store) == []
    watched.look({"ada": 9, "bob": 9}, 5.2)
    [found] = receive(league, store)
    assert (found.id, found.via, found.state) == (2, "drop", "received")
    assert content(league.folder, 2).read_text() == "x = 1"
    assert {each.name for each in here.iterdir()} == {".hidden", "a.part", "b.tmp", "c.crdownload", NOTE}


def test_what_lies_elsewhere_in_the_drop_folder_is_said_once(made) -> None:
    league, said = made.league(), []
    watched = drop(league, said)
    watched.look({"ada": 9}, 0)
    (league.folder / "drop" / "stray.py").write_text("")
    (league.folder / "drop" / "eve").mkdir()
    (league.folder / "drop" / "eve" / "x.py").write_text("")
    for moment in range(1, 20, 3):
        watched.look({"ada": 9}, moment)
    assert len(said) == 2
    assert (league.folder / "drop" / "eve" / "x.py").exists()


def test_a_folder_that_leads_elsewhere_is_not_looked_into(made, tmp_path: Path) -> None:
    league, said = made.league(), []
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x.py").write_text("")
    (league.folder / "drop").mkdir()
    (league.folder / "drop" / "ada").symlink_to(tmp_path / "other")
    watched = drop(league, said)
    for moment in range(1, 20, 3):
        watched.look({"ada": 9}, moment)
    assert (tmp_path / "other" / "x.py").exists()


@pytest.mark.parametrize("why", [errno.EXDEV, errno.EACCES])
def test_from_another_file_system_or_user_it_is_copied_whole(made, monkeypatch: pytest.MonkeyPatch, why: int) -> None:
    league, store, said = made.league(), made.store("ada"), []
    watched = drop(league, said)
    watched.look({"ada": 9}, 0)
    here = league.folder / "drop" / "ada"
    (here / "mine").mkdir()
    (here / "mine" / "x.py").write_text("x = 1")
    (here / "large.bin").write_bytes(bytes(2_000_000))
    rename = Path.rename

    def across(self: Path, target: Path) -> Path:
        if self.parent == here != target.parent:
            raise OSError(why, os.strerror(why))
        return rename(self, target)

    def others(path: str) -> None:
        if why == errno.EXDEV or Path(path).parent != here:
            remove(path)

    monkeypatch.setattr(Path, "rename", across)
    monkeypatch.setattr(drop_folder, "remove", others)
    for moment in (1, 4, 7, 10):
        watched.look({"ada": 9}, moment)
    [found] = receive(league, store)
    assert (content(league.folder, found.id) / "x.py").read_text() == "x = 1"
    assert [each.name for each in sorted(here.iterdir()) if not each.name.startswith(".")] == ["large.bin", NOTE]
    assert len(said) == 1
    assert "large.bin cannot be received: it holds more than" in said[0]
    assert "large.bin cannot be received: it holds more than" in (here / NOTE).read_text()
    assert not any((league.folder / "submissions" / "incoming").iterdir())


def test_nothing_from_elsewhere_is_copied(made, monkeypatch: pytest.MonkeyPatch) -> None:
    league, said = made.league(), []
    watched = drop(league, said)
    watched.look({"ada": 9}, 0)
    here = league.folder / "drop" / "ada"
    (here / "mine").mkdir()
    (here / "mine" / "state").symlink_to(league.folder / "state.sqlite")
    monkeypatch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(OSError(errno.EXDEV, "elsewhere")))
    for moment in (1, 4):
        watched.look({"ada": 9}, moment)
    assert "state cannot be read" in said[0]
    assert not any((league.folder / "submissions" / "incoming").iterdir())


def test_a_name_that_is_no_text_and_very_many_files_are_received(made, monkeypatch: pytest.MonkeyPatch) -> None:
    league, store = made.league(), made.store("ada")
    watched = drop(league)
    watched.look({"ada": 9}, 0)
    here = league.folder / "drop" / "ada"
    Path(os.fsdecode(os.fsencode(here) + b"/b\xff.py")).write_text("x = 1")
    (here / "many").mkdir()
    for number in range(drop_folder._ONE_BY_ONE):
        (here / "many" / str(number)).touch()
    settled: list[Path] = []
    monkeypatch.setattr(drop_folder, "settle", settled.append)
    for moment in (1, 4):
        watched.look({"ada": 9}, moment)
    assert len(receive(league, store)) == 2
    assert len(settled) == 1, "many files are not waited for one by one"
    assert "b?.py came by drop" in [each.text for number in (1, 2) for each in store.steps(number)]


def test_of_one_submitter_so_many_are_taken_at_a_time(made) -> None:
    league, store = made.league(), made.store("ada", "bob")
    intake = Intake(league, store)
    intake.look()
    here = league.folder / "drop" / "ada"
    for number in range(MOST_UNDER_WAY + 5):
        (here / f"{number:02}.py").touch()
    (here.parent / "bob" / "bot.py").touch()
    until = time.monotonic() + 60
    while len(store.submissions("ada")) < MOST_UNDER_WAY or not store.submissions("bob"):
        assert time.monotonic() < until
        intake.look()
    (made.folder / "uploaded").touch()
    with pytest.raises(LeagueError, match="20 submissions of yours are on their way"):
        intake.upload("ada", "bot.py", made.folder / "uploaded")
    intake.look()
    assert len(store.submissions("ada")) == MOST_UNDER_WAY
    assert len(list(here.glob("*.py"))) == 5
    store.move(1, "refused")
    assert intake.upload("ada", "bot.py", made.folder / "uploaded")
    intake.close()


def test_uploads_are_received_by_harmless_names(made) -> None:
    league, store = made.league(), made.store("ada")
    said = []
    intake = Intake(league, store, print, lambda made, state, text: said.append((made.id, state)))
    for number, name in enumerate(["bot.py", "../../x.zip", "C:\\bots\\mine.py", "..", "a\nb.py", "é" * 300 + ".py"]):
        (made.folder / "uploaded").write_text(name)
        assert intake.upload("ada", name, made.folder / "uploaded") == number + 1
        assert not (made.folder / "uploaded").exists()
    intake.close()
    assert said == [(number + 1, "received") for number in range(6)]
    found = store.submissions()
    names = [content(league.folder, each.id).name for each in found]
    assert names[:5] == ["bot.py", "x.zip", "mine.py", "bot", "a_b.py"]
    assert {each.via for each in found} == {"upload"}
    assert len({each.digest for each in found}) == 6


def test_a_league_that_is_killed_while_it_receives_loses_and_doubles_nothing(
    made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before and after the record, and before its files are in place."""
    league = made.league()
    for number, place in enumerate(["arrival", "receive", "rename"]):
        store = made.store("ada")
        with monkeypatch.context() as patched:
            if place == "arrival":
                (league.folder / "submissions" / "incoming").mkdir(parents=True)
                (league.folder / "submissions" / "incoming" / ".1~upload~ada").mkdir()
            elif place == "receive":
                patched.setattr(store, "receive", _killed)
            else:
                patched.setattr(Path, "rename", _killed_if_received)
            with coming(league.folder, "ada", "upload") as folder:
                (folder / "bot.py").write_text(f"{number}")
            if place != "arrival":
                with pytest.raises(KeyboardInterrupt):
                    receive(league, store)
        again = made.store()
        Intake(league, again).look()
        assert len(again.submissions()) == number + 1
        assert content(league.folder, number + 1).read_text() == f"{number}"
        assert not any((league.folder / "submissions" / "incoming").iterdir())


def _killed(*_) -> None:
    raise KeyboardInterrupt


_RENAME = Path.rename


def _killed_if_received(self: Path, target: Path) -> Path:
    if Path(target).name == "received":
        raise KeyboardInterrupt
    return _RENAME(self, target)


def test_members_who_were_removed_are_not_received(made) -> None:
    league, store = made.league(), made.store("ada", "bob")
    store.set_member("lead", "bob", removed=True)
    intake = Intake(league, store)
    intake.look()
    assert [each.name for each in (league.folder / "drop").iterdir()] == ["ada"]
    intake.close()


def test_a_folder_that_is_deeper_than_a_path_holds_nothing_up(made) -> None:
    league, store, said = made.league(), made.store("ada"), []
    watched = drop(league, said)
    watched.look({"ada": 9}, 0)
    here = os.open(league.folder / "drop" / "ada", os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deep", dir_fd=here)
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    for moment in (1, 4):
        watched.look({"ada": 9}, moment)
    [found] = receive(league, store)
    assert content(league.folder, found.id).name == "deep"
    assert said == []
    remove(str(league.folder / "submissions"))


def test_a_note_does_not_lead_to_secrets_of_the_league(made) -> None:
    (made.folder / "submitters.csv").write_text("grace,https://league.example.org/enter/secret\n")
    (made.folder / "submitters.csv").chmod(0o600)
    (made.folder / "drop" / "ada").mkdir(parents=True)
    noted = made.folder / "drop" / "ada" / "received.txt"
    noted.symlink_to(made.folder / "submitters.csv")
    note(made.folder / "drop" / "ada", "submission 1: joined", 0)
    assert noted.read_text() == "1970-01-01 00:00:00+00:00  submission 1: joined\n"
    assert not noted.is_symlink()
    assert (made.folder / "submitters.csv").stat().st_mode & 0o777 == 0o600
