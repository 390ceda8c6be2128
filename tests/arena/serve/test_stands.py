"""How a season stands: who is in which place, and which versions of a bot that rests on."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from arena.ledger import EntrantRecord, FieldEvent, GameRecord, Ledger
from arena.reports.collusion import Favour
from arena.reports.duplicates import Alike
from arena.reports.fairness import FairReport
from arena.serve.rounds import Season
from arena.serve.season_table import season_table
from arena.serve.stands import Stands
from arena.serve.store import LeagueRound
from arena.standings import leaderboard
from arena.standings.compute import own_system, rated_results, whole_sheet
from tests.arena.ledgers import SETTINGS

SURE = 60
"""Blocks that tell two bots apart, of which one is mostly ahead."""


class PlayedSeason:
    """A season of which games are written by hand."""

    def __init__(self, made) -> None:
        self.store = made.store("ada", "bob", "eve")
        league = made.league('[[mark]]\nname = "pass"\nbeats = "greedy"\n', 'references = ["@greedy"]')
        self.season = Season(league, self.store)
        self.season.folder.mkdir(parents=True)
        self.ledger = Ledger.create(self.season.folder, SETTINGS.entries())
        self.ledger.set_entrants([EntrantRecord(name, "x", name) for name in ("ada", "bob", "eve", "greedy")])

    def play(self, *bots: str, blocks: int = SURE) -> None:
        """Play blocks of one game, in which bots finish in this order, but for each sixth, where it is turned round."""
        for number in range(blocks):
            order = bots[::-1] if number % 6 == 5 else bots
            place = len(self.ledger.ids())
            scores: list[dict[str, int | float]] = [{"days": 20} for _ in bots]
            ranks, times = list(range(1, len(bots) + 1)), [[1000] for _ in bots]
            words = f"{len(bots)}-{place}-0", place, len(bots), place, 0, f"{place:032x}"
            self.ledger.record(
                GameRecord(*words, list(order), "finished", ranks, scores, [], [], [], times, f"{place}", "")
            )

    def evenly(self, *bots: str, blocks: int = SURE) -> None:
        """Play blocks in which each bot finishes in each place as often as the others."""
        for turn in range(blocks):
            first = turn % len(bots)
            self.play(*bots[first:], *bots[:first], blocks=1)

    def replace(self, old: str, new: str) -> None:
        """Have another version of a bot play from now on."""
        place, known = len(self.ledger.ids()), {each.name for each in self.ledger.entrants()}
        events = [FieldEvent("leave", old, 1, place), FieldEvent("join", new, 1, place)]
        self.ledger.change_field([] if new in known else [EntrantRecord(new, "x", new)], events, place, "")

    def end_round(self, marks: dict[str, Sequence[str]] | None = None) -> LeagueRound:
        """Record that a round was played."""
        what = LeagueRound("season-1", len(self.store.rounds("season-1")) + 1, 0.0, {})
        self.store.begin_round(what)
        found = {name: list(those) for name, those in (marks or {}).items()}
        self.store.end_round("season-1", what.number, "complete", 0, found)
        return what

    @property
    def stands(self) -> Stands:
        """How it stands, read anew."""
        return Stands(self.season, self.store)

    def standings(self):
        """Return the lines that everybody sees."""
        return self.stands.facts(0.0).public.standings

    def lines(self) -> list[tuple[object, ...]]:
        """Return of each line place, bot, whether it is a reference, and versions."""
        return [(each.place, each.bot, each.is_reference, each.versions) for each in self.standings()]


@pytest.fixture
def played(made):
    season = PlayedSeason(made)
    yield season
    season.ledger.close()


def test_places_are_counted_without_reference_bots(played):
    played.play("ada", "greedy")
    played.play("greedy", "bob")
    played.play("bob", "eve")
    played.end_round()
    assert played.lines() == [
        ("1", "ada", False, [1]),
        ("", "greedy", True, [1]),
        ("2", "bob", False, [1]),
        ("3", "eve", False, [1]),
    ]
    assert played.stands.order() == ["ada", "bob", "eve"]


def test_bots_that_cannot_be_told_apart_share_their_places(played):
    played.evenly("ada", "bob")
    played.play("ada", "greedy")
    played.play("bob", "greedy")
    played.play("greedy", "eve")
    played.end_round()
    places = {bot: place for place, bot, *_ in played.lines()}
    assert places == {"ada": "1–2", "bob": "1–2", "greedy": "", "eve": "3"}


def test_ratings_are_those_of_the_tournament_with_half_of_the_interval(played):
    played.evenly("ada", "bob", "eve", "greedy")
    played.evenly("ada", "bob")
    played.end_round()
    rows = {row.bot: row for row in leaderboard(played.ledger).overall or []}
    for line in played.standings():
        low, high = rows[line.bot].interval or (None, None)
        assert line.rating == round(rows[line.bot].values["rating"], 2)
        assert low is not None
        assert high is not None
        assert line.error == round((high - low) / 2, 2)
        assert line.games == rows[line.bot].games


def test_to_send_the_same_bot_again_sheds_no_bad_record(played):
    """Bob is behind ada and eve; its copy has luck in two games."""
    played.evenly("ada", "bob", "eve", "greedy", blocks=12)
    for _ in range(6):
        played.play("ada", "bob", blocks=2)
        played.play("eve", "bob", blocks=2)
        played.play("bob", "greedy", blocks=3)
    played.replace("bob", "bob@2")
    played.play("bob@2", "ada", blocks=1)
    played.play("bob@2", "eve", blocks=1)
    played.end_round()
    rows = leaderboard(played.ledger).overall or []
    assert next(row.bot for row in rows) == "bob@2", "by its own rating the copy would be first"
    line = next(each for each in played.standings() if each.bot == "bob")
    assert line.versions == [1, 2]
    assert line.games == 12 + 6 * 7 + 2
    assert played.stands.order()[-1] == "bob"


def test_a_version_that_is_surely_better_counts_alone(played):
    played.play("ada", "bob", "eve")
    played.play("greedy", "eve")
    played.evenly("bob", "greedy")
    played.replace("eve", "eve@2")
    played.play("eve@2", "bob", "greedy")
    played.play("eve@2", "ada")
    played.end_round()
    assert [(bot, versions) for _, bot, _, versions in played.lines()][:2] == [("eve", [2]), ("ada", [1])]


def test_who_returns_to_an_earlier_version_is_rated_by_the_one_that_plays(played):
    played.evenly("bob", "eve", "greedy")
    played.play("ada", "bob", "eve", "greedy")
    played.replace("ada", "ada@2")
    for other in ("bob", "eve", "greedy"):
        played.play(other, "ada@2")
    played.replace("ada@2", "ada")
    for other in ("bob", "eve", "greedy"):
        played.play("ada", other)
    played.end_round()
    assert played.lines()[0][1:] == ("ada", False, [1])


def test_who_has_left_has_no_place(played):
    played.play("ada", "bob", "eve")
    place = len(played.ledger.ids())
    played.ledger.change_field([], [FieldEvent("leave", "bob", 1, place)], place, "")
    played.play("ada", "eve")
    played.end_round()
    assert played.stands.order() == ["ada", "eve"]


def test_marks_go_by_the_version_that_plays_and_stay_with_who_has_left(played):
    played.play("ada", "greedy")
    played.play("greedy", "eve")
    played.evenly("bob", "greedy")
    played.end_round({"bob": ["pass"], "eve": ["pass"], "fay": ["pass"]})
    assert played.stands.marks(played.end_round()) == {"ada": ["pass"], "bob": ["pass"], "eve": [], "fay": ["pass"]}


def test_marks_go_by_the_version_of_a_reference_that_plays(played):
    played.play("ada", "greedy")
    played.evenly("bob", "eve", "greedy")
    played.replace("greedy", "greedy@2")
    played.play("greedy@2", "ada")
    played.end_round({"ada": ["pass"]})
    assert played.stands.marks(played.end_round()) == {"ada": [], "bob": [], "eve": []}


def test_who_is_always_ahead_of_a_reference_gets_the_mark_soon(played):
    """How much better it is stays unknown, and so large an error would withhold the mark from it for ever."""
    for expected in ([], ["pass"]):
        played.play("ada", "greedy", blocks=5)
        played.play("ada", "bob", blocks=5)
        played.evenly("bob", "eve", "greedy", blocks=12)
        assert played.stands.marks(played.end_round())["ada"] == expected


def test_nobody_stands_anywhere_before_the_first_round(played):
    assert (played.lines(), played.stands.order()) == ([], [])


def test_a_league_that_begins_again_in_a_round_stands_as_before_it(played):
    played.play("ada", "bob", "greedy")
    played.end_round()
    before, games = played.standings(), len(played.ledger.ids())
    played.store.begin_round(LeagueRound("season-1", 2, 0.0, {}, games))
    played.replace("bob", "bob@2")
    played.play("bob@2", "ada", "eve", blocks=7)
    assert played.standings() == before
    assert played.stands.facts(0.0).public.league.played == 7
    played.store.end_round("season-1", 2, "complete", games + 7, {})
    assert played.standings() != before


def test_versions_that_count_together_are_rated_as_one_bot(played):
    """The table is that of a tournament in which both versions had one name."""
    played.evenly("ada", "bob", "eve", "greedy")
    played.replace("bob", "bob@2")
    played.evenly("ada", "bob@2", "eve", "greedy")
    sheet = whole_sheet(played.ledger, rated_results(played.ledger), own_system(played.ledger))
    together = {each.row.bot: each for each in season_table(sheet, ["greedy"]).rows}
    assert together["bob@2"].versions == ("bob", "bob@2")
    assert together["bob@2"].row.games == together["ada"].row.games


def test_organisers_alone_see_who_sent_the_same_files_plays_alike_or_for_another(played):
    played.play("ada", "bob", "eve", "greedy")
    for name, content in {"ada": "aa", "bob": "bb", "eve": "aa"}.items():
        number = played.store.receive(name, "upload", name).id
        played.store.move(number, "refused" if name == "eve" else "joined", fingerprint=content)
    played.end_round()
    stands = played.stands
    assert stands.facts(0.0).organiser.alike == ("the same files came from ada (submission 1) and eve (submission 3)",)
    sure, unsure = (Favour("ada", "bob", 9, 9, 0.1, -0.1, chance) for chance in (0.001, 0.04))
    copies = [Alike("ada", "eve", True), Alike("ada", "bob", False, 390, 400, 0.8)]
    found = FairReport(60, [sure, unsure], copies, 3, ["greedy was not asked: gone"])
    (played.season.folder / "fairness.json").write_bytes(msgspec.json.encode(found))
    facts = stands.facts(0.0)
    assert facts.organiser.alike[1:] == (copies[1].in_words(), sure.in_words(), "greedy was not asked: gone")
    assert "alike" not in str(msgspec.to_builtins(facts.public))
    (played.season.folder / "fairness.json").write_bytes(b"{")
    assert len(played.stands.facts(0.0).organiser.alike) == 1
