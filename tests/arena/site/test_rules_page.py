"""The page of the rules that a game ships."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from arena.site.rules_page import rules_page
from engine import catalog


@pytest.mark.parametrize(("game", "rule"), [("kosmos", "K-41"), ("ravensburger", "R-20")])
def test_each_rule_is_an_anchor(game: str, rule: str) -> None:
    headings, html = rules_page(catalog.rules(game))
    assert len(headings) > 5
    assert html.count(f'id="{rule}"') == 1
    for id_, _ in headings:
        assert html.count(f'id="{id_}"') == 1
    assert "<h1>" not in html


def test_the_rules_of_a_plug_in_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.md").write_text("# T\n\n<script>alert(1)</script>\n\n[x](https://example.org) **A-1** a rule")
    module = types.ModuleType("harmful")
    module.__file__ = str(tmp_path / "harmful.py")
    monkeypatch.setitem(sys.modules, "harmful", module)
    made: Any = type("Harmful", (), {"__module__": "harmful"})()
    _, html = rules_page(made)
    assert "<script" not in html
    assert "<a " not in html
    assert '<strong id="A-1">' in html


def test_a_game_without_rules_has_none() -> None:
    made: Any = type("Bare", (), {"__module__": __name__})()
    assert rules_page(made) == ([], "")
