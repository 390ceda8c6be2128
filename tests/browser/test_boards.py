"""Boards in a browser: who stands where, what moves when, and that the picture stays the same to the end."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PLANS

pytestmark = pytest.mark.browser
FLIGHTS = """() => {
  const slider = document.getElementById("seek");
  const press = (id) => document.getElementById(id).click();
  const flying = () => document.getAnimations().filter(({ effect }) => effect && effect.target.closest(".pawn"));
  const words = () => document.getElementById("board-about").textContent;
  const about = () => words().split(". On turn")[0].replace(/[.]$/, "").split(", ");
  const found = [];
  let flights = 0;
  for (const way of ["next", "next-turn", "previous"]) {
    for (let step = 0; step < 60; step += 1) {
      const [before, stood] = [flying(), about()];
      press(way);
      const now = flying();
      const moved = about().filter((each, seat) => each !== stood[seat]).length;
      if (before.some((each) => now.includes(each))) found.push(`${way}: a figure of the step before still moves`);
      const wanted = moved === 1 ? 1 : 0;
      if (now.length !== wanted) found.push(`${way}: ${now.length} figures travel, but ${moved} have moved`);
      for (const { effect } of now) if (effect.getTiming().duration > 400) found.push(`${way}: too slow`);
      flights += now.length;
    }
    for (const jump of ["last", "first", "seek"]) {
      if (jump === "seek") {
        slider.value = String(slider.max >> 1);
        slider.dispatchEvent(new Event("input"));
      } else press(jump);
      if (flying().length) found.push(`a figure travels at ${jump}`);
    }
  }
  return [flights, found];
}"""
"""Go by steps and by turns, jump about, and collect how often a figure travelled and what was wrong with it."""


@pytest.mark.parametrize("game", PLANS)
def test_only_who_has_moved_travels_and_jumps_are_at_once(game, sites, reader):
    reader = reader(sites[game], reduced_motion="no-preference")
    reader.replay(sites[game].games(6)[0].id)
    flights, bad = reader.page.evaluate(FLIGHTS)
    assert bad == []
    assert flights > 10


@pytest.mark.parametrize("game", PLANS)
def test_the_board_of_a_phone_stays_as_it_is_at_the_end(game, sites, reader):
    """The standings scroll below it."""
    record = sites[game].games(6)[0]
    reader = reader(sites[game], size="phone", reduced_motion="reduce")
    reader.replay(record.id, 40)
    boxes = ["#board svg", ".square:first-of-type, .name:first-of-type", ".dial"]
    before = [reader.boxes(each)[:1] for each in boxes]
    reader.page.locator("#board svg").evaluate("picture => { picture.dataset.same = 'yes'; }")
    reader.page.get_by_role("button", name="End").click()
    reader.page.locator("#standings").wait_for()
    assert [reader.boxes(each)[:1] for each in boxes] == before
    assert reader.page.locator("#board svg").get_attribute("data-same") == "yes", "it was drawn anew"
    [panel] = reader.boxes("#seats-panel")
    rows = reader.boxes("#standings tr[data-seat]")
    assert rows[0]["bottom"] < panel["bottom"]
    reader.page.locator("#standings tr[data-seat]").last.scroll_into_view_if_needed()
    assert reader.boxes("#standings tr[data-seat]")[-1]["bottom"] <= panel["bottom"] + 1
    [board] = reader.boxes("#board")
    assert reader.boxes("#board svg")[0]["bottom"] <= board["bottom"] + 1
    reader.replay(record.id, 9_999_999)
    assert abs(reader.boxes("#board svg")[0]["bottom"] - before[0][0]["bottom"]) < 3, "also for whom begins there"
