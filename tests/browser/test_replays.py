"""Games played back in a browser: to their ends, by clicks and by keys, as they stand in the ledger."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BOTH_WAYS, PLANS

pytestmark = pytest.mark.browser
LOOKS = [(theme, size) for theme in ("light", "dark") for size in ("wide", "phone")]
HALFWAY = """async () => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await drawn(); // a browser drops the keys that come before the first picture of a page
  scrollTo({ top: (document.documentElement.scrollHeight - innerHeight) / 2, behavior: "instant" });
  await drawn(); // and ends the animation of the last key
  return scrollY;
}"""
"""Scroll the page to its middle and return how far that is, once it rests there."""


def told(score):
    name, value = score
    return ("no", "yes")[value] if name == "arrived" else str(value)


def expected(record):
    """The final standings by the ledger, as a page reads them."""
    order = sorted(range(record.players), key=lambda seat: (record.ranks[seat], seat))
    return [
        [str(record.ranks[seat]), f"{seat + 1}{record.bots[seat]}", *map(told, record.scores[seat].items())]
        for seat in order
    ]


def shown(reader):
    """The standings on the page, without the spaces between a seat's number and name."""
    return [["".join(cell.split()) for cell in row] for row in reader.standings()]


def assert_ended(reader, record):
    step, last = reader.count()
    assert step == last
    expect(reader.page.locator("#standings")).to_be_visible()
    assert shown(reader) == expected(record)


