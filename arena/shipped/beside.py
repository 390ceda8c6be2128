"""Find what a game ships beside its code, such as its rules."""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from engine.rules import Rules

_MOST: Final = 500_000
"""Characters. Longer rules are left out."""


def shipped_beside(rules: Rules, name: str) -> Traversable:
    """Return the file of that name beside the module of a game, whether or not it is there."""
    module = sys.modules[type(rules).__module__]
    if module.__package__:
        return files(module.__package__).joinpath(name)
    # A module alone is no package, and before Python 3.12 `files` refuses those.
    file = getattr(module, "__file__", None)
    return Path(os.devnull if file is None else file).with_name(name)


def rules_text(rules: Rules) -> str:
    """Return the rules as they are shipped, in Markdown; empty if the game ships none."""
    try:
        text = shipped_beside(rules, "rules.md").read_text("utf-8")
    except (OSError, TypeError, ValueError, ModuleNotFoundError, UnicodeDecodeError):
        return ""
    return text if len(text) <= _MOST else ""
