"""By bounding boxes: all that matters of a replay is in the window at every step, and nothing covers anything."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PLANS

pytestmark = pytest.mark.browser
WALK = """() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) => !each.closest("[hidden]"));
  const boxes = (selector) => seen(selector).map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { what: `${selector} ${each.textContent.slice(0, 20)}`, left, right, top, bottom };
  });
  const over = (one, other) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return wide > 1.5 && high > 1.5;
  };
  const found = new Set();
  let step = 0;
  const apart = (some, others) => some.forEach((one, i) => others.forEach((other, j) => {
    if ((some !== others || j > i) && over(one, other)) found.add(`step ${step}: ${one.what} over ${other.what}`);
  }));
  const inside = (some, frame) => some.forEach((box) => {
    const aside = box.left < frame.left - 1 || box.right > frame.right + 1;
    const above = box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
    if (aside || above) found.add(`step ${step}: ${box.what} outside`);
  });
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const slider = document.getElementById("seek");
  const last = Number(slider.max);
  let drawn = null; // the picture whose fixed parts were measured
  let signs, marks, board;
  for (; step <= last && found.size < 20; step += 1) {
    slider.value = String(step);
    slider.dispatchEvent(new Event("input"));
    const picture = document.querySelector(".board");
    if (picture !== drawn) { // it is drawn anew when its room changes
      drawn = picture;
      board = picture.getBoundingClientRect();
      signs = boxes(".name, .ticket");
      marks = [...signs, ...boxes(".square rect, .place .dot")];
      const fixed = [...signs, ...boxes(".dial")];
      apart(fixed, fixed);
      const turning = boxes(".turning");
      apart(turning, turning);
      inside([...fixed, ...boxes(".square")], board);
    }
    const pawns = boxes(".pawn .body");
    const tokens = boxes(".chit, .piece");
    inside([...pawns, ...tokens], board);
    apart(pawns, pawns);
    apart(pawns, [...marks, ...tokens]);
    apart(tokens, signs);
    const always = ["#board", "#turn", ".controls", ".buttons button", ".titles", ".tools > *"];
    for (const each of always) inside(boxes(each), screen);
    const isOver = document.getElementById("viewer").classList.contains("over");
    const panels = ["#step", ".seat .seat-head", ".seat.on-turn .hand", ".log [role=tab]"];
    for (const each of isOver ? ["#standings tr[data-seat]"] : panels) inside(boxes(each), screen);
    if (document.documentElement.scrollHeight > innerHeight) found.add(`step ${step}: the page scrolls`);
    if (document.documentElement.scrollWidth > innerWidth) found.add(`step ${step}: the page scrolls sideways`);
  }
  return [step, [...found]];
}"""
"""Walk through every step of a game and collect what covers something else, or is out of sight."""


@pytest.mark.parametrize(("size", "theme"), [("wide", "light"), ("tablet", "dark"), ("phone", "light")])
@pytest.mark.parametrize("game", PLANS)
def test_everything_is_in_the_window_and_nothing_covers_anything(game, size, theme, sites, reader, way, shoot):
    """Ten games in all, two of 2 and three of 6 players of either game, each on one page per size."""
    if way == "http":
        pytest.skip("the layout does not depend on where a page comes from")
    chosen = [*sites[game].games(2)[:2], *sites[game].games(6)[:3]]
    assert len(chosen) == 5
    reader = reader(sites[game], theme, size, reduced_motion="reduce")
    reader.replay(chosen[0].id)
    for record in chosen:
        reader.page.evaluate("id => { location.hash = id; }", record.id)
        reader.page.wait_for_function("id => document.getElementById('viewer').dataset.game === id", arg=record.id)
        expect(reader.page.locator("#board svg")).to_be_visible()
        steps, bad = reader.page.evaluate(WALK)
        assert bad == [], record.id
        assert steps > 60
    reader.page.get_by_role("button", name="Start").click()
    shoot(reader, f"{game}-start-{size}-{theme}-6")


def test_a_walk_finds_what_covers_something_and_what_is_out_of_sight(sites, reader, way):
    if way == "http":
        pytest.skip("the layout does not depend on where a page comes from")
    reader = reader(sites["kosmos"])
    reader.replay(sites["kosmos"].games(6)[0].id)
    flaws = ".pawn { transform: translate(200px, 100px) !important; } #turn { position: fixed; top: 110vh; }"
    # A sheet that a script makes: the page's policy allows no other.
    make = "const sheet = new CSSStyleSheet(); sheet.replaceSync(flaws); document.adoptedStyleSheets = [sheet];"
    reader.page.evaluate(f"flaws => {{ {make} }}", flaws)
    bad = " ".join(reader.page.evaluate(WALK)[1])
    assert ".pawn .body" in bad
    assert "#turn" in bad


@pytest.mark.parametrize("game", PLANS)
def test_a_replay_says_what_the_game_is_about_who_won_and_why(game, sites, reader):
    record = sites[game].games()[0]
    best = record.bots[record.ranks.index(min(record.ranks))]
    reader = reader(sites[game])
    reader.replay(record.id)
    expect(reader.page.locator("#now .goal")).to_contain_text("London")
    expect(reader.page.get_by_role("heading", level=1)).to_contain_text(best)
    reader.replay(record.id, 30)
    chances = [int(each.split()[-2]) for each in reader.page.locator("#seats .chance").all_text_contents()]
    assert len(chances) == record.players
    assert 97 <= sum(chances) <= 103  # they are rounded
    reader.page.locator("#curve").hover()
    expect(reader.page.locator("#curve .worth")).to_have_count(record.players)
    face = reader.page.locator("#seats .face").first
    face.hover()
    tip = reader.page.get_by_role("tooltip")
    expect(tip).to_be_visible()
    tip.get_by_role("link").click()
    expect(reader.page.get_by_role("heading", level=1)).to_contain_text("Rules of")
    rule = reader.page.evaluate("() => document.querySelector(':target').textContent")
    assert reader.page.url.endswith(f"#{rule}")
    reader.assert_fits()
    reader.assert_accessible()
    reader.replay(record.id, 9_999_999)
    expect(reader.page.locator("#now")).to_contain_text(best)
    expect(reader.page.locator("#standings .why")).to_have_count(record.players)
    reader.page.get_by_role("tab", name="Turning points").click()
    points = reader.page.locator("#points li a")
    expect(points.first).to_contain_text("chance")
    points.first.click()
    expect(reader.page.locator("#standings")).to_be_hidden()


def test_one_goes_from_game_to_game(sites, reader):
    one, other = [each.id for each in sites["kosmos"].games()[:2]]
    reader = reader(sites["kosmos"])
    reader.replay(one)
    reader.page.get_by_role("button", name="Game ›").click()
    expect(reader.page.locator("#about")).to_contain_text(other)
    reader.page.get_by_role("button", name="‹ Game").click()
    expect(reader.page.locator("#about")).to_contain_text(one)
    reader.page.get_by_role("button", name="‹ Game").click()
    expect(reader.page.locator("#message")).to_have_text("This is the first game.")
