"""Measure how soon a long replay is seen, and what a step of it takes: `python -m benchmarks.replay_page`.

A game of 1,000 steps, or the longest of some if the game is never that long, is opened in Chromium from a file, again
and again in new contexts. Needs what `.ci/browser` installs. Other work on the machine is in the times, but hardly in
the processor time of a step, which is that of all threads of the page's process. A game takes at most some 50 seconds.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from arena.ledger import Ledger
from arena.site import publish
from benchmarks.publish import COUNTS, trivial_game, write_ledger

STEPS = 1000
TRIED = 20
"""Games of which the longest is taken."""
ROUNDS = 4
SECONDS = 10
"""The time after which a round ends, whatever number of steps it has made."""
OPEN = """async (id) => {
  const viewer = () => document.getElementById("viewer"); // null while the page is still read
  const shown = () => viewer() && viewer().dataset.game === id;
  while (!shown()) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); // until it is painted
  const board = performance.now();
  const first = performance.getEntriesByName("first-contentful-paint")[0];
  return { first: first ? first.startTime : board, board };
}"""
WALK = """([steps, seconds]) => {
  const slider = document.getElementById("seek");
  const took = [];
  const end = performance.now() + 1000 * seconds;
  for (let step = 1; step <= steps; step += 1) {
    const began = performance.now();
    if (began > end) break;
    slider.value = String(step);
    slider.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect(); // lays the page out
    took.push(performance.now() - began);
  }
  return took;
}"""


def replay_figures(name: str) -> dict[str, Any]:
    """Return milliseconds until first paint and until the board stands, and of a step."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        ledger, site = Path(temporary) / "t", Path(temporary) / "site"
        write_ledger(ledger, name, 0)
        game, steps = _longest(ledger, name)
        publish(ledger, site, jobs=1)
        address = f"{site.as_uri()}/games/replay.html#{game}"
        return {"game": name, "steps": steps, **_measured(address, game)}


def _longest(folder: Path, name: str) -> tuple[str, int]:
    """Record a game of six players with enough steps, or the longest, and return its id and the number of steps."""
    best = None
    for spec in range(len(COUNTS) - 1, TRIED * len(COUNTS), len(COUNTS)):
        game = trivial_game(name, spec)
        if best is None or len(game[0].steps) > len(best[0].steps):
            best = game
        if len(best[0].steps) >= STEPS:
            break
    assert best is not None
    with Ledger.open(folder, writing=True) as ledger:
        ledger.record(*best)
    return best[0].id, len(best[0].steps)


def _measured(address: str, game: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    paints, boards, steps, used = [], [], [], []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        system = browser.new_browser_cdp_session()
        for _ in range(ROUNDS):
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(address, wait_until="commit")
            found = page.evaluate(OPEN, game)
            paints.append(found["first"])
            boards.append(found["board"])
            last = min(STEPS, int(page.get_attribute("#seek", "max")))
            before = _processor_seconds(system)
            steps.append(page.evaluate(WALK, [last, SECONDS]))
            used.append(1000 * (_processor_seconds(system) - before) / len(steps[-1]))
            page.context.close()
        browser.close()
    whole = [each for some in steps for each in some]
    return {
        "first paint, ms": _spread(paints),
        "board, ms": _spread(boards),
        "step, ms": {**_spread(whole), "95 %": round(statistics.quantiles(whole, n=20)[-1], 1)},
        "step, ms of the processor": _spread(used),
        "steps measured": len(whole),
    }


def _processor_seconds(system: Any) -> float:
    """Return what the processes that show pages have used."""
    processes = system.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(each["cpuTime"] for each in processes if each["type"] == "renderer"))


def _spread(values: list[float]) -> dict[str, float]:
    return {"least": round(min(values), 1), "median": round(statistics.median(values), 1)}


if __name__ == "__main__":
    for each in sys.argv[1:] or ["ravensburger", "kosmos"]:
        print(json.dumps(replay_figures(each)), flush=True)
