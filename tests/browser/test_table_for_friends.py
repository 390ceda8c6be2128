"""Three persons play whole games in three browsers, with reloads, a lost connection and an arena that is killed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena.ledger import Ledger
from tests.browser.conftest import SIZES
from tests.shell import Shell

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.slow]
NAMES = ("Ann", "Bob", "Cem")
GAMES = {
    "kosmos": ("--game", "kosmos", "--edition", "nim", "--players", 3),
    "ravensburger": ("--game", "ravensburger", "--players", 3, "--edition", "short.toml"),
    "openspiel:hearts": ("@random_bot", "--game", "openspiel:hearts"),
}
LIMIT = 60_000
PLAYER = """() => {
  window.answered = 0;
  let seen = "";
  window.player = setInterval(() => {
    const game = document.getElementById("game"), decision = game.dataset.decision;
    if (window.resting || !decision || game.hidden || document.getElementById("answers").hidden) return;
    const options = [...document.querySelectorAll(".option")], play = document.getElementById("play");
    if (!options.length) return;
    if (play.getAttribute("aria-disabled") === "true") {
      const to = (option) => Number((/to square (\\d+)/.exec(option.innerText) || [0, -1])[1]);
      options.reduce((best, option) => (to(option) > to(best) ? option : best)).click();
    } else {
      window.answered += decision !== seen;
      seen = decision;
      play.click();
    }
  }, 10);
}"""
"""Plays in the page: the first choice of the list, or the one that leads furthest on a track."""


class Friends:
    """Three pages, and the arena that they play at."""

    def __init__(self, browser: Any, shell: Shell, words: tuple[object, ...]) -> None:
        self._shell, self._stack = shell, ExitStack()
        asked = ("--persons", ",".join(NAMES), "--host", "127.0.0.1", "--hints", "none", "--no-browser")
        self._words = ("play", *words, *asked, "--ledger", shell.folder / "games", "--seed", 4)
        addresses = self.start()
        self.pages = {}
        for name in NAMES:
            context = self._stack.enter_context(
                _closing(browser.new_context(viewport=SIZES["wide"], reduced_motion="reduce"))
            )
            page = self.pages[name] = context.new_page()
            page.set_default_timeout(LIMIT)
            page.add_init_script(f"addEventListener('DOMContentLoaded', {PLAYER})")
            page.goto(addresses[name])

    def start(self) -> dict[str, str]:
        """Start the arena, and return the address of each person."""
        self.process = self._stack.enter_context(self._shell.start(*self._words, stderr=subprocess.STDOUT))
        found: dict[str, str] = {}
        said = []
        for line in self.process.stdout:
            said.append(line)
            name, _, rest = line.partition(": ")
            if name in NAMES and "/enter/" in rest:
                found[name] = rest.split()[0]
            if len(found) == len(NAMES):
                return found
        raise AssertionError("".join(said))

    def wait(self, name: str, answers: int) -> None:
        """Until this person has answered so often since the page was loaded, or the game is over."""
        script = "least => window.answered >= least || !document.getElementById('end').hidden"
        self.pages[name].wait_for_function(script, arg=answers, timeout=LIMIT)

    def close(self) -> None:
        self.process.kill()
        self._stack.close()


@contextmanager
def _closing(context: Any) -> Iterator[Any]:
    yield context
    context.close()


@pytest.mark.parametrize("game", GAMES)
def test_three_persons_play_a_whole_game_whatever_is_lost(game: str, browser: Any, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    (tmp_path / "short.toml").write_text('base = "standard"\n[parameters]\nmax_rounds = 12\n')
    friends = Friends(browser, shell, GAMES[game])
    ann, bob, cem = friends.pages.values()
    if game == "kosmos":  # the first page has links for those who have not come
        ann.get_by_role("button", name="A link for Bob").click()
        bob.goto(ann.get_by_label("The link for Bob, which works once").input_value())
    for page in friends.pages.values():
        page.get_by_role("button", name="Begin").click()
    friends.wait("Bob", 2)
    bob.reload()
    friends.wait("Bob", 1)
    cem.context.set_offline(True)  # a closed laptop
    expect(cem.locator("#message")).to_contain_text("did not answer", timeout=LIMIT)
    cem.context.set_offline(False)
    friends.wait("Cem", 3)
    friends.process.kill()
    friends.process.wait()
    expect(ann.locator("#message")).to_contain_text("Trying again", timeout=LIMIT)
    friends.start()
    shown = []
    for page in friends.pages.values():
        page.locator("#end").wait_for(timeout=LIMIT)
        rows = page.locator("#standings-table tr[data-seat]").all()
        cells = [row.locator("th, td").all_inner_texts() for row in rows]
        shown.append({re.sub(r"^\d+\s*", "", each[1].strip()): int(each[0]) for each in cells})
    with Ledger.open(tmp_path / "games") as ledger:
        [record] = ledger.games()
        assert list(ledger.voids()) == []
    assert shown == [dict(zip(record.bots, record.ranks, strict=True))] * 3
    for name, page in friends.pages.items():
        is_first = record.ranks[record.bots.index(name)] == 1
        expect(page.locator("#asked")).to_contain_text(
            "first place" if is_first and record.ranks.count(1) > 1 else "You win" if is_first else "You are number"
        )
    friends.close()
    assert "1 game verified, all as recorded" in shell.run("verify", tmp_path / "games").stdout
    shell.close()
