"""Hostile texts, missing files, and games without pictures, in a browser."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BOTH_WAYS, HOSTILE, LONG, Site

pytestmark = pytest.mark.browser


@pytest.fixture
def copy(sites, base, tmp_path_factory, request):
    """A site that may be changed."""
    folder = tmp_path_factory.mktemp("copy", numbered=True)
    site = base / f"copy-{folder.parent.name}-{folder.name}"
    shutil.copytree(sites["kosmos"].folder, site)
    yield Site(site, sites["kosmos"].ledger)
    shutil.rmtree(site)


def forgive(reader, *files):
    """A browser says of itself that a file is missing: that much is expected, of these."""
    assert len([error for error in reader.errors if "Failed to load resource" in error]) == len(files)
    reader.errors[:] = [error for error in reader.errors if "Failed to load resource" not in error]


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_names_and_notes_do_no_harm(hostile, reader, size, shoot):
    reader = reader(hostile, size=size)
    record = next(each for each in hostile.games(6) if HOSTILE in each.bots and LONG in each.bots)
    for path in ("index.html", "games/index.html", *[f"bots/{page.name}" for page in hostile.folder.glob("bots/*")]):
        reader.open(path)
        if path == "games/index.html":
            reader.page.locator("[data-games] tbody tr").first.wait_for()
        reader.assert_fits()
    reader.replay(record.id)
    seat = record.bots.index(HOSTILE)
    expect(reader.page.locator("#seats .seat").nth(seat)).to_contain_text(f"{HOSTILE[:9]}…{HOSTILE[-8:]}")
    name = reader.page.locator("#seats .seat").nth(record.bots.index(LONG)).locator("bdi")
    expect(name).to_have_text(f"{LONG[:9]}…{LONG[-8:]}")
    name.locator("..").focus()
    assert LONG[:60] in name.evaluate("each => getComputedStyle(each, '::after').content")
    assert reader.page.locator("main img, main script").count() == 0
    reader.page.select_option("#reader", str(seat))
    reader.page.get_by_role("button", name="Next choice").click()
    reader.page.get_by_role("tab", name="Choices").click()
    expect(reader.page.locator("#choices blockquote").first).to_contain_text(HOSTILE)
    reader.assert_fits()
    reader.page.get_by_role("button", name="End: last step").click()
    expect(reader.page.locator("#standings")).to_be_visible()
    reader.assert_fits()
    reader.assert_accessible()
    shoot(reader, f"hostile-{size}")


@BOTH_WAYS
def test_a_missing_game_is_reported(sites, reader):
    record = sites["kosmos"].games()[0]
    reader = reader(sites["kosmos"])
    reader.open("games/replay.html#p9-b0000-r0")
    expect(reader.page.locator("#message")).to_have_text(
        "The game p9-b0000-r0 cannot be shown: games/p9-b0000-r0/public.js cannot be loaded."
    )
    expect(reader.page.locator("#viewer")).to_be_hidden()
    forgive(reader, "public.js")
    for bad in ("../../t", "%2e%2e%2fboard", "https:%2f%2fexample.org", "%"):
        reader.open("index.html")
        reader.open(f"games/replay.html#{bad}")
        expect(reader.page.locator("#message")).to_contain_text("this is not the id of a game")
    reader.open("index.html")
    reader.open("games/replay.html")
    expect(reader.page.locator("#message")).to_contain_text("Choose a game")
    reader.replay(record.id)
    expect(reader.page.locator("#message")).to_be_hidden()


@BOTH_WAYS
def test_without_what_a_seat_saw_the_rest_is_shown(copy, reader):
    record = copy.games(2)[0]
    (copy.folder / "games" / record.id / "seat-1.js").unlink()
    reader = reader(copy)
    reader.replay(record.id, 9_999_999)
    expect(reader.page.locator("#message")).to_contain_text(f"games/{record.id}/seat-1.js cannot be loaded")
    expect(reader.page.locator("#standings")).to_be_visible()
    reader.page.get_by_role("button", name="Start").click()
    expect(reader.page.locator("#seats .hand")).to_have_count(1)
    forgive(reader, "seat-1.js")


def rewrite(file, change):
    found = re.fullmatch(r'arenaData\("public",(.*)\);\n', file.read_text())
    assert found
    data = json.loads(found[1])
    change(data)
    file.write_text(f'arenaData("public",{json.dumps(data)});\n')


def test_a_game_without_pictures_is_shown_in_words(copy, reader, shoot):
    def plain(data):
        data["start"] = None
        for step in data["steps"]:
            step[3:] = [{}, None]

    record = copy.games(2)[0]
    rewrite(copy.folder / "games" / record.id / "public.js", plain)
    (copy.folder / "games" / "board.js").write_text('arenaData("board",null);\n')
    for size in ("phone", "wide"):
        each = reader(copy, size=size)
        each.replay(record.id)
        for _ in range(3):
            each.page.get_by_role("button", name="Next turn").click()
        expect(each.page.locator("#now p").first).not_to_be_empty()
        expect(each.page.locator("#stage")).to_be_hidden()
        expect(each.page.locator("#seats .seat")).to_have_count(2)
        each.assert_fits()
        each.assert_accessible()
        shoot(each, f"plain-replay-{size}")
        each.page.get_by_role("button", name="End: last step").click()
        expect(each.page.locator("#standings")).to_be_visible()


def test_a_scene_changes_nothing_but_itself(copy, reader):
    def foul(data):
        data["steps"][0][3] |= {"constructor": {"prototype": {"foul": 1}}, "toString": {"foul": 2}, "foul": {"a": 3}}

    record = copy.games(2)[0]
    rewrite(copy.folder / "games" / record.id / "public.js", foul)
    reader = reader(copy)
    reader.replay(record.id, 9_999_999)
    expect(reader.page.locator("#standings")).to_be_visible()
    assert reader.page.evaluate("[{}.foul, ({}).toString.foul]") == [None, None]


def test_a_game_that_is_not_over_has_no_standings(copy, reader):
    def unfinished(data):
        data.update(ending=None, ranks=None, scores=None, steps=data["steps"][:50])

    record = copy.games(2)[0]
    rewrite(copy.folder / "games" / record.id / "public.js", unfinished)
    reader = reader(copy)
    reader.replay(record.id, 60)
    assert reader.count() == (50, 50)
    expect(reader.page.locator("#about")).to_contain_text("Not over")
    expect(reader.page.locator("#standings")).to_be_hidden()
