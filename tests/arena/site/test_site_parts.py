"""The parts of a site each for itself: feed, badge, who is better."""

from __future__ import annotations

import json
import re
import uuid
from xml.etree import ElementTree

import pytest

from arena.ledger import Ledger
from arena.reports.statement import UNFINISHED
from arena.site.feeds import badge, read_games_csv
from arena.site.leaderboard_tables import likelihood
from tests.arena.cli import runner
from tests.arena.site.conftest import LATER, NOW, SCRIPT, Cup, pages
from tests.arena.standings.test_leaderboard_text import COLUMNS, row

pytestmark = pytest.mark.slow

ATOM = "{http://www.w3.org/2005/Atom}"
ROW = row(f"$x^0$ <b> {SCRIPT} 語\x1b")


def test_a_probability_is_shown_in_percent() -> None:
    assert [likelihood(each) for each in (None, 0.0, 0.004, 0.5, 0.994, 0.996, 1.0)] == [
        "–", "<1", "<1", "50", "99", ">99", ">99",
    ]  # fmt: skip


def test_the_statement_is_that_of_the_command_and_calibrated_once_results_are_final(cup: Cup) -> None:
    cup.play(40)
    cup.publish()
    unfinished = json.loads((cup.site / "statement.json").read_text("utf-8"))
    assert (unfinished["calibration"], unfinished["uncalibrated"]) == (None, UNFINISHED)
    with Ledger.open(cup.folder, writing=True) as ledger:
        ledger.set_meta("finished", True)
    cup.publish()
    published = json.loads((cup.site / "statement.json").read_text("utf-8"))
    assert published["calibration"]["games"] == published["settings"]["games"]["counted"] == 49
    assert published == json.loads(runner.run("report", cup.folder, "--json").stdout)
    page = (cup.site / "statement.html").read_text("utf-8")
    assert "data:image/svg+xml" in page
    assert all(published["claims"])
    cup.publish(live=True)
    assert json.loads((cup.site / "statement.json").read_text("utf-8"))["calibration"] is None


def test_the_feed_is_valid_atom_with_ids_that_stay(cup: Cup) -> None:
    cup.publish(url="https://example.org/cup")
    first = ElementTree.parse(cup.site / "feed.xml").getroot()
    cup.play(1)
    cup.publish(now=LATER, url="https://example.org/cup/")
    second = ElementTree.parse(cup.site / "feed.xml").getroot()
    for feed in (first, second):
        assert feed.tag == f"{ATOM}feed"
        for each in [feed, *feed.findall(f"{ATOM}entry")]:
            for tag in ("id", "title", "updated"):
                assert len(each.findall(ATOM + tag)) == 1
            assert uuid.UUID(each.findtext(f"{ATOM}id"))
            assert all(
                (link.get("href") or "").startswith("https://example.org/cup/") for link in each.iter(f"{ATOM}link")
            )
        assert feed.find(f"{ATOM}author/{ATOM}name") is not None
        ids = [each.text for each in feed.iter(f"{ATOM}id")]
        assert len(ids) == len(set(ids))
        dates = [each.text for each in feed.iter(f"{ATOM}updated")]
        assert dates[0] == max(dates[1:])
    before = {each.findtext(f"{ATOM}id"): each.findtext(f"{ATOM}updated") for each in first.iter(f"{ATOM}entry")}
    after = {each.findtext(f"{ATOM}id"): each.findtext(f"{ATOM}updated") for each in second.iter(f"{ATOM}entry")}
    assert set(before) < set(after)
    assert list(after.values()).count(LATER) == 2  # the standings and the new game
    assert [date for key, date in after.items() if key in before].count(NOW) == 9


def test_the_badge_has_the_schema_of_its_readers(cup: Cup) -> None:
    cup.publish(title="Cup " * 50)
    data = json.loads((cup.site / "badge.json").read_bytes())
    assert data["schemaVersion"] == 1
    assert set(data) == {"schemaVersion", "label", "message", "color"}
    assert all(isinstance(data[key], str) and 0 < len(data[key]) < 100 for key in ("label", "message", "color"))
    assert json.loads(badge("x", [ROW], COLUMNS))["message"].startswith("$x^0$ <b>")


def test_the_markdown_is_what_the_command_prints(cup: Cup) -> None:
    cup.publish()
    done = runner.run("leaderboard", cup.folder, "--format", "github")
    assert (cup.site / "leaderboard.md").read_bytes() == done.stdout_bytes


def test_games_csv_is_what_export_writes(cup: Cup) -> None:
    from arena.ledger import Ledger
    from arena.replays.export import export_table

    cup.publish()
    cup.play(2)
    cup.publish()
    with Ledger.open(cup.folder) as ledger:
        export_table(ledger, cup.site.parent / "games.csv", "csv")
    assert (cup.site / "games.csv").read_bytes() == (cup.site.parent / "games.csv").read_bytes()


def test_a_games_csv_that_was_spoilt_is_not_read() -> None:
    assert read_games_csv("game,bot\na,x\na,y\n", ["game", "bot"]) == {"a": [["a", "x"], ["a", "y"]]}
    assert read_games_csv("game\na\n", ["game", "bot"]) == {}
    assert read_games_csv("", ["game"]) == {}
    assert read_games_csv('game\n"a', ["game"]) == {}


def test_a_file_of_data_is_one_call_with_its_kind_in_one_line_of_ascii(cup: Cup) -> None:
    cup.publish()
    files = sorted(cup.site.glob("games/**/*.js"))
    assert {re.sub(r"-\d+$", "", file.stem) for file in files} == {"public", "seat", "list", "bots", "board"}
    for file in files:
        text = file.read_bytes().decode("ascii")
        assert text.count("\n") == 1
        found = re.fullmatch(r'arenaData\("(\w+)",(.*)\);\n', text)
        assert found
        assert found[1] == re.sub(r"-\d+$", "", file.stem)
        assert isinstance(json.loads(found[2]), dict)


def test_the_site_of_a_league_leads_to_no_game_before_it_is_shown(cup):
    cup.publish(league="/", later=True)
    found = pages(cup.site)
    assert not [path for path, page in found.items() if "games.csv" in page or "best.webp" in page]
    assert not (cup.site / "games" / "best.webp").exists()
    for path in ("index.html", "games/index.html"):
        assert 'everybody when <a href="/">the league\'s page</a> says' in found[path]
    assert "everybody when the league's page says" in found["games/replay.html"].replace("&#39;", "'")
    assert "<dt>State</dt>" not in found["index.html"]
    cup.publish(league="/", live=True)
    assert "best.webp" in pages(cup.site)["index.html"]
