"""What hostile submitters try against a league that runs, besides what they send to its pages."""

from __future__ import annotations

import time

import pytest

from arena.isolation.settings import Isolation
from arena.serve import LeagueError, service
from arena.serve.service import served


def test_submissions_do_not_run_with_nothing_between_unless_the_league_says_so(made, monkeypatch) -> None:
    monkeypatch.setattr(service, "choose", lambda plan: Isolation("none"))
    said: list[str] = []
    web = '[web]\nport = 0\n[plan.isolation]\nlevel = "{}"'
    made.league(web.format("auto"))
    with pytest.raises(LeagueError, match="nothing keeps bots apart"), served(made.folder / "league.toml", said.append):
        pass
    made.league(web.format("none"))
    with served(made.folder / "league.toml", said.append):
        pass
    assert said == ["isolation: none. Submissions can read and change all that you can, secrets of the league included"]


def test_other_users_of_the_machine_cannot_read_submissions_or_hands(made) -> None:
    made.league("[web]\nport = 0")
    with served(made.folder / "league.toml", print, time.time):
        for name in ("submissions", "seasons", "repositories"):
            assert (made.folder / name).stat().st_mode & 0o777 == 0o700
        assert (made.folder / "league.sqlite").stat().st_mode & 0o777 == 0o600
