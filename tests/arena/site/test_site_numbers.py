"""The numbers on the pages are those of `arena leaderboard --json`, all of them."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import NormalDist
from typing import Any

import msgspec
import pytest

from arena.ledger import Ledger, NeighbourVerdict, Resolution, heads
from arena.site.names import shown, slugs
from arena.standings import rated_results
from tests.arena.cli import runner
from tests.arena.site.conftest import AUTHORS, BOTS, Cup, Page, TableCell

pytestmark = pytest.mark.slow


def name_of(bot: str) -> str:
    """A name as a table shows it: a long one is cut in the middle."""
    return shown(bot) if len(bot) <= 40 else f"{bot[:20]}…{bot[-19:]}"


def board_of(cup: Cup) -> dict[str, Any]:
    done = runner.run("leaderboard", cup.folder, "--json")
    assert (cup.site / "leaderboard.json").read_bytes() == done.stdout_bytes
    board: dict[str, Any] = json.loads(done.stdout)
    return board


NOT_PLAIN = (
    *("bot", "band", "bound", "interval", "mu", "sigma", "scores", "faults"),
    *("suspended", "times", "version", "joined", "left"),
)


def assert_row(
    head: list[TableCell], cells: list[TableCell], row: dict[str, Any], rank: int, is_whole: bool = True
) -> None:
    """All that the JSON says of a bot stands in its row, in full; columns that say nothing only in a whole table."""
    found = {key.key: cell for key, cell in zip(head, cells, strict=True) if key.key is not None}
    value = {key: None if not cell.value else json.loads(cell.value) for key, cell in found.items()}
    plain = {key for key in row if key not in NOT_PLAIN}
    if not is_whole:
        value = dict.fromkeys(plain | set(row["times"])) | value
    assert {key: value[key] for key in plain} == {key: row[key] for key in plain}
    assert value["rank"] == rank
    assert (row["band"] is None) == row["suspended"]
    assert found["rank"].text == ("–" if row["suspended"] else "–".join(map(str, dict.fromkeys(row["band"]))))
    assert {key: value[f"score-{key}"] for key in row["scores"]} == row["scores"]
    assert {key: value[key] for key in row["times"]} == row["times"]
    assert value["faults"] == sum(row["faults"].values())
    kinds = [f"{kind} {count}" for kind, count in row["faults"].items() if count]
    assert found["faults"].text == (", ".join(kinds) or "–")
    scores = {key for key in found if key is not None and key.startswith("score-")}
    told = set(found) - scores
    assert told <= plain | set(row["times"]) | {"rank", "bot", "faults"}
    assert not is_whole or told == plain | set(row["times"]) | {"rank", "bot", "faults"}
    assert {key for key in scores if found[key].value} == {f"score-{key}" for key in row["scores"]}
    sides = {"at least": f"> {row['interval'][0] or 0:.2f}", "at most": f"< {row['interval'][1] or 0:.2f}"}
    assert found["rating"].text == sides.get(row["bound"], f"{row['rating']:.2f}").replace("-", "−")
    half = f"{1.96 * row['error']:.2f}"
    assert found["error"].text == ("–" if row["bound"] else half), "a ± is half of an interval of 95 %"


def played(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that the table for a number of players has."""
    return [row for row in rows if row["games"]]


def assert_table(rows: list[list[TableCell]], expected: list[dict[str, Any]]) -> None:
    assert len(rows) == 1 + len(expected)
    for rank, (cells, row) in enumerate(zip(rows[1:], expected, strict=True), start=1):
        by = f" by {shown(AUTHORS[row['bot']].words)}" if row["bot"] in AUTHORS else ""
        assert cells[1].text == name_of(row["bot"]) + (" suspended" if row["suspended"] else "") + by
        assert_row(rows[0], cells, row, rank)


def suspend(cup: Cup) -> None:
    with Ledger.open(cup.folder, writing=True) as ledger:
        ledger.set_meta("rated", {"games": 8, "suspended": {"ant": 5}, "absent": {"ant": [(5, None)]}})
        ledger.set_meta("finished", True)


@pytest.mark.parametrize("suspended", [False, True])
def test_every_number_of_every_table_is_that_of_the_json(cup: Cup, suspended: bool) -> None:
    if suspended:
        suspend(cup)
    cup.publish()
    board = board_of(cup)
    index = Page((cup.site / "index.html").read_text("utf-8"))
    assert set(board["players"]) == {"2", "3"}
    assert_table(index.tables["overall"], board["overall"])
    for count, rows in board["players"].items():
        assert_table(index.tables[f"table-{count}"], played(rows))
    assert (
        f"{board['suspended_games']} games of suspended bots were drawn and are left out" in index.text
    ) == suspended
    names = slugs([*BOTS, "out"])
    for bot in BOTS:
        page = Page((cup.site / "bots" / f"{names[bot]}.html").read_text("utf-8"))
        head, *lines = page.tables["bot"]
        tables = [("all", board["overall"]), *((f"{count} players", rows) for count, rows in board["players"].items())]
        tables = [(title, rows) for title, rows in tables if any(row["bot"] == bot and row["games"] for row in rows)]
        assert [line[1].text for line in lines] == [title for title, _ in tables]
        for line, (_, rows) in zip(lines, tables, strict=True):
            rank, row = next((rank, row) for rank, row in enumerate(rows, start=1) if row["bot"] == bot)
            assert_row(head, line, row, rank, is_whole=False)


