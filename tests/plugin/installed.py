"""Put two games without pictures into a folder as `pip` would: the example, a module, and `drawn_race`, a package."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.fresh import ROOT

MODULE = ROOT / "docs" / "number_race" / "number_race.py"
PACKAGE = Path(__file__).parent / "drawn_race"


def install(folder: Path) -> Path:
    """Fill the folder, which then belongs into PYTHONPATH, and return it."""
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(MODULE, folder)
    for name in (MODULE.stem, PACKAGE.name):
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[arena.rules]\n{name.replace('_', '-')} = {name}:RULES\n", "utf-8")
    return folder
