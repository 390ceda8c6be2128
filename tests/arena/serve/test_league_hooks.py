"""Hooks of a league: what is sent, in which order, and that a kill loses nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.serve import LeagueError
from arena.serve.league_hooks import LeagueHooks
from arena.serve.store import LeagueRound

pytestmark = pytest.mark.process
HOOKS = """
[hooks]
submission = "./post.sh"
mark = "./post.sh"
season = "./post.sh"
"""


class HookedLeague:
    """A league with a command that writes down what it gets."""

    def __init__(self, made) -> None:
        self.made, self.folder, self.said = made, made.folder, list[str]()
        self.write("cat >> posted")
        self.league = made.league(HOOKS)
        self.store = made.store("ada")
        self.begin()

    def write(self, text: str) -> None:
        file = self.folder / "post.sh"
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def begin(self) -> None:
        self.hooks = LeagueHooks(self.league, self.store, self.said.append)

    def sent(self) -> None:
        """Wait until all is sent."""
        file = self.folder / "hooks.json"
        while not file.exists() or json.loads(file.read_bytes()) != self.store.counts():
            self.hooks.look()

    @property
    def posted(self) -> list[dict[str, Any]]:
        file = self.folder / "posted"
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []

    def texts(self) -> list[str]:
        return [each["text"] for each in self.posted]

    def round(self, number: int, marks: dict[str, list[str]], before: dict[str, list[str]]) -> None:
        self.store.begin_round(LeagueRound("season-1", number, 0.0, {}))
        self.store.end_round("season-1", number, "complete", 0, marks, before)


@pytest.fixture
def league(made):
    found = HookedLeague(made)
    yield found
    found.hooks.close()


def test_each_step_each_mark_and_each_season_is_sent_once(league):
    league.store.put("season season-1", "begun")
    league.store.receive("ada", "upload", "")
    league.store.move(1, "refused", "it crashed\nthere", reason="it crashed\nthere")
    league.round(1, {"ada": ["good", "pass"], "bob": []}, {"ada": ["pass"], "bob": ["pass"]})
    league.round(2, {"ada": ["good", "pass"], "bob": []}, {"ada": ["good", "pass"], "bob": []})
    league.store.put("season season-1", "over")
    league.sent()
    league.begin()
    league.sent()
    assert sorted(league.texts()) == [
        "ada now has good after round 1",
        "ada: submission 1 received",
        "ada: submission 1 refused",
        "bob has lost pass after round 1",
        "season season-1 has begun",
        "season season-1 is over",
    ]
    [refused] = [each for each in league.posted if each.get("state") == "refused"]
    about = {"folder": str(league.folder.absolute()), "name": "test", "season": "season-1"}
    assert refused == {
        "event": "submission",
        "version": 1,
        "text": "ada: submission 1 refused",
        "league": about,
        "submission": 1,
        "submitter": "ada",
        "state": "refused",
        "about": "it crashed\nthere",
    }


def test_what_was_under_way_at_the_end_of_the_league_is_sent_again_and_nothing_before_it(league):
    league.store.receive("ada", "upload", "")
    league.sent()
    league.write("touch begun; sleep 60")
    league.store.move(1, "unpacked")
    while not (league.folder / "begun").exists():
        league.hooks.look()
    league.hooks.close()
    league.write("cat >> posted")
    league.begin()
    league.sent()
    assert league.texts() == ["ada: submission 1 received", "ada: submission 1 unpacked"]


def test_the_first_event_is_not_lost_if_the_league_ends_before_it_is_sent(league):
    league.store.receive("ada", "upload", "")
    league.hooks.close()
    league.begin()
    assert json.loads((league.folder / "hooks.json").read_bytes())["steps"] == 0
    league.sent()
    assert league.texts() == ["ada: submission 1 received"]


def test_a_command_that_fails_is_said_once_and_holds_up_nothing(league):
    league.write("echo no such chat; exit 3")
    for state in ("unpacked", "built"):
        league.store.receive("ada", "upload", "")
        league.store.move(1, state)
    league.sent()
    [said] = league.said
    assert said.startswith("hook submission: ")
    assert said.endswith("no such chat")


def test_hooks_that_are_new_begin_with_what_happens_from_then_on(league):
    league.hooks.close()
    league.league = league.made.league()
    league.begin()
    league.store.receive("ada", "upload", "")
    league.league = league.made.league(HOOKS)
    league.begin()
    league.store.move(1, "unpacked")
    league.sent()
    assert league.texts() == ["ada: submission 1 unpacked"]


def test_a_command_that_is_not_there_is_said_when_the_file_is_read(made):
    with pytest.raises(LeagueError, match=r"\[hooks\]: season: there is no program .*nothing.sh"):
        made.league('[hooks]\nseason = "./nothing.sh"')