def test_with_many_rows_each_number_of_players_has_its_page(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.site.pages.MOST_ROWS", 3)
    cup.publish()
    board = board_of(cup)
    index = Page((cup.site / "index.html").read_text("utf-8"))
    assert set(index.tables) == {"overall", "heat", "courses-table"}
    for count, rows in board["players"].items():
        assert ("a", {"href": f"players/{count}.html"}) in index.tags
        page = Page((cup.site / "players" / f"{count}.html").read_text("utf-8"))
        assert_table(page.tables[f"table-{count}"], played(rows))


def test_who_beats_whom_agrees_with_the_table_and_has_the_record_beside_it(cup: Cup) -> None:
    cup.play(40)
    cup.publish()
    board = board_of(cup)
    with Ledger.open(cup.folder) as ledger:
        results = rated_results(ledger)
    order = [row["bot"] for row in board["overall"]]
    rating = {row["bot"]: row["rating"] for row in board["overall"]}
    heat = Page((cup.site / "index.html").read_text("utf-8")).tables["heat"][1:]
    names = slugs([*BOTS, "out"])
    for one, cells in zip(order, heat, strict=True):
        page = Page((cup.site / "bots" / f"{names[one]}.html").read_text("utf-8"))
        rivals = {line[0].text: line for line in page.tables["pairings-table"][1:]}
        for other, cell in zip(order, cells[1:], strict=True):
            if one == other:
                assert cell.text == ""
                continue
            games, ahead, level, behind, difference, error, better = (
                json.loads(c.value) for c in rivals[name_of(other)][1:]
            )
            assert difference == pytest.approx(rating[one] - rating[other], abs=1e-5)
            assert better == pytest.approx(NormalDist().cdf(difference / error), abs=1e-6)
            assert float(cell.value or "nan") == pytest.approx(better, abs=1e-6)
            ranks = [dict(zip(each.bots, each.ranks, strict=True)) for each in results if {one, other} <= {*each.bots}]
            assert (games, level) == (len(ranks), sum(each[one] == each[other] for each in ranks))
            assert (ahead, behind) == (
                sum(each[one] < each[other] for each in ranks),
                sum(each[one] > each[other] for each in ranks),
            )


def test_places_by_seat_add_up(cup: Cup) -> None:
    cup.publish()
    with Ledger.open(cup.folder) as ledger:
        results = rated_results(ledger)
    page = Page((cup.site / "bots" / f"{slugs(BOTS)['ant']}.html").read_text("utf-8"))
    tables = [rows for rows in page.tables.values() if rows[0][0].text == "seat"]
    found = {}
    for rows in tables:
        players = len(rows) - 2
        assert [row[0].text for row in rows[1:]] == ["all", *map(str, range(1, players + 1))]
        games = [int(row[1].text) for row in rows[1:]]
        assert games[0] == sum(games[1:])
        found[players] = [int(cell.value or 0) for cell in rows[1][2 : 2 + players]]
    expected: dict[int, list[int]] = {}
    for result in results:
        if "ant" in result.bots:
            places = expected.setdefault(result.players, [0] * result.players)
            places[result.ranks[result.bots.index("ant")] - 1] += 1
    assert found == expected


def test_the_settings_are_shown(cup: Cup) -> None:
    with Ledger.open(cup.folder, writing=True) as ledger:
        verdict = NeighbourVerdict("<script>alert(1)", "b", "tied", 60, 0.02)
        ledger.set_meta("resolution", msgspec.to_builtins(Resolution(0.05, 0.1, [verdict])))
    cup.publish(title="Spring cup")
    index = Page((cup.site / "index.html").read_text("utf-8"))
    with Ledger.open(cup.folder) as ledger:
        meta = ledger.meta
    for told in (
        "Spring cup",
        meta["seed_hash"],
        "secret until",
        "no games of 6",
        "arena verify cup",
        "3 strikes, loss on a crash; bots",
        "nobody is playing",
        "balanced",
        "the order is resolved",
        "<script>alert(1) and b are within 0.1 of each other",
    ):
        assert told in index.text
    assert "no hello" in index.text
    assert "Isolation mode of the bots" not in index.text
    with Ledger.open(cup.folder, writing=True) as ledger:
        ledger.set_meta("isolation", ["box", "none"])
        ledger.set_meta("beacon_source", "the lottery")
        ledger.set_meta("beacon", {"value": "3 17 <b>", "contributions": ["by ant"], "head": "cd" * 32})
        ledger.set_meta("seed", "ab" * 16)
        ledger.set_meta("finished", True)
    cup.publish()
    index = Page((cup.site / "index.html").read_text("utf-8"))
    assert "ab" * 16 in index.text
    assert "Isolation mode of the bots: box; none (bots could read and change everything" in index.text
    assert "3 17 <b>, from the lottery, with by ant; committed to before by the head " + "cd" * 32 in index.text
    assert "finished" in index.text
    with Ledger.open(cup.folder) as ledger:
        head, entries = ledger.chain.head(), len(ledger.chain.texts())
    assert f"{head}, the hash over the {entries} entries of chain.jsonl" in index.text
    assert f"arena verify export --head {head} --bot mine.py" in index.text
    assert list(heads((cup.site / "chain.jsonl").read_text("utf-8").splitlines()))[-1] == head


def test_a_bot_without_games_and_a_tournament_without_any_have_pages(tmp_path: Path) -> None:
    cup = Cup(tmp_path, "ravensburger")
    done = cup.publish()
    assert (done.games, done.made, done.problems) == (0, 0, {})
    index = Page((cup.site / "index.html").read_text("utf-8"))
    assert_table(index.tables["overall"], board_of(cup)["overall"])
    assert msgspec.json.decode((cup.site / "badge.json").read_bytes())["message"] == "no games yet"
