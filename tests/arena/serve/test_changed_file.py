"""A league's file that changes while it runs: what holds, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.serve.pages.actions import OrganiserWish
from tests.arena.serve.running_league import BEGIN, BROKEN, DAY, GOOD, Running

pytestmark = [pytest.mark.slow, pytest.mark.process]


@pytest.fixture
def league(tmp_path: Path) -> Running:
    return Running(tmp_path / "league")


def test_the_file_may_change_and_a_wrong_one_leaves_what_held(league: Running) -> None:
    with league.runs() as service:
        for number in (3, 4):
            held = service.league.text
            league.write(more="nothing = of this")  # the very same text is refused each time that it is written
            league.until_said("what it said before holds")
            assert service.league.text == held
            assert "what it said before holds" in service.pages.facts.organiser.faults[0]
            league.write(**{"trial_games = 2": f"trial_games = {number}"})
            league.until_said("has changed: what it says holds from now on")
            assert service.pages.facts.organiser.faults == ()
            assert service.league.settings.submissions.trial_games == number
    settings = [json.loads(text)[3]["settings"] for text in league.chain().splitlines() if '"settings"' in text]
    assert ["trial_games = 3" in settings[1], "trial_games = 4" in settings[2]] == [True, True]


def test_a_file_with_other_line_ends_is_taken_once(league: Running) -> None:
    league.drop("ada", BROKEN)
    league.file.write_bytes(league.file.read_bytes().replace(b"\n", b"\r\n"))
    with league.runs() as service:
        taken = service._intake
        league.until_said("ada: submission 1 refused")
        assert service._intake is taken


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('game = "openspiel:leduc_poker"', 'game = "nope"', "nope"),
        ('players = "2"', 'players = "99"', "not within"),
        ('references = ["@random_bot"]', "references = []", "name one bot at least"),
        ('references = ["@random_bot"]', 'references = ["@random_bit"]', "random_bot"),
        ('references = ["@random_bot"]', 'references = ["gone.py"]', "gone.py"),
        ('references = ["@random_bot"]', 'references = ["a=@greedy", "a=@random_bot"]', "a"),
        ('references = ["@random_bot"]', 'references = ["ada=@greedy"]', "ada is a submitter"),
    ],
)
def test_a_file_that_asks_for_what_there_is_not_leaves_what_held(
    league: Running, old: str, new: str, said: str
) -> None:
    with league.runs() as service:
        held = service.league.text
        assert old in held
        league.write(**{old: new})
        league.until(lambda: any(said in each and "what it said before holds" in each for each in league.said))
        assert service.league.text == held


def test_what_games_are_played_by_is_fixed_with_the_first_round_of_a_season(league: Running) -> None:
    league.joined("ada", 1)
    league.joined("bob", 2)
    with league.runs() as service:
        service.tick()
        league.clock = BEGIN + DAY
        league.until_said("round 1 is complete")
        for change, said in (
            ({"move = 20": "move = 9"}, "its move is 20"),
            ({"leduc_poker": "kuhn_poker"}, "it plays openspiel:leduc_poker"),
            ({'every = "1 day"': "without_end = true"}, "its until is None"),
            ({"bank = 60": 'bank = 60\nnetwork = ["ada"]'}, "its network is for nobody"),
        ):
            league.write(**change)
            league.until_said(said)
            assert "another [season] name" in service.pages.facts.organiser.faults[0]
        league.write(**{"move = 20": "move = 9", "[season]": '[season]\nname = "next"'})
        league.until_said("what it says holds from now on")


def test_a_bot_that_may_use_the_network_may_join_later(league: Running) -> None:
    league.write(**{"bank = 60": 'bank = 60\nnetwork = ["bob"]'})
    league.joined("ada", 1)
    with league.runs() as service:
        service.tick()
        league.clock = BEGIN + DAY
        league.until_said("round 1 is complete")
        league.joined("bob", 2)
        league.clock = BEGIN + 2 * DAY
        league.until_said("round 2 is complete")


def test_a_submission_ends_by_the_file_by_which_it_began_and_the_next_one_does_not(league: Running) -> None:
    league.drop("ada", GOOD.format(number=1))
    with league.runs() as service:
        league.until(lambda: service._trials.child is not None)
        league.write(**{"trial_games = 2": "trial_games = 4"})
        league.until_said("has changed", "ada: submission 1 joined: 2 trial games")
        league.drop("bob", GOOD.format(number=1))
        league.until_said("bob: submission 2 joined: 4 trial games")


def test_a_file_that_is_wrong_for_its_repositories_leaves_all_of_what_held(league: Running) -> None:
    with league.runs() as service:
        held = service.league.text
        league.write(more='[[repository]]\nsubmitter = "ada"\nurl = "gopher://x"\n')
        league.until_said("what it said before holds")
        assert service.league.text == held
        league.write(more='[[repository]]\nsubmitter = "eve"\nurl = "https://localhost/x.git"\n')
        league.until(lambda: any("eve is no submitter" in each for each in service.pages.facts.organiser.faults))
        service.actions.organise("olga", OrganiserWish("pause", name="ada"))
        service.tick()
        assert service.pages.facts.members["ada"].waits_for == "an organiser, who has paused it"
