"""Find the rules that a game ships: `rules.md` beside its code."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Final

from engine.game import Game

_MOST: Final = 500_000
"""Characters. Longer rules are left out."""


def rules_text(rules: Game) -> str:
    """Return the rules as they are shipped, in Markdown; empty if the game ships none."""
    module = type(rules).__module__
    package = sys.modules[module].__package__ or module
    try:
        text = files(package).joinpath("rules.md").read_text("utf-8")
    except (OSError, TypeError, ValueError, ModuleNotFoundError, UnicodeDecodeError):
        return ""
    return text if len(text) <= _MOST else ""
