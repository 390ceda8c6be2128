import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.common.authors import Author, avatar_name
from arena.ledger import (
    ChainContents,
    EntrantRecord,
    FieldEvent,
    FieldNote,
    GameRecord,
    GameSummary,
    Ledger,
    LedgerError,
    PageDataRecord,
    Step,
    VoidRecord,
    chain_differences,
    summary_of,
)
from tests.arena.common.test_authors import png

MakeGame = Callable[..., GameRecord]
META = {
    "game": "kosmos",
    "edition": {"name": "standard", "board": [["A", 3]]},
    "time": {"move": 0.05},
    "players": [2],
    "seed_hash": "00",
    "seed_given": False,
}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.create(tmp_path, META) as ledger:
        yield ledger


def alter(folder: Path, sql: str, *values: Any) -> None:
    """As a person would with the sqlite3 tool."""
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as database, database:
        assert database.execute(sql, values).rowcount == 1


def test_a_game_comes_back_as_it_was_recorded(ledger: Ledger, a_game: MakeGame) -> None:
    ledger.record(a_game(0))
    with Ledger.open(ledger.folder) as other:
        assert other.game("2-0-0") == a_game(0)


def test_page_data_are_kept_with_their_game(ledger: Ledger, a_game: MakeGame) -> None:
    ledger.record(a_game(0), PageDataRecord("game and arena", b"\x00told"))
    ledger.record(a_game(1))
    assert ledger.page_data("2-0-0") == PageDataRecord("game and arena", b"\x00told")
    assert ledger.page_data(a_game(1).id) is None


def test_games_come_in_the_order_of_the_schedule_whichever_finished_first(ledger: Ledger, a_game: MakeGame) -> None:
    for order in (5, 0, 3, 1):
        ledger.record(a_game(order))
    expected = [a_game(order) for order in (0, 1, 3, 5)]
    assert ledger.ids() == [game.id for game in expected]
    assert list(ledger.games()) == expected
    assert [result.index for result in ledger.results()] == [0, 1, 3, 5]


def test_a_result_is_what_rating_needs_of_a_game(ledger: Ledger, a_game: MakeGame) -> None:
    game = a_game(1)
    ledger.record(game)
    (result,) = ledger.results()
    shared = set(result.__struct_fields__) - {"faults", "packed_times", "teams"} | {"times"}
    assert {name: getattr(result, name) for name in shared} == {name: getattr(game, name) for name in shared}
    assert result.faults == [(1, "late")]  # the impostor is charged to nobody


def test_recording_the_same_game_again_changes_nothing(ledger: Ledger, a_game: MakeGame) -> None:
    ledger.record(a_game(0))
    ledger.record(a_game(0))
    assert list(ledger.games()) == [a_game(0)]
    frozen = a_game(1, steps=[Step("play", 0, "bot", 0, {"cards": (1, 2)})])
    ledger.record(frozen)
    ledger.record(frozen)
    assert ledger.ids() == ["2-0-0", "2-0-1"]


@pytest.mark.parametrize(
    "other",
    [{"ranks": [2, 1]}, {"digest": "ff"}, {"steps": []}, {"faults": []}, {"times": [[1], [2]]}],
    ids=lambda other: next(iter(other)),
)
def test_another_game_under_a_recorded_id_is_an_error(ledger: Ledger, a_game: MakeGame, other: dict[str, Any]) -> None:
    ledger.record(a_game(0))
    with pytest.raises(LedgerError, match="2-0-0"):
        ledger.record(a_game(0, **other))
    assert list(ledger.games()) == [a_game(0)]


def test_a_second_game_at_one_place_of_the_schedule_is_an_error_and_leaves_nothing(
    ledger: Ledger, a_game: MakeGame
) -> None:
    ledger.record(a_game(0))
    with pytest.raises(LedgerError, match=r"ledger\.sqlite.*games\.ord"):
        ledger.record(a_game(0, id="other"))
    assert ledger.ids() == ["2-0-0"]


