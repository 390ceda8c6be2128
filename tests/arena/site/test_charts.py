"""The charts as they are read on a page: marks, names, tips and words, with awkward bots too."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from arena.common.labels import version_label
from arena.rating.rated_table import Point
from arena.reports.bot_record import CountRecord
from arena.site.chart_layout import SHAPES, Chart
from arena.site.charts import course, courses, finishes, learning_curve
from arena.site.pages import environment
from arena.site.seatings import Seating, seatings
from arena.site.version_tables import latest_day, version_course
from arena.standings.versions import BotHistory, FieldHistory, Version, VersionChange
from tests.arena.site.conftest import LONG, SCRIPT, Cup, contents
from tests.arena.standings.test_leaderboard_text import COLUMNS

AWKWARD = [f"$x^2$ <b> {SCRIPT} ]]>\x1b", LONG, "語" * 30, "‮abc", "", "'\"&amp;", "W" * 40, "é́́́" * 9]


def point(games: int, mu: float, sigma: float) -> Point:
    return Point(games, {"rating": mu - 3 * sigma, "mu": mu, "sigma": sigma})


def points(games: int, mu: float = 25) -> list[Point]:
    """A bot's way, thinned out as the ledger's are."""
    return [point(game, mu + math.sin(game), 8 / game) for game in range(1, games + 1, max(1, games // 200))]


def seating(*places: int) -> Seating:
    """A bot that was so often on each place."""
    return Seating(len(places), CountRecord(len(places), sum(places), 0.5, 0.5, list(places)), [None] * len(places))


@cache
def template() -> Any:
    """What the template has. It is kept: to compile it takes longer than to draw."""
    return environment().get_template("charts.html.j2").module


def drawn(charts: list[Chart]) -> list[Element]:
    """The charts as elements, the wide one first."""
    return list(ElementTree.fromstring(f"<html>{template().drawn(charts)}</html>"))


def of_class(root: Element, name: str) -> Iterator[Element]:
    return (each for each in root.iter() if name in (each.get("class") or "").split())


def axis(root: Element, field: str) -> tuple[float, float]:
    """What is drawn at place 0, and the value of a unit, from the labels of the ticks."""
    at = {
        float((tick.text or "").replace("−", "-")): float(tick.get(field) or "")
        for tick in of_class(root, "tick")
        if ("end" in (tick.get("class") or "")) == (field == "y") and "day" not in (tick.get("class") or "")
    }
    (low, start), (high, end) = min(at.items()), max(at.items())
    unit = (high - low) / (end - start)
    if field == "y":
        start -= 4  # the text stands below its tick
    return low - start * unit, unit


def versions(games: Sequence[int], days: int = 1, note: str = "") -> list[Chart]:
    """A bot with a version for each number of games. The last but one stays beside the last, which is suspended."""
    found, changes, at, ways = [], [], 0, {}
    for number, own in enumerate(games, start=1):
        label = version_label("mine", number)
        left = () if number == 1 else (version_label("mine", number - 1),)
        changes.append(VersionChange(at, at, "2026-03-01T10:00:00Z", (label,), left, note))
        ways[label] = [
            point(game, 20 + number + math.sin(game), 8 / game)._replace(number=at + game) for game in range(1, own + 1)
        ]
        at += own
    for number, joined in enumerate(changes, start=1):
        last = number == len(changes)
        gone = None if number >= len(changes) - 1 else changes[number]
        found.append(Version(joined.joined[0], joined, gone, None, None, at - 1 if last else None, None))
    dates = [(f"2026-03-{day + 1:02}", at * day // days) for day in range(days)]
    bot = BotHistory("mine", found, changes)
    return version_course(FieldHistory(COLUMNS, at, [bot], ways, dates), bot)


CHARTS = {
    "courses": courses(
        {name: points(150 + 7 * at, 25 - at) for at, name in enumerate("abcdefgh")}, "abcdefgh", COLUMNS
    ),
    "awkward courses": courses({name: points(99) for name in AWKWARD}, AWKWARD, COLUMNS),
    "one line": courses({"a": points(3000)}, ["a"], COLUMNS),
    "one game": courses({"a": points(1), "b": points(1)}, ["a", "b"], COLUMNS),
    "course": course(points(150), COLUMNS),
    "course of a game": course(points(1), COLUMNS),
    "flat course": course([point(game, 25, 1e-12) for game in range(1, 30)], COLUMNS),
    "learning curve": learning_curve(
        [(name, point(step, 20 + step % 5, 0.5).values) for step, name in enumerate([*AWKWARD, *"abcdefgh"])], COLUMNS
    ),
    "two checkpoints": learning_curve([(name, point(1, 25, 1).values) for name in ("step-1", "step-2")], COLUMNS),
    "versions": versions([60, 61, 30, 200], days=3),
    "a hundred versions": versions([60] * 100, days=25),
    "versions of a game": versions([1, 1]),
    "finishes": finishes(
        [seating(3, 5), seating(1, 0, 2), seating(0, 0, 0, 9), seating(2, 2, 2, 2, 2), seating(*[1] * 6)]
    ),
    "finishes at one table": finishes([seating(0, 7)]),
    "finishes at a long table": finishes([seating(*range(12)), seating(*range(20))]),
}


def test_every_kind_of_chart_is_tried_here() -> None:
    template = Path(str(environment().get_template("charts.html.j2").filename)).read_text("utf-8")
    kinds = set(re.findall(r'chart\.kind == "(\w+)"', template))
    assert kinds
    assert kinds - {chart.kind for charts in CHARTS.values() for chart in charts} == set()


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_drawn_wide_and_narrow_with_its_facts_in_words(name: str) -> None:
    for root, shape in zip(drawn(CHARTS[name]), SHAPES, strict=True):
        assert root.get("class") == f"chart {shape.name}"
        assert root.get("role") == "group"
        assert root.get("aria-label")
        description = root[0]
        assert description.tag == "desc"
        assert root.get("aria-describedby") == description.get("id")
        assert re.search(r"(rating|mu|from|games,) .*\d", description.text or "")
        spots = list(of_class(root, "spot"))
        assert spots
        for spot in spots:
            assert (spot.get("tabindex"), spot.get("role")) == ("0", "img")
            # What is shown is what is said.
            said = spot.get("aria-label") or ""
            numbers = [each.text or "" for each in of_class(next(of_class(spot, "tip")), "number")]
            assert numbers
            assert all(number in said for number in numbers)


@pytest.mark.parametrize("name", CHARTS)
def test_everything_is_within_its_chart_and_can_be_touched(name: str) -> None:
    for chart, root in zip(CHARTS[name], drawn(CHARTS[name]), strict=True):
        assert root.get("viewBox") == f"0 0 {chart.width} {chart.height}"
        for spot in chart.spots:
            for box in (spot.box, spot.tip):
                assert box.x >= 0
                assert box.y >= 0
                assert box.right <= chart.width + 0.2
                assert box.bottom <= chart.height + 0.2
            if name != "finishes at a long table":
                assert spot.box.width >= 24 - 0.2
                assert spot.box.height >= 24
        for each in root.iter():
            for field in ("x", "cx", "x1", "width"):
                if field in each.attrib:
                    assert 0 <= float(each.attrib[field]) <= chart.width
            for field in ("y", "cy", "height"):
                if field in each.attrib:
                    assert 0 <= float(each.attrib[field]) <= chart.height
        assert not re.search(r'["L ]-?(nan|inf)', ElementTree.tostring(root, encoding="unicode"))


@pytest.mark.parametrize("name", CHARTS)
def test_no_chart_has_styles_scripts_or_colours_of_its_own_nor_much_weight(name: str) -> None:
    ids: set[str] = set()
    for root in drawn(CHARTS[name]):
        assert {each.tag for each in root.iter()} <= {"svg", "desc", "g", "path", "text", "rect", "circle"}
        for each in root.iter():
            for attribute, value in each.attrib.items():
                assert attribute not in ("style", "fill", "stroke")
                assert not attribute.startswith("on")
                assert "url(" not in value
            if "id" in each.attrib:
                assert each.attrib["id"] not in ids
                ids.add(each.attrib["id"])
        assert len(ElementTree.tostring(root)) < 45_000
    assert template().drawn(CHARTS[name]) == template().drawn(CHARTS[name])


def test_names_are_text_whatever_they_are() -> None:
    text = str(template().drawn(CHARTS["awkward courses"]))
    assert "<script" not in text
    assert "<b>" not in text
    assert "&lt;" in text
    assert LONG not in text
    assert not [char for char in text if not char.isprintable() and char != "\n"]


def test_a_line_goes_through_the_points_of_the_history() -> None:
    history = [point(1, 25, 3), point(2, 27.5, 2.5), point(7, 24, 1.25), point(20, 26, 0.1)]
    for root in drawn(course(history, COLUMNS)):
        (across, games), (down, value) = axis(root, "x"), axis(root, "y")
        line = next(each for each in of_class(root, "line") if "k1" in (each.get("class") or ""))
        start, steps = (line.get("d") or "").removeprefix("M").split("l")
        places = [tuple(map(float, start.split()))]
        moves = iter(map(float, steps.split()))
        for x, y in zip(moves, moves, strict=True):
            places.append((places[-1][0] + x, places[-1][1] + y))
        assert [round(across + x * games) for x, _ in places] == [1, 2, 7, 20]
        read = [down + y * value for _, y in places]
        assert read == pytest.approx([each.values["rating"] for each in history], abs=0.2 * abs(value))


def test_versions_stand_where_they_joined_under_their_names_and_days_below() -> None:
    for chart, root in zip(CHARTS["versions"], drawn(CHARTS["versions"]), strict=True):
        start, unit = axis(root, "x")
        marks = [(round(start + event.x * unit), event.label) for event in chart.events]
        assert [games for games, _ in marks] == [0, 60, 121, 151, 350]
        labels = [label for _, label in marks]
        assert labels == ["@1", "@2", "@3", "@4", ""] if chart.shape == "wide" else labels[:3] == ["@1", "@2", "@3"]
        assert [label for _, label in chart.dates] == ["1 Mar", "2 Mar", "3 Mar"]
        assert [round(start + x * unit) for x, _ in chart.dates] == [0, 117, 234]
        assert {"1 Mar", "2 Mar", "3 Mar"} <= {each.text for each in of_class(root, "day")}
        assert [line.name for line in chart.lines] == ["", "", "@3", "@4"]
        assert "mine@4: mu" in chart.about
        both = [spot for spot in chart.spots if len(spot.facts) == 2]
        assert both, "two versions were there at once"


@pytest.mark.slow
def test_the_table_beside_the_lines_ends_with_the_ratings_of_the_leaderboard(cup: Cup) -> None:
    cup.publish()
    board = {row["bot"]: row for row in json.loads((cup.site / "leaderboard.json").read_bytes())["overall"]}
    page = (cup.site / "index.html").read_text("utf-8")
    last = re.findall(r'<tr><th scope="row">\d+</th>((?:<td.*?</td>)+)</tr>', page)[-1]
    values = [float(value) for value in re.findall(r'data-value="([^"]+)"', last)]
    assert values == pytest.approx([row["rating"] for row in board.values()])
    ant = (cup.site / "bots" / "ant.html").read_text("utf-8")
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>((?:<td data-value="[^"]+">[^<]*</td>){2})</tr>', ant)
    assert int(rows[-1][0]) == board["ant"]["games"]
    values = [float(value) for value in re.findall(r'data-value="([^"]+)"', rows[-1][1])]
    assert values == pytest.approx([board["ant"]["rating"], 1.96 * board["ant"]["error"]])


def test_the_bars_are_the_shares_of_the_places() -> None:
    for root in drawn(CHARTS["finishes"]):
        bars = [float(each.get("height") or "") for each in of_class(root, "bar")]
        whole = bars[5 + 3]  # nine of nine games
        shares = [37.5, 62.5, 100 / 3, 0, 200 / 3, 0, 0, 0, 100, *[20] * 5, *[100 / 6] * 6]
        assert [100 * bar / whole for bar in bars] == pytest.approx(shares, abs=0.2)
        assert [each.text for each in of_class(root, "share")] == [f"{share:.0f}" for share in shares]
        assert "place 1 of 2: 3 of 8 games, 37.5 %" in (root[0].text or "")


def test_lines_of_equal_bots_have_names_that_do_not_touch() -> None:
    for chart in courses({name: points(80) for name in "abcdef"}, "abcdef", COLUMNS):
        places = [line.y for line in chart.lines]
        assert places == sorted(places)
        assert min(after - before for before, after in pairwise(places)) > 13


def test_only_the_best_are_drawn_and_the_chart_says_so() -> None:
    wide, _ = CHARTS["courses"]
    assert wide.title == "Rating over the games of the best 6"
    assert len(wide.lines) == 6


def test_without_games_there_is_no_chart() -> None:
    assert courses({}, ["a"], COLUMNS) == course([], COLUMNS) == finishes([]) == versions([0, 0]) == []
    assert seatings([]) == {}


@pytest.mark.slow
def test_pages_show_charts_without_a_script(cup: Cup) -> None:
    cup.publish()
    pages = {path: data.decode() for path, data in contents(cup.site).items() if path.endswith(".html")}
    assert pages["index.html"].count('<svg class="chart ') == 2
    assert pages["bots/ant.html"].count('<svg class="chart ') == 4
    assert '<svg class="chart ' not in pages["bots/out.html"]  # it never played


def test_what_the_last_day_changed_is_said_in_a_sentence() -> None:
    rated = {"ant": (28, 26), "bee": (27, 29)}
    ways = {
        bot: [point(games, mu, 1)._replace(number=games) for games, mu in zip((10, 30), found, strict=True)]
        for bot, found in rated.items()
    }
    joins = VersionChange(0, 12, "2026-03-02T08:00:00Z", ("cat",), (), "")
    field = [BotHistory("cat", [], [joins])]
    days = [("2026-03-01", 0), ("2026-03-02", 12)]
    said = latest_day(FieldHistory(COLUMNS, 30, field, ways, days))
    assert said == "2 Mar: 18 games, bee stands first, where ant stood before; cat@1 joins."
    same = latest_day(FieldHistory(COLUMNS, 30, [], {"bee": ways["bee"]}, days))
    assert same == "2 Mar: 18 games, the same bot stands first as before."
    assert latest_day(FieldHistory(COLUMNS, 30, field, ways, days[:1])) == "", "all is of one day"
