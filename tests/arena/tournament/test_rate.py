"""When the rating of a bot ends: games are made up, and decided by their seeds."""

from __future__ import annotations

import msgspec
import pytest

from arena.entrants import Entrant
from arena.entrants.expand import only_bots
from arena.ledger import Ledger
from arena.rating import rating_system
from arena.rating.anchored import RatingRow
from arena.reports.bot_rating import AnchorRow, BotRating, in_words
from arena.tournament import anchors as anchors_module
from arena.tournament.anchors import AnchorField, RecordedAnchors, find_anchors
from arena.tournament.plan import Plan
from arena.tournament.rate import Rated, completed, folder_for, is_enough, next_look, rate, usual_error
from generators.anchors import record
from tests.arena.tournament.conftest import Lab


class Rating:
    """A laboratory in which `mine` is rated by anchors that were recorded there."""

    def __init__(self, lab: Lab) -> None:
        self.lab, self.recorded = lab, lab.folder / "recorded"
        paths = dict(zip("abcd", lab.bots(*"abcd"), strict=True))
        outcome = lab.run("a b c d", game="kosmos", games=120, players=None, out="known")
        with Ledger.open(outcome.folder) as ledger:
            found = record(ledger, paths, 1, 120)
        self.recorded.mkdir()
        (self.recorded / "kosmos.json").write_bytes(msgspec.json.encode(found))
        lab.played.clear()

    def field(self, **options: object) -> AnchorField:
        return find_anchors(self.plan(**options), self.lab, self.lab.make, self.recorded)

    def plan(self, **options: object) -> Plan:
        return completed(Plan(**{"game": "kosmos", "jobs": 1, **options}))  # type: ignore[arg-type]

    def rate(self, wanted: float, name: str = "mine", **options: object) -> Rated:
        return rate(self.entrant(name), self.field(**options), self.plan(**options), wanted, self.lab, self.lab.make)

    def entrant(self, name: str) -> Entrant:
        return only_bots(self.lab.bots(name), "kosmos")[0]


@pytest.fixture
def rating(lab: Lab) -> Rating:
    return Rating(lab)


def test_it_plays_until_the_error_is_small_enough(rating: Rating) -> None:
    rough = rating.rate(2.5)
    assert rough.is_known
    assert rough.rating is not None
    assert rough.rating.half <= 2.5
    few = rating.lab.played.total()
    fine = rating.rate(1.2)
    assert fine.is_known
    assert fine.rating is not None
    assert fine.rating.half <= 1.2
    assert rating.lab.played.total() == fine.rating.overall.games > few
    assert max(rating.lab.played.values()) == 1  # it went on with what was played before


def test_what_is_known_is_not_played_again(rating: Rating) -> None:
    first = rating.rate(2.0)
    played = rating.lab.played.copy()
    again = rating.rate(2.0)
    assert rating.lab.played == played
    assert again.rating == first.rating
    assert again.is_known
    assert again.outcome.folder == first.outcome.folder


def test_it_ends_at_the_most_games_and_says_that_it_is_not_known(rating: Rating) -> None:
    found = rating.rate(0.1, games=80)
    assert not found.is_known
    assert found.rating is not None
    assert 80 <= found.rating.overall.games < 80 + 6
    assert not rating.rate(0.1, games=80).is_known
    assert rating.lab.played.total() == found.rating.overall.games


def test_a_bot_that_wins_all_games_is_known_on_one_side_and_not_played_for_ever(rating: Rating) -> None:
    rating.lab.leads = {"mine"}
    found = rating.rate(0.5)
    assert found.is_known
    assert found.rating is not None
    assert found.rating.overall.bound == "at least"
    assert 200 <= found.rating.overall.games < 300
    columns = rating.field().anchors.system.columns
    assert ": better than " in in_words(found.rating, columns)
    assert "> " in in_words(found.rating, columns)


def test_a_rating_that_is_interrupted_goes_on(rating: Rating) -> None:
    rating.lab.interrupt_after = 25
    assert rating.rate(2.0).outcome.interrupted
    rating.lab.interrupt_after = None
    with Ledger.open(folder_for(rating.entrant("mine"), rating.field(), rating.plan())) as ledger:
        kept = {each.id for each in ledger.results()}
    assert rating.rate(2.0).is_known
    assert {rating.lab.played[each] for each in kept} <= {1}


def test_a_bot_that_fails_ends_its_rating(rating: Rating) -> None:
    rating.lab.retires = {"mine"}
    found = rating.rate(0.5)
    assert not found.is_known
    assert rating.lab.played.total() < 60


def test_checkpoints_play_the_same_deals_against_the_same_opponents(rating: Rating) -> None:
    games = []
    for name in ("step-1", "step-2"):
        with Ledger.open(rating.rate(0.1, name, games=60).outcome.folder) as ledger:
            games.append(
                [
                    (ledger.game(each.id).seed, ["mine" if bot == name else bot for bot in each.bots])
                    for each in ledger.results()
                ]
            )
    assert games[0] == games[1]


def test_another_content_is_another_rating(rating: Rating) -> None:
    before = folder_for(rating.entrant("mine"), rating.field(), rating.plan())
    rating.lab.folder.joinpath("entries", "mine.py").write_text("# better\n")
    assert folder_for(rating.entrant("mine"), rating.field(), rating.plan()) != before
    again = folder_for(rating.entrant("mine"), rating.field(), rating.plan(players="2,3"))
    assert again != folder_for(rating.entrant("mine"), rating.field(), rating.plan())


def test_some_numbers_of_players_alone(rating: Rating) -> None:
    found = rating.rate(3.0, players="2,4")
    assert found.rating is not None
    assert [each.players for each in found.rating.rows] == [None, 2, 4]


