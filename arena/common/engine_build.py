"""Tell which build of the engine runs: the rules as they are written, or compiled (see `hatch_build.py`)."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from typing import Final

from engine import deck_knowledge

COMPILED: Final = str(deck_knowledge.__file__).endswith(tuple(EXTENSION_SUFFIXES))
"""Whether the rules are compiled; results are the same."""
ENGINE_BUILD: Final = "compiled engine" if COMPILED else "pure Python engine"
