"""What a plan from a stranger opens: all of it is said before anything runs, and some of it is refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.isolation.probe import choose
from arena.isolation.settings import IsolationError, IsolationPlan
from arena.tournament.plan import Plan, PlanError, read_plan
from arena.tournament.plan_trust import opened

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

HARMLESS = """
bots = ["*.py"]
players = "2-3"
games = 10
seed = 5
jobs = 2
out = "somewhere"
move = 1.0
strict = true
format = "swiss"
note = "a harmless one"
limits = { memory_mb = 100 }
isolation = "box"
"""
OPENING = """
build_network = true
cluster = "tls://elsewhere:8786"
heads = ".bashrc"
network = ["mine=KEY,MORE", "other"]

[isolation]
level = "none"
readable = ["~/books", "/srv"]

[limits]
memory_mb = 9000
processes = 100

[hooks]
round = "sh -c 'post; delete'"
finished = ["true"]
"""


def said(folder: Path, text: str, **typed: Any) -> list[str]:
    file = folder / "p.toml"
    file.write_text(text)
    return opened(read_plan(file, typed), typed)


def test_a_plan_that_opens_nothing_is_played_without_a_question(tmp_path: Path) -> None:
    assert said(tmp_path, HARMLESS) == []


def test_all_that_a_plan_opens_is_said_in_a_line_each(tmp_path: Path) -> None:
    assert said(tmp_path, OPENING) == [
        "bots run without isolation: they can read and change all that you can",
        "bots can read ~/books, /srv",
        "builds use the network of this machine",
        "mine uses the network and gets KEY, MORE",
        "other uses the network",
        "bots are sent to tls://elsewhere:8786, and its workers say how games went",
        "bots may ask for more: memory_mb 9000",
        "lines are added to the file .bashrc",
        "a program runs as you, with your rights, at each event `round`: sh -c 'post; delete'",
        "a program runs as you, with your rights, at each event `finished`: true",
    ]
    assert said(tmp_path, 'isolation = "landlock"') == ["bots run without a box, even where there is one"]
    assert "\x1b" not in said(tmp_path, '[isolation]\nreadable = ["\\u001b[2J"]')[0]


def test_what_was_typed_is_no_surprise(tmp_path: Path) -> None:
    typed = {"isolation": "box", "build_network": True, "cluster": "tls://ours:8786", "network": ["mine"]}
    assert len(said(tmp_path, OPENING, **typed)) == len(said(tmp_path, OPENING)) - 5


def test_every_key_of_a_plan_is_known_to_be_harmless_or_said() -> None:
    harmless = "bots game edition players rounds games minutes seed jobs out start move bank strikes ponder strict"
    harmless += " trace fresh format challengers until error margin groups blocks leave fixed pin commit beacon"
    harmless += " contributions heads_minutes on_crash without_machines note deals openings partners"
    said_of = {"isolation", "build_network", "cluster", "limits", "heads", "hooks", "network", "remote"}
    assert {*harmless.split()} | said_of == {*Plan.__struct_fields__}, "is it harmless in the hands of a stranger?"


@pytest.mark.parametrize("of", [".", "..", "books/.."])
def test_the_home_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: str) -> None:
    home = tmp_path / "home"
    (home / "books").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    with pytest.raises(IsolationError, match="all of your home folder"):
        choose(IsolationPlan("none", [f"~/{of}"]))
    (tmp_path / "link").symlink_to(home)
    with pytest.raises(IsolationError, match="all of your home folder"):
        choose(IsolationPlan("none", [str(tmp_path / "link")]))
    assert choose(IsolationPlan("none", ["~/books"])).readable == (str(home / "books"),)


@pytest.mark.parametrize("where", ["t", "t/trace", "up", "up/deep", "t/ledger.sqlite", "new", "."])
def test_folders_with_tournaments_are_refused(lab: Lab, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    monkeypatch.chdir(lab.folder)
    for out in ("t", "up/deep/t"):
        lab.run(games=2, out=out)
    (lab.folder / "books").mkdir()
    with pytest.raises(PlanError, match="would show bots the tournament in"):
        lab.run(games=2, out="new", isolation=IsolationPlan("none", [where]))
    lab.run(games=2, out="new", isolation=IsolationPlan("none", ["books"]))
