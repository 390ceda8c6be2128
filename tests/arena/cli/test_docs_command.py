"""`arena docs`: the pages that come with the arena."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from arena.shipped.pages import pages
from tests.arena.cli.conftest import ROOT


def test_without_a_page_all_are_listed_by_what_they_are_about(cli):
    rows = [line.split(maxsplit=1) for line in cli("docs").stdout.splitlines()[2:]]
    assert ["protocol", "The arena protocol, version 1.0"] in rows
    assert ["kosmos", "The rules of `kosmos`"] in rows
    written = {"readme", "protocol", "security", "changelog", "vectors", "kosmos", "ravensburger"}
    assert {name for name, _ in rows} == written | {path.stem for path in (ROOT / "docs").glob("*.md")}


@pytest.mark.parametrize("name", pages())
def test_a_page_is_printed_off_a_terminal_as_it_is_written(cli, name):
    shown = cli("docs", name).stdout.splitlines()
    written = (ROOT / pages()[name].path).read_text("utf-8").splitlines()
    same = [line for line in written if "](" not in line and not line.startswith("<!--")]
    assert set(same) <= set(shown)
    assert [line for line in shown if line in same] == same


def test_a_link_says_what_to_type_or_where_the_file_lies(cli):
    assert "a bot.toml (arena docs bot-toml) in your bot's" in cli("docs", "readme").stdout
    assert "[Publish it](#publish-it)" in cli("docs", "readme").stdout
    assert f"engine/game.py ({ROOT / 'engine' / 'game.py'})" in cli("docs", "add-a-game").stdout


def test_a_page_that_is_none_names_those_there_are(cli):
    assert "there is no page rules: there are readme, protocol," in cli("docs", "rules", code=2).stderr


@pytest.mark.slow
@pytest.mark.process
def test_on_a_terminal_it_goes_through_a_pager(tmp_path):
    leader, follower = pty.openpty()
    environment = os.environ | {"PAGER": f"sed s/^/paged:/ > {tmp_path / 'seen'}", "TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-m", "arena", "docs", "kosmos"],
        stdin=follower,
        stdout=follower,
        stderr=subprocess.PIPE,
        env=environment,
        timeout=60,
    )
    os.close(follower)
    os.close(leader)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "seen").read_text("utf-8").startswith("paged:# The rules of `kosmos`\n")
