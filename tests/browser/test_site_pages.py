"""The pages of a tournament in a browser: sorted, filtered, followed, in every look."""

from __future__ import annotations

import itertools
import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BOTH_WAYS, PLANS

pytestmark = pytest.mark.browser
LOOKS = [(theme, size) for theme in ("light", "dark") for size in ("wide", "phone")]


def column(reader, number):
    return reader.page.locator(f"#overall tbody tr:not([hidden]) > :nth-child({number})").all_inner_texts()


@pytest.mark.parametrize("game", PLANS)
def test_the_leaderboard_is_sorted_and_filtered(game, sites, reader):
    reader = reader(sites[game])
    reader.open("index.html")
    with (sites[game].folder / "leaderboard.json").open() as file:
        bots = [row["bot"] for row in json.load(file)["overall"]]
    assert [text.strip() for text in column(reader, 2)] == bots
    head = reader.page.locator("#overall thead th", has_text="bot")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert [text.strip() for text in column(reader, 2)] == sorted(bots)
    head.get_by_role("button").press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert [text.strip() for text in column(reader, 2)] == sorted(bots, reverse=True)
    reader.page.fill("#filter", bots[0][:6])
    expect(reader.page.locator("#filtered")).to_have_text(f"1 of {len(bots)} bots")
    assert [text.strip() for text in column(reader, 2)] == [bots[0]]


@BOTH_WAYS
@pytest.mark.parametrize("game", PLANS)
def test_from_the_leaderboard_to_a_bot_to_its_game_and_back(game, sites, reader):
    bot = PLANS[game][0]
    reader = reader(sites[game])
    reader.open("index.html")
    reader.page.locator("#overall").get_by_role("link", name=bot, exact=True).click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(bot)
    reader.page.get_by_role("button", name="Show its games").click()
    rows = reader.page.locator("[data-games] tbody tr")
    expected = [each.id for each in reversed(sites[game].games()) if bot in each.bots]
    expect(rows.locator("th .code")).to_have_text(expected)
    rows.first.get_by_role("link", name=expected[0]).click()
    expect(reader.page.get_by_role("heading", level=1)).to_contain_text(bot)
    expect(reader.page.locator("#about")).to_contain_text(f"game {expected[0]}")
    reader.page.locator("#seats").get_by_role("link", name=bot, exact=True).click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(bot)


@pytest.mark.parametrize("game", PLANS)
def test_the_list_of_games_is_chosen_from(game, sites, reader):
    reader = reader(sites[game])
    reader.open("games/index.html")
    expect(reader.page.locator("[data-games] tbody tr")).to_have_count(len(sites[game].games()))
    bot = sites[game].games(2)[0].bots[1]
    reader.page.select_option("#choose-bot", label=bot)
    reader.page.select_option("#choose-players", "2")
    expected = [each.id for each in reversed(sites[game].games(2)) if bot in each.bots]
    expect(reader.page.locator("[data-games] tbody th .code")).to_have_text(expected)


def test_on_a_phone_a_list_of_games_is_short(sites, reader):
    reader = reader(sites["kosmos"], size="phone")
    games = [[f"p2-b{number:04}-r0", [0, 1], [1, 2], 0, "", ""] for number in range(45)]
    body = f"arenaData('list', {json.dumps({'number': 0, 'games': games})});"
    reader.page.route("**/list-0.js", lambda route: route.fulfill(body=body, content_type="text/javascript"))
    reader.open("games/index.html")
    rows = reader.page.locator("[data-games] tbody tr")
    expect(rows).to_have_count(20)
    reader.page.get_by_role("button", name="More games").click()
    expect(rows).to_have_count(40)


@pytest.mark.parametrize(("theme", "size"), LOOKS)
@pytest.mark.parametrize("game", PLANS)
def test_every_page_is_accessible_and_fits(game, theme, size, sites, reader, shoot):
    site = sites[game]
    reader = reader(site, theme, size)
    slug = next(page.stem for page in sorted(site.folder.glob("bots/*.html")))
    pages = {"index": "index.html", "bot": f"bots/{slug}.html", "games": "games/index.html"}
    pages["statement"] = "statement.html"
    sideways = "found => found.filter((each) => each.scrollWidth > each.clientWidth).length"
    for name, path in pages.items():
        reader.open(path)
        if name == "games":
            reader.page.locator("[data-games] tbody tr").first.wait_for()
        if name == "bot":
            assert reader.page.locator(".seatings table").count() > 0
            assert reader.page.locator(".seatings .scroll").evaluate_all(sideways) == 0
            reader.page.get_by_role("button", name="Show its games").click()
            reader.page.locator("[data-games] tbody tr").first.wait_for()
        if name == "statement":
            assert reader.page.locator(".scroll").evaluate_all(sideways) == 0
        shoot(reader, f"{game}-{name}-{theme}-{size}")
        reader.assert_fits()
        reader.assert_accessible()


