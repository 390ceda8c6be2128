"""The anchors that come with the arena are those of a tournament that can be played again."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import msgspec
import pytest

from arena.common.progress import SILENT
from arena.entrants import expand
from arena.ledger import Ledger
from arena.tournament.anchors import RECORDED, RecordedAnchors, find_anchors
from arena.tournament.identity import edition_of
from arena.tournament.plan import Plan
from arena.tournament.rate import completed
from arena.tournament.run import run
from engine import catalog
from generators import anchors as generator

AGAIN = "play it again: python -m generators.anchors"
BY_THE_CLOCK = "explorer"


@pytest.fixture(params=sorted(path.stem for path in RECORDED.glob("*.json")))
def recorded(request: pytest.FixtureRequest) -> RecordedAnchors:
    data = (RECORDED / f"{request.param}.json").read_bytes()
    return msgspec.json.decode(data, type=RecordedAnchors)


def test_both_of_our_games_have_them() -> None:
    assert sorted(path.stem for path in RECORDED.glob("*.json")) == sorted(generator.GAMES)


def test_bots_edition_and_clock_are_those_that_played(recorded: RecordedAnchors) -> None:
    rules = catalog.rules(recorded.game)
    assert list(recorded.bots) == sorted(each.name for each in generator.recorded_bots(rules))
    now = {each.name: each.fingerprint for each in expand([f"{n}={w}" for n, (w, _) in recorded.bots.items()]).found}
    assert now == {name: fingerprint for name, (_, fingerprint) in recorded.bots.items()}, AGAIN
    assert recorded.edition == edition_of(rules, None), AGAIN
    assert recorded.time == msgspec.to_builtins(Plan().time()), AGAIN


def test_they_are_found_and_rated_at_all_numbers_of_players(recorded: RecordedAnchors) -> None:
    rules = catalog.rules(recorded.game)
    field = find_anchors(completed(Plan(game=recorded.game)), SILENT)
    assert "come with the arena" in field.source
    assert recorded.head[:12] in field.source
    low, high = rules.players
    assert field.anchors.counts == list(range(low, high + 1))
    ratings = field.anchors.ratings
    assert min(ratings.values, key=lambda bot: ratings.values[bot]["rating"]) == "random_bot"
    assert all(values["error"] < 1.0 for values in ratings.values.values())
    assert not ratings.bounds


@pytest.mark.slow
@pytest.mark.process
def test_the_first_games_are_the_same_when_they_are_played_again(recorded: RecordedAnchors, tmp_path: Path) -> None:
    plan = msgspec.structs.replace(generator.plan_of(recorded.game, tmp_path), games=12, jobs=2)
    assert (plan.seed, generator.GAMES[recorded.game]) == (recorded.seed, recorded.games_asked)
    run(plan, SILENT)
    with Ledger.open(tmp_path) as ledger:
        again = [(each.players, each.block, each.bots, each.ranks) for each in ledger.results()]
    before = list(islice(recorded.games, len(again)))
    assert [each[:3] for each in before] == [each[:3] for each in again]
    fixed = [each for each in again if BY_THE_CLOCK not in each[2]]
    assert fixed
    assert all(each in before for each in fixed), AGAIN
