"""A person plays whole games in a browser: by clicks alone and by keys alone, on a wide screen and on a phone."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena.ledger import Ledger
from tests.browser.conftest import SIZES, Reader
from tests.shell import Shell

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.slow]
BOTS = {"kosmos": ("@greedy",), "ravensburger": ("@strider",)}
LIMIT = 120_000
"""Milliseconds that a decision of a bot or an answer may take on a busy machine."""
ASKED_OR_OVER = """before => {
  const decision = document.getElementById('game').dataset.decision;
  return !document.getElementById('end').hidden || (decision && decision !== before);
}"""
OUTSIDE = """() => {
  const seen = '#board, #hand .faces, #asked, #question, #play, #undo, #hint, #options, .seat-head, #cards .faces';
  const out = [...document.querySelectorAll(seen)].filter((each) => {
    const box = each.getBoundingClientRect();
    if (!box.width) return false;
    return box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
  }).map((each) => each.id || each.className);
  const root = document.documentElement;
  return root.scrollHeight > innerHeight || root.scrollWidth > innerWidth ? [...out, 'the page scrolls'] : out;
}"""
"""What of the board, the own hand and the question is out of the window."""
NOTED = """() => {
  window.noted = [];
  const keep = (changes) => changes.forEach((each) => each.addedNodes.forEach((node) => noted.push(node.textContent)));
  new MutationObserver(keep).observe(document.getElementById('log'), { childList: true, subtree: true });
}"""
"""Keeps in `noted` every text that is added to what is told so far."""


class Seat:
    """A person at the page."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.page = reader.page
        self.process: Any = None
        self.decisions = 0
        self.outside: set[str] = set()

    def wait(self, before: str = "") -> bool:
        """Wait for another decision than the one before, or for the end; whether there is a decision."""
        self.page.wait_for_function(ASKED_OR_OVER, arg=before, timeout=LIMIT)
        return not self.page.locator("#end").is_visible()

    def play(self, choose: Any) -> None:
        """Play to the end; `choose()` makes one choice in any way."""
        before = ""
        while self.wait(before):
            before = self.page.get_attribute("#game", "data-decision")
            if self.decisions % 5 == 0:
                self.outside.update(self.page.evaluate(OUTSIDE))
            choose()
            self.decisions += 1

    def click(self) -> None:
        """Choose by clicks: what is lit on the board or among the cards; what is left by a click in the list."""
        for _ in range(8):
            if self.page.get_attribute("#play", "aria-disabled") == "false":
                break
            nothing = self.page.get_attribute("#undo", "aria-disabled") == "true"
            lit = self.page.locator(f".face.lit:not(.picked){', .board .target' if nothing else ''}")
            if lit.count():
                lit.last.click()
            else:
                self.page.locator(".option").last.click()
        self.page.click("#play")

    def type(self) -> None:
        """Choose by keys: the last entry that has one, which may be a group of others, and once it is chosen Enter."""
        while self.page.get_attribute("#play", "aria-disabled") == "true":
            self.page.keyboard.press(str(min(9, self.page.locator(".option").count())))
        self.page.keyboard.press("Enter")

    def standings(self) -> dict[str, int]:
        """The places by name, as they are shown in the end."""
        rows = self.page.locator("#standings-table tr[data-seat]").all()
        cells = [row.locator("th, td").all_inner_texts() for row in rows]
        return {re.sub(r"^\d+\s*", "", each[1].strip()): int(each[0]) for each in cells}


def _address(process: subprocess.Popen[str]) -> str:
    said = []
    for line in process.stdout or ():
        if found := re.search(r"http://\S+/enter/\S+", line):
            return found[0]
        said.append(line)
    raise AssertionError("".join(said))


@contextmanager
def seated(
    browser: Any, folder: Path, size: str, *words: object, motion: str = "reduce", **options: Any
) -> Iterator[Seat]:
    """A running `arena play` and a page that was opened at the address that it prints."""
    shell = Shell(folder)
    asked = ("play", *words, "--no-browser", "--ledger", folder / "games", "--seed", 1)
    with shell.start(*asked, stderr=subprocess.STDOUT) as process:
        address = _address(process)
        context = browser.new_context(viewport=SIZES[size], reduced_motion=motion, **options)
        reader = Reader(context.new_page(), address.split("/enter/")[0] + "/")
        reader.page.set_default_timeout(LIMIT)
        reader.page.goto(address)
        seat = Seat(reader)
        seat.process = process
        yield seat
        context.close()
        process.terminate()
        process.communicate(timeout=60)
    assert reader.errors == []
    shell.close()


