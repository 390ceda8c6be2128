"""New commits and tags are received, and nothing that a repository brings along is run."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from arena.serve import LeagueError
from arena.serve.intake.incoming import receive, submission_folder
from arena.serve.intake.intake import Intake
from arena.serve.intake.repositories import WatchedRepository
from arena.serve.league import BotRepository

pytestmark = pytest.mark.process
AUTHOR = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}
NAMED = {f"GIT_{who}_{what}": "ada@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *words: str) -> str:
    environment = {**os.environ, **AUTHOR, **NAMED}
    given = ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *words]
    return subprocess.run(given, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def committed(folder: Path, files: dict[str, bytes]) -> str:
    if not folder.exists():
        folder.mkdir()
        git(folder, "init", "-q")
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    return git(folder, "rev-parse", "HEAD").strip()


def read(made, url: str, known=None, most: float = 1, **more) -> WatchedRepository:
    """Look at a repository once, to the end."""
    said: list[str] = []
    watched = WatchedRepository(BotRepository("ada", url, **more), made.folder, most, said.append)
    watched.look(known, 0)
    while watched.is_busy:
        watched._child.wait(60)
        watched.look(known, 0)
    assert said == ([] if not watched.trouble else said[:1])
    assert not any((made.folder / "repositories").iterdir())
    return watched


def content(made, number: int) -> Path:
    [found] = (submission_folder(made.folder, number) / "received").iterdir()
    return found


def names(file: Path) -> list[str]:
    with tarfile.open(file) as archive:
        return sorted(archive.getnames())


def test_a_commit_of_a_branch_is_received_once(made, tmp_path: Path) -> None:
    league, store = made.league(), made.store("ada")
    first = committed(tmp_path / "r", {"bot.py": b"x = 1"})
    git(tmp_path / "r", "checkout", "-qb", "side")
    side = committed(tmp_path / "r", {"bot.py": b"x = 2"})
    read(made, str(tmp_path / "r"), branch="main")
    read(made, f"file://{tmp_path / 'r'}", known=first, branch="main")
    read(made, str(tmp_path / "r"))
    assert [(each.digest, each.via) for each in receive(league, store)] == [(first, "git"), (side, "git")]
    assert names(content(made, 1)) == ["bot.py"]


def test_a_branch_that_returns_to_an_earlier_commit_is_received_again(made, tmp_path: Path) -> None:
    url = tmp_path / "r"
    first = committed(url, {"bot.py": b"x = 1"})
    league = made.league(f"[[repository]]\nsubmitter = 'ada'\nurl = '{url}'\n")
    store = made.store("ada")
    intake = Intake(league, store)
    [watched] = intake.repositories

    def look() -> list[str]:
        watched._next = 0
        intake.look()
        while watched.is_busy:
            watched._child.wait(60)
            intake.look()
        return [each.digest for each in store.submissions()]

    assert look() == look() == [first]
    second = committed(url, {"bot.py": b"x = 2"})
    assert look() == [first, second]
    git(url, "reset", "-q", "--hard", first)
    assert look() == look() == [first, second, first]


def test_a_submitter_has_one_repository(made) -> None:
    one = "[[repository]]\nsubmitter = 'ada'\nurl = '/r'\n"
    with pytest.raises(LeagueError, match="more than one"):
        made.league(one + one)


def test_the_newest_tag_that_fits_is_received(made, tmp_path: Path) -> None:
    league, store = made.league(), made.store("ada")
    commits = {}
    for tag in ("v1.9", "v1.10", "w2"):
        commits[tag] = committed(tmp_path / "r", {"bot.py": tag.encode()})
        git(tmp_path / "r", "tag", "-am", "x", tag)
    read(made, str(tmp_path / "r"), tag="v*")
    assert [each.digest for each in receive(league, store)] == [commits["v1.10"]]
    with tarfile.open(content(made, 1)) as archive:
        assert archive.extractfile("bot.py").read() == b"v1.10"


def test_hooks_filters_and_submodules_do_not_run(made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither theirs nor ours: ours could be meant for other repositories."""
    league, store = made.league(), made.store("ada")
    ran = tmp_path / "ran"
    home = tmp_path / "home"
    (home / "templates" / "hooks").mkdir(parents=True)
    hook = f"#!/bin/sh\ntouch {ran}\n"
    (tmp_path / "filter").write_text(hook + "cat\n")
    (tmp_path / "filter").chmod(0o755)
    config = f'[filter "evil"]\nsmudge = {tmp_path / "filter"}\n[init]\ntemplateDir = {home / "templates"}\n'
    (home / ".gitconfig").write_text(config + f"[core]\nfsmonitor = {tmp_path / 'filter'}\n")
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (home / "templates" / "hooks" / name).write_text(hook)
        (home / "templates" / "hooks" / name).chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    committed(tmp_path / "below", {"inner.py": b""})
    committed(tmp_path / "r", {"bot.py": b"x", ".gitattributes": b"*.py filter=evil\n"})
    git(tmp_path / "r", "submodule", "--quiet", "add", str(tmp_path / "below"), "sub")
    committed(tmp_path / "r", {})
    read(made, str(tmp_path / "r"))
    read(made, str(tmp_path / "r"), submodules=True)
    receive(league, store)
    assert "sub/inner.py" not in names(content(made, 1))
    assert (content(made, 2) / "sub" / "inner.py").exists()
    assert not (content(made, 2) / ".git").exists()
    assert not ran.exists()


