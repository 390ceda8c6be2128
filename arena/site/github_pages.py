"""Write what a competition on GitHub needs: a workflow that plays, verifies and publishes, and a section for README.

Bots are programs of strangers. So the job that runs them may only read the repository and has no credentials, and the
job that publishes runs no bots.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from importlib import metadata, resources
from pathlib import Path
from string import Template
from typing import Final, NamedTuple
from urllib.parse import quote

import arena
from arena import distribution
from arena.common.errors import ArenaError

WORKFLOW: Final = Path(".github/workflows/arena.yml")
SECTION: Final = Path("README-arena.md")
PLAN: Final = Path("tournament.toml")
_FROM_VARIABLE: Final = "${{ vars.ARENA_FROM }}"
_REPOSITORY: Final = re.compile(r"github\.com[:/]([A-Za-z0-9-]+)/([A-Za-z0-9._-]+?)(?:\.git)?/?\s*$")


class WorkflowError(ArenaError):
    """Files that must not be overwritten. The text says which, why and what to do."""


class Repository(NamedTuple):
    """A repository on GitHub, by owner and name."""

    owner: str
    name: str

    @property
    def address(self) -> str:
        """Return its address."""
        return f"https://github.com/{self.owner}/{self.name}"

    @property
    def site(self) -> str:
        """Return the address of its pages."""
        host = f"{self.owner.lower()}.github.io"
        return f"https://{host}/" if self.name.lower() == host else f"https://{host}/{self.name}/"


UNKNOWN: Final = Repository("OWNER", "REPOSITORY")


def write_workflow(folder: Path, overwrite: bool = False, say: Callable[[str], None] = lambda _: None) -> list[Path]:
    """Write the workflow, the section for README and, if there is none, a plan. Return the files that were written.

    Args:
        folder: The top folder of the repository.
        overwrite: Replace files that differ. A plan is never replaced.
        say: Called with what is left for the user to do.

    Raises:
        WorkflowError: Files differ. Nothing is written then.
        OSError: A file cannot be written.
    """
    repository, source = repository_of(folder), requirement(folder)
    wanted = {folder / WORKFLOW: workflow(source), folder / SECTION: section(repository)}
    if not (folder / PLAN).exists():
        wanted[folder / PLAN] = _template("tournament.toml")
    changed = [file for file, text in wanted.items() if not _holds(file, text)]
    kept = [str(file) for file in changed if file.exists()]
    if kept and not overwrite:
        raise WorkflowError(f"{' and '.join(kept)} would be overwritten: look at what differs, then add --force")
    for file in changed:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(wanted[file], "utf-8")
    if source == _FROM_VARIABLE:
        say(
            "This arena comes from a folder: set the repository's variable ARENA_FROM to what pip can install it from "
            f"with its pages, as in {distribution.requirement('site', ' @ git+https://example.org/arena.git@v1.0.0')}"
        )
    if repository == UNKNOWN:
        say(f"This folder has no origin on GitHub: replace OWNER and REPOSITORY in {folder / SECTION}.")
    say("In the repository's settings choose Pages, Source, GitHub Actions.")
    return changed


def workflow(source: str) -> str:
    """Return the workflow.

    `source` is the pip requirement from which it installs the arena, with the extra for pages.
    """
    return _template("arena.yml").replace("@SOURCE@", json.dumps(source, ensure_ascii=False))


def section(repository: Repository) -> str:
    """Return the section for README."""
    badge = f"https://img.shields.io/endpoint?url={quote(repository.site + 'badge.json', safe='')}"
    return Template(_template("section.md")).substitute(badge=badge, site=repository.site, home=repository.address)


def repository_of(folder: Path) -> Repository:
    """Return the repository on GitHub that a checkout comes from. Return `UNKNOWN` if that cannot be seen."""
    try:
        text = (folder / ".git" / "config").read_text("utf-8", "replace")
    except OSError:
        return UNKNOWN
    origin = re.search(r'^\[remote "origin"\]\n((?:[^\[\n].*\n?|\n)*)', text, re.MULTILINE)
    url = re.search(r"^\s*url\s*=\s*(.*)$", origin[1], re.MULTILINE) if origin else None
    found = _REPOSITORY.search(url[1]) if url else None
    return Repository(found[1], found[2]) if found else UNKNOWN


def requirement(folder: Path) -> str:
    """Return what CI installs: the arena in the repository itself, or the source of the one that is running."""
    if _is_arena(folder):
        return ".[site]"
    try:
        origin = json.loads(metadata.distribution(distribution.NAME).read_text("direct_url.json") or "null")
    except (metadata.PackageNotFoundError, ValueError):
        return _FROM_VARIABLE
    if origin is None:
        return distribution.requirement("site", f"=={arena.__version__}")  # from an index
    version = origin.get("vcs_info") if isinstance(origin, dict) else None
    if not version:
        return _FROM_VARIABLE  # a folder or a file of this machine
    return distribution.requirement("site", f" @ {version['vcs']}+{origin['url']}@{version['commit_id']}")


def _is_arena(folder: Path) -> bool:
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8")).get("project", {})
    except (OSError, ValueError):
        return False
    return isinstance(project, dict) and project.get("name") == distribution.NAME


def _holds(file: Path, text: str) -> bool:
    try:
        return file.read_text("utf-8") == text
    except (FileNotFoundError, UnicodeDecodeError):
        return False


def _template(name: str) -> str:
    return (resources.files("arena.site") / "github" / name).read_text("utf-8")