def test_a_summary_is_a_record_without_its_steps_and_times(a_game: MakeGame) -> None:
    kinds = {field.name: field.type for field in msgspec.structs.fields(GameRecord)}
    del kinds["steps"], kinds["times"]
    kinds["idle"] = list[int]  # what follows from the times
    assert {field.name: field.type for field in msgspec.structs.fields(GameSummary)} == kinds
    game, summary = a_game(0), summary_of(a_game(0))
    assert all(getattr(summary, name) == getattr(game, name) for name in kinds)


def test_a_game_that_cannot_be_written_whole_is_not_written(ledger: Ledger, a_game: MakeGame) -> None:
    game = a_game(0)
    broken = [*game.faults, msgspec.structs.replace(game.faults[0], text=["not", "text"])]
    with pytest.raises(LedgerError):
        ledger.record(a_game(0, faults=broken))
    with closing(sqlite3.connect(ledger.folder / "ledger.sqlite")) as database:
        for table in ("games", "seats", "times", "steps", "faults"):
            assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)
    ledger.record(game)
    assert ledger.game(game.id) == game


def test_games_written_together_are_seen_together_and_leave_what_each_would_by_itself(
    ledger: Ledger, a_game: MakeGame, tmp_path: Path
) -> None:
    games = [a_game(order) for order in range(3)]
    with Ledger.open(ledger.folder) as reader:
        with ledger.together():
            for game in games:
                ledger.record(game)
            assert reader.ids() == []
        assert list(reader.games()) == games
    with Ledger.create(tmp_path / "one by one", META) as other:
        for game in games:
            other.record(game)
        assert other.chain.head() == ledger.chain.head()


def test_what_was_recorded_whole_is_kept_though_a_later_game_cannot_be_written(
    ledger: Ledger, a_game: MakeGame
) -> None:
    broken = [msgspec.structs.replace(a_game(1).faults[0], text=["not", "text"])]

    def record_both() -> None:
        with ledger.together():
            ledger.record(a_game(0))
            ledger.record(a_game(1, faults=broken))

    with pytest.raises(LedgerError):
        record_both()
    with closing(sqlite3.connect(ledger.folder / "ledger.sqlite")) as database:
        for table in ("games", "times", "steps"):
            assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (1,)
    ledger.record(a_game(1))
    assert ledger.ids() == ["2-0-0", "2-0-1"]


def test_results_are_readable_by_sql_alone(ledger: Ledger, a_game: MakeGame) -> None:
    ledger.record(a_game(0))
    with closing(sqlite3.connect(ledger.folder / "ledger.sqlite")) as database:
        found = database.execute(
            "SELECT s.bot, json_extract(s.scores, '$.days'), f.code FROM seats s"
            " LEFT JOIN faults f ON f.game = s.game AND f.seat = s.seat WHERE s.game = '2-0-0'"
        ).fetchall()
    assert found == [("greedy", 20, None), ("naïve", 31, "late")]


def test_lost_games_are_counted_apart_with_what_went_wrong(ledger: Ledger, a_game: MakeGame) -> None:
    voids = [
        VoidRecord("2-0-1", 1, ["greedy", "pairs"], "the worker died", lost=2),
        VoidRecord("2-0-0", 1, ["pairs", "greedy"], "the worker died", lost=2),
        VoidRecord("2-0-1", 2, ["greedy", "pairs"], "the worker died again: \udcff", 1, "pairs"),
    ]
    for void in voids:
        ledger.record_void(void)
    *first, last = ledger.voids()
    assert first == voids[:2]
    assert last == msgspec.structs.replace(voids[2], error="the worker died again: \\udcff")
    assert ledger.ids() == []
    ledger.record(a_game(0))
    assert ledger.ids() == ["2-0-0"]


