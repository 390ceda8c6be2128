"""Make the pictures of README, of a tournament that is played for them: `python -m tests.browser.pictures`.

It takes some minutes. `test_pictures.py` takes them of another site, to see that this works.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from tests.browser.conftest import ROOT, chromium

FOLDER = ROOT / "docs" / "pictures"
SIZE = {"width": 1120, "height": 760}
QUALITY = 65


def take(browser: Any, site: Path, folder: Path) -> None:
    """The first page of a site and a game in the middle of its play, each as one window shows it."""
    context = browser.new_context(color_scheme="light", viewport=SIZE, reduced_motion="reduce")
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    _keep(page, folder / "leaderboard.webp")
    page.get_by_role("link", name="Watch").first.click()
    page.locator("#viewer").wait_for()
    [steps] = re.findall(r"of (\d+)", page.inner_text("#position"))
    page.goto(re.sub(r"(#[^/]+).*", rf"\1/{int(steps) * 2 // 3}", page.url))
    page.reload()
    page.locator("#viewer").wait_for()
    _keep(page, folder / "replay.webp")
    context.close()


def _keep(page: Any, path: Path) -> None:
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").save(path, quality=QUALITY, method=6)


def main() -> None:
    """Play, publish, and put the pictures where README shows them."""
    with tempfile.TemporaryDirectory(prefix="arena-pictures-") as temporary:
        arena = [sys.executable, "-m", "arena"]
        bots = sorted((ROOT / "bots").glob("*.py"))
        amount = ["--games", "120", "--seed", "80"]
        subprocess.run([*arena, "tournament", *bots, *amount, "--out", f"{temporary}/world"], check=True, cwd=ROOT)
        subprocess.run([*arena, "publish", f"{temporary}/world", "--to", f"{temporary}/site"], check=True, cwd=ROOT)
        FOLDER.mkdir(exist_ok=True)
        with chromium() as browser:
            take(browser, Path(temporary, "site"), FOLDER)


if __name__ == "__main__":
    main()
