"""The pictures of README can be made again, and are those that are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.browser.conftest import Site
from tests.browser.pictures import FOLDER, take

pytestmark = pytest.mark.browser


def test_the_pictures_of_readme_can_be_made_again(browser: Any, sites: dict[str, Site], tmp_path: Path) -> None:
    take(browser, sites["kosmos"].folder, tmp_path)
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {path.name for path in FOLDER.iterdir()}
    for name in made:
        with Image.open(tmp_path / name) as one, Image.open(FOLDER / name) as other:
            assert one.size == other.size
        assert 10_000 < (tmp_path / name).stat().st_size < 100_000
