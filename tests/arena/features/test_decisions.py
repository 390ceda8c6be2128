"""A data set of decisions: what stands in its rows and on its card, how it is cut in files, and what reads it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.features import Form, decisions
from arena.features.decisions import COLUMNS, DecisionsError, export_decisions
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.ledger import EntrantRecord, GameRecord, Ledger, TournamentSettings
from arena.protocol.messages import Act
from engine import catalog
from tests.arena.ledgers import play

__all__ = ["play"]

parquet = pytest.importorskip("pyarrow.parquet")
RULES = catalog.rules("kosmos")
EDITION = RULES.edition("standard")
EDITION["parameters"]["max_rounds"] = 8  # type: ignore[index]


def played(
    number: int, players: int = 2, failing: int | None = None, openings: int = 0
) -> tuple[GameRecord, list[Any]]:
    """A game of bots that choose at random, and what they were asked, chose and took.

    `failing`: a seat that fails at every second question, and retires.
    """
    random = Random(number)
    bots = ["ant", "bee@2", "cat"][:players]
    spec = GameSpec(f"g{number}", number, players, 0, 0, random.randbytes(16).hex(), bots, openings=openings)
    game = Game(RULES, EDITION, spec, TimeControl())
    asked: list[Any] = []
    while (seat := game.awaited) is not None:
        decide = game.decide()
        fails = seat == failing and decide.turn % 2 == 0
        index, took = len(decide.actions) if fails else random.randrange(len(decide.actions)), random.randrange(9999)
        asked.append((seat, decide, None if fails else index, took))
        game.answer(seat, Act("", decide.turn, index, None, {"worth": 0.5} if seat == 0 else None), took / 1e6)
    return game.record(), asked


@pytest.fixture
def ledger(tmp_path: Path) -> Any:
    settings = TournamentSettings("kosmos", dict(EDITION), [2, 3], {}, "5eed", True)
    with Ledger.create(tmp_path / "t", settings.entries()) as made:
        made.set_entrants([EntrantRecord(name, name, f"hash of {name}") for name in ("ant", "bee@2", "cat")])
        yield made


def export(ledger: Ledger, folder: Path, **other: Any) -> list[dict[str, Any]]:
    export_decisions(ledger, folder, lambda: ThreadPoolExecutor(2), 2, **other)
    return parquet.read_table(folder / "data").to_pylist() if (folder / "data").exists() else []


def test_a_row_is_what_a_seat_was_asked_and_chose(ledger, tmp_path):
    record, asked = played(1, 3)
    ledger.record(record)
    rows = export(ledger, tmp_path / "d")
    assert [*rows[0]] == [*COLUMNS]
    assert len(rows) == len(asked)
    for row, (seat, decide, index, took) in zip(rows, asked, strict=True):
        sent = [decide.view, decide.events, decide.actions]
        assert [json.loads(row[key]) for key in ("view", "events", "actions")] == json.loads(json.dumps(sent))
        assert (row["seat"], row["turn"], row["chosen"]) == (seat, decide.turn, index)
        assert row["ms"] == pytest.approx(took / 1000)
        assert (row["game"], row["index"], row["players"], row["rank"]) == ("g1", 1, 3, record.ranks[seat])
        assert json.loads(row["scores"]) == record.scores[seat]
        assert (row["chosen_by"], row["asked"], row["score"]) == ("bot", True, None)
        assert row["metrics"] == ('{"worth":0.5}' if seat == 0 else None)
    assert {(row["bot"], row["version"], row["fingerprint"]) for row in rows if row["seat"] == 1} == {
        ("bee@2", 2, "hash of bee@2")
    }


def test_what_a_substitute_chose_is_told_apart_and_so_is_where_nobody_was_asked(ledger, tmp_path):
    record, asked = played(2, 3, failing=1)
    assert record.retired == [1]
    ledger.record(record)
    rows = export(ledger, tmp_path / "d")
    answered = [row for row in rows if row["asked"]]
    retiring = next(n for n, (seat, *_) in reversed([*enumerate(asked)]) if seat == 1)
    wanted = asked[:retiring] + asked[retiring + 1 :]  # to the last question of seat 1 there came nothing
    assert [(row["seat"], row["turn"]) for row in answered] == [(seat, decide.turn) for seat, decide, *_ in wanted]
    for row, (_, decide, index, took) in zip(answered, wanted, strict=True):
        assert row["chosen_by"] == ("substitute" if index is None else "bot")
        assert index in (None, row["chosen"])
        assert json.loads(row["view"]) == json.loads(json.dumps(decide.view))
        assert row["ms"] == pytest.approx(took / 1000)
    others = [row for row in rows if not row["asked"]]
    assert others
    assert {(row["seat"], row["chosen_by"], row["turn"], row["ms"]) for row in others} == {
        (1, "substitute", None, None)
    }


def test_the_random_actions_of_an_opening_are_nobodys_decisions(ledger, tmp_path):
    record, asked = played(3, openings=4)
    ledger.record(record)
    rows = export(ledger, tmp_path / "d")
    assert len(rows) == len(asked) == len(record.steps) - 4
    assert json.loads(rows[0]["events"]) == json.loads(json.dumps(asked[0][1].events))


def test_a_score_that_is_played_for_is_a_number(tmp_path):
    pytest.importorskip("pyspiel")
    rules = catalog.rules("openspiel:kuhn_poker")
    edition = rules.edition(rules.editions()[0])
    game = Game(rules, edition, GameSpec("g", 0, 2, 0, 0, "00" * 16, ["ant", "cat"]), TimeControl())
    while (seat := game.awaited) is not None:
        game.answer(seat, Act("", game.decide().turn, 0), 0.001)
    record = game.record()
    found = [*decisions.rows(record, rules, edition, {})]
    [name] = record.scores[0]
    assert [row["score"] for row in found] == [record.scores[row["seat"]][name] for row in found]


def test_files_hold_one_number_of_players_and_are_the_same_for_any_number_of_processes(ledger, tmp_path, monkeypatch):
    for number in range(6):
        ledger.record(played(number, 2 + number % 2)[0])
    monkeypatch.setattr(decisions, "_TOGETHER", 1)
    monkeypatch.setattr(decisions, "_ROW_GROUP", 1)
    rows = export(ledger, tmp_path / "a")
    export_decisions(ledger, tmp_path / "b", lambda: ThreadPoolExecutor(1), 1)
    files = [file.relative_to(tmp_path / "a") for file in sorted((tmp_path / "a").rglob("*")) if file.is_file()]
    assert [str(file) for file in files] == [
        "README.md",
        *(f"data/players-{players}.parquet" for players in (2, 3)),
    ]
    assert all((tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes() for file in files)
    assert [game for game, _ in groupby(rows, lambda row: row["game"])] == ["g0", "g2", "g4", "g1", "g3", "g5"]
    assert {row["players"] for row in parquet.read_table(tmp_path / "a/data/players-3.parquet").to_pylist()} == {3}


def test_the_card_says_where_the_decisions_came_from_and_what_the_columns_are(ledger, tmp_path):
    yaml = pytest.importorskip("yaml")
    ledger.record(played(1)[0])
    ledger.record(played(2, 3)[0])
    rows = export(ledger, tmp_path / "d")
    _, head, text = (tmp_path / "d" / "README.md").read_text().split("---\n", 2)
    found = yaml.safe_load(head)
    files = {each["config_name"]: each["data_files"] for each in found["configs"]}
    assert {name: len(list((tmp_path / "d").glob(part))) for name, part in files.items()} == {
        "all": 2,
        "players-2": 1,
        "players-3": 1,
    }
    assert [each["config_name"] for each in found["configs"] if each.get("default")] == ["all"]
    assert ledger.chain.head() in text
    assert "`5eed`" in text
    assert f"{len(rows)} decisions in 2 games" in text
    named = {
        word.strip("` ") for line in text.splitlines() for word in line.split("|")[1:2][0:1] for word in word.split(",")
    }
    assert named >= set(COLUMNS)
    about = json.loads(parquet.read_schema(next((tmp_path / "d").rglob("*.parquet"))).metadata[b"arena"])
    assert (about["game"], about["edition"]) == ("kosmos", json.loads(json.dumps(EDITION)))


def test_a_name_in_a_card_is_no_markup(ledger, tmp_path):
    record, _ = played(1)
    hostile = GameRecord(
        **{**{name: getattr(record, name) for name in record.__struct_fields__}, "bots": ["<b>|*", "cat"]}
    )
    ledger.record(hostile)
    export(ledger, tmp_path / "d")
    assert "<b>" not in (tmp_path / "d" / "README.md").read_text().replace("\\<", "")


def test_an_earlier_data_set_is_replaced(ledger, tmp_path):
    for number in range(2):
        ledger.record(played(number, 3 - number)[0])
    (tmp_path / "d" / "data").mkdir(parents=True)
    (tmp_path / "d" / "data" / "players-4.parquet").write_text("left by an export that was killed")
    assert {row["game"] for row in export(ledger, tmp_path / "d")} == {"g0", "g1"}
    assert {row["game"] for row in export(ledger, tmp_path / "d")} == {"g0", "g1"}


@pytest.mark.parametrize("foreign", ["thesis.txt", "data/thesis.txt", "data/players-2", "README.md"])
def test_a_folder_with_something_else_is_left_alone(ledger, tmp_path, foreign):
    ledger.record(played(1)[0])
    (tmp_path / "d" / foreign).parent.mkdir(parents=True)
    (tmp_path / "d" / foreign).write_text("mine")
    with pytest.raises(DecisionsError, match=foreign):
        export(ledger, tmp_path / "d")
    assert [each for each in (tmp_path / "d").rglob("*") if each.is_file()] == [tmp_path / "d" / foreign]


def test_without_games_nothing_is_written(ledger, tmp_path):
    with pytest.raises(DecisionsError, match="no games yet"):
        export(ledger, tmp_path / "d")
    assert not (tmp_path / "d").exists()


def test_a_game_that_cannot_be_played_again_is_left_out_and_told_of(ledger, tmp_path, play):
    ledger.record(played(1)[0])
    fields = {name: getattr(played(2)[0], name) for name in GameRecord.__struct_fields__}
    ledger.record(GameRecord(**{**fields, "seed": "00" * 16}))
    written = export_decisions(ledger, tmp_path / "d", lambda: ThreadPoolExecutor(1), 1)
    assert written.games == 1
    [why] = written.left_out
    assert why.startswith("g2: step ")
    assert "left out | 1 game: g2" in (tmp_path / "d" / "README.md").read_text()


def test_polars_and_duckdb_read_it(ledger, tmp_path):
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    for number in range(2):
        ledger.record(played(number, 2 + number)[0])
    rows = export(ledger, tmp_path / "d")
    table = polars.scan_parquet(tmp_path / "d" / "data").collect()
    assert table.to_dicts() == rows
    found = duckdb.sql(f"select players, count(*) from '{tmp_path}/d/data/*.parquet' group by 1 order by 1").fetchall()
    assert found == [(2, sum(row["players"] == 2 for row in rows)), (3, sum(row["players"] == 3 for row in rows))]
    first = duckdb.sql(f"select view->>'$.round' from '{tmp_path}/d/data/*.parquet' limit 1").fetchall()
    assert first == [(str(json.loads(rows[0]["view"])["round"]),)]


def test_with_a_form_there_are_numbers_and_the_steps_of_each_choice(ledger, tmp_path):
    form = Form.of("kosmos", "standard", history=3)
    form.save(tmp_path / "form.json")
    record, asked = played(1, 3)
    ledger.record(record)
    rows = export(ledger, tmp_path / "d", form=tmp_path / "form.json")
    seen: list[list[Any]] = [[], [], []]
    longest = 0
    for row, (seat, decide, index, _) in zip(rows, asked, strict=True):
        seen[seat] += decide.events
        assert row["features"] == form.encode(decide.view, seen[seat]).tolist()
        choice, found = form.choice(decide.actions), None
        for step, allowed, taken in zip(row["steps"], row["allowed"], row["taken"], strict=True):
            assert found is None
            assert (choice.mask.nonzero()[0].tolist(), choice.steps) == (allowed, taken)
            found = choice.take(step)
        assert found == index
        assert row["action_features"] is None
        longest = max(longest, len(row["steps"]))
    assert longest > 1
    assert "`features`" in (tmp_path / "d" / "README.md").read_text()
    about = json.loads(parquet.read_schema(next((tmp_path / "d").rglob("*.parquet"))).metadata[b"arena"])
    assert Form.read(json.dumps(about["form"]).encode()).columns == form.columns


def test_without_steps_each_action_has_a_row_of_numbers(ledger, tmp_path, monkeypatch):
    form = Form.of("kosmos", "standard")
    form.actions.kind = "features"
    form.actions.count = None
    monkeypatch.setattr(decisions, "_form", lambda file: form)
    (tmp_path / "form.json").write_text("{}")
    record, asked = played(1)
    ledger.record(record)
    rows = export(ledger, tmp_path / "d", form=tmp_path / "form.json")
    for row, (_, decide, index, _) in zip(rows, asked, strict=True):
        assert (row["steps"], row["allowed"]) == ([index], [[*range(len(decide.actions))]])
        assert row["action_features"] == form.features(decide.view, decide.actions).tolist()


@pytest.mark.parametrize(("text", "told"), [(None, "no such file"), ("{}", "as a form"), ("leduc", "leduc_poker")])
def test_a_form_that_cannot_be_used_is_refused_before_anything_is_written(ledger, tmp_path, text, told):
    file = tmp_path / "form.json"
    if text == "leduc":
        Form.of("openspiel:leduc_poker").save(file)
    elif text is not None:
        file.write_text(text)
    ledger.record(played(1)[0])
    with pytest.raises(DecisionsError, match=told):
        export(ledger, tmp_path / "d", form=file)
    assert not (tmp_path / "d").exists()