@pytest.mark.parametrize("change", [{"move": 0.2}, {"edition": "nim"}])
def test_what_is_not_recorded_is_played_here(
    rating: Rating, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anchors_module, "admit", rating.lab.admit)
    monkeypatch.setattr(anchors_module, "ROUNDS", 2)
    field = rating.field(players="2", **change)
    assert "of their own in rate" in field.source
    assert "planner" in field.anchors.bots
    played = rating.lab.played.total()
    assert played
    assert rating.field(players="2", **change).anchors.bots == field.anchors.bots
    assert rating.lab.played.total() == played
    assert any(line.startswith("no anchors are recorded") for line in rating.lab.said)


def test_a_bot_that_changed_is_no_recorded_anchor(rating: Rating, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchors_module, "admit", rating.lab.admit)
    monkeypatch.setattr(anchors_module, "ROUNDS", 1)
    assert "come with the arena" in rating.field().source
    rating.lab.folder.joinpath("entries", "a.py").write_text("# changed\n")
    assert "of their own" in rating.field(players="2").source


def test_only_the_random_bot_is_left(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchors_module, "admit", lab.admit)
    lab.left_out = dict.fromkeys(("greedy", "sprinter", "pairs", "saboteur", "planner", "explorer"), "cannot")
    lab.left_out |= dict.fromkeys(("strider", "navigator"), "cannot")
    field = find_anchors(completed(Plan(game="kosmos", jobs=1, players="2")), lab, lab.make, lab.folder)
    assert field.anchors.bots == ["random_bot", "random_bot-2"]
    assert "no anchor: planner: cannot" in lab.said
    assert any(line.startswith("random_bot is the only anchor") for line in lab.said)


@pytest.mark.parametrize(
    ("half", "wanted", "games"), [(2.0, 1.0, 252), (9.0, 1.0, 180), (1.0, 1.0, 69), (1.5, 1.0, 142)]
)
def test_it_looks_again_when_games_are_expected_to_be_enough(half: float, wanted: float, games: int) -> None:
    assert next_look(60, half, wanted, 1000) == min(games, 180)
    assert next_look(60, half, wanted, 100) == min(games, 100)


def test_what_is_wanted_if_nobody_says_so() -> None:
    assert usual_error(Plan(game="kosmos")) == 1.0


def made_up(rating: float, error: float, rows: list[tuple[int, float, float]], better: dict[str, float]) -> BotRating:
    """A rating with anchors at 35, 30, 25 and 20."""

    def row(players: int | None, value: float, error: float) -> RatingRow:
        return RatingRow(players, value, error, (value - 2 * error, value + 2 * error), None, 100)

    anchors = [
        AnchorRow(name, value, 0.3, None, 50, 20, 5, better[name])
        for name, value in (("best", 35.0), ("good", 30.0), ("fair", 25.0), ("worst", 20.0))
    ]
    return BotRating("mine", [row(None, rating, error), *(row(*each) for each in rows)], anchors)


@pytest.mark.parametrize(
    ("rating", "better", "words"),
    [
        (31.0, (0.0, 0.97, 1.0, 1.0), "mine: better than good with 97 %, 31.0 ± 0.6 (95 %), between good and best"),
        (36.0, (0.6, 1.0, 1.0, 1.0), "mine: better than good with >99 %, 36.0 ± 0.6 (95 %), above all anchors"),
        (19.0, (0.0, 0.0, 0.0, 0.04), "mine: worse than worst with 96 %, 19.0 ± 0.6 (95 %), below all anchors"),
        (20.1, (0.06, 0.1, 0.3, 0.5), "mine: not told from any anchor, 20.1 ± 0.6 (95 %), between worst and fair"),
    ],
)
def test_words(rating: float, better: tuple[float, ...], words: str) -> None:
    columns = rating_system(game="kosmos").columns
    found = made_up(rating, 0.3, [], dict(zip(("best", "good", "fair", "worst"), better, strict=True)))
    assert in_words(msgspec.structs.replace(found, rows=[found.rows[0]]), columns) == words


def test_the_weakest_number_of_players_is_named_only_if_it_is_known() -> None:
    columns, better = rating_system(game="kosmos").columns, dict.fromkeys(("best", "good", "fair", "worst"), 1.0)
    weak = made_up(31.0, 0.3, [(2, 27.0, 0.5), (3, 33.0, 0.5)], better)
    alike = made_up(31.0, 0.3, [(2, 30.5, 0.5), (3, 31.5, 0.5)], better)
    assert in_words(weak, columns).endswith("; weakest with 2 players")
    assert "weakest" not in in_words(alike, columns)


def test_a_recorded_file_is_read_as_it_was_written(rating: Rating) -> None:
    data = (rating.recorded / "kosmos.json").read_bytes()
    found = msgspec.json.decode(data, type=RecordedAnchors)
    assert len(found.games) >= 120
    assert found.seed == 1
    assert len(found.head) == 64
    assert {size for size, *_ in found.games} == {2, 3, 4}


def test_enough_is_a_short_interval_or_many_games_on_one_side() -> None:
    columns_better = dict.fromkeys(("best", "good", "fair", "worst"), 1.0)
    found = made_up(31.0, 0.5, [], columns_better)
    assert is_enough(found, 1.0)
    assert not is_enough(found, 0.9)
    bound = msgspec.structs.replace(found.rows[0], bound="at least")
    assert not is_enough(msgspec.structs.replace(found, rows=[bound]), 1.0)
    many = msgspec.structs.replace(bound, games=200)
    assert is_enough(msgspec.structs.replace(found, rows=[many]), 0.1)
