"""By bounding boxes: all that matters of a replay is in the window at every step, and nothing covers anything."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PLANS

pytestmark = pytest.mark.browser
WALK = """async (every) => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) => !each.hasAttribute("hidden"));
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
  const apart = (some, others) => some.forEach((one, i) => others.forEach((other, j) => {
    if ((some !== others || j > i) && over(one, other)) found.add(`${one.what} over ${other.what}`);
  }));
  const inside = (selector, frame) => boxes(selector).forEach((box) => {
    const aside = box.left < frame.left - 1 || box.right > frame.right + 1;
    if (aside || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) found.add(`${box.what} outside`);
  });
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const signs = boxes(".name, .ticket, .dial");
  apart(signs, signs);
  const slider = document.getElementById("seek");
  const last = Number(slider.max);
  const steps = Array.from({ length: Math.floor((last - 1) / every) + 1 }, (_, i) => i * every);
  for (const step of [...steps, last]) {
    slider.value = String(step);
    slider.dispatchEvent(new Event("input"));
    const board = document.querySelector(".board").getBoundingClientRect();
    inside(".name, .ticket, .pawn .body, .chit, .piece, .square", board);
    const pawns = boxes(".pawn .body").filter((each) => each.right > each.left);
    apart(pawns, pawns);
    apart(pawns, boxes(".name, .ticket, .chit, .piece, .square rect, .place .dot"));
    apart(boxes(".chit, .piece"), signs);
    inside("#board, #turn, .controls, #play, #seek, .buttons button, .titles, .tools > *", screen);
    const over_ = document.getElementById("viewer").classList.contains("over");
    const now = "#step, .seat .seat-head, .seat.on-turn .hand, .log [role=tab]";
    inside(over_ ? "#standings tr[data-seat]" : now, screen);
    if (document.documentElement.scrollHeight > innerHeight) found.add("the page scrolls");
    if (document.documentElement.scrollWidth > innerWidth) found.add("the page scrolls sideways");
  }
  return [steps.length, [...found]];
}"""
"""Walk through a game and collect what covers something else, or is out of sight."""


@pytest.mark.parametrize(("size", "theme"), [("wide", "light"), ("tablet", "dark"), ("phone", "light")])
@pytest.mark.parametrize("game", PLANS)
def test_everything_is_in_the_window_and_nothing_covers_anything(game, size, theme, sites, reader, way, shoot):
    if way == "http":
        pytest.skip("the layout does not depend on where a page comes from")
    found = sites[game].games()
    chosen = [max(found, key=lambda each: each.players), min(found, key=lambda each: each.players)]
    if size == "phone" and chosen[0].players > 4:
        del chosen[0]  # six figures, eleven cities and their chits: there is hardly room for their edges
    reader = reader(sites[game], theme, size, reduced_motion="reduce")
    for record in chosen:
        reader.replay(record.id)
        expect(reader.page.locator("#board svg")).to_be_visible()
        steps, bad = reader.page.evaluate(WALK, 3)
        assert steps > 20
        assert bad == [], record.id
        reader.page.get_by_role("button", name="Start").click()
        shoot(reader, f"{game}-start-{size}-{theme}-{record.players}")


@pytest.mark.parametrize("game", PLANS)
def test_a_replay_says_what_the_game_is_about_who_won_and_why(game, sites, reader):
    record = sites[game].games()[0]
    best = record.bots[record.ranks.index(min(record.ranks))]
    reader = reader(sites[game])
    reader.replay(record.id)
    expect(reader.page.locator("#now .goal")).to_contain_text("London")
    expect(reader.page.get_by_role("heading", level=1)).to_contain_text(best)
    reader.replay(record.id, 30)
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
