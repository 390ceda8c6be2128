"""Say that a word is none of those that are allowed, and which of them was probably meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

_LIKENESS: Final = 0.6
"""So like must a word be to be suggested; 1 is the same. A letter too few, too many or exchanged is above that."""


def refused(word: object, allowed: Collection[str]) -> str:
    """Say that a value is none of these words, and which was probably meant."""
    if len(allowed) == 1:
        return f"{word!r} is not allowed, only {next(iter(allowed))} is"
    return f"{word!r} is none of {', '.join(allowed)}{suggested(word, allowed)}"


def suggested(word: object, allowed: Collection[str]) -> str:
    """Ask whether the most similar of these words was meant, as the end of a message. Return "" if none is similar."""
    by_lower = {each.lower(): each for each in allowed}
    found = get_close_matches(str(word).strip().lower(), by_lower, 1, _LIKENESS)
    return f". Did you mean {by_lower[found[0]]}?" if found else ""