@pytest.mark.parametrize("size", ["wide", "phone"])
@pytest.mark.parametrize("game", PLANS)
def test_every_bar_and_line_of_the_charts_is_in_sight_with_its_name(game, size, sites, reader):
    reader = reader(sites[game], size=size)
    reader.open("index.html")
    names = column(reader, 2)
    for chart in ("courses",):
        drawn = f'svg[aria-describedby^="{chart}-"]'
        [frame] = reader.boxes(f"{drawn}:visible")
        [panel] = reader.boxes(f".panel:has({drawn})")
        assert panel["left"] <= frame["left"] <= frame["right"] <= panel["right"]
        marks = reader.boxes(f"{drawn} svg .line")
        assert len(marks) >= len(names)
        words = reader.boxes(f"{drawn} text")
        assert len(words) > len(names)
        for box in marks + words:
            assert frame["left"] - 1 <= box["left"] <= box["right"] <= frame["right"] + 1, (chart, box, frame)
        assert min(box["bottom"] - box["top"] for box in words) > 8
        said = reader.page.locator(f"{drawn} text:visible").all_text_contents()
        assert all(any(name.strip()[:11] in text for text in said) for name in names)


def tips(reader):
    """The heads of the tips that are to be seen."""
    return reader.page.locator(".chart .tip:visible .head").all_text_contents()


def test_tips_are_reached_by_keys(sites, reader):
    reader = reader(sites["kosmos"])
    reader.open("index.html")
    spots = reader.page.locator('svg[aria-describedby="courses-wide-desc"] .spot')
    number = spots.count()
    assert number > 1
    assert tips(reader) == []
    spots.first.focus()
    heads = []
    for _ in range(number):
        heads += tips(reader)
        reader.page.keyboard.press("ArrowRight")
    assert len(set(heads)) == len(heads) == number
    assert all(head.startswith("by game ") for head in heads)
    assert tips(reader) == heads[-1:]  # there is no further one
    reader.page.keyboard.press("Escape")
    assert tips(reader) == []
    reader.page.keyboard.press("Home")
    assert tips(reader) == heads[:1]
    reader.page.keyboard.press("Tab")  # a chart is one stop
    assert tips(reader) == []
    reader.page.keyboard.press("Shift+Tab")
    assert tips(reader) == heads[:1]


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_tips_are_reached_by_pointing_and_by_touch_and_lie_in_sight(size, sites, reader):
    reader = reader(sites["kosmos"], "dark", size, has_touch=size == "phone")
    slug = next(page.stem for page in sorted(sites["kosmos"].folder.glob("bots/*.html")))
    for path in ("index.html", f"bots/{slug}.html"):
        reader.open(path)
        for chart in reader.page.locator(".chart:visible").all():
            if chart.locator("css=.spot").count() == 0:
                continue  # the inner one, which clips lines
            for spot in (chart.locator(".spot").first, chart.locator(".spot").last):
                if size == "phone":
                    spot.tap()
                else:
                    spot.hover()
                expect(spot.locator(".tip")).to_be_visible()
                assert len(tips(reader)) == 1
                [tip] = reader.boxes(".tip .card")
                frame = chart.bounding_box()
                assert frame["x"] - 1 <= tip["left"] < tip["right"] <= frame["x"] + frame["width"] + 1
                assert frame["y"] - 1 <= tip["top"] < tip["bottom"] <= frame["y"] + frame["height"] + 1
                for words in reader.boxes(".tip text"):
                    assert tip["left"] <= words["left"] < words["right"] <= tip["right"]


def test_without_scripts_charts_are_there_with_their_tips(sites, reader):
    reader = reader(sites["kosmos"], java_script_enabled=False)
    reader.open("index.html")
    spots = reader.page.locator('svg[aria-describedby="courses-wide-desc"] .spot')
    expect(spots.first.locator("xpath=..").locator(".line").first).to_be_visible()
    spots.nth(0).focus()
    expect(spots.nth(0).locator(".tip")).to_be_visible()
    reader.page.keyboard.press("Tab")
    expect(spots.nth(1).locator(".tip")).to_be_visible()
    expect(spots.nth(0).locator(".tip")).to_be_hidden()


