"""Games as a table: what stands in which column, and names that a spreadsheet would compute."""

from __future__ import annotations

import csv
import json
import os
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from arena.common.progress import Silent
from arena.game.faults import FAULTS
from arena.ledger import FaultRecord, Ledger, LedgerError
from arena.replays import export
from arena.replays.game_file import file_name

META = {"game": "chess", "edition": {"name": "x"}, "time": {"move": 1.0}, "seed_hash": "ab"}


@pytest.fixture
def meta(ledger):
    for key, value in META.items():
        ledger.set_meta(key, value)


def read(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_row_is_what_a_seat_did_in_a_game(ledger, play, tmp_path):
    faults = [FaultRecord(1, 2, "late", "x"), FaultRecord(1, 3, "late", "x"), FaultRecord(None, None, "impostor", "x")]
    play("ant", "bee", "cat", ranks=[1, 2, 2], retired=[1], faults=faults, times=[[1000, 2000, 9000], [], [500]])
    export.export_table(ledger, tmp_path / "t.csv", "csv")
    first, second, third = read(tmp_path / "t.csv")
    assert list(first) == [*export.BEFORE, "days", *export.BEHIND]
    assert [row["finish"] for row in (first, second, third)] == ["0.0", "0.75", "0.75"]
    assert (first["bot"], first["rank"], first["days"], first["retired"]) == ("ant", "1", "20", "false")
    assert (first["decisions"], first["median_ms"]) == ("3", "2.0")
    assert (second["late"], second["retired"], second["decisions"], second["median_ms"]) == ("2", "true", "0", "")
    assert all(third[code] == "0" for code in FAULTS)


def test_scores_of_other_games_are_empty_and_one_called_like_a_column_has_a_name_of_its_own(ledger, play, tmp_path):
    play("ant", "bee", scores=[{"rank": 7}, {"rank": 8}])
    play("ant", "bee", scores=[{"gold": 1}, {"gold": 2}])
    export.export_table(ledger, tmp_path / "t.csv", "csv")
    found = [(row["rank"], row["score_rank"], row["gold"]) for row in read(tmp_path / "t.csv")]
    assert found == [("1", "7", ""), ("2", "8", ""), ("1", "", "1"), ("2", "", "2")]


def test_a_name_is_never_a_formula(ledger, play, tmp_path):
    names = ["=1+1", "+1", "-1", "@x", "\t=1", 'a",b\n=c']
    play(*names, ranks=[1] * 6, scores=[{"=cmd": 1}] * 6, times=[[1]] * 6)
    export.export_table(ledger, tmp_path / "t.csv", "csv")
    rows = read(tmp_path / "t.csv")
    assert [row["bot"] for row in rows] == [*(f"'{name}" for name in names[:5]), names[5]]
    assert "'=cmd" in rows[0]


@pytest.mark.parametrize("name", ["a\rb", "a\r\nb", "a\nb", "a\r", 'a"\r'])
def test_a_line_break_within_a_name_does_not_split_its_row(ledger, play, tmp_path, name):
    play(name, "bee", scores=[{name: 1}, {name: 2}])
    export.export_table(ledger, tmp_path / "t.csv", "csv")
    first, second = read(tmp_path / "t.csv")
    assert (first["bot"], first[name], second["bot"], second[name]) == (name, "1", "bee", "2")
    assert (tmp_path / "t.csv").read_bytes().endswith(b"\n")


@pytest.mark.slow
def test_csv_and_parquet_hold_the_same(ledger, play, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    play("ant", "bee", retired=[0], times=[[1500], []])
    play("cat", "=bee", scores=[{"gold": 1}, {}])
    export.export_table(ledger, tmp_path / "t.csv", "csv")
    export.export_table(ledger, tmp_path / "t.parquet", "parquet")
    typed = parquet.read_table(tmp_path / "t.parquet").to_pylist()
    assert typed[3]["bot"] == "=bee", "nobody computes it there"
    typed[3]["bot"] = "'=bee"
    shown = [
        {
            key: ""
            if value is None
            else str(value).lower()
            if value in (True, False) and isinstance(value, bool)
            else str(value)
            for key, value in row.items()
        }
        for row in typed
    ]
    assert shown == read(tmp_path / "t.csv")


def test_without_its_library_parquet_says_what_to_install(ledger, play, tmp_path, monkeypatch):
    play("ant", "bee")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(export.ExportError, match=r"bot-arena\[parquet\]"):
        export.export_table(ledger, tmp_path / "t.parquet", "parquet")
    assert not [each for each in tmp_path.iterdir() if "parquet" in each.name], "nothing half written is left"


@pytest.mark.usefixtures("meta")
def test_exporting_again_replaces_what_was_exported_and_nothing_else(ledger, play, tmp_path):
    play("ant", "bee")
    folder = tmp_path / "ex"
    export.export_folder(ledger, folder, "csv")
    gone = folder / "games" / "gone.json"
    gone.write_bytes((folder / "games" / "2-0-0.json").read_bytes())
    (folder / "games" / "mine.json").write_text("{}")
    play("bee", "ant")
    assert export.export_folder(ledger, folder, "csv").games == 2
    assert sorted(each.name for each in (folder / "games").iterdir()) == ["2-0-0.json", "2-0-1.json", "mine.json"]
    assert len(read(folder / "games.csv")) == 4
    (folder / "thesis.tex").touch()
    with pytest.raises(export.ExportError, match=r"\(thesis\.tex\)"):
        export.export_folder(ledger, folder, "csv")


@pytest.mark.usefixtures("meta")
def test_what_begins_with_a_dot_is_nobodys_business(ledger, play, tmp_path):
    """Left by an export that was killed, by a desktop, or of git."""
    play("ant", "bee")
    folder = tmp_path / "ex"
    export.export_folder(ledger, folder, "csv")
    for name in (".games.csv.x1y2", ".DS_Store", "games/.2-0-0.json.x1y2", "games/._2-0-0.json"):
        (folder / name).write_text("half")
    for name in (".git", "games/.x.json"):
        (folder / name).mkdir()
    before = sorted(folder.rglob("*"))
    assert export.export_folder(ledger, folder, "csv").games == 1
    assert sorted(folder.rglob("*")) == before


@pytest.mark.usefixtures("meta")
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "fifo"])
@pytest.mark.parametrize("name", ["games/2-0-0.json", "games/mine.json", "games.csv", "games.parquet"])
def test_what_stands_where_a_file_belongs_is_refused_before_anything_is_written(ledger, play, tmp_path, make, name):
    play("ant", "bee")
    folder = tmp_path / "ex"
    (folder / "games").mkdir(parents=True)
    make(folder / name)
    with pytest.raises(export.ExportError, match=rf"\({name}\)"):
        export.export_folder(ledger, folder, "csv")
    assert sorted(folder.rglob("*")) == sorted({folder / "games", folder / name})


