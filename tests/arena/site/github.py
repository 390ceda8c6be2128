"""GitHub in miniature: runs the jobs of a workflow in clones of a repository, with a release, a cache and artifacts.

Steps that use an action are done here; every other one is run by bash as GitHub runs it, with a `gh` that knows
releases, and a `python` that installs nothing. Expressions are evaluated if they consist of names, texts, `==`, `!=`,
`&&` and `||`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import yaml

GH: Final = """
import os, shutil, sys
from pathlib import Path

words, releases = sys.argv[1:], Path(os.environ["RELEASES"])
options = dict(zip(words, words[1:]))
token = os.environ["GH_TOKEN"]
tag = releases / (words[2] if words[0] == "release" else "")
assert words[0] == "api" or options["--repo"] == "ann/cup", words
if os.environ.get("GITHUB_IS_DOWN"):
    sys.exit("no such host")
if words[0] == "api":
    assert words[1:3] == ["--paginate", "repos/ann/cup/releases"], words
    assert '.tag_name == "arena-ledger"' in options["--jq"], words
    print(*(file.name for file in sorted(releases.glob("arena-ledger/*"))), sep="\\n")
elif words[1] == "download":
    shutil.copy(tag / options["--pattern"], options["--dir"])
elif words[1] == "view":
    sys.exit(not tag.is_dir())
else:
    assert token == "write", f"{words} with a token that may only read"
    if words[1] == "create":
        tag.mkdir()
    elif words[1] == "upload":
        assert not (tag / words[3]).exists()
        shutil.copy(words[3], tag)
    else:
        assert words[1] == "delete-asset"
        (tag / words[3]).unlink()
