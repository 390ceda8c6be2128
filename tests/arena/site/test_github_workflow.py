"""The workflow for GitHub, run push by push: it goes on with one tournament, and keeps its secrets."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from arena.ledger import Ledger, seed_hash
from arena.site.github_pages import write_workflow
from tests.arena.site.github import PROOF, GitHub

pytestmark = [pytest.mark.slow, pytest.mark.process]
ROOT = Path(__file__).parents[3]
PLAN = """
bots = ["bots/*.py"]
games = 4
players = "2"
leave = true
start = 60.0
bank = 60.0
"""
BROKEN = "raise SystemExit('does not start')\n"


@pytest.fixture
def github(tmp_path: Path) -> GitHub:
    """A repository with three bots and the workflow, and nothing played so far."""
    source = tmp_path / "source"
    (source / "bots").mkdir(parents=True)
    for name, bot in (("ann", "random_bot"), ("bob", "random_bot"), ("cid", "greedy")):
        shutil.copy(ROOT / "bots" / f"{bot}.py", source / "bots" / f"{name}.py")
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=source, check=True)
    (source / "tournament.toml").write_text(PLAN)
    write_workflow(source)
    return GitHub(tmp_path, source)


def unpacked(github: GitHub, folder: Path) -> Path:
    """What is kept, unpacked."""
    shutil.rmtree(folder, ignore_errors=True)
    newest = [file for file in github.kept() if file.name.startswith("tournaments-")][-1]
    with tarfile.open(newest) as archive:
        names = archive.getnames()
        assert {Path(name).name for name in names} == {"ledger.sqlite", ".published.json"}, "no seed, no lock"
        archive.extractall(folder, filter="data")
    return folder / "tournaments" / "default"


def test_a_second_push_goes_on_with_the_tournament_and_a_broken_bot_plays_on_as_it_was(github, tmp_path):
    bots = github.source / "bots"
    assert github.push("Three bots") is None, github.output
    with Ledger.open(unpacked(github, tmp_path / "first")) as ledger:
        first, games = ledger.settings, list(ledger.games())
        assert ledger.field() == ["ann", "bob", "cid"]
    assert len(games) >= 4

    with (bots / "ann.py").open("a") as file:
        file.write("# another one\n")
    (bots / "bob.py").unlink()
    assert github.push('Let Ann turn "back" $(touch pwned)\n\nAnd more.') is None, github.output
    assert not list(tmp_path.rglob("pwned"))
    with Ledger.open(unpacked(github, tmp_path / "second")) as ledger:
        second, more = ledger.settings, list(ledger.games())
        assert ledger.field() == ["ann@2", "cid"]
        assert ledger.field_notes()[-1].note == 'Let Ann turn "back" $(touch pwned)'
    assert more[: len(games)] == games, "the games of the first push are still there"
    assert {bot for game in more[len(games) :] for bot in game.bots} == {"ann@2", "cid"}
    assert first.seed == second.seed
    [later] = second.later_seeds
    assert later.place == len(games), "what was to come had a seed that nobody knew"
    assert seed_hash(bytes.fromhex(later.seed or "")) == later.hash
    board = json.loads((github.pages / "leaderboard.json").read_bytes())
    assert {row["bot"] for row in board["former"]} == {"ann", "bob"}
    entries = re.findall(r"<id>([^<]+)</id>", (github.pages / "feed.xml").read_text("utf-8"))
    assert len(entries) == len(set(entries)) > len(games)

    release = github.kept()[0].parent
    for name in ("tournaments-00000000-001.tar.gz", "notes.txt"):
        (release / name).write_text("an older one, and something else")
    (bots / "ann.py").write_text(BROKEN)
    assert github.push("Break Ann") is None, github.output
    with Ledger.open(unpacked(github, tmp_path / "third")) as ledger:
        assert ledger.field() == ["ann@2", "cid"], "its last version stays in, from the copy that was built"
        assert [game.id for game in ledger.games()] == [game.id for game in more]
    assert not (release / "tournaments-00000000-001.tar.gz").exists()
    assert [file.name for file in github.kept()[1:]] == [f"tournaments-0000000{run}-001.tar.gz" for run in (1, 2, 3)]


def test_what_is_kept_is_neither_lost_nor_replaced_when_something_fails(github, tmp_path):
    github.is_proved = True
    assert github.push("Begin") is None, github.output
    before = github.kept()
    github.down = True
    assert github.push("GitHub is down") == "Fetch the tournament so far"
    github.down = False
    (github.source / "bots" / "dan.py").write_bytes((github.source / "bots" / "ann.py").read_bytes())
    plan = github.source / "tournament.toml"
    workflow = github.source / ".github" / "workflows" / "arena.yml"
    good = workflow.read_text()
    cut_off = good.replace(
        "arena verify\n",
        "arena verify; sqlite() { python -c 'import sqlite3, sys; c = sqlite3.connect("
        'sys.argv[1]); c.execute(sys.argv[2]); c.commit()\' "$@"; }; '
        "sqlite tournaments/default/ledger.sqlite \"UPDATE meta SET value = 'false' "
        "WHERE key = 'finished'\"\n",
    )
    assert cut_off != good
    workflow.write_text(cut_off)
    assert github.push("The results are not final") == "Pack the tournament"
    workflow.write_text(good)
    workflow.write_text(good.replace("arena publish --to site", "arena publish --to site --no-such-option"))
    assert github.push("The pages cannot be made") == "See that there are pages", github.output
    assert "::error::The games were played and are kept" in github.output
    assert len(github.kept()) == 2, "the games are kept"
    before = github.kept()
    workflow.write_text(good)
    plan.write_text(PLAN.replace("bots/*", "nothing/*"))
    assert github.push("A plan without bots") == "Play"
    assert github.kept() == before
    plan.write_text(PLAN)
    assert github.push("Go on") is None, github.output
    with Ledger.open(unpacked(github, tmp_path / "on")) as ledger:
        assert ledger.field() == ["ann", "bob", "cid", "dan"]


def test_a_pull_request_tries_its_bots_without_a_token_and_keeps_nothing(github):
    plan = github.source / "tournament.toml"
    workflow = github.source / ".github" / "workflows" / "arena.yml"
    workflow.write_text(workflow.read_text().replace("--minutes 2 ", "--games 2 "))  # to save time
    assert github.push("Mine", "pull_request") is None, github.output
    assert "## Try the bots" in github.output
    assert "## Play" not in github.output
    (github.source / "bots" / "ann.py").write_text(BROKEN)
    assert github.push("Broken", "pull_request") == "Try the bots"
    assert github.kept() == []
    assert not github.pages.exists()
    assert plan.exists()


def test_by_hand_a_new_tournament_begins_and_the_old_one_is_kept_beside_it(github):
    github.is_proved = True
    assert github.push("Begin") is None, github.output
    assert github.push("No commit at all", "workflow_dispatch", fresh=True) is None, github.output
    with tarfile.open(github.kept()[-1]) as archive:
        assert {name.split("/")[1] for name in archive.getnames() if name.startswith("tournaments")} == {
            "default",
            "default.old-1",
        }


def test_what_arena_from_must_carry_is_said_and_proved_before_anything_is_played(github):
    github.arena_from = ""
    assert github.push("Nothing is set") == "Install the arena"
    assert "::error::ARENA_FROM is empty" in github.output
    assert "bot-arena[site] @ git+https://" in github.output
    github.arena_from = "bot-arena"
    without_pages = (
        "import sys\nsys.modules['jinja2'] = None\nif __name__ == '__main__':\n"
        "    from arena.cli import main\n    main()\n"
    )
    (github.folder / "main.py").write_text(without_pages)
    github.program("arena", f'exec {shlex.quote(sys.executable)} {shlex.quote(str(github.folder / "main.py"))} "$@"')
    for event in ("push", "pull_request"):
        assert github.push("Without [site]", event) == PROOF
        assert "names cannot make pages: it must be installed with [site], as in bot-arena[site]" in github.output
        assert "## Play" not in github.output