def test_meta_keeps_plain_data_and_is_seen_by_readers_at_once(ledger: Ledger) -> None:
    with Ledger.open(ledger.folder) as reader:
        assert reader.meta == META
        ledger.set_meta("rated", {"games": None, "suspended": {"greedy": 7}})
        ledger.set_meta("game", "other")
        assert reader.meta == {**META, "game": "other", "rated": {"games": None, "suspended": {"greedy": 7}}}


def test_entrants_come_back_by_name_those_left_out_too(ledger: Ledger) -> None:
    plays = EntrantRecord("b", "bots/b.py", "ff00", "Python", "1.2", True, 8)
    fails = EntrantRecord("a", "bots/a", "00ff", left_out="says no hello")
    ledger.set_entrants([plays, fails])
    ledger.set_entrants([plays, fails])
    assert ledger.entrants() == [fails, plays]


def test_authors_come_back_with_their_pictures_and_verifying_notices_other_ones(ledger: Ledger) -> None:
    author = Author("Ada", "Engines", "https://example.org", "MIT", avatar_name(png()))
    plain, signed = EntrantRecord("a", "a.py", "00"), EntrantRecord("b", "b", "11", author=author)
    ledger.set_entrants([plain, signed], avatars={author.avatar: png()})
    assert ledger.entrants() == [plain, signed]
    assert ledger.avatar(author) == png()
    assert ledger.avatar(Author("Ada")) is None
    chain = ChainContents(ledger.chain.entries())
    assert "author" not in chain.bots["a"], "as in a ledger from before bots had authors"
    assert chain.bots["b"]["author"] == msgspec.to_builtins(author)
    assert chain_differences(ledger, chain) == []
    alter(ledger.folder, "UPDATE avatars SET data = x'00'")
    alter(ledger.folder, """UPDATE entrants SET author = '{"name": "Eve"}' WHERE name = 'a'""")
    assert ledger.avatar(author) is None
    assert chain_differences(ledger, chain) == [
        "a was recorded otherwise: author changed",
        "the avatar of b is not the one that was recorded",
    ]
    alter(ledger.folder, "UPDATE entrants SET author = '[7]' WHERE name = 'a'")
    with pytest.raises(LedgerError, match="what is said of a"):
        ledger.entrants()


