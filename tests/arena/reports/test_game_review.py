"""A recorded game as one of its bots went through it: what is said of it stands in its page data."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import msgspec
import pytest

from arena.ledger import Ledger
from arena.replays.cache import load_page_data
from arena.reports.game_review import NOTHING, _PublicPart, _review, review_game
from engine import catalog
from tests.arena.site.conftest import Cup

GAMES = pytest.mark.parametrize("name", catalog.installed())


@pytest.mark.slow
@GAMES
def test_chances_falls_and_reasons_are_those_of_the_page(tmp_path: Path, name: str) -> None:
    cup = Cup(tmp_path, name)
    cup.play(2, cached=True)
    rules = catalog.rules(name)
    with Ledger.open(cup.folder) as ledger:
        edition = ledger.settings.edition
        for game in ledger.ids():
            record = ledger.game(game)
            public = json.loads(load_page_data(record, rules, edition, ledger.page_data(game))[0])
            for seat in range(record.players):
                found = review_game(ledger, rules, edition, game, seat)
                own = [entry[1 + seat] / 1000 for entry in public["chances"]]
                steps = {entry[0]: entry[1 + seat] / 1000 for entry in public["chances"]}
                assert found.reason == public["reasons"][seat]
                assert found.peak == max(own[:-1])
                assert found.margin is not None
                assert 0 <= found.margin <= 1
                assert found.swing is not None
                largest = max(abs(now - then) for then, now in itertools.pairwise(own))
                assert abs(found.swing.after - found.swing.before) == pytest.approx(largest)
                for change in filter(None, (found.swing, found.fall)):
                    assert steps[change.step] == change.after
                    assert (not change.event) == (change.step == public["chances"][-1][0])
                    points = [each for each in public["turning_points"] if each["step"] == change.step and each["why"]]
                    if change.event and points and seat in (points[0]["seat"], (points[0]["other"] or [None])[0]):
                        assert change.event == points[0]["account"]
                if found.fall is not None:
                    assert found.fall.after < found.fall.before


def test_a_cause_is_named_only_to_a_seat_that_it_is_a_cause_for() -> None:
    """A turning point is about a seat and the one that gained or lost most by it, and says nothing of a third one."""
    public = {
        "texts": ["runs", "trips"],
        "steps": [[None, 0, [0], {"at": {"0": 1}}, None], [None, 0, [1], {}, None], [None, 0, [0], {}, None]],
        "chances": [[0, 400, 300, 300], [2, 200, 550, 250], [3, 200, 550, 250]],
        "turning_points": [{"step": 2, "seat": 0, "why": [1], "account": "trips", "other": [1, 300, 550]}],
    }
    part = msgspec.convert(public, _PublicPart)
    reviews = [_review(part, seat) for seat in range(3)]
    assert [each.swing and each.swing.event for each in reviews] == ["trips", "trips", "runs"]


def test_a_game_that_cannot_be_replayed_or_does_not_explain_itself_gives_nothing(tmp_path: Path) -> None:
    cup = Cup(tmp_path, next(iter(catalog.installed())))
    cup.play(1, steps=[], engine="another")
    with Ledger.open(cup.folder) as ledger:
        game = ledger.ids()[0]
        found = review_game(ledger, catalog.rules(cup.game), ledger.settings.edition, game, 0)
        assert found.fall is None
        assert review_game(ledger, catalog.rules(cup.game), {}, game, 0) == NOTHING
