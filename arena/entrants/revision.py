"""Take a bot's source as it was at a revision in git, into a folder of the cache.

The files are what a checkout of that revision would write: git's attributes and filters apply (line ends, encodings,
large files kept elsewhere), and nothing is left out or filled in that is meant for archives only.
"""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

from arena.common.removal import remove
from arena.entrants.build import default_cache
from arena.entrants.manifest import EntrantError

_SECONDS: Final = 60
_OF_ANOTHER_REPOSITORY: Final = frozenset(
    f"GIT_{name}"
    for name in (
        "DIR",
        "COMMON_DIR",
        "WORK_TREE",
        "INDEX_FILE",
        "PREFIX",
        "NAMESPACE",
        "OBJECT_DIRECTORY",
        "ALTERNATE_OBJECT_DIRECTORIES",
    )
)
"""Variables that git sets for its hooks, in which a comparison may be started."""
_ELSEWHERE: Final = b"version https://git-lfs.github.com/spec/"
"""The first bytes of what stands in place of a file that is kept in Git LFS."""
_PLAIN: Final = ("-c", "core.hooksPath=/dev/null", "-c", "core.sparseCheckout=false", "-c", "core.fsmonitor=false")
"""Settings with which a checkout starts nothing and leaves out nothing."""


class GitError(EntrantError):
    """A revision that cannot be read."""


def at_revision(path: Path, revision: str, cache: Path | None = None) -> Path:
    """Return where a copy lies of the file or folder as it was at a revision. The copy has the same name.

    Args:
        path: In the work tree of a repository, or the repository itself. There need not be anything any more.
        revision: As git takes it, such as `HEAD~1`, a branch, or a commit's hash.
        cache: The folder for built bots; None takes that of `build`.

    Raises:
        GitError: There is no git, no repository, no such revision, or nothing of that path in it; or what is there is
            no whole bot: a link, or a folder with links out of it, submodules or files that are kept elsewhere.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its own name
    here = next(folder for folder in (path, *path.parents) if folder.is_dir() and not folder.is_symlink())
    found = _git(here, "rev-parse", "--absolute-git-dir", "--show-prefix", what=f"{path} has no revisions")
    repository, prefix = os.fsdecode(found).split("\n")[:2]
    inside = f"{prefix}{path.relative_to(here).as_posix()}".removesuffix("/.").removesuffix("/")
    commit = _commit(here, revision, path)
    copied = _place(cache, commit, inside) / path.name
    if not copied.exists():
        what = path.name if inside == "." else inside
        _check_out(Path(repository), commit, inside, copied, f"{what} in {revision}")
    return copied


def _commit(here: Path, revision: str, path: Path) -> str:
    found = _git(
        here,
        *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"),
        what=f"there is no revision {revision} in the repository of {path}",
    )
    return found.decode("ascii").strip()


def _place(cache: Path | None, commit: str, inside: str) -> Path:
    """Return the folder for a copy: the same for the same content, so that it need not be taken twice."""
    key = blake2b(f"{commit}\0{inside}".encode(errors="surrogateescape"), digest_size=10).hexdigest()
    return (cache or default_cache()).absolute() / "revisions" / key


def _check_out(repository: Path, commit: str, inside: str, copied: Path, what: str) -> None:
    """Write the copy, whole or not at all. Raises `OSError` or `GitError`.

    Args:
        repository: Its folder `.git`.
        commit: The hash.
        inside: What to copy, seen from the top of the work tree.
        copied: Where to.
        what: The same in words.
    """
    copied.parent.mkdir(parents=True, exist_ok=True)
    work = copied.with_name(f".{secrets.token_hex(8)}")
    index = work.with_name(f"{work.name}.index")
    try:
        work.mkdir()
        words = (*_PLAIN, f"--git-dir={repository}", f"--work-tree={work}", "--literal-pathspecs")
        own = {"GIT_INDEX_FILE": str(index)}
        failed = f"{what} cannot be taken from git"
        # All of it, because files beside and above the bot's may say how those are to be written.
        _git(work, *words, "read-tree", commit, what=failed, variables=own)
        listed = _git(work, *words, "ls-files", "--stage", "-z", "--", inside, what=failed, variables=own)
        if not listed:
            raise GitError(f"there is no {what}: commit it, or name an older file or folder to compare with")
        _git(work, *words, "checkout", "--quiet", commit, "--", inside, what=failed, variables=own)
        for problem in _not_whole(work / inside, listed):
            raise GitError(f"{failed}: {problem}")
        if not copied.exists():  # another process may have been quicker
            (work / inside).rename(copied)
    finally:
        index.unlink(missing_ok=True)
        remove(str(work))


def _not_whole(bot: Path, listed: bytes) -> Iterator[str]:
    """Yield in words what keeps what was checked out from being the bot. `listed`: its files, as git lists them."""
    if bot.is_symlink():
        yield f"it is a link to {bot.readlink()}: name that"
    for entry in listed.split(b"\0"):
        if entry.startswith(b"160000 "):
            name = os.fsdecode(entry.partition(b"\t")[2])
            yield f"{name} is a submodule, whose files are in another repository"
    for where, folders, files in os.walk(bot):
        for path in [Path(where, name) for name in (*folders, *files)]:
            if path.is_symlink() and not path.resolve().is_relative_to(bot.resolve()):
                yield f"{path.relative_to(bot)} is a link to {path.readlink()}, out of the bot's folder"
    for path in [bot] if bot.is_file() else sorted(bot.rglob("*")):
        if path.is_file() and _starts_with(path, _ELSEWHERE):
            yield f"{path.name} is kept in Git LFS and was not fetched: install git-lfs, and type git lfs fetch --all"


def _starts_with(file: Path, head: bytes) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(head)) == head


def _git(here: Path, *words: str, what: str, variables: Mapping[str, str] | None = None) -> bytes:
    """Return what git prints. `what` says in words what is wrong if it fails. Raises `GitError`."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY}
    try:
        done = subprocess.run(
            ["git", "-C", str(here), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment | {"LC_ALL": "C"} | dict(variables or {}),
            timeout=_SECONDS,
        )
    except FileNotFoundError:
        raise GitError(f"git is not installed, and is needed for a bot's revisions ({' '.join(words)})") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {' '.join(words)}: no answer within {_SECONDS} seconds") from None
    said = done.stderr.decode(errors="replace").strip().splitlines()
    if done.returncode or any(line.startswith("error: ") for line in said):  # a filter may fail and git go on
        raise GitError(f"{what}{f' ({said[0]})' if said else ''}")
    return done.stdout
