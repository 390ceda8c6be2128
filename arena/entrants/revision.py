"""Take a bot's source as it was at a revision in git, into a folder of the cache."""

from __future__ import annotations

import io
import os
import secrets
import subprocess
import tarfile
from hashlib import blake2b
from pathlib import Path
from typing import Final

from arena.entrants import supervisor
from arena.entrants.build import default_cache
from arena.entrants.manifest import EntrantError

_SECONDS: Final = 60
_OF_ANOTHER_REPOSITORY: Final = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})
"""Variables that git sets for its hooks, in which a comparison may be started."""


class GitError(EntrantError):
    """A revision that cannot be read."""


def at_revision(path: Path, revision: str, cache: Path | None = None) -> Path:
    """Return where a copy lies of the file or folder as it was at a revision. The copy has the same name.

    Args:
        path: In the work tree of a repository. There need not be anything any more.
        revision: As git takes it, such as `HEAD~1`, a branch, or a commit's hash.
        cache: The folder for built bots; None takes that of `build`.

    Raises:
        GitError: There is no git, no repository, no such revision, or nothing of that path in it.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its own name
    here = next(folder for folder in path.parents if folder.is_dir())
    found = _git(here, "rev-parse", "--show-toplevel", "--show-prefix", what=f"{path} has no revisions")
    top, prefix = os.fsdecode(found).split("\n")[:2]
    inside = f"{prefix}{path.relative_to(here).as_posix()}"
    commit = _commit(here, revision, path)
    copied = _place(cache, commit, inside) / path.name
    if not copied.exists():
        words = ("--literal-pathspecs", "archive", "--format=tar", commit, "--", inside)
        archive = _git(Path(top), *words, what=f"there is no {inside} in {revision}: is it committed?")
        _unpack(archive, copied, inside)
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


def _unpack(archive: bytes, copied: Path, inside: str) -> None:
    """Write the copy, whole or not at all. `inside`: where it is in the archive. Raises `OSError`."""
    copied.parent.mkdir(parents=True, exist_ok=True)
    fresh = copied.with_name(f".{secrets.token_hex(8)}")
    try:
        try:
            with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
                opened.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
                opened.extractall(fresh)
        except tarfile.TarError as error:  # empty, if its attributes keep it out of archives
            raise GitError(f"{inside} cannot be taken from git: {error}") from None
        if not copied.exists():  # another process may have been quicker
            (fresh / inside).rename(copied)
    finally:
        supervisor.remove(str(fresh))


def _git(here: Path, *words: str, what: str) -> bytes:
    """Return what git prints. `what` says in words what is wrong if it fails. Raises `GitError`."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY}
    try:
        done = subprocess.run(
            ["git", "-C", str(here), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment | {"LC_ALL": "C"},
            timeout=_SECONDS,
        )
    except FileNotFoundError:
        raise GitError(f"git is not installed, and is needed for a bot's revisions ({' '.join(words)})") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {' '.join(words)}: no answer within {_SECONDS} seconds") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitError(f"{what}{f' ({said[0]})' if said else ''}")
    return done.stdout
