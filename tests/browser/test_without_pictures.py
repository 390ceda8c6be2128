"""Games without pictures on a person's page and in the replay: the example of a plug-in, and one drawn in text."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import expect

from tests.browser.test_playing import LIMIT, seated
from tests.plugin.installed import install

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.slow]
TURNS = 4
"""Decisions of a person in each game of a library."""


@pytest.fixture
def plugged(tmp_path, monkeypatch):
    """Both are installed, one as a module, one as a package."""
    path = filter(None, [str(install(tmp_path / "plugged")), os.environ.get("PYTHONPATH")])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))


@pytest.mark.usefixtures("plugged")
@pytest.mark.parametrize("size", ["wide", "phone"])
def test_a_person_plays_a_race_to_its_end(size, browser, tmp_path, shoot):
    words = ("@random_bot", "--game", "number-race", "--edition", "sprint", "--hints", "none")
    with seated(browser, tmp_path, size, *words) as seat:
        page = seat.page
        page.get_by_role("button", name="Begin").click()
        assert seat.wait()
        known = page.get_by_role("region", name="What is known")
        expect(known.get_by_role("row")).to_contain_text(["steps", "turn", "number"])
        expect(page.locator("#options")).to_contain_text("keeps the number")
        expect(page.get_by_role("region", name="Your hand")).to_be_hidden()
        expect(page.locator("#hint")).to_be_hidden()
        seat.reader.assert_accessible()
        shoot(seat.reader, f"race-turn-{size}")
        seat.play(seat.type)
        assert seat.decisions >= 2
        assert seat.outside == set()
        expect(page.locator("#end")).to_be_visible()
        expect(page.locator("#curve path.course")).to_have_count(2)
        seat.reader.assert_accessible()
        shoot(seat.reader, f"race-end-{size}")

        page.locator("#replay").click(timeout=LIMIT)
        expect(page.locator("#viewer")).to_be_visible()
        page.select_option("#reader", label="seat 2: " + page.locator("#seats .seat bdi").nth(1).inner_text())
        page.locator("#next").click()
        expect(page.get_by_role("region", name="What is known")).to_contain_text("saw when it chose last")
        expect(page.get_by_role("region", name="What is known").get_by_role("row")).to_contain_text(["number"])
        expect(page.locator("#measure")).to_have_text("steps")
        page.locator("#tab-points").click()
        expect(page.locator("#points")).to_contain_text("do not say who is ahead")
        page.locator("#tab-choices").click()
        seat.reader.assert_accessible()
        shoot(seat.reader, f"race-replay-{size}")


@pytest.mark.usefixtures("plugged")
def test_a_game_that_draws_itself_is_shown_as_it_is_drawn(browser, tmp_path, shoot):
    with seated(browser, tmp_path, "wide", "@random_bot", "--game", "drawn-race", "--edition", "sprint") as seat:
        page = seat.page
        page.get_by_role("button", name="Begin").click()
        assert seat.wait()
        drawn = page.locator("pre.view")
        expect(drawn).to_contain_text("your number: ")
        expect(drawn).to_contain_text("0 >\n1 >")
        expect(page.locator("#hint")).to_be_hidden()
        page.locator("#rules").is_visible()
        seat.play(seat.type)
        expect(page.locator("#mistakes")).to_contain_text("there is no curve of scores either")
        expect(page.locator("#curve")).to_be_hidden()
        shoot(seat.reader, "drawn-end")
        page.locator("#replay").click(timeout=LIMIT)
        expect(page.locator("#viewer")).to_be_visible()
        page.locator("#next").click()
        expect(page.locator("pre.view").first).to_contain_text("=>")
        expect(page.locator("pre.view mark").first).to_contain_text("=>")
        shoot(seat.reader, "drawn-replay")


@pytest.mark.parametrize(
    ("name", "players"),
    [("chess", 2), ("hearts", 4), ("leduc_poker", 2), ("backgammon", 2), ("hanabi", 2), ("goofspiel", 2)],
)
def test_a_person_plays_a_game_of_a_library(name, players, browser, tmp_path, shoot):
    """Some turns of it: chess has more than a test has time for."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is an extra")
    bots = ["@random_bot"] * (players - 1)
    with seated(browser, tmp_path, "wide", *bots, "--game", f"openspiel:{name}", "--hints", "none") as seat:
        page, decision, shown = seat.page, "", set()
        page.get_by_role("button", name="Begin").click()
        while seat.decisions < TURNS and seat.wait(decision):
            decision = page.get_attribute("#game", "data-decision")
            shown.add(page.locator("pre.view, svg.chess").first.evaluate("is => is.ariaLabel || is.textContent"))
            assert page.locator(".option").count() > 1
            seat.type()
            seat.decisions += 1
        assert len(shown) > 1, "what is on the page follows the game"
        shoot(seat.reader, f"openspiel-{name}")
        assert seat.reader.errors == []
