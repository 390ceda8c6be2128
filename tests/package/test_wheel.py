"""A wheel alone is whole: what it needs to play, to be read and to build on comes with it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from arena import distribution
from arena.shipped.pages import pages
from tests.fresh import ROOT, Fresh, built, environment

pytestmark = [pytest.mark.process, pytest.mark.slow]


PAGES = """
import json, sys
from typer.testing import CliRunner
from arena.cli.app import app
print(json.dumps({page: CliRunner().invoke(app, ["docs", page]).stdout for page in sys.argv[1:]}))
"""
"""Prints what `arena docs` does, of many pages in one process."""


@pytest.fixture
def empty(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Fresh:
    [wheel] = built(tmp_path_factory).glob("*.whl")
    return Fresh(environment(tmp_path_factory, source=wheel), tmp_path)


def test_what_a_release_uploads_passes_the_check_of_its_workflow(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = built(tmp_path_factory)
    names = sorted(path.name for path in folder.iterdir())
    version = distribution.version()
    assert names == [f"bot_arena-{version}-py3-none-any.whl", f"bot_arena-{version}.tar.gz"]
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    [check] = re.findall(r"python (-m twine check .*) dist/\*", workflow)
    files = [str(folder / name) for name in names]
    done = subprocess.run([sys.executable, *check.split(), *files], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


def test_the_first_command_of_its_workflow_runs(empty: Fresh) -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
    [lines] = [step["run"] for step in workflow["jobs"]["sources"]["steps"] if "fresh/bin" in step.get("run", "")]
    _, _, *typed = lines.splitlines()
    assert len(typed) == 2
    for line in typed:
        assert empty.run(line.removeprefix("fresh/bin/")).stdout


def test_a_new_bot_plays_a_tournament_against_all_that_come_with_it(empty: Fresh) -> None:
    empty.run("arena new fogg --lang python")
    words = "@all --players 2 --games 5 --move 0.01 --strict --json"
    board = json.loads(empty.run(f"arena tournament fogg {words}").stdout)
    names = {row["bot"] for row in board["overall"]}
    assert {"fogg", "explorer", "greedy", "learned", "planner", "random_bot"} <= names
    assert "strider" not in names, "it does not play this game"
    assert board["left_out"] == []
    assert json.loads(empty.run("arena match fogg @greedy --json").stdout)["bots"] == ["fogg", "greedy"]


def test_every_page_is_there_and_its_links_lead_somewhere(empty: Fresh) -> None:
    listed = {line.split()[0] for line in empty.run("arena docs").stdout.splitlines()[2:]}
    assert listed == pages().keys()
    texts = json.loads(empty.run("python", "-c", PAGES, *listed).stdout)
    assert texts.keys() == listed
    for page, text in texts.items():
        assert text.startswith("#")
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            assert link.startswith(("https://", "#")), f"{page}: {link}"
        for name in re.findall(r"\(arena docs ([\w-]+)\)", text):
            assert name in listed, page
        for path in re.findall(r" \((/[^)]+)\)", text):
            assert Path(path).is_relative_to(empty.environment), page
            assert Path(path).exists(), page