@pytest.mark.parametrize(("theme", "size"), LOOKS)
@pytest.mark.parametrize("game", PLANS)
def test_a_game_is_played_to_its_end_by_clicks(game, theme, size, sites, reader, shoot):
    record = max(sites[game].games(), key=lambda each: (each.players, -each.index))
    reader = reader(sites[game], theme, size)
    reader.replay(record.id)
    assert reader.count()[0] == 0
    expect(reader.page.locator("#standings")).to_be_hidden()
    reader.page.get_by_role("button", name="Next step").click()
    first = reader.count()[0]
    reader.page.get_by_role("button", name="Next step").click()
    assert reader.count()[0] > first > 0
    reader.page.get_by_role("button", name="Previous step").click()
    assert reader.count()[0] == first
    last = reader.count()[1]
    reader.page.get_by_role("slider", name="Step").fill(str(last * 3 // 4))
    before = last * 3 // 4
    while before < last:
        reader.page.get_by_role("button", name="Next turn").click()
        now = reader.count()[0]
        assert now > before
        photographed = before < last * 7 // 8 <= now
        before = now
        if photographed:
            shoot(reader, f"{game}-replay-{theme}-{size}")
            reader.assert_fits()
            reader.assert_accessible()
    assert_ended(reader, record)
    shoot(reader, f"{game}-replay-end-{theme}-{size}")
    reader.assert_fits()
    reader.assert_accessible()


@BOTH_WAYS
@pytest.mark.parametrize("game", PLANS)
def test_a_game_is_played_to_its_end_by_keys(game, sites, reader):
    record = sites[game].games(2)[0]
    reader = reader(sites[game])
    reader.replay(record.id)
    press = reader.page.keyboard.press
    reader.page.locator("#turn").click()
    press("ArrowRight")
    first = reader.count()[0]
    press("ArrowRight")
    press("ArrowLeft")
    assert reader.count()[0] == first > 0
    press("Shift+ArrowRight")
    turn = reader.count()[0]
    press("Shift+ArrowRight")
    press("Shift+ArrowLeft")
    assert reader.count()[0] == turn > first
    slider = reader.page.get_by_role("slider", name="Step")
    slider.press("End")
    assert_ended(reader, record)
    slider.press("Home")
    assert reader.count()[0] == 0
    slider.press("Shift+ArrowRight")
    # In ravensburger what is laid out before the first turn is a stop of its own.
    assert reader.count()[0] == {"kosmos": turn, "ravensburger": first}[game]
    last = reader.count()[1]
    while reader.count()[0] < last:
        press("Shift+ArrowRight")
    assert_ended(reader, record)


@pytest.mark.parametrize("at", ["body", "viewer", "button"])
def test_the_keys_that_scroll_a_page_are_left_to_its_reader(at, sites, reader):
    record = sites["kosmos"].games(2)[0]
    reader = reader(sites["kosmos"], size="low", reduced_motion="reduce")
    reader.replay(record.id, 20)
    if at == "viewer":
        reader.page.locator("#position").click()  # it is in no box that scrolls by itself
        assert reader.page.evaluate("document.getElementById('viewer').contains(document.activeElement)")
    if at == "button":
        reader.page.get_by_role("button", name="Next step").focus()
    for key in ["End", "Home", "PageDown", "PageUp", *([] if at == "button" else ["Space"])]:
        before = reader.page.evaluate(HALFWAY)
        assert before > 0
        reader.page.keyboard.press(key)
        reader.page.wait_for_function("before => scrollY !== before", arg=before)
        assert reader.count()[0] == 20
    expect(reader.page.get_by_role("button", name="Play")).to_be_visible()


def test_outside_of_the_replay_it_has_no_keys(sites, reader):
    reader = reader(sites["kosmos"])
    reader.replay(sites["kosmos"].games(2)[0].id, 20)
    reader.page.get_by_role("link", name="Leaderboard", exact=True).focus()
    for key in ("ArrowRight", "Shift+ArrowRight", "p"):
        reader.page.keyboard.press(key)
    assert reader.count()[0] == 20
    expect(reader.page.get_by_role("button", name="Play")).to_be_visible()
    reader.page.get_by_role("button", name="Next step").focus()
    reader.page.keyboard.press("ArrowRight")
    assert reader.count()[0] > 20


@pytest.mark.parametrize("game", PLANS)
def test_it_plays_by_itself_until_the_end_or_a_pause(game, sites, reader):
    record = sites[game].games(2)[0]
    reader = reader(sites[game], reduced_motion="reduce")
    reader.replay(record.id)
    assert reader.page.locator(".pawn").first.evaluate("pawn => getComputedStyle(pawn).transitionDuration") == "0s"
    reader.page.select_option("#speed", "30")
    reader.page.get_by_role("button", name="Play").focus()
    reader.page.keyboard.press("Space")
    reader.page.wait_for_function("() => Number(document.getElementById('seek').value) > 3")
    reader.page.get_by_role("button", name="Pause").press("Space")
    expect(reader.page.get_by_role("button", name="Play")).to_be_visible()
    last = reader.count()[1]
    reader.replay(record.id, last - 10, "open")
    assert reader.count()[0] == last - 10
    reader.page.locator("#turn").click()
    reader.page.keyboard.press("p")
    expect(reader.page.locator("#standings")).to_be_visible()
    expect(reader.page.get_by_role("button", name="Play")).to_be_visible()
    assert_ended(reader, record)


@pytest.mark.parametrize("game", PLANS)
def test_the_chosen_seat_sees_its_hand_and_what_it_chose_among(game, sites, reader):
    record = sites[game].games(2)[0]
    reader = reader(sites[game])
    reader.replay(record.id)
    expect(reader.page.locator("#seats .hand")).to_have_count(record.players)
    reader.page.select_option("#reader", "public")
    expect(reader.page.locator("#seats .hand")).to_have_count(0)
    for seat in range(record.players):
        reader.page.select_option("#reader", str(seat))
        expect(reader.page.locator("#seats .hand")).to_have_count(1)
        expect(reader.page.locator(f"#seats [data-seat='{seat}'] .hand")).to_have_attribute(
            "aria-label", f"Hand of {record.bots[seat]}"
        )
    reader.page.select_option("#reader", "0")
    reader.page.get_by_role("tab", name="Choices").click()
    own = [step for step in record.steps if step.seat == 0 and step.kind == "play"]
    seen = 0
    while seen < 5:
        reader.page.get_by_role("button", name="Next choice").click()
        for choice in reader.page.locator("#choices .choice-of").all():
            chosen = choice.locator(".offered .chosen")
            assert chosen.evaluate("item => [...item.parentElement.children].indexOf(item)") == own[seen].index
            seen += 1


def ending(text):
    return re.compile(f"{re.escape(text)}$")


@BOTH_WAYS
def test_the_address_follows_and_is_followed(sites, reader):
    one, other = sites["kosmos"].games(2)[:2]
    reader = reader(sites["kosmos"])
    reader.replay(one.id, 12, 1)
    assert reader.count()[0] == 12
    expect(reader.page.locator("#reader")).to_have_value("1")
    reader.page.get_by_role("button", name="Next step").press("ArrowRight")
    step = reader.count()[0]
    assert step > 12
    expect(reader.page).to_have_url(ending(f"#{one.id}/{step}/1"))
    reader.page.select_option("#reader", "open")
    expect(reader.page.locator("#seats .hand")).to_have_count(2)
    expect(reader.page).to_have_url(ending(f"#{one.id}/{step}/open"))
    reader.page.go_back()
    expect(reader.page.locator("#seats .hand")).to_have_count(1)
    reader.replay(other.id, 5)
    expect(reader.page).to_have_url(ending(f"#{other.id}/5/open"))
    reader.page.reload()
    expect(reader.page.locator("#position")).to_contain_text("step 5 of")
    reader.replay(other.id, 9_999_999, 7)  # beyond its end, for a reader that there is none of
    assert_ended(reader, other)


def test_seeking_by_the_bar_leads_to_the_same_scene_as_stepping(sites, reader):
    record = sites["ravensburger"].games()[-1]
    reader = reader(sites["ravensburger"], reduced_motion="reduce")
    reader.replay(record.id, 40)
    scene = "['board', 'seats', 'facts', 'cards', 'now'].map((id) => document.getElementById(id).innerHTML).join()"
    stepped = reader.page.evaluate(scene)
    bar = reader.page.get_by_role("slider", name="Step")
    bar.fill(str(reader.count()[1]))
    assert reader.page.evaluate(scene) != stepped
    bar.fill("39")
    bar.press("ArrowRight")
    assert reader.count()[0] == 40
    assert reader.page.evaluate(scene) == stepped


def test_all_controls_are_reached_by_tab(sites, reader):
    reader = reader(sites["kosmos"])
    reader.replay(sites["kosmos"].games()[0].id)
    wanted = {
        "reader",
        "first",
        "previous-turn",
        "previous",
        "play",
        "next",
        "next-turn",
        "last",
        "seek",
        "speed",
        "log",
    }
    for _ in range(70):
        reader.page.keyboard.press("Tab")
        wanted.discard(reader.page.evaluate("document.activeElement.id"))
    assert not wanted


def test_one_goes_through_the_games_of_two_bots(sites, reader):
    site = sites["kosmos"]
    reader = reader(site)
    one, other = site.games(2)[0].bots
    theirs = [each.id for each in site.games() if {one, other} <= set(each.bots)]
    reader.open("games/index.html")
    reader.page.locator("[data-games] tbody tr").first.wait_for()
    reader.page.select_option("#choose-bot", label=one)
    reader.page.select_option("#choose-against", label=other)
    expect(reader.page.locator("[data-games] tbody th .code")).to_have_text(list(reversed(theirs)))
    address = reader.page.url
    reader.open("index.html")
    reader.page.goto(address)
    expect(reader.page.locator("[data-games] tbody th .code")).to_have_text(list(reversed(theirs)))
    reader.page.get_by_role("link", name=theirs[0]).click()
    expect(reader.page.locator("#about")).to_contain_text(theirs[0])
    expect(reader.page.locator("#among")).to_have_text(f"{one} against {other}")
    for game in theirs[1:]:
        reader.page.get_by_role("button", name="Game ›").click()
        expect(reader.page.locator("#about")).to_contain_text(game)
    reader.page.get_by_role("button", name="Game ›").click()
    expect(reader.page.locator("#message")).to_have_text(f"This is the last game of {one} against {other}.")
    reader.assert_accessible()
    reader.page.locator("#among").click()
    expect(reader.page.locator("[data-games] tbody th .code")).to_have_text(list(reversed(theirs)))


@BOTH_WAYS
def test_a_position_is_shared_and_embedded(sites, reader):
    record = sites["kosmos"].games(2)[0]
    reader = reader(sites["kosmos"])
    reader.replay(record.id, 30, 1)
    reader.page.locator("#share summary").click()
    expect(reader.page.locator("#share-done")).not_to_be_empty()
    address = reader.page.input_value("#share-address")
    assert address.endswith(f"/games/replay.html#{record.id}/30/1")
    frame = reader.page.input_value("#share-embed")
    assert f"replay.html?embed#{record.id}/30/1" in frame
    reader.page.keyboard.press("Escape")
    expect(reader.page.locator("#share-address")).to_be_hidden()
    expect(reader.page.locator("#share summary")).to_be_focused()
    reader.page.set_viewport_size({"width": 640, "height": 480})
    reader.open("index.html")
    reader.open(f"games/replay.html?embed#{record.id}/30/1")
    expect(reader.page.locator("#board svg")).to_be_visible()
    assert reader.count()[0] == 30
    expect(reader.page.locator("header")).to_be_hidden()
    for selector in ("#board", "#step", ".controls"):
        [box] = reader.boxes(selector)
        assert box["bottom"] <= 480
    reader.page.get_by_role("button", name="Next step").click()
    step = reader.count()[0]
    assert step > 30
    reader.assert_fits()
    reader.assert_accessible()
    whole = reader.page.locator("#whole")
    whole.evaluate("link => { link.addEventListener('click', (event) => event.preventDefault()); link.click(); }")
    assert whole.get_attribute("href").endswith(f"replay.html#{record.id}/{step}/1")


def test_lines_that_are_the_same_are_told_once(sites, reader):
    reader = reader(sites["kosmos"])
    reader.open("games/replay.html")
    expect(reader.page.locator("#message")).to_contain_text("Choose a game")
    told = reader.page.evaluate("""() => {
      const said = ["ant passes", "ant passes", "ant passes", "bee goes", "ant passes"];
      const step = (at) => ({ seat: Number(said[at - 1] === "bee goes"), texts: [said[at - 1]], label: null, by: 0 });
      const replay = { bots: ["ant", "bee"], seats: [], unfinished: new Set(), begin: (at) => at, step };
      const home = document.createElement("div");
      arenaViewer.words.log(home, replay, 5, [], null);
      return [...home.querySelectorAll("li")].map((each) => [each.textContent, each.dataset.times]);
    }""")
    assert told == [["1 ant passes", "3"], ["2 bee goes", "1"], ["1 ant passes", "1"]]


def test_without_scripts_a_replay_leads_to_what_can_be_read_all_the_same(sites, reader):
    reader = reader(sites["kosmos"], java_script_enabled=False)
    reader.open("games/replay.html")
    reader.page.get_by_role("link", name="the rules").click()
    expect(reader.page.get_by_role("heading", level=1)).to_contain_text("Rules")
