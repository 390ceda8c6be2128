"""The workflow for GitHub: what stands in it works, and what somebody wrote is not overwritten."""

from __future__ import annotations

import json
import re
import shlex
from importlib import metadata

import pytest
import yaml

from arena.site import github_pages
from arena.site.github_pages import PLAN, SECTION, WORKFLOW, Repository, WorkflowError, write_workflow
from arena.tournament.plan import read_plan
from tests.arena.cli import runner


@pytest.fixture
def work(tmp_path):
    write_workflow(tmp_path)
    return yaml.safe_load((tmp_path / WORKFLOW).read_text("utf-8"))


def steps(work, job):
    return {step["name"]: step for step in work["jobs"][job]["steps"]}


def commands(text: str) -> list[list[str]]:
    """What is typed: lines of a script, and code within words."""
    return [shlex.split(line) for line in re.findall(r"(?:^|`)(arena [a-z]+[^\n`]*)", text, re.MULTILINE)]


def test_it_plays_verifies_keeps_and_publishes_in_this_order(work):
    assert list(steps(work, "play")) == [
        "Check out",
        "Set up Python",
        "Let each bot run in a box",
        "Install the arena",
        "Prove that it plays and makes pages",
        "Fetch the tournament so far",
        "Restore the bots built before",
        "Play",
        "Verify every game",
        "Pack the tournament",
        "Hand the tournament over",
        "Make the pages",
        "Hand the tournament over again",
        "Hand the pages over",
    ]
    assert work["jobs"]["keep"]["needs"] == "play"
    assert work["jobs"]["publish"]["needs"] == ["play", "keep"]


def test_the_jobs_that_run_bots_may_only_read_and_those_that_may_write_run_none(work):
    assert work["permissions"] == {"contents": "read"}
    rights = {name: job.get("permissions") for name, job in work["jobs"].items()}
    assert rights == {
        "try": None,
        "play": None,
        "keep": {"contents": "write"},
        "publish": {"pages": "write", "id-token": "write"},
    }
    for name in ("try", "play"):
        assert steps(work, name)["Check out"]["with"] == {"persist-credentials": False}
        for step in steps(work, name).values():
            assert "arena " not in step.get("run", "") or "GH_TOKEN" not in step.get("env", {}), step["name"]
    for name in ("keep", "publish"):
        assert "actions/checkout" not in str(work["jobs"][name])
        assert not commands("\n".join(step.get("run", "") for step in steps(work, name).values()))


def test_what_others_wrote_never_becomes_part_of_a_script(work):
    scripts = [step["run"] for job in work["jobs"].values() for step in job["steps"] if "run" in step]
    assert len(scripts) >= 9
    assert not [script for script in scripts if "${{" in script]


def test_every_wait_has_an_end_and_runs_follow_each_other(work):
    assert all(job["timeout-minutes"] <= 60 for job in work["jobs"].values())
    assert all("timeout-minutes" in step for job in work["jobs"].values() for step in job["steps"] if "run" in step)
    assert work["concurrency"] == {
        "group": "arena-${{ github.event_name == 'pull_request' && github.ref || 'tournament' }}",
        "cancel-in-progress": "${{ github.event_name == 'pull_request' }}",
    }


def test_only_official_actions_are_used(work):
    used = [step["uses"] for job in work["jobs"].values() for step in job["steps"] if "uses" in step]
    assert len(used) == 10
    assert all(re.fullmatch(r"actions/[a-z/-]+@v\d+", each) for each in used)


def test_every_command_in_it_exists_with_its_options(tmp_path, work):
    runs = "\n".join(step.get("run", "") for job in work["jobs"].values() for step in job["steps"])
    found = commands(runs) + commands((tmp_path / SECTION).read_text("utf-8"))
    assert {words[1] for words in found} >= {"tournament", "verify", "publish", "new", "check", "match", "show"}
    for words in found:
        done = runner.run(words[1], "--help")
        assert done.exit_code == 0, words
        known = set(re.findall(r"(?<!\S)(--[a-z][a-z-]*)", done.stdout.replace(",", " ")))
        assert {word for word in words if word.startswith("--")} <= known, words


def test_the_plan_is_one(tmp_path, work):
    plan = read_plan(tmp_path / PLAN, {})
    assert plan.bots == [str(tmp_path / "bots" / "*")]
    assert (plan.games, plan.leave, plan.out) == (500, True, None)


def test_written_again_nothing_changes(tmp_path):
    assert {file.relative_to(tmp_path) for file in write_workflow(tmp_path)} == {WORKFLOW, SECTION, PLAN}
    assert write_workflow(tmp_path) == []


def test_what_differs_is_kept_without_consent_and_a_plan_always(tmp_path):
    write_workflow(tmp_path)
    (tmp_path / WORKFLOW).write_text("mine")
    (tmp_path / SECTION).unlink()
    (tmp_path / PLAN).write_text("games = 3")
    with pytest.raises(WorkflowError, match=r"arena\.yml"):
        write_workflow(tmp_path)
    assert (tmp_path / WORKFLOW).read_text() == "mine"
    assert not (tmp_path / SECTION).exists(), "all or nothing"
    assert set(write_workflow(tmp_path, overwrite=True)) == {tmp_path / WORKFLOW, tmp_path / SECTION}
    assert (tmp_path / PLAN).read_text() == "games = 3"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@github.com:ann/cup.git", Repository("ann", "cup")),
        ("https://github.com/ann/cup", Repository("ann", "cup")),
        ("https://token@github.com/ann/my.cup.git", Repository("ann", "my.cup")),
        ("https://example.org/ann/cup.git", github_pages.UNKNOWN),
        ("https://github.com/ann/cup)](javascript:x", github_pages.UNKNOWN),
    ],
)
def test_the_repository_is_that_of_origin(tmp_path, url, expected):
    (tmp_path / ".git").mkdir()
    other = '[remote "upstream"]\n\turl = https://github.com/else/where\n'
    (tmp_path / ".git" / "config").write_text(
        f'{other}[remote "origin"]\n\tfetch = x\n\turl = {url}\n[branch "main"]\n'
    )
    assert github_pages.repository_of(tmp_path) == expected


def test_the_badge_and_the_link_lead_to_its_pages(tmp_path):
    assert Repository("Ann", "ann.github.io").site == "https://ann.github.io/"
    text = github_pages.section(Repository("Ann", "cup"))
    assert "https://img.shields.io/endpoint?url=https%3A%2F%2Fann.github.io%2Fcup%2Fbadge.json" in text
    assert "(https://ann.github.io/cup/)" in text
    assert "$" not in text
    said: list[str] = []
    write_workflow(tmp_path, say=said.append)
    assert any("OWNER and REPOSITORY" in line for line in said)


class Installed:
    def __init__(self, origin: object) -> None:
        self.origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.origin is None else json.dumps(self.origin)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, f"bot-arena[site]=={github_pages.arena.__version__}"),  # type: ignore[attr-defined]
        ({"url": "file:///home/ann/arena", "dir_info": {"editable": True}}, "${{ vars.ARENA_FROM }}"),
        (
            {"url": "https://example.org/arena.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "bot-arena[site] @ git+https://example.org/arena.git@abc",
        ),
    ],
)
def test_it_installs_what_this_arena_was_installed_from(tmp_path, monkeypatch, origin, expected):
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(origin))
    assert github_pages.requirement(tmp_path) == expected
    assert yaml.safe_load(github_pages.workflow(expected))["env"]["ARENA_FROM"] == expected


def test_in_the_arenas_own_repository_it_installs_that(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "bot-arena"\n')
    assert github_pages.requirement(tmp_path) == ".[site]"
