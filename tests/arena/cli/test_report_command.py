"""`arena report` on a recorded tournament. What it prints in words is in `wording/report.txt`."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.ledger import Ledger
from tests.arena.cli.conftest import ESCAPE, HOSTILE, parsed

pytestmark = pytest.mark.process  # the tournament that they read is played


class Links(HTMLParser):
    """What a page links to and loads, and its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_an_author_reads_what_the_ledger_has(cli, played):
    found = parsed(cli("report", played, "--bot", "crasher", "--json"))
    with Ledger.open(played) as ledger:
        results = [each for each in ledger.results() if "crasher" in each.bots]
        faults = list(ledger.each_fault_of("crasher"))
        for each in found["decisions"]["slowest"]:
            times = ledger.game(each["game"]).times[each["seat"]]
            assert times[each["turn"] - 1] == each["ms"] * 1000
            assert each["asked"]["note"] == "my secret plan"
    assert found["games"] == len(results)
    lost = [each for each in results if each.ranks[each.bots.index("crasher")] > 1]
    assert found["losses"]["number"] == found["losses"]["reviewed"] == len(lost)
    assert {each["game"] for each in found["losses"]["listed"]} <= {each.id for each in lost}
    [fault] = found["faults"]
    assert (found["number_of_faults"], fault["times"]) == (len(faults), len(faults))
    assert "last words" in fault["stderr"]
    assert (fault["asked"]["turn"], fault["asked"]["by"]) == (2, None)  # the game was over with it
    assert {each["rival"] for each in found["rivals"]} == {"greedy", "random_bot"}


def test_the_page_is_one_file_that_loads_nothing_and_may_lead_to_a_site(cli, played):
    cli("report", played, "--bot", "crasher", "--html", "one.html")
    links = Links(Path("one.html").read_text("utf-8"))
    assert not links.found
    assert not links.tags & {"script", "img", "link"}
    Path("site").mkdir()
    Path("site/index.html").touch()
    cli("report", played, "--bot", "crasher", "--html", "one.html", "--site", "site")
    found = Links(Path("one.html").read_text("utf-8")).found
    base = Path("site").resolve().as_uri()
    assert found
    assert all(re.fullmatch(rf"{re.escape(base)}/games/replay\.html#p\d-b\d{{4}}-r\d/\d+/\d", each) for each in found)


def test_what_others_wrote_is_shown_and_does_not_act(cli, hostile):
    name = f"escape{ESCAPE}"
    assert parsed(cli("report", hostile, "--bot", name, "--json"))["faults"][0]["stderr"].startswith("first")
    cli("report", hostile, "--bot", name, "--html", "page.html")
    page = Path("page.html").read_text("utf-8")
    assert "script" not in Links(page).tags
    assert HOSTILE.split("|")[0] not in page
    assert not {char for char in ESCAPE if not char.isprintable()} & set(page)
    assert "&lt;script&gt;" in page


def test_only_the_bots_own_words_are_in_it(cli, played, tmp_path):
    """No other bot's notes, times or last words."""
    shutil.copytree(played, tmp_path / "t")
    for words in (["--json"], []):
        text = cli("report", "t", "--bot", "greedy", *words).stdout
        assert "my secret plan" not in text
        assert "last words" not in text


def test_the_statement_says_what_the_ledger_has(cli, played):
    found = parsed(cli("report", played, "--json"))
    board = parsed(cli("leaderboard", played, "--json"))
    with Ledger.open(played) as ledger:
        head, entries = ledger.chain.head(), len(ledger.chain.texts())
        machines = ledger.settings.machines
    assert (found["commitment"]["head"], found["commitment"]["entries"]) == (head, entries)
    assert found["versions"]["machines"] == machines != []
    assert [(row["bot"], row["rating"]) for row in found["tables"][0]["rows"]] == [
        (row["bot"], row["rating"]) for row in board["overall"]
    ]
    assert [table["players"] for table in found["tables"]] == [None, 2, 3]
    assert len(found["claims"]) == 3
    assert found["settings"]["shipped"] is True
    assert {bot["bot"] for bot in found["field"]} == {"crasher", "greedy", "random_bot"}


def test_the_statement_is_a_page_of_one_file(cli, hostile):
    cli("report", hostile, "--html", "statement.html")
    page = Path("statement.html").read_text("utf-8")
    links = Links(page)
    assert not [link for link in links.found if not link.startswith("data:")]
    assert not links.tags & {"script", "link"}
    assert not {char for char in ESCAPE if not char.isprintable()} & set(page)
    assert "&lt;script&gt;" in page
    text = cli("report", hostile).stdout
    assert not {char for char in ESCAPE if not char.isprintable()} & set(text)


def test_bots_are_asked_once_what_they_do_in_decisions_of_others(cli, played):
    first = parsed(cli("report", played, "--fair", "--ask", "kept.json", "--json"))
    assert first["alike"] == first["favours"] == []
    assert first["asked"] > 1
    kept = Path("kept.json")
    said = json.loads(kept.read_text())
    assert len(said["answers"]["greedy"]) >= 200
    assert None not in said["answers"]["greedy"]
    kept.write_text(json.dumps({**said, "answers": {**said["answers"], "greedy": []}}))
    again = parsed(cli("report", played, "--fair", "--ask", "kept.json", "--json"))
    assert again["asked"] == first["asked"] - 1, "who did not answer in time is not asked for ever"
    assert json.loads(kept.read_text())["answers"]["greedy"] == []
    assert "Nothing that chance does not do, too, in" in cli("report", played, "--fair").stdout


def test_options_that_do_not_go_together_are_refused(cli, played):
    cli("report", played, "--fair", "--bot", "crasher", code=2)
    cli("report", played, "--ask", "kept.json", code=2)
    cli("report", played, "--fair", "--isolation", "none", code=2)
    Path("other.json").write_text("[]")
    assert "holds no answers of bots" in cli("report", played, "--fair", "--ask", "other.json", code=2).stderr
