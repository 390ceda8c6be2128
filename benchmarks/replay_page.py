"""Measure how soon a long replay is seen, and what a step of it takes: `python -m benchmarks.replay_page`.

A game of 1,000 open steps and more is opened in Chromium from a file, again and again in new contexts. Needs what
`.ci/browser` installs. Other work on the machine is in the figures: the least is the fairest.
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
ROUNDS = 5
OPEN = """async (id) => {
  const shown = () => document.getElementById("viewer").dataset.game === id;
  while (!shown()) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); // until it is painted
  const board = performance.now();
  const first = performance.getEntriesByName("first-contentful-paint")[0];
  return { first: first ? first.startTime : board, board };
}"""
WALK = """(steps) => {
  const slider = document.getElementById("seek");
  const took = [];
  for (let step = 1; step <= steps; step += 1) {
    const began = performance.now();
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
    """Record the first game of six players that has enough steps, and return its id and the number of steps."""
    for spec in range(len(COUNTS) - 1, 200, len(COUNTS)):
        played = trivial_game(name, spec)
        if len(played.record.steps) >= STEPS:
            with Ledger.open(folder, writing=True) as ledger:
                ledger.record(played.record, played.page_data)
            return played.record.id, len(played.record.steps)
    raise RuntimeError(f"no game of {name} is that long")


def _measured(address: str, game: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    paints, boards, steps = [], [], []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(ROUNDS):
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(address, wait_until="commit")
            found = page.evaluate(OPEN, game)
            paints.append(found["first"])
            boards.append(found["board"])
            steps.append(page.evaluate(WALK, STEPS))
            page.context.close()
        browser.close()
    whole = [each for some in steps for each in some]
    return {
        "first paint, ms": _spread(paints),
        "board, ms": _spread(boards),
        "step, ms": {**_spread(whole), "95 %": round(statistics.quantiles(whole, n=20)[-1], 1)},
    }


def _spread(values: list[float]) -> dict[str, float]:
    return {"least": round(min(values), 1), "median": round(statistics.median(values), 1)}


if __name__ == "__main__":
    for each in sys.argv[1:] or ["ravensburger", "kosmos"]:
        print(json.dumps(replay_figures(each)), flush=True)
