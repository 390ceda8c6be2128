"""Say how many there are of something."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which forms its plural by an s: `1 game`, `2 games`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
