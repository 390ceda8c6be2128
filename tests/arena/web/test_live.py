"""When the pages of a running tournament are published again, and what is told about it."""

from __future__ import annotations

import json
import shutil

import pytest

from arena.ledger import locked
from arena.ledger.ledger import standing
from arena.web.feed import Feed
from arena.web.live import Follower
from engine.catalog import UnknownRules


class Site:
    """Counts how often it is published, which takes as long as a test says."""

    def __init__(self) -> None:
        self.time = 0.0
        self.lasts = 0.0
        self.times: list[float] = []
        self.warned: list[str] = []
        self.fails: Exception | None = None

    def publish(self, folder, site) -> None:
        if self.fails is not None:
            raise self.fails
        self.times.append(self.time)
        self.time += self.lasts


@pytest.fixture
def site():
    return Site()


@pytest.fixture
def feed():
    return Feed()


@pytest.fixture
def follower(ledger, site, feed, tmp_path):
    follower = Follower(ledger.folder, tmp_path / "site", site.publish, feed, site.warned.append, lambda: site.time)
    follower.begin()
    return follower


def news(feed):
    found = feed.newer_than(0)
    return None if found is None else json.loads(found.text)


def test_the_first_time_it_is_published_at_once(follower, site, feed):
    assert site.times == [0]
    assert news(feed) == {"tournament": {"state": "stopped", "played": 0, "expected": None}, "pages": 1}


def test_it_is_published_again_when_games_have_finished_and_only_then(follower, site, feed, play):
    for site.time in (1, 2):
        follower.step()
    assert site.times == [0]
    play("ant", "bee")
    for site.time in (3, 4, 5):
        follower.step()
    assert site.times == [0, 3]
    assert news(feed)["pages"] == 2


def test_after_a_publication_that_took_long_it_waits_longer(follower, site, play):
    site.lasts = 10
    play("ant", "bee")
    follower.step()
    for site.time in range(11, 60):
        play("ant", "bee")
        follower.step()
        if len(site.times) > 2:
            break
    assert site.times == [0, 0, 50]


def test_that_nobody_plays_any_more_and_the_end_are_news_too(ledger, site, feed, tmp_path, play):
    follower = Follower(ledger.folder, tmp_path / "site", site.publish, feed, site.warned.append, lambda: site.time)
    with locked(ledger.folder):
        follower.begin()
        assert news(feed)["tournament"]["state"] == "playing"
    follower.step()
    assert news(feed)["pages"] == 2
    with locked(ledger.folder):
        play("ant", "bee")
        follower.step()
        assert news(feed)["pages"] == 3
        ledger.set_meta("finished", True)
    follower.step()
    assert news(feed)["pages"] == 4
    assert standing(ledger.folder).state == "finished"


def test_what_was_told_during_a_publishing_is_not_taken_back(follower, feed, play):
    play("ant", "bee")
    told = {"state": "playing", "played": 500, "expected": None}
    feed.update({"tournament": told})
    follower.step()
    assert news(feed) == {"tournament": told, "pages": 2}


def test_a_ledger_that_goes_away_is_said_once_and_found_again(follower, ledger, site, feed, tmp_path, play):
    play("ant", "bee")
    ledger.close()
    aside = tmp_path / "aside"
    shutil.move(tmp_path / "ledger.sqlite", aside)
    for site.time in (1, 2, 3):
        follower.step()
    assert len(site.warned) == 1
    assert "the pages stay as they are: there is no tournament in" in site.warned[0]
    shutil.move(aside, tmp_path / "ledger.sqlite")
    follower.step()
    assert news(feed)["pages"] == 2


def test_what_cannot_be_published_is_tried_again(follower, site, feed, play):
    site.fails = OSError(28, "No space left on device")
    play("ant", "bee")
    follower.step()
    follower.step()
    assert len(site.warned) == 1
    site.fails = None
    follower.step()
    assert news(feed)["pages"] == 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UnknownRules("there is no game 'x': installed games: y"), "there is no game 'x': installed games: y"),
        (KeyError("days"), "KeyError('days')"),
        (RuntimeError("a plug-in's"), 'RuntimeError("a plug-in\'s")'),
    ],
)
def test_whatever_a_game_raises_is_outlived_and_said_once(follower, site, feed, play, error, said):
    site.fails = error
    play("ant", "bee")
    follower.step()
    follower.step()
    assert site.warned == [f"the pages stay as they are: {said}"]
    site.fails = None
    follower.step()
    assert news(feed)["pages"] == 2


def test_the_first_failure_is_the_users_to_know(ledger, site, feed, tmp_path):
    site.fails = OSError(28, "No space left on device")
    with pytest.raises(OSError, match="No space"):
        Follower(ledger.folder, tmp_path / "site", site.publish, feed, site.warned.append).begin()
