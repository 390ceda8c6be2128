"""The files by which strangers find their way into the repository: what they name is there."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena import distribution
from arena.cli.app import SUMMARIES

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
TEXTS = [ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", GITHUB / "PULL_REQUEST_TEMPLATE.md"]
COMMANDS = set(SUMMARIES)


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def test_a_citation_has_what_its_format_asks_for_and_the_version_of_the_package() -> None:
    found = load(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= found.keys()
    assert (found["cff-version"], found["type"], found["license"]) == ("1.2.0", "software", "MIT")
    assert found["version"] == distribution.RELEASE
    assert found["title"].startswith(f"{distribution.NAME}:")
    assert [author["name"] for author in found["authors"]] == ["The arena authors"]
    assert all(isinstance(found[key], str) for key in ("cff-version", "version", "abstract"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_what_a_text_names_is_there(path: Path) -> None:
    text = path.read_text("utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)\)", text):
        assert (path.parent / link).exists(), link
    for name in re.findall(r"`([\w./-]+)`", text):
        if "/" in name or (name.endswith((".md", ".py")) and name not in ("rules.md",)):
            assert (ROOT / name).exists(), name
    for command in re.findall(r"`arena ([a-z]+)", text):
        assert command in COMMANDS, command
    for module in re.findall(r"`python -m (tests[\w.]+)`", text):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


def test_the_changelog_is_short_and_compares_with_nothing_that_nobody_had() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    [release] = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert release == f"{distribution.RELEASE} (unreleased)", "with a second release, hold only the first one to this"
    assert len(text.splitlines()) <= 60
    assert re.findall(r"\b(no longer|any more|now|instead of|before that|used to|was called)\b", text) == []
    named = set(re.findall(r"\barena ([a-z]+)\b", text)) | set(re.findall(r"`(\w+)`", text))
    assert sorted(COMMANDS - named) == []


def test_every_check_stands_in_contributing() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for path in (ROOT / ".ci").iterdir():
        assert path.is_dir() or f"`.ci/{path.name}`" in text, path.name


RELEASE = load(GITHUB / "workflows" / "release.yml")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_nothing_is_uploaded_that_was_not_built_checked_and_installed() -> None:
    jobs = RELEASE["jobs"]
    assert list(jobs) == ["sources", "compiled", "installed", "upload"]
    assert set(jobs["upload"]["needs"]) == set(jobs) - {"upload"}
    assert "github.ref_type == 'tag'" in jobs["upload"]["if"]
    assert RELEASE["permissions"] == {"contents": "read"}
    assert [name for name in jobs if "permissions" in jobs[name]] == ["upload"]
    assert jobs["upload"]["permissions"] == {"id-token": "write"}
    for name in ("sources", "compiled"):
        typed = [step.get("run", "") for step in jobs[name]["steps"]]
        assert any("twine check --strict" in line for line in typed), name
    assert jobs["installed"]["strategy"]["matrix"]["os"] == jobs["compiled"]["strategy"]["matrix"]["os"]


def test_compiled_wheels_are_made_and_installed_for_every_python_that_the_package_is_for() -> None:
    prefix = "Programming Language :: Python :: "
    pythons = [
        each.removeprefix(prefix) for each in PROJECT["project"]["classifiers"] if each.startswith(f"{prefix}3.")
    ]
    assert RELEASE["jobs"]["installed"]["strategy"]["matrix"]["python"] == pythons
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["build"] == [f"cp{python.replace('.', '')}-*" for python in pythons]
    assert settings["environment"] == {"ARENA_COMPILE": "1"}


class Check:
    """A copy of `.ci/run` in which every program and part only says that it was called."""

    def __init__(self, folder: Path) -> None:
        (folder / ".ci").mkdir()
        (folder / "bin").mkdir()
        for name in ("run", "isolation", "environment", "parts"):
            (folder / ".ci" / name).write_text((ROOT / ".ci" / name).read_text("utf-8"))
        self.folder = folder
        for name in PARTS[2:]:
            self.stub(f".ci/{name}")
        for name in ("bwrap", "pip", "pytest", "python"):
            self.stub(f"bin/{name}")

    def stub(self, path: str, code: int = 0) -> None:
        file = self.folder / path
        file.write_text(f'#!/bin/sh\necho called: {file.name} "$@"\nexit {code}\n')
        file.chmod(0o755)

    def run(self, *words: str, code: int = 0) -> str:
        environment = {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "VIRTUAL_ENV": "one"}
        done = subprocess.run(
            ["sh", ".ci/run", *words], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == code, done.stdout + done.stderr
        return re.sub(r"(?m)^called: bwrap.*\n", "", done.stdout + done.stderr)


PARTS = ("tests", "lint", "lowest", "compiled", "browser", "starters")


@pytest.mark.process
def test_the_check_says_which_part_runs_and_how_long_it_took(tmp_path: Path) -> None:
    said = Check(tmp_path).run()
    for part in PARTS:
        assert len(re.findall(rf"^== \.ci/run: {part}$", said, re.MULTILINE)) == 1, said
        assert len(re.findall(rf"^== \.ci/run: {part} took \d+ s$", said, re.MULTILINE)) == 1, said
    assert said.startswith("== .ci/run: tests\ncalled: pip install -e .[dev]\ncalled: pytest\n== .ci/run: tests took")
    assert said.index("tests took") < said.index("called: python -m mypy") < said.index("called: compiled")


@pytest.mark.process
@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_check_can_be_run_alone_by_name(part: str, tmp_path: Path) -> None:
    said = Check(tmp_path).run(part, "-k", "one")
    assert said.startswith(f"called: pip install -q -e .[dev]\n== .ci/run: {part}\n")
    called = re.findall(r"^called: (.*)$", said, re.MULTILINE)[1:]
    alone = {"tests": ["pytest -k one"], "lint": [f"python -m {each}" for each in LINTS]}
    assert called == alone.get(part, [f"{part} -k one"])


LINTS = ("ruff check .", "ruff format --check .", "mypy")


@pytest.mark.process
def test_a_part_that_fails_ends_the_check_and_says_so(tmp_path: Path) -> None:
    check = Check(tmp_path)
    check.stub(".ci/lowest", 7)
    said = check.run(code=7)
    assert "== .ci/run: lowest took 0 s and FAILED\n" in re.sub(r"\d+ s", "0 s", said)
    assert "called: browser" not in said
    assert "FAILED" in check.run("lowest", code=7)
    assert "tests, lint, lowest" in check.run("supper", code=2)
    check.stub("bin/pytest", 1)
    assert "lint" not in check.run(code=1)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_is_one_that_github_shows(path: Path) -> None:
    form = load(path)
    assert form["name"]
    assert form["description"]
    asked = [each for each in form["body"] if each["type"] != "markdown"]
    assert asked
    assert len({each["id"] for each in asked}) == len(asked)
    for each in form["body"]:
        assert each["type"] in {"markdown", "textarea", "input", "dropdown", "checkboxes"}
        assert each["attributes"].get("label") or each["attributes"].get("value")
    assert any(each.get("validations", {}).get("required") for each in asked)


def test_there_are_forms_for_what_is_wrong_and_what_is_missing() -> None:
    assert {"bug.yml", "idea.yml"} <= {path.name for path in FORMS}
    assert load(GITHUB / "ISSUE_TEMPLATE" / "config.yml") == {"blank_issues_enabled": True}
