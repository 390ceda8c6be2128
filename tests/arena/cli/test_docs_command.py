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
    assert all(about.strip() for _, about in rows)
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
    readme = cli("docs", "readme").stdout
    assert "(arena docs bot-toml)" in readme
    assert "](docs/" not in readme
    assert "](#" in readme, "what is on the same page stays"
    assert f"engine/game.py ({ROOT / 'engine' / 'game.py'})" in cli("docs", "add-a-game").stdout


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