@pytest.mark.usefixtures("meta")
def test_a_file_where_a_folder_belongs_is_refused(ledger, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(export.ExportError, match="file"):
        export.export_folder(ledger, tmp_path / "file", "csv")
    (tmp_path / "ex").mkdir()
    (tmp_path / "ex" / "games").touch()
    with pytest.raises(export.ExportError, match=r"\(games\)"):
        export.export_folder(ledger, tmp_path / "ex", "csv")


@pytest.mark.usefixtures("meta")
@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "", "x" * 200, "a\nb"])
def test_a_game_cannot_choose_where_its_file_lies(ledger, play, tmp_path, name):
    play("ant", "bee", id=name)
    with pytest.raises(LedgerError):
        export.export_folder(ledger, tmp_path / "ex", "csv")
    with pytest.raises(LedgerError):
        file_name(name)
    assert list((tmp_path / "ex").rglob("*")) == [tmp_path / "ex" / "games"]


@pytest.mark.usefixtures("meta")
@pytest.mark.parametrize(("published", "seed"), [(False, None), (True, "cafe")])
def test_the_tournaments_seed_is_exported_when_its_ledger_reveals_it(ledger, play, tmp_path, published, seed):
    game = play("ant", "bee")
    (ledger.folder / "seed").write_text("cafe")
    if published:
        ledger.set_meta("seed", "cafe")
    export.export_folder(ledger, tmp_path / "ex", "csv")
    text = (tmp_path / "ex" / "games" / f"{game.id}.json").read_text()
    assert json.loads(text)["seed"] == seed
    assert ("cafe" in text) == published


@pytest.mark.slow
def test_many_games_are_not_held_at_once(ledger, play, tmp_path):
    """Ten times the games, and the most memory that is needed hardly grows."""
    peaks = []
    for games in (30, 270):
        for _ in range(games):
            play("ant", "bee", times=[[100_000 + n for n in range(2_000)]] * 2)
        tracemalloc.start()
        try:
            export.export_table(ledger, tmp_path / "t.csv", "csv")
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


@pytest.mark.usefixtures("meta")
@pytest.mark.parametrize("folder", [True, False])
def test_the_head_is_that_of_the_games_that_are_written(ledger, play, tmp_path, folder):
    play("ant", "bee")
    [first] = ledger.games()
    head = ledger.chain.head()
    with Ledger.open(tmp_path, writing=True) as other:

        class Meanwhile(Silent):
            """Records another game as the first one is written."""

            def advance(self, what: str) -> None:
                other.record(msgspec.structs.replace(first, id="2-0-1", index=1))

        if folder:
            exported = export.export_folder(ledger, tmp_path / "ex", "csv", Meanwhile())
        else:
            exported = export.export_table(ledger, tmp_path / "t.csv", "csv", Meanwhile())
    assert exported == (1, head)
    assert ledger.chain.head() != head