def test_charts_have_the_colours_of_the_page_and_of_paper(sites, reader):
    found = {}
    for theme in ("light", "dark"):
        page = reader(sites["kosmos"], theme).page
        page.goto(f"{sites['kosmos'].folder.as_uri()}/index.html")
        colours = """() => ['.chart .dot.k1, .k1 .dot', '.chart .tick'].map(
            each => getComputedStyle(document.querySelector(each)).fill)"""
        found[theme] = page.evaluate(colours)
        page.emulate_media(media="print")
        found[f"{theme} on paper"] = page.evaluate(colours)
    assert all(one != other for one, other in zip(found["light"], found["dark"], strict=True))
    assert found["light on paper"] == found["dark on paper"] == found["light"]


@pytest.mark.parametrize("game", PLANS)
def test_a_table_that_hides_columns_says_so_and_leads_to_them_by_keys(game, sites, reader):
    reader = reader(sites[game], size="tablet")
    reader.open("index.html")
    reader.page.locator("#all-columns").check()
    cue = reader.page.locator(".cue:has(+ .scroll #overall)")
    number = reader.page.locator("#overall thead th").count()
    expect(cue).to_be_visible()
    right = reader.boxes(".scroll:has(#overall)")[0]["right"]
    hidden = sum(box["right"] > right + 2 for box in reader.boxes("#overall thead th"))
    assert 0 < hidden < number
    expect(cue).to_have_text(f"{hidden} more columns →")
    reader.page.get_by_role("tab", selected=True).focus()
    reader.page.keyboard.press("Tab")
    expect(cue).to_be_focused()
    seen = set()
    for _ in range(number):
        seen |= {
            at
            for at, box in enumerate(reader.boxes("#overall thead th"))
            if box["left"] >= 0 and box["right"] <= right + 2
        }
        if cue.inner_text().startswith("←"):
            break
        before = cue.inner_text()
        reader.page.keyboard.press("Enter")
        expect(cue).not_to_have_text(before)
    assert seen == set(range(number))
    reader.page.keyboard.press("Enter")
    expect(cue).to_have_text(f"{hidden} more columns →")


def test_what_fits_has_no_such_hint(sites, reader):
    reader = reader(sites["kosmos"])
    reader.page.set_viewport_size({"width": 800, "height": 900})  # for who beats whom, but not for all columns
    reader.open("index.html")
    reader.page.locator("#all-columns").check()
    expect(reader.page.locator(".cue:visible").first).to_be_visible()
    regions = "regions => regions.map(each => each.scrollWidth > each.clientWidth + 2)"
    more = reader.page.locator(".scroll").evaluate_all(regions)
    hints = reader.page.locator(".scroll").evaluate_all(
        "regions => regions.map(each => Boolean(each.previousElementSibling?.matches('.cue:not([hidden])')))"
    )
    assert hints == more
    assert True in more
    assert False in more
    reader.page.locator("#all-columns").uncheck()
    expect(reader.page.locator(".cue:visible")).to_have_count(0)


def test_on_a_phone_rows_are_cards_with_every_bar_and_every_column_in_reach(sites, reader):
    site = sites["kosmos"]
    reader = reader(site, size="phone")
    reader.open("index.html")
    with (site.folder / "leaderboard.json").open() as file:
        rows = json.load(file)["overall"]
    bars = reader.boxes("#overall .bars path:first-of-type")
    assert len(bars) == len(rows)
    assert all(0 <= bar["left"] < bar["right"] <= 360 for bar in bars)
    cards = reader.boxes("#overall tbody tr")
    assert all(one["bottom"] <= other["top"] + 1 for one, other in itertools.pairwise(cards))
    few = reader.boxes("#overall tbody tr:first-child > *")
    reader.page.get_by_label("More columns").check()
    cells = reader.boxes("#overall tbody tr:first-child > *")
    assert len(few) < len(cells) == reader.page.locator("#overall thead th").count()
    for at, one in enumerate(cells):
        assert 0 <= one["left"] < one["right"] <= 360
        for other in cells[at + 1 :]:
            wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
            high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            assert wide <= 1 or high <= 1, (one, other)
    reader.page.locator("#overall thead .games button").click()
    games = [int(text) for text in column_of(reader, "games")]
    assert games == sorted(games, reverse=True)
    reader.assert_fits()


