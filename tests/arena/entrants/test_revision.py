"""Bots as they were at a revision in git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from arena.entrants import EntrantError, expand
from arena.entrants.revision import at_revision

pytestmark = pytest.mark.process


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q")

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", self.folder, *identity, *words], check=True, stdout=subprocess.DEVNULL)

    def commit(self, **files: str) -> None:
        """Write files (`__` is a dot, `___` a slash), and commit all that lies there."""
        for name, text in files.items():
            path = self.folder / name.replace("___", "/").replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", "work")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "mine")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_a_file_is_taken_as_it_was_and_keeps_its_name(repository: Repository, cache: Path) -> None:
    repository.commit(mine__py="first")
    repository.commit(mine__py="second")
    (repository.folder / "mine.py").write_text("third")
    before = at_revision(repository.folder / "mine.py", "HEAD~1", cache)
    assert (before.name, before.read_text()) == ("mine.py", "first")
    assert at_revision(repository.folder / "mine.py", "HEAD", cache).read_text() == "second"
    assert (repository.folder / "mine.py").read_text() == "third"
    assert expand([before]).found[0].name == "mine"


def test_a_file_below_the_root_that_is_gone_by_now(
    repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(bots___old___mine__py="first", other__py="other")
    repository.git("rm", "-qr", "bots")
    repository.commit(other__py="other still")
    monkeypatch.chdir(repository.folder)
    assert at_revision(Path("bots/old/mine.py"), "HEAD~1", cache).read_text() == "first"


def test_a_folder_is_taken_with_all_that_is_in_it(repository: Repository, cache: Path) -> None:
    repository.commit(fogg___bot__toml="command = 'sh bot.sh'", fogg___bot__sh="exit", fogg___lib___a__sh="a")
    repository.commit(x__py="x")
    repository.commit(fogg___lib___b__sh="b")
    copied = at_revision(repository.folder / "fogg", "HEAD~1", cache)
    names = sorted(path.relative_to(copied).as_posix() for path in copied.rglob("*") if path.is_file())
    assert names == ["bot.sh", "bot.toml", "lib/a.sh"]
    assert expand([copied]).found[0].name == "fogg"


def test_a_file_in_a_folder_of_the_repository(repository: Repository, cache: Path) -> None:
    repository.commit(bots___mine__py="first", mine__py="another")
    assert at_revision(repository.folder / "bots" / "mine.py", "HEAD", cache).read_text() == "first"


def test_a_link_out_of_the_bot_is_refused(repository: Repository, cache: Path) -> None:
    repository.commit(fogg___bot__toml="")
    (repository.folder / "fogg" / "link").symlink_to("/etc/passwd")
    repository.commit()
    with pytest.raises(EntrantError, match="fogg in HEAD cannot be taken from git: link is a link to"):
        at_revision(repository.folder / "fogg", "HEAD", cache)


def test_an_executable_stays_one(repository: Repository, cache: Path) -> None:
    (repository.folder / "mine").write_text("#!/bin/sh\n")
    (repository.folder / "mine").chmod(0o755)
    repository.commit()
    assert os.access(at_revision(repository.folder / "mine", "HEAD", cache), os.X_OK)


def test_the_same_revision_has_one_copy(repository: Repository, cache: Path) -> None:
    repository.commit(mine__py="first")
    assert at_revision(repository.folder / "mine.py", "HEAD", cache) == at_revision(
        repository.folder / "mine.py", "HEAD~0", cache
    )
    assert len(list((cache / "revisions").iterdir())) == 1


def test_the_repository_is_that_of_the_file_also_within_a_hook_of_another(
    repository: Repository, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(mine__py="first")
    other = Repository(tmp_path / "other")
    other.commit(mine__py="other")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    assert at_revision(repository.folder / "mine.py", "HEAD", cache).read_text() == "first"


def test_names_that_git_could_take_for_something_else(repository: Repository, cache: Path) -> None:
    (repository.folder / "a*[b] ä.py").write_text("star")
    repository.commit(ab__py="plain")
    assert at_revision(repository.folder / "a*[b] ä.py", "HEAD", cache).read_text() == "star"


def test_what_is_wrong_is_said(repository: Repository, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "free.py").write_text("")
    with pytest.raises(EntrantError, match=r"free\.py has no revisions \(.*not a git repository"):
        at_revision(tmp_path / "free.py", "HEAD", cache)
    repository.commit(mine__py="first")
    with pytest.raises(EntrantError, match=r"no revision HEAD~7 in the repository of .*mine\.py"):
        at_revision(repository.folder / "mine.py", "HEAD~7", cache)
    (repository.folder / "new.py").write_text("")
    with pytest.raises(EntrantError, match=r"no new\.py in HEAD: commit it, or name an older file"):
        at_revision(repository.folder / "new.py", "HEAD", cache)
    with pytest.raises(EntrantError, match="no revision --output=x"):
        at_revision(repository.folder / "mine.py", "--output=x", cache)


def test_git_itself_may_be_missing(repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(cache))
    with pytest.raises(EntrantError, match="git is not installed"):
        at_revision(repository.folder / "mine.py", "HEAD", cache)


ATTRIBUTES = [
    ("mine.py export-ignore", {}, b"1\n"),
    ("mine.py export-subst", {}, b"$Format:%H$\n"),
    ("mine.py text eol=crlf", {}, b"a\r\nb\r\n"),
    ("mine.py working-tree-encoding=UTF-16LE", {}, "ä\n".encode("utf-16-le")),
    ("mine.py filter=louder", {"filter.louder.smudge": "tr a-z A-Z", "filter.louder.clean": "tr A-Z a-z"}, b"LOUD\n"),
]


@pytest.mark.parametrize("place", [".gitattributes", "bots/.gitattributes", ".git/info/attributes"])
@pytest.mark.parametrize(("attributes", "settings", "content"), ATTRIBUTES, ids=lambda each: str(each)[:24])
def test_a_copy_is_what_a_checkout_would_write(
    repository: Repository, cache: Path, place: str, attributes: str, settings: dict[str, str], content: bytes
) -> None:
    for key, value in settings.items():
        repository.git("config", key, value)
    mine = repository.folder / "bots" / "mine.py"
    mine.parent.mkdir()
    (repository.folder / place).write_text(attributes)
    mine.write_bytes(content)
    repository.commit()
    copied = at_revision(mine, "HEAD", cache)
    assert copied.read_bytes() == content
    mine.unlink()
    repository.git("checkout", "--", "bots/mine.py")
    assert copied.read_bytes() == mine.read_bytes()
    assert expand([copied]).found[0].fingerprint == expand([mine]).found[0].fingerprint


def test_attributes_are_those_of_the_revision(repository: Repository, cache: Path) -> None:
    repository.commit(__gitattributes="*.py text eol=crlf", mine__py="a\n")
    repository.commit(__gitattributes="", mine__py="b\n")
    assert at_revision(repository.folder / "mine.py", "HEAD~1", cache).read_bytes() == b"a\r\n"
    assert at_revision(repository.folder / "mine.py", "HEAD", cache).read_bytes() == b"b\n"


def test_what_is_kept_elsewhere_is_an_error(repository: Repository, cache: Path) -> None:
    """As Git LFS leaves a file that was not fetched, and as a filter leaves one that fails."""
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    repository.commit(fogg___bot__toml="command = './weights'", fogg___weights=pointer)
    with pytest.raises(EntrantError, match="weights is kept in Git LFS and was not fetched"):
        at_revision(repository.folder / "fogg", "HEAD", cache)
    repository.commit(fogg___weights="real", __gitattributes="weights filter=lost")
    repository.git("config", "filter.lost.smudge", "no-such-program-anywhere")
    with pytest.raises(EntrantError, match=r"cannot be taken from git .*no-such-program"):
        at_revision(repository.folder / "fogg", "HEAD", cache)
    assert not list((cache / "revisions").glob("*/*")), "nothing is left behind"


def test_a_submodule_is_an_error(repository: Repository, cache: Path, tmp_path: Path) -> None:
    repository.commit(fogg___bot__toml="command = 'sh bot.sh'")
    library = Repository(tmp_path / "library")
    library.commit(a__sh="a")
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.folder), "fogg/lib")
    repository.commit()
    with pytest.raises(EntrantError, match="fogg/lib is a submodule"):
        at_revision(repository.folder / "fogg", "HEAD", cache)


def test_a_link_is_not_followed(repository: Repository, cache: Path) -> None:
    (repository.folder / "mine.py").symlink_to("greedy.py")
    repository.commit(greedy__py="1")
    with pytest.raises(EntrantError, match=r"it is a link to greedy\.py: name that"):
        at_revision(repository.folder / "mine.py", "HEAD", cache)


def test_a_bot_may_be_a_repository_of_its_own(repository: Repository, cache: Path) -> None:
    repository.commit(bot__toml="command = 'sh bot.sh'", bot__sh="exit")
    repository.commit(bot__sh="exit 1")
    copied = at_revision(repository.folder, "HEAD~1", cache)
    assert (copied / "bot.sh").read_text() == "exit"
    assert expand([copied]).found[0].name == "mine"
    assert not (copied / ".git").exists()


def test_the_work_tree_and_the_index_stay_as_they_are(repository: Repository, cache: Path) -> None:
    repository.commit(mine__py="first")
    hook = repository.folder / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {repository.folder}/ran\n")
    hook.chmod(0o755)
    repository.git("config", "core.sparseCheckout", "true")
    (repository.folder / ".git" / "info" / "sparse-checkout").write_text("/other\n")
    (repository.folder / "mine.py").write_text("second")
    before = {path: path.read_bytes() for path in repository.folder.rglob("*") if path.is_file()}
    assert at_revision(repository.folder / "mine.py", "HEAD", cache).read_text() == "first"
    assert {path: path.read_bytes() for path in repository.folder.rglob("*") if path.is_file()} == before
