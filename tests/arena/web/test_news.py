"""What is told of a tournament every second, and that only what changed is told."""

from __future__ import annotations

import json

import pytest

from arena.ledger import EntrantRecord, FaultRecord, Ledger, locked
from arena.web import feed as feed_module
from arena.web.feed import Feed
from arena.web.news import TournamentNews
from tests.arena.ledgers import SETTINGS


class Look:
    """Looks at a tournament, and keeps what a reader would have been sent."""

    def __init__(self, folder) -> None:
        self.time = 0.0
        self.feed = Feed()
        self.news = TournamentNews(folder, self.feed, lambda: self.time)
        self.number = 0

    def __call__(self):
        self.time += 1
        self.news.step()
        found = self.feed.newer_than(self.number)
        if found is None:
            return {}
        self.number = found.number
        return json.loads(found.text)


@pytest.fixture
def look(ledger):
    return Look(ledger.folder)


def test_without_a_live_page_only_how_far_it_is(look, ledger, play):
    ledger.set_meta("rated", {"games": None, "suspended": {}, "expected": 10})
    with locked(ledger.folder):
        assert look().keys() == {"tournament", "pace"}
        for number in range(1, 5):
            play("ant", "bee")
            told = look()
            assert told["tournament"] == {"state": "playing", "played": number, "expected": 10}
        assert told["pace"] == {"per_second": 1.0, "left": 6}
    assert look() == {
        "tournament": {"state": "stopped", "played": 4, "expected": 10},
        "pace": {"per_second": None, "left": None},
    }
    assert look() == {}, "nothing has changed"


def test_a_live_page_is_told_the_rows_that_change_and_the_faults(look, ledger, play):
    with look.feed.watched():
        play("ant", "bee")
        told = look()
        assert [key for key in told if key.startswith("row/")] == ["row/ant", "row/bee", "row/cat"]
        assert told["row/ant"][:3] == [1, "1–2", "ant"]
        assert told["row/ant"][4:7] == [1, "100 %", "-"]
        assert told["lead"] == "too early to say: any of the 3 may be the best"
        late = FaultRecord(1, 3, "late", "no answer\nwithin 0.050 s")
        play("ant", "bee", faults=[late, FaultRecord(None, None, "impostor", "nobody's")])
        told = look()
        assert [key for key in told if key.startswith("row/")] == ["row/ant", "row/bee"], "cat played no game"
        assert told["row/bee"][6] == "late 1"
        assert told["fault/1"] == ["2-0-1", "bee", "late", "no answer?within 0.050 s"]
        for _ in range(25):
            play("cat", "bee", faults=[late])
        look()
        kept = json.loads(look.feed.newer_than(0).text)
        assert len([key for key in kept if key.startswith("fault/")]) == 20
        ledger.set_meta("rated", {"games": None, "suspended": {"cat": 9}, "expected": None})
        told = look()
        assert told["row/cat"][:3] == [3, "–", "cat"]
        assert told["row/cat"][6] == "suspended"
        assert "cat" not in told["lead"]


def test_a_reader_that_was_away_is_sent_the_latest_of_what_changed(monkeypatch):
    monkeypatch.setattr(feed_module, "_GONE", 3)
    feed = Feed()
    feed.update({"a": 1, "b": 1, "c": 1})
    known = feed.newer_than(0)
    assert known.whole
    feed.update({"a": 1})
    assert feed.newer_than(known.number) is None
    feed.update({"a": 2, "b": None})
    feed.update({"a": 3})
    assert feed.newer_than(known.number)[1:] == (False, '{"a":3,"b":null}')
    assert feed.newer_than(known.number, lambda key: key == "c").text == ""
    for key in "defg":
        feed.update({key: 1})
        feed.update({key: None})
    found = feed.newer_than(known.number)
    assert found.whole, "what is gone by now is not remembered for ever"
    assert json.loads(found.text) == {"a": 3, "c": 1}
    feed.close()
    assert feed.newer_than(0) is None


def test_another_tournament_in_the_same_place_begins_anew(look, ledger, play, tmp_path):
    with look.feed.watched():
        for _ in range(3):
            play("ant", "bee", faults=[FaultRecord(1, 3, "late", "no answer")])
        assert look()["row/ant"][4] == 3
        ledger.close()
        for file in tmp_path.glob("ledger.sqlite*"):
            file.rename(tmp_path / f"before-{file.name}")
        with Ledger.create(tmp_path, SETTINGS.entries()) as other:
            other.set_entrants([EntrantRecord(name, f"bots/{name}.py", "00") for name in ("ant", "bee", "cat")])
        told = look()
        assert (told["row/ant"][4], told["row/bee"][4]) == (0, 0)
        assert told["fault/1"] is None