def test_changes_of_the_field_have_dates_and_notes_and_games_are_counted_by_day(
    ledger: Ledger, a_game: MakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def today(moment: str) -> None:
        monkeypatch.setattr("arena.ledger.dates.now", lambda: moment)

    today("2026-03-01T23:00:00.000000Z")
    ledger.set_entrants([EntrantRecord("a", "a.py", "00"), EntrantRecord("b", "b.py", "00")])
    ledger.record(a_game(0))
    ledger.record(a_game(0))
    today("2026-03-03T01:00:00.000000Z")
    better = EntrantRecord("b@2", "b.py", "ff")
    ledger.change_field([better], [FieldEvent("leave", "b"), FieldEvent("join", "b@2")], 1, "goes east \udcff")
    ledger.record(a_game(1))
    ledger.record(a_game(2))
    assert ledger.days() == {"2026-03-01": 1, "2026-03-03": 2}
    first, second = (
        FieldNote("2026-03-01T23:00:00.000000Z"),
        FieldNote("2026-03-03T01:00:00.000000Z", "goes east \\udcff"),
    )
    assert ledger.field_notes() == [first, first, second, second]
    assert [event.bot for event in ledger.field_events()] == ["a", "b", "b", "b@2"]


def test_a_path_that_is_no_text_can_be_recorded(ledger: Ledger) -> None:
    ledger.set_entrants([EntrantRecord("a", "bots/\udcff.py", "00", left_out="cannot read bots/\udcff.py")])
    (entrant,) = ledger.entrants()
    assert (entrant.path, entrant.left_out) == ("bots/\\udcff.py", "cannot read bots/\\udcff.py")


def test_faults_of_a_bot_are_those_of_its_seats(ledger: Ledger, a_game: MakeGame) -> None:
    ledger.record(a_game(1))  # seat 1 is greedy
    ledger.record(a_game(0))  # seat 1 is naïve
    ((game, fault),) = ledger.each_fault_of("greedy")
    assert (game, fault) == ("2-0-1", a_game(1).faults[0])
    assert [game for game, _ in ledger.each_fault_of("naïve")] == ["2-0-0"]
    assert list(ledger.each_fault_of("nobody")) == []


def test_a_folder_without_a_ledger_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="nowhere"):
        Ledger.open(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_a_second_ledger_in_a_folder_is_refused(ledger: Ledger, a_game: MakeGame) -> None:
    ledger.record(a_game(0))
    with pytest.raises(LedgerError, match=str(ledger.folder)):
        Ledger.create(ledger.folder, {})
    assert ledger.ids() == ["2-0-0"]


def test_a_file_that_is_no_ledger_is_named(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(LedgerError, match=r"ledger\.sqlite"):
        Ledger.open(tmp_path)


def test_an_unknown_game_is_answered_with_what_there_is(ledger: Ledger, a_game: MakeGame) -> None:
    with pytest.raises(LedgerError, match="'x'"):
        ledger.game("x")
    ledger.record(a_game(0))
    ledger.record(a_game(1))
    with pytest.raises(LedgerError, match=r"'x'.* 2-0-0 .* 2-0-1"):
        ledger.game("x")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE steps SET data = x'00' WHERE game = '2-0-0'",
        "DELETE FROM times WHERE game = '2-0-0'",
        "UPDATE seats SET scores = 'nonsense' WHERE game = '2-0-0' AND seat = 0",
        "DELETE FROM seats WHERE game = '2-0-0' AND seat = 1",
    ],
)
def test_a_damaged_game_is_named(ledger: Ledger, a_game: MakeGame, sql: str) -> None:
    ledger.record(a_game(0))
    ledger.record(a_game(1))
    alter(ledger.folder, sql)
    with pytest.raises(LedgerError, match="2-0-0"):
        ledger.game("2-0-0")
    assert ledger.game("2-0-1") == a_game(1)


@pytest.mark.parametrize("statement", [2, 3])
def test_results_are_of_whole_games_though_one_ends_meanwhile(ledger: Ledger, a_game: MakeGame, statement: int) -> None:
    ledger.record(a_game(0))
    statements: list[str] = []
    with Ledger.open(ledger.folder) as reader:

        def meanwhile(sql: str) -> None:
            statements.append(sql)
            if len(statements) == statement:
                ledger.record(a_game(1))

        reader._db.set_trace_callback(meanwhile)
        assert [result.id for result in reader.results()] == ["2-0-0"]
        assert [result.id for result in reader.results()] == ["2-0-0", "2-0-1"]


def test_what_a_build_made_is_kept_with_the_version_and_what_it_made_later_behind_it(ledger: Ledger) -> None:
    first = EntrantRecord("built", "bots/built", "00", builds=["aa"])
    ledger.set_entrants([first, EntrantRecord("plain", "bots/plain", "11")])
    ledger.note_build("built", "bb")
    ledger.note_build("built", "aa")
    ledger.change_field([first], [], 0)
    assert [each.builds for each in ledger.entrants()] == [["aa", "bb"], []]
    assert ChainContents(ledger.chain.entries()).bots["built"]["builds"] == ["aa", "bb"]


def test_a_score_may_have_a_fraction_and_stays_what_it_is(ledger: Ledger, a_game: MakeGame) -> None:
    scores: list[dict[str, int | float]] = [{"chips": 0.1, "tricks": 3}, {"chips": -1e-7, "tricks": 2}]
    record = msgspec.structs.replace(a_game(0), scores=scores)
    ledger.record(record)
    found = [ledger.game(record.id).scores, ledger.results()[0].scores, ledger.outcomes()[0].scores]
    assert found == [scores] * 3
    assert all(type(row["tricks"]) is int for each in found for row in each)
