"""By bounding boxes: all that matters of a replay is in the window at every step, and nothing covers anything."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BOTH_WAYS, PLANS

pytestmark = pytest.mark.browser
WALK = """async () => {
  // Two pictures later the board has the size of its room, which a page measures between them.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) => !each.closest("[hidden]"));
  const boxes = (selector) => seen(selector).map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { each, selector, left, right, top, bottom };
  });
  const what = ({ each, selector }) => `${selector} ${each.textContent.slice(0, 20)}`;
  const over = (one, other) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return wide > 1.5 && high > 1.5;
  };
  const found = new Set();
  let step = 0;
  const apart = (some, others) => some.forEach((one, i) => others.forEach((other, j) => {
    if ((some !== others || j > i) && over(one, other)) found.add(`step ${step}: ${what(one)} over ${what(other)}`);
  }));
  const inside = (some, frame) => some.forEach((box) => {
    const aside = box.left < frame.left - 1 || box.right > frame.right + 1;
    const above = box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
    if (aside || above) found.add(`step ${step}: ${what(box)} outside`);
  });
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const slider = document.getElementById("seek");
  const last = Number(slider.max);
  const about = () => document.getElementById("board-about").textContent.split(". On turn")[0].replace(/[.]$/, "");
  const away = ({ left, right, top, bottom }, spot) => { // from a box to the middle of a place
    const [x, y] = [(spot.left + spot.right) / 2, (spot.top + spot.bottom) / 2];
    return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
  };
  const nearest = (box, spots) => {
    const all = spots.map((spot) => away(box, spot));
    return all.indexOf(Math.min(...all));
  };
  const titled = (spot) => spot.each.parentNode.querySelector("title").textContent;
  const standing = (pawns, spots) => { // those of a place stand beside it as a group
    const groups = new Map();
    about().split(", ").forEach((words, seat) => {
      const east = pawns[seat].left > (board.left + board.right) / 2; // a journey around the world ends where it began
      const key = `${words.split(" at ").pop()}/${east}`;
      groups.set(key, [...(groups.get(key) || []), { ...pawns[seat], seat }]);
    });
    for (const [key, group] of groups) {
      const here = key.split("/")[0];
      const edge = (side, most) => most(...group.map((pawn) => pawn[side]));
      const [left, right] = [edge("left", Math.min), edge("right", Math.max)];
      const whole = { left, right, top: edge("top", Math.min), bottom: edge("bottom", Math.max) };
      const own = spots.filter((spot) => titled(spot) === here);
      const far = away(whole, own[nearest(whole, own)]);
      const other = away(whole, spots[nearest(whole, spots)]);
      const seats = group.map(({ seat }) => `seat ${seat}`).join();
      if (far > 40 || far > other + 8) found.add(`step ${step}: ${seats} is ${far} from ${here}`);
    }
  };
  const naming = (names, spots) => names.forEach((name, place) => {
    const spot = spots[nearest(name, spots)];
    const [far, other] = [away(name, spots[place]), away(name, spot)]; // where places are crowded a line leads to it
    if (far > 45 || far > other + 20) found.add(`${name.each.textContent} is ${far} from its place`);
  });
  let drawn = null; // the picture whose fixed parts were measured
  let names, spots, signs, marks, board, stand;
  const compared = new Set(); // the sizes of pictures whose fixed parts were compared: at the same size they lie alike
  for (; step <= last && found.size < 20; step += 1) {
    slider.value = String(step);
    slider.dispatchEvent(new Event("input"));
    const picture = document.querySelector(".board");
    if (picture !== drawn) { // it is drawn anew when its room changes
      [drawn, stand] = [picture, ""];
      board = picture.getBoundingClientRect();
      names = boxes(".name");
      spots = boxes(".place .dot");
      if (names.length) naming(names, spots);
      signs = boxes(".name, .ticket");
      marks = [...signs, ...boxes(".square rect, .place .dot")];
      const size = `${board.width} ${board.height}`;
      if (!compared.has(size)) {
        compared.add(size);
        const fixed = [...signs, ...boxes(".dial")];
        apart(fixed, fixed);
        const turning = boxes(".turning");
        apart(turning, turning);
        inside([...fixed, ...boxes(".square")], board);
      }
    }
    const moving = [...picture.querySelectorAll(".pawn, .piece, .chit circle")];
    const at = (each) => [each.hasAttribute("hidden"), each.style.transform, each.getAttribute("cx")];
    const where = moving.flatMap(at).join();
    if (stand !== where) { // something on the board has changed
      stand = where;
      const pawns = boxes(".pawn .body");
      const tokens = boxes(".chit, .piece");
      inside([...pawns, ...tokens], board);
      apart(pawns, pawns);
      apart(pawns, [...marks, ...tokens]);
      apart(tokens, signs);
      if (names.length) standing(pawns, spots);
      for (const pawn of pawns) if (pawn.bottom - pawn.top < 14) found.add(`step ${step}: ${what(pawn)} is too small`);
    }
    apart(boxes(".pawn .body"), boxes(".stage-name, .cartouche-plate"));
    for (const face of document.querySelectorAll(".hand .face:has(.icon)")) {
      const [card, sign] = [face, face.querySelector(".icon")].map((each) => each.getBoundingClientRect());
      if (sign.left < card.left - 1 || sign.right > card.right + 1) found.add(`step ${step}: a sign leaves its card`);
    }
    const sections = boxes("#viewer section");
    apart(sections, sections);
    const always = ["#board", "#turn", ".controls", ".buttons button", ".titles", ".tools > *"];
    for (const each of always) inside(boxes(each), screen);
    const first = innerWidth < 640 ? ":first-of-type" : ""; // on a phone the others are scrolled to
    const standings = ["#seats-panel", `#standings tr[data-seat]${first}`];
    const isOver = document.getElementById("viewer").classList.contains("over");
    const panels = ["#step", ".seat .seat-head", ".seat.on-turn .hand", ".log [role=tab]"];
    for (const each of isOver ? standings : panels) inside(boxes(each), screen);
    const words = document.querySelector(".log [role=tabpanel]:not([hidden])");
    if (innerWidth >= 640 && words.clientHeight < 48) found.add(`step ${step}: words are out of sight`);
    if (document.documentElement.scrollHeight > innerHeight) found.add(`step ${step}: the page scrolls`);
    if (document.documentElement.scrollWidth > innerWidth) found.add(`step ${step}: the page scrolls sideways`);
  }
  return [step, [...found]];
}"""
"""Walk through every step of a game and collect what covers something else, or is out of sight."""


WALKED = {"wide": ("light", 0, 0), "tablet": ("dark", 1, 1), "phone": ("light", 0, 2)}
"""By size: the theme, and which of the games of 2 and of 6 players are walked through."""


@pytest.mark.parametrize("size", WALKED)
@pytest.mark.parametrize("game", PLANS)
def test_everything_is_in_the_window_and_nothing_covers_anything(game, size, sites, reader, shoot):
    """Two games of 2 and three of 6 players of either game, two of them on one page per size."""
    theme, of_two, of_six = WALKED[size]
    chosen = [sites[game].games(2)[of_two], sites[game].games(6)[of_six]]
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


def test_a_walk_finds_what_covers_something_and_what_is_out_of_sight(sites, reader):
    reader = reader(sites["kosmos"], reduced_motion="reduce")
    reader.replay(sites["kosmos"].games(6)[0].id)
    flaws = ".pawn { transform: translate(200px, 100px) !important; } #turn { position: fixed; top: 110vh; }"
    # A sheet that a script makes: the page's policy allows no other.
    make = "const sheet = new CSSStyleSheet(); sheet.replaceSync(flaws); document.adoptedStyleSheets = [sheet];"
    reader.page.evaluate(f"flaws => {{ {make} }}", flaws)
    bad = " ".join(reader.page.evaluate(WALK)[1])
    assert ".pawn .body" in bad
    assert "#turn" in bad
    assert "seat 5 is" in bad


COVERED = """() => {
  const tip = document.getElementById("card-tip").getBoundingClientRect();
  return [...document.querySelectorAll("#viewer .face")].filter((each) => {
    const { left, right, top, bottom, width } = each.getBoundingClientRect();
    return width && left < tip.right && right > tip.left && top < tip.bottom && bottom > tip.top;
  }).map((each) => each.dataset.card);
}"""
"""The cards that the tip covers."""


@pytest.mark.parametrize("size", ["wide", "tablet", "phone"])
def test_the_tip_of_a_card_covers_no_card_and_escape_closes_it(size, sites, reader):
    reader = reader(sites["kosmos"], size=size, has_touch=True)
    reader.replay(sites["kosmos"].games(6)[0].id, 12)
    tip = reader.page.get_by_role("tooltip")
    faces = [each for each in reader.page.locator("#viewer .face").all() if each.is_visible()]
    assert len(faces) > 6
    for number, face in enumerate(faces):
        if number % 2:
            face.tap()
        else:
            face.hover()
        expect(tip).to_be_visible()
        assert reader.page.evaluate(COVERED) == []
        reader.page.keyboard.press("Escape")
        expect(tip).to_be_hidden()


def test_the_arrow_keys_lead_over_the_board_to_whatever_has_a_tip(sites, reader):
    reader = reader(sites["kosmos"])
    reader.replay(sites["kosmos"].games(2)[0].id, 20)
    press = reader.page.keyboard.press
    stops = reader.page.locator(".board [tabindex]")
    expect(stops).to_have_count(1)
    stops.focus()
    tip = reader.page.get_by_role("tooltip")
    said = set()
    for key in ["Home", *["ArrowRight"] * 9, "ArrowDown", "ArrowLeft", "ArrowUp", "End"]:
        press(key)
        words = reader.page.evaluate("document.activeElement.querySelector('title').textContent")
        expect(tip).to_have_text(words)
        said.add(words)
    assert len(said) > 7
    assert any(each.startswith("detective: ") for each in said)
    expect(stops).to_have_count(1)
    assert reader.count()[0] == 20, "these arrows are no steps"
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert reader.page.evaluate(outline) == "solid"
    press("Escape")
    expect(tip).to_be_hidden()
    reader.page.locator("#board").click(position={"x": 200, "y": 60})
    press("ArrowRight")
    assert reader.count()[0] == 21
    reader.page.locator("#seek").focus()
    assert reader.page.evaluate(outline) == "solid"
    reader.assert_accessible()


WITHOUT_A_MOVE = """async (id) => {
  const replay = await arenaViewer.open(id);
  const point = { step: 20, seat: 0, before: 500, after: 300, other: null, why: [], by: null, by_chance: false };
  replay.data = { ...replay.data, turning_points: [point, { ...point, step: replay.last }] };
  const list = arenaViewer.words.turningPoints(replay, (step) => `#${step}`);
  return [...list.querySelectorAll("li")].map((each) => each.textContent);
}"""
"""What is said of two turning points that no move made: amid a game, and at its end."""


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
    rule = reader.page.locator(":target").inner_text()  # the page may still be on its way there
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
    passed, ended = reader.page.evaluate(WITHOUT_A_MOVE, record.id)
    assert "falls from 50 to 30 % as the turn passes on" in passed
    assert passed.endswith("No move in it did that.")
    assert "as the game ends" in ended
    assert "The game ends: " in ended


def test_results_are_hidden_until_the_end_or_until_one_wishes_to_see_them(sites, reader):
    """The wish is remembered for all pages of a browser, without a server."""
    record = sites["kosmos"].games(6)[0]
    reader = reader(sites["kosmos"], size="phone")
    title = reader.page.get_by_role("heading", level=1)
    reader.replay(record.id, 30)
    expect(title).to_contain_text("beat")
    whole = reader.page.locator("#curve .turning").count()
    reader.page.get_by_role("button", name="Hide results").click()
    expect(title).not_to_contain_text("beat")
    expect(title).to_contain_text(record.bots[0])
    assert reader.page.locator("#curve .turning").count() < whole
    assert reader.page.locator("#points li").count() < whole
    reader.page.get_by_role("button", name="End").click()
    expect(title).to_contain_text("beat")
    expect(reader.page.locator("#curve .turning")).to_have_count(whole)
    reader.open("games/index.html")
    rows = reader.page.locator("[data-games] tbody tr")
    expect(rows.last).to_contain_text(f"seat 1: {sites['kosmos'].games()[0].bots[0]}")
    assert reader.page.get_by_label("Hide results").is_checked()
    expect(reader.page.locator("[data-games] thead")).not_to_contain_text("won with")
    reader.assert_fits()
    reader.assert_accessible()
    reader.page.get_by_label("Hide results").uncheck()
    expect(reader.page.locator("[data-games] thead")).to_contain_text("won with")
    expect(rows.last).to_contain_text("; next: ")
    expect(rows.last).to_contain_text("(seat 1)")
    reader.assert_fits()
    reader.replay(record.id)
    expect(title).to_contain_text("beat")


@BOTH_WAYS
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