@pytest.mark.parametrize(("more", "why"), [({"branch": "none"}, "it has no none"), ({"tag": "v*"}, "it has no v*")])
def test_what_is_not_there_is_said(made, tmp_path: Path, more: dict, why: str) -> None:
    committed(tmp_path / "r", {"bot.py": b"x"})
    assert why in read(made, str(tmp_path / "r"), **more).trouble
    assert "ls-remote" in read(made, str(tmp_path / "nowhere")).trouble


def test_a_commit_that_cannot_be_fetched_is_left_alone_ever_longer(made, tmp_path: Path, monkeypatch) -> None:
    fetched, clone = [], WatchedRepository._clone

    def cloned(watched: WatchedRepository) -> None:
        fetched.append(moment)
        clone(watched)

    def look(moment: float) -> None:
        watched.look(None, moment)
        while watched.is_busy:
            watched._child.wait(60)
            watched.look(None, moment)

    monkeypatch.setattr(WatchedRepository, "_clone", cloned)
    committed(tmp_path / "r", {"bot.py": bytes(3 << 20)})
    watched = WatchedRepository(BotRepository("ada", str(tmp_path / "r"), every="1 min"), made.folder, 1, print)
    for moment in range(0, 960, 60):
        look(moment)
        assert watched.trouble
    assert fetched == [0, 60, 180, 420, 900]
    committed(tmp_path / "r", {"bot.py": b"x"})
    moment = 960
    look(moment)
    assert (fetched[-1], watched.trouble) == (960, ""), "another commit is fetched at once"


def test_a_repository_that_is_too_large_is_ended(made, tmp_path: Path) -> None:
    league, store = made.league(), made.store("ada")
    committed(tmp_path / "r", {"bot.py": os.urandom(3 << 20)})
    assert read(made, str(tmp_path / "r")).trouble
    committed(tmp_path / "zeros", {"bot.py": bytes(3 << 20)})
    assert "archive" in read(made, str(tmp_path / "zeros")).trouble, "it is small until it is unpacked"
    assert receive(league, store) == []


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% x",
        "http://example.org/x",
        "git://example.org/x",
        "relative",
        "--upload-pack=x",
        "",
        "https://ada:secret@example.org/x",
    ],
)
def test_other_addresses_are_not_taken(made, url: str) -> None:
    with pytest.raises(LeagueError, match="is none of") as refused:
        WatchedRepository(BotRepository("ada", url), made.folder, 1, print)
    assert "secret" not in str(refused.value)


def test_an_address_of_the_net_opens_no_files_of_ours(made, tmp_path: Path) -> None:
    """A submodule may name any address; only the protocol of the repository's own is allowed."""
    watched = WatchedRepository(BotRepository("ada", "https://127.0.0.1:1/x"), made.folder, 1, print)
    watched._folder.mkdir(parents=True)
    committed(tmp_path / "r", {"bot.py": b""})
    watched._start("ls-remote", str(tmp_path / "r"))
    assert watched._child.wait(60) != 0
    assert "transport 'file' not allowed" in watched._child.last_lines()
