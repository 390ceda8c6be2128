"""What comes with the arena is found in a clone, and a wheel has it where it is looked for."""

from __future__ import annotations

import tomllib
from pathlib import Path

from arena import shipped

ROOT = Path(__file__).parents[3]
HATCH = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]


def test_a_clone_uses_its_own_folders():
    assert shipped.find("docs/vectors") == ROOT / "docs" / "vectors"
    assert set(shipped.bots().values()) == {*(ROOT / "bots").glob("*.py"), ROOT / "bots" / "learned"}


def test_a_wheel_carries_them_and_they_win(tmp_path, monkeypatch):
    places = {source: tmp_path / target for source, target in {**HATCH["sources"], **HATCH["force-include"]}.items()}
    assert set(HATCH["only-include"]) == {"arena", "engine", *HATCH["sources"]}
    monkeypatch.setattr(shipped, "_TOP", tmp_path)
    monkeypatch.setattr(shipped, "_HERE", tmp_path / "arena" / "shipped")
    (tmp_path / "arena" / "shipped" / "bots").mkdir(parents=True)
    for source, target in places.items():
        assert shipped.find(source) == target
    assert shipped.find("docs/vectors") == places["docs"] / "vectors"
    assert shipped.find("engine/rules.py") == tmp_path / "engine" / "rules.py"
