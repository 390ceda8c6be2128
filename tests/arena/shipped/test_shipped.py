"""What comes with the arena is found in a clone, and a wheel has it where it is looked for."""

from __future__ import annotations

import tomllib
from pathlib import Path

from arena import shipped

ROOT = Path(__file__).parents[3]
HATCH = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]


def test_a_clone_uses_its_own_folders():
    assert shipped.starters() == ROOT / "bots"
    assert shipped.vectors() == ROOT / "tests" / "vectors"


def test_a_wheel_carries_them_and_they_win(tmp_path, monkeypatch):
    places = {source: Path(target) for source, target in HATCH["sources"].items()}
    assert set(HATCH["only-include"]) == {"arena", "engine", *places}
    monkeypatch.setattr(shipped, "_HERE", tmp_path / "arena" / "shipped")
    for target in places.values():
        (tmp_path / target).mkdir(parents=True)
    assert shipped.starters() == tmp_path / places["bots"]
    assert shipped.vectors() == tmp_path / places["tests/vectors"]
