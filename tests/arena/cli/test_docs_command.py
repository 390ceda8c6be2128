"""`arena docs`: the pages that come with the arena."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest
from wcwidth import width as text_width

from arena.cli import docs
from arena.shipped.pages import pages, text_of
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
    assert re.search(rf"\| picture: A replay [^()]+ \({re.escape(str(ROOT))}/docs/pictures/replay.webp\) \|", readme)
    assert "](#" in cli("docs", "protocol").stdout, "what is on the same page stays"
    assert f"engine/rules.py ({ROOT / 'engine' / 'rules.py'})" in cli("docs", "add-a-game").stdout


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
    seen = (tmp_path / "seen").read_text("utf-8")
    assert re.match(r"paged: +The rules of kosmos$", seen.splitlines()[0])
    assert "# The rules" not in seen
    assert "\x1b" not in seen, "nobody knows whether this pager shows styles"


@pytest.mark.parametrize("name", pages())
def test_a_page_is_laid_out_for_a_terminal(name):
    markdown = text_of(pages()[name])
    shown = docs._rendered(markdown, 80, with_styles=False)
    assert max(map(text_width, shown.splitlines())) <= 80
    assert not re.search(r"^#+ |^\|[-|: ]+\|$|^```", shown, re.MULTILINE), "a heading, a table or code is not laid out"
    words = re.sub(r"```.*?```|<[^>]*>|\W", " ", markdown, flags=re.DOTALL).split()
    lost = [word for word in words if word not in shown.replace("\n", "") and len(word) < 10]
    assert len(lost) < len(words) / 50, lost


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ({}, True),
        ({"PAGER": "/usr/bin/less -F"}, True),
        ({"PAGER": "more"}, False),
        ({"PAGER": "less", "MANPAGER": "most"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_styles_are_for_a_pager_that_shows_them(monkeypatch, environment, shown):
    for name, value in {"PAGER": "", "MANPAGER": "", "TERM": "xterm", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("shutil.which", lambda program: program)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert docs._shows_styles() == shown
    if shown:
        assert "\x1b[1;4mTitle" in docs._rendered("# Title", 80, with_styles=True)