"""


PROOF: Final = "Prove that it plays and makes pages"
"""The step before anything is played for long."""


class GitHub:
    """A repository with its releases, its cache and what a run hands over."""

    def __init__(self, folder: Path, source: Path) -> None:
        """`source`: a checkout, whose branch main is pushed by `push`."""
        self.folder = folder
        self.source = source
        self.releases = folder / "releases"
        self.cache = folder / "cache"
        self.pages = folder / "pages"
        self.run_number = 0
        self.down = False
        """Whether its interface answers nobody."""
        self.arena_from = "bot-arena[site]"
        """The repository's variable."""
        self.is_proved = False
        """Whether the arena is known to play here: then its proof is skipped, to save time."""
        self.output = ""
        """What the steps of the last run printed."""
        for each in (self.releases, folder / "bin"):
            each.mkdir()
        python = shlex.quote(sys.executable)
        self.program("gh", f'exec {python} {shlex.quote(str(folder / "gh.py"))} "$@"')
        self.program("sudo", 'case "$1" in apt-get | sysctl) ;; *) exit 1 ;; esac')
        self.program("python", f'[ "$1 $2 $3" = "-m pip install" ] || exec {python} "$@"')
        self.program("arena", f'exec {python} -m arena "$@"')
        (folder / "gh.py").write_text(GH)

    def push(self, message: str, event: str = "push", **inputs: Any) -> str | None:
        """Commit all, and run the workflow. Return the name of the step that failed; None: all went well."""
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", message)
        self.run_number += 1
        self.output = ""
        artifacts = self.folder / f"artifacts-{self.run_number}"
        work = yaml.safe_load((self.source / ".github/workflows/arena.yml").read_text("utf-8"))
        done: set[str] = set()
        outputs: dict[str, Any] = {}
        for name, job in work["jobs"].items():
            needs = job.get("needs", [])
            context = self._context(event, message, inputs, job) | outputs
            if not done.issuperset([needs] if isinstance(needs, str) else needs):
                continue
            if "if" in job and not _evaluate(job["if"], context):
                continue
            failed = self._job(name, work, job, context, artifacts)
            if failed is not None:
                return failed
            done.add(name)
            outputs |= {
                f"needs.{name}.outputs.{key}": _text(each, context) for key, each in job.get("outputs", {}).items()
            }
        return None

    def kept(self) -> list[Path]:
        """Return the files of the release, the newest last."""
        return sorted(self.releases.glob("*/*"))

    def _job(self, name: str, work: Any, job: Any, context: dict[str, Any], artifacts: Path) -> str | None:
        workspace = self.folder / f"{self.run_number}-{name}"
        workspace.mkdir()
        context |= {"github.workspace": str(workspace), "runner.temp": f"{workspace}-temp"}
        Path(context["runner.temp"]).mkdir()
        for step in job["steps"]:
            if "if" in step and not _evaluate(step["if"], context):
                continue
            if self.is_proved and step["name"] == PROOF:
                continue
            if "uses" in step:
                self._use(step, context, workspace, artifacts)
                continue
            shared = {**work.get("env", {}), **job.get("env", {}), **step.get("env", {})}
            script = Path(context["runner.temp"]) / "step.sh"
            script.write_text(step["run"])
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
                cwd=workspace,
                env=self._environment(context) | {key: _text(value, context) for key, value in shared.items()},
                capture_output=True,
                text=True,
                timeout=300,
            )
            self.output += f"## {step['name']}\n{done.stdout}{done.stderr}"
            if "id" in step:
                context[f"steps.{step['id']}.outcome"] = "failure" if done.returncode else "success"
            if done.returncode and not step.get("continue-on-error"):
                return str(step["name"])
            self.is_proved |= step["name"] == PROOF
        if (built := workspace / ".built").exists():  # a cache is saved after a job that went well
            shutil.rmtree(self.cache, ignore_errors=True)
            shutil.copytree(built, self.cache, symlinks=True)
        return None

    def _use(self, step: Any, context: dict[str, Any], workspace: Path, artifacts: Path) -> None:
        action, given = step["uses"].partition("@")[0], step.get("with", {})
        path = Path(_text(given.get("path", ""), context))
        if action == "actions/checkout":
            subprocess.run(["git", "clone", "-q", self.source, workspace], check=True, timeout=60)
        elif action == "actions/cache":
            if self.cache.exists():
                shutil.copytree(self.cache, workspace / path, symlinks=True)
        elif action == "actions/upload-artifact":
            artifacts.mkdir(exist_ok=True)
            assert given.get("overwrite") or not (artifacts / path.name).exists()
            shutil.copy(path, artifacts)
        elif action == "actions/download-artifact":
            shutil.copytree(artifacts, workspace / path)
        elif action == "actions/upload-pages-artifact":
            shutil.rmtree(self.pages, ignore_errors=True)
            shutil.copytree(workspace / path, self.pages)
        else:
            assert action in ("actions/setup-python", "actions/deploy-pages"), action

    def _context(self, event: str, message: str, inputs: dict[str, Any], job: Any) -> dict[str, Any]:
        writes = job.get("permissions", {}).get("contents") == "write"
        return {
            "github.event_name": event,
            "github.ref": "refs/heads/main",
            "github.ref_name": "main",
            "github.event.repository.default_branch": "main",
            "github.event.head_commit.message": message if event == "push" else "",
            "github.run_id": str(1000 + self.run_number),
            "github.run_attempt": "1",
            "github.token": "write" if writes else "read",
            "vars.ARENA_FROM": self.arena_from,
            "inputs.fresh": str(inputs.get("fresh", "")).lower(),
        }

    def _environment(self, context: dict[str, Any]) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ARENA_", "GH_", "GITHUB_"))}
        found = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "RELEASES": str(self.releases),
            "GITHUB_REPOSITORY": "ann/cup",
            "GITHUB_RUN_NUMBER": str(self.run_number),
            "GITHUB_RUN_ATTEMPT": "1",
            "RUNNER_TEMP": context["runner.temp"],
        }
        return kept | found | ({"GITHUB_IS_DOWN": "1"} if self.down else {})

    def program(self, name: str, command: str) -> None:
        file = self.folder / "bin" / name
        file.write_text(f"#!/bin/sh\n{command}\n")
        file.chmod(0o755)

    def _git(self, *words: str) -> None:
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *who, *words], cwd=self.source, check=True, timeout=60)


def _text(value: Any, context: dict[str, Any]) -> str:
    return re.sub(r"\$\{\{\s*(.+?)\s*\}\}", lambda found: str(_evaluate(found[1], context)), str(value))


def _evaluate(expression: str, context: dict[str, Any]) -> Any:
    parts = re.findall(r"'[^']*'|&&|\|\||==|!=|[A-Za-z_]+(?:\.[A-Za-z_]+)+|\S", expression)
    words = {"&&": "and", "||": "or"}
    read = [repr(context[part]) if re.match(r"[a-z]+\.", part) else words.get(part, part) for part in parts]
    return eval(" ".join(read), {"__builtins__": {}})
