"""The files by which strangers find their way into the repository: what they name is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena import distribution
from arena.cli.commands import SUMMARIES

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