def column_of(reader, name):
    return reader.page.locator(f"#overall td.{name}").evaluate_all("cells => cells.map(each => each.dataset.value)")


def test_leaderboards_are_tabs_for_keys_and_the_address_and_all_there_without_scripts(sites, reader):
    plain = reader(sites["kosmos"], java_script_enabled=False)
    plain.open("index.html")
    for table in ("#overall", "#table-2", "#table-6"):
        expect(plain.page.locator(table)).to_be_visible()
    expect(plain.page.locator("#overall th.rest").first).to_be_hidden()
    plain.page.get_by_label("More columns").check()
    expect(plain.page.locator("#overall th.rest").first).to_be_visible()
    reader = reader(sites["kosmos"])
    reader.open("index.html")
    tabs = reader.page.get_by_role("tab")
    expect(tabs).to_have_text(["All games", "2 players", "6 players"])
    expect(reader.page.locator("#table-2")).to_be_hidden()
    tabs.first.focus()
    reader.page.keyboard.press("ArrowRight")
    expect(tabs.nth(1)).to_be_focused()
    expect(reader.page.get_by_role("tabpanel")).to_have_count(1)
    expect(reader.page.locator("#table-2")).to_be_visible()
    assert reader.page.url.endswith("#players-2")
    reader.page.keyboard.press("End")
    expect(reader.page.locator("#table-6")).to_be_visible()
    reader.page.reload()
    expect(reader.page.locator("#table-6")).to_be_visible()
    expect(reader.page.locator("#overall")).to_be_hidden()
    tabs.first.click()
    expect(reader.page.locator("#overall")).to_be_visible()


def test_the_head_of_a_site_names_no_winner_that_is_within_error(sites, reader):
    with (sites["kosmos"].folder / "leaderboard.json").open() as file:
        lead = json.load(file)["lead"]["overall"]
    assert len(lead["bots"]) > 1, "four games at each number of players tell little"
    reader = reader(sites["kosmos"])
    reader.open("index.html")
    told = reader.page.locator(".answer")
    expect(told).to_contain_text(lead["bots"][1])
    expect(told).to_contain_text("Too early to say")


@pytest.mark.parametrize(("theme", "size"), LOOKS)
def test_the_versions_of_a_bot_are_in_sight_and_lead_to_each_other(theme, size, changed, reader, shoot):
    reader = reader(changed, theme, size)
    reader.open("index.html")
    reader.page.get_by_role("link", name="greedy@2").first.click()
    reader.page.wait_for_url("**/bots/**")  # it is loaded then: without its stylesheet it has a chart for every width
    chart = reader.page.locator('svg[aria-describedby^="versions-"]:visible')
    [frame] = reader.boxes('svg[aria-describedby^="versions-"]:visible')
    for box in reader.boxes('svg[aria-describedby^="versions-"]:visible text:visible'):
        assert frame["left"] - 1 <= box["left"] <= box["right"] <= frame["right"] + 1
    assert {"@1", "@2"} <= set(chart.locator(".share").all_text_contents())
    shoot(reader, f"changed-versions-{theme}-{size}")
    reader.assert_fits()
    reader.assert_accessible()
    spots = reader.page.locator('svg[aria-describedby^="versions-"]:visible .spot')
    spots.first.focus()
    assert "greedy@1" in "".join(reader.page.locator(".chart .tip:visible text").all_text_contents())
    reader.page.keyboard.press("End")
    assert "greedy@2" in "".join(reader.page.locator(".chart .tip:visible text").all_text_contents())
    reader.page.keyboard.press("Escape")
    reader.page.locator("#versions-table").get_by_role("link", name="greedy@1").click()
    expect(reader.page.locator("h1")).to_have_text("greedy")
    expect(reader.page.locator("#versions-table [aria-current]")).to_have_text("greedy@1")
    reader.page.go_back()
    expect(reader.page.locator("h1")).to_have_text("greedy@2")


def test_without_scripts_the_versions_are_there_with_their_tips(changed, reader):
    reader = reader(changed, java_script_enabled=False)
    [page] = [each.name for each in changed.folder.glob("bots/greedy-2-*.html")]
    reader.open(f"bots/{page}")
    spots = reader.page.locator('svg[aria-describedby="versions-wide-desc"] .spot')
    spots.last.focus()
    expect(reader.page.locator(".chart .tip:visible")).to_have_count(1)
    expect(reader.page.locator("#versions-table tbody tr")).to_have_count(2)