@pytest.mark.parametrize(("way", "size", "theme"), [("click", "wide", "light"), ("type", "phone", "dark")])
@pytest.mark.parametrize("game", BOTS)
def test_a_person_plays_a_whole_game(game, way, size, theme, browser, tmp_path):
    with seated(browser, tmp_path, size, *BOTS[game], "--game", game, "--hints", "none", color_scheme=theme) as seat:
        page = seat.page
        expect(page.get_by_role("button", name="Begin")).to_be_focused()
        seat.reader.assert_accessible()
        assert page.evaluate(OUTSIDE) == []
        if way == "type":
            page.keyboard.press("Enter")
        else:
            page.get_by_role("button", name="Begin").click()
        assert seat.wait()
        seat.reader.assert_accessible()
        expect(page.locator("#said")).to_contain_text("Your turn")
        seat.play(seat.click if way == "click" else seat.type)
        assert seat.decisions > 10
        assert seat.outside == set()
        seat.reader.assert_accessible()
        expect(page.locator("#said")).to_contain_text("The end")
        [panel] = seat.reader.boxes("#end")
        assert all(box["left"] >= panel["left"] for box in seat.reader.boxes("#end .scale span"))
        expect(page.locator("#replay")).to_be_visible()
        shown = seat.standings()
        with Ledger.open(tmp_path / "games") as ledger:
            [record] = ledger.games()
        assert shown == dict(zip(record.bots, record.ranks, strict=True))
        page.click("#replay")
        expect(page.locator("#viewer")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_contain_text("person")
    Shell(tmp_path).run("verify", tmp_path / "games")


def test_two_persons_share_a_page_with_a_curtain_hints_and_second_thoughts(browser, tmp_path):
    persons = ("@greedy", "--persons", "Ann,Bob", "--game", "kosmos", "--hints", "@sprinter")
    with seated(browser, tmp_path, "wide", *persons) as seat:
        page = seat.page
        page.get_by_role("button", name="Begin").click()
        curtain = page.get_by_role("button", name="Here I am")
        curtain.wait_for()
        seat.reader.assert_accessible()
        first = page.inner_text("#curtain-name")
        assert first in ("Ann", "Bob")
        expect(page.locator("#game")).to_be_hidden()
        assert page.locator("#hand .face, #log li, #seats li").count() == 0, "the page forgot what it showed"
        curtain.click()
        assert seat.wait()
        expect(page.locator("#asked")).to_contain_text(f"{first}'s turn")
        all_choices = page.locator(".option").count()
        grey = page.locator("#hand .face.barred").first
        grey.focus()
        expect(page.get_by_role("tooltip")).to_contain_text("Not yet")
        expect(page.get_by_role("tooltip")).to_contain_text("Rule K-31")

        page.keyboard.press("h")
        hinted = page.locator(".option .tag")
        expect(hinted).to_have_text("hint", timeout=LIMIT)
        expect(page.locator("#hinted")).to_contain_text("sprinter would choose")
        expect(page.locator(".face.pointed")).to_have_count(1)
        expect(page.locator("#play")).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("1")
        expect(page.locator("#play")).to_have_attribute("aria-disabled", "false")
        expect(page.locator("#answers")).to_be_visible()  # the hint only pointed: one key chooses, and plays nothing
        page.get_by_role("button", name="Undo").click()

        lit = page.locator("#cards .face.lit").first
        lit.click()
        expect(page.locator("#count")).to_contain_text(f"1 of {all_choices}")
        expect(page.locator("#said")).to_contain_text("Enter plays it")
        page.keyboard.press("Backspace")
        expect(page.locator(".option")).to_have_count(all_choices)

        decision = page.get_attribute("#game", "data-decision")
        page.reload()
        page.wait_for_function("d => document.getElementById('game').dataset.decision === d", arg=decision)
        expect(page.locator(".option")).to_have_count(all_choices)
        page.get_by_label("play at once").check()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_function("d => document.getElementById('game').dataset.decision !== d", arg=decision)

        seat.process.terminate()
        expect(page.locator("#message")).not_to_be_empty(timeout=LIMIT)
        expect(page.locator("#answers")).to_be_hidden()
        seat.reader.errors = [each for each in seat.reader.errors if "ERR_CONNECTION_REFUSED" not in each]


def test_the_moves_of_others_are_shown_one_by_one_and_can_be_skipped(browser, tmp_path):
    with seated(browser, tmp_path, "tablet", "@greedy", "--hints", "none", motion="no-preference") as seat:
        page = seat.page
        page.get_by_role("button", name="Begin").click()
        skip = page.get_by_role("button", name="Skip to my turn")
        asked = page.locator("#game:not([data-decision='']) #answers:not([hidden])")
        page.evaluate(NOTED)
        while True:
            skip.or_(asked).first.wait_for()
            if skip.is_visible():
                break
            before = page.get_attribute("#game", "data-decision")
            seat.type()
            page.wait_for_function("d => document.getElementById('game').dataset.decision !== d", arg=before)
        assert any("person" in text for text in page.evaluate("noted")), "so far follows one's own choice"
        expect(page.locator("#answers")).to_be_hidden()
        page.keyboard.press("Enter")
        asked.wait_for()
        expect(skip).to_be_hidden()
        expect(page.locator("#log")).to_contain_text("greedy takes")


@pytest.mark.parametrize("game", BOTS)
def test_the_tutorial_is_gone_through_by_keys(game, browser, tmp_path, shoot):
    with seated(browser, tmp_path, "wide", *BOTS[game], "--game", game, "--tutorial", "--hints", "none") as seat:
        page = seat.page
        page.locator("#lesson").wait_for()
        seat.reader.assert_accessible()
        lessons = page.evaluate("fetch('tutorial').then((answer) => answer.json())")["lessons"]
        pointed = asked = 0
        for number, lesson in enumerate(lessons, start=1):
            expect(page.locator("#asked")).to_have_text(f"{lesson['heading']} ({number} of {len(lessons)})")
            seat.outside.update(page.evaluate(OUTSIDE))
            pointed += page.locator(".pointed, .pointer").count() > 0
            if page.locator("#answers").is_visible():
                asked += 1
                page.keyboard.press(str(lesson["chosen"] + 1))
                page.keyboard.press(str(lesson["chosen"] + 1))
            else:
                page.locator("#lesson-next").focus()
                page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
        assert pointed > 5
        assert asked > 7
        assert seat.outside == set()
